/* State shared by the ways of counting classes in whole numbers: the current node, and the current feature.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CLASS_COUNTS_H
#define RRF_CLASS_COUNTS_H

#include <float.h>

#include "filters/counts/incumbent.h"

/* The payload of a row: its in-bag count, above its class. */
enum { CLASS_BITS = 8, MAX_CLASSES = 1 << CLASS_BITS };
/* Largest count that fits above the class. Such counts are exact in single precision, too. */
enum { MAX_DRAWS = (1 << 24) - 1 };
/* Number of classes that a filter adds up in single precision within SINGLE_SLACK. */
enum { MAX_ADDED = 32 };

/* The current column. */
typedef struct class_scan {
    scan scan;
    bool asks;    /* the scan ends at the first cut that may equal the best */
    double slack; /* largest distance between the filter's sums and R's, which are not exact then */
    double threshold;
    const class_counts *counts;
} class_scan;

/* State for comparing all cuts of a feature at once, in nodes of few rows or for features of few values (class_cuts.c). */
typedef struct class_cuts {
    bool by_class;        /* the rows of the current node are listed by class */
    bool fits;            /* the node can be searched in this way */
    bool lists_all;       /* rows are listed by class in large nodes, too */
    int max_rows;         /* capacity in rows */
    class_rows rows;      /* of the node */
    int32_t *row;         /* max_rows: row numbers */
    uint32_t *weight;     /* max_rows: their cases */
    uint32_t *key;        /* of rows in a node of few rows: their ranks as cut_key_twice() */
    int16_t *cut;         /* the cuts, in whole blocks: the last key on the left */
    int16_t *ascending;   /* cuts after the ranks 0, 1, 2, ... */
    float *worth;         /* of the cuts */
    uint16_t *right;      /* cases on the right of the cuts, as class_cuts_worth() leaves them */
    int32_t *listed;      /* cuts that may equal the best */
    int32_t *next;        /* nclass: position of the next row of a class */
    int32_t *end, *name;  /* nclass: for the classes with rows, the end of their rows, and the class */
    float *total, *price; /* nclass */
} class_cuts;

struct class_counts {
    int stride;     /* classes per rank of the table, in whole lanes */
    int32_t *table; /* TABLE_SIZE: all zero between uses */
    float *lane;    /* 3 x stride, by class: counts on the left, of the node, and prices */
    /* The current node: */
    int node;              /* its number; -1: none */
    double weight;         /* its cases */
    double squares;        /* their priced sum of squares */
    double *price, *total; /* nclass */
    uint32_t *payload;     /* of its rows, in their order */
    class_cuts cuts;
};

/* The counts of a node, made once for all features. */
const class_counts *class_counts_of_node(const scan *c);
/* Begins a feature, and the node if it is a new one (split_classes.c). */
class_scan class_scan_begin(const scan *c, bool asks);

static inline void class_scan_set_threshold(class_scan *t)
{
    const scan *c = &t->scan;
    t->threshold = c->read->counts->threshold(&c->column, c->node, c->bar) - t->slack;
}

/* Returns the threshold in single precision, above the value of ranks without a cut. */
static inline float class_scan_least_worth(const class_scan *t)
{
    float threshold = (float)(t->threshold * (1.0 - SINGLE_SLACK));
    return threshold > 0.0F ? threshold : FLT_MIN;
}

/* Returns scratch for the cases left of a cut, by class. */
static inline double *left_of(const class_scan *t)
{
    return t->scan.own->splitter->class_sums;
}

/* Returns Gini's criterion of the cut with left_of() on its left, in whole numbers. */
static inline double class_scan_crit(const class_scan *t, double left)
{
    const double *left_total = left_of(t), *total = t->counts->total;
    double left_squares = 0.0, right_squares = 0.0;
    for (int k = 0; k < t->scan.in->nclass; ++k) {
        double right = total[k] - left_total[k];
        left_squares += left_total[k] * left_total[k];
        right_squares += right * right;
    }
    return left_squares / left + right_squares / (t->counts->weight - left);
}

/* Evaluates the cut with left_of() on its left. True if the scan can end. */
static inline bool class_scan_meet(class_scan *t, double left, uint32_t rank)
{
    scan *c = &t->scan;
    if (t->asks) {
        incumbent_answer answer = incumbent_compare(c, class_scan_crit(t, left), t->slack, rank);
        if (answer == INCUMBENT_BEATEN) {
            class_scan_set_threshold(t);
        }
        return answer == INCUMBENT_UNSURE;
    }
    if (scan_offer(c, c->read->counts->of_classes(c->in, c->node, left_of(t), left), rank)) {
        class_scan_set_threshold(t);
    }
    return false;
}

#endif

/* What the ways of counting classes in whole numbers share: the node under search, and a feature under evaluation.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CLASS_COUNTS_H
#define RRF_CLASS_COUNTS_H

#include <float.h>

#include "filters/counts/incumbent.h"

/* The payload of a row: how often it is in the bag, above its class. */
enum { CLASS_BITS = 8, MAX_CLASSES = 1 << CLASS_BITS };
/* Cases that fit above the class. As many are exact in single precision, too. */
enum { MAX_DRAWS = (1 << 24) - 1 };
/* A filter adds so many classes up in single precision, and stays within SINGLE_SLACK. */
enum { MAX_ADDED = 32 };

/* A column under evaluation. */
typedef struct class_scan {
    scan scan;
    bool asks;    /* the scan ends at the first cut that may equal the best */
    double slack; /* how far the filter's sums may lie from R's, which are not exact then */
    double threshold;
    const class_counts *counts;
} class_scan;

/* A node of few rows, or a feature of few values: its cuts side by side (class_cuts.c). */
typedef struct class_cuts {
    bool by_class;        /* the rows of the node under search are listed, class after class */
    bool fits;            /* it can be looked at in this way */
    bool lists_all;       /* rows are listed by class in large nodes, too */
    int max_rows;         /* for which there is room */
    class_rows rows;      /* of the node */
    int32_t *row;         /* max_rows: which they are */
    uint32_t *weight;     /* max_rows: their cases */
    uint32_t *key;        /* of rows in a node that fits: their ranks as cut_key_twice() */
    int16_t *cut;         /* the cuts, in whole blocks: the last key on the left */
    int16_t *ascending;   /* cuts after the ranks 0, 1, 2, ... */
    float *worth;         /* of the cuts */
    uint16_t *right;      /* what lies right of them, as class_cuts_worth() leaves it */
    int32_t *listed;      /* cuts that may equal the best */
    int32_t *next;        /* nclass: where the next row of a class goes */
    int32_t *end, *name;  /* nclass: of the classes with rows: where they end, and which they are */
    float *total, *price; /* nclass */
} class_cuts;

struct class_counts {
    int stride;     /* of a rank in the table: classes, in whole lanes */
    int32_t *table; /* TABLE_SIZE: all zero between uses */
    float *lane;    /* 3 x stride, by class: counts on the left, of the node, and prices */
    /* Of the node under search: */
    int node;              /* its number; -1: none */
    double weight;         /* its cases */
    double squares;        /* their priced sum of squares */
    double *price, *total; /* nclass */
    uint32_t *payload;     /* of its rows, in their order */
    class_cuts cuts;
};

/* The counts of a node, made once for all features. */
const class_counts *class_counts_of_node(const scan *c);
/* Begins with a feature of the node, and with the node if it is another one than before (split_classes.c). */
class_scan class_scan_begin(const scan *c, bool asks);

static inline void class_scan_set_threshold(class_scan *t)
{
    const scan *c = &t->scan;
    t->threshold = c->read->counts->threshold(&c->column, c->node, c->bar) - t->slack;
}

/* The threshold in single precision, and more than the worth of what is no cut. */
static inline float class_scan_least_worth(const class_scan *t)
{
    float threshold = (float)(t->threshold * (1.0 - SINGLE_SLACK));
    return threshold > 0.0F ? threshold : FLT_MIN;
}

/* What lies left of a cut, by class: scratch. */
static inline double *left_of(const class_scan *t)
{
    return t->scan.own->splitter->class_sums;
}

/* Gini's criterion of the cut with left_of() on its left, in whole numbers. */
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

/* Evaluates the cut with left_of() on its left. True if the scan has its answer. */
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

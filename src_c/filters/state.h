/* State of the filters for a fit, a thread and a tree, and the current column. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_FILTER_STATE_H
#define RRF_FILTER_STATE_H

#include <math.h>

#include "filters/columns/column_filter.h"
#include "filters/columns/order_like_r.h"
#include "filters/columns/sorted_rows.h"
#include "filters/counts/node_rows.h"
#include "filters/switches.h"
#include "tree/search.h"

/* Slack for the rounding of comparisons; cuts that pass are evaluated exactly. */
#define SCAN_SLACK 1.0e-12
/* Relative error of computations in single precision: a few parts in 10^7. */
#define SINGLE_SLACK 4.0e-6
/* Below this factor a criterion may lose digits to gradual underflow, and all cuts are evaluated. */
#define MIN_FACTOR 1.0e-200

/* The version of a criterion for whole numbers of cases (criteria.c). */
typedef struct count_criterion {
    bool sums_squares; /* it is Gini's, which has several forms in whole numbers */
    /* Two classes: a cut gains at most d^2 / (scale l r), see two_class.h. */
    double (*two_class_scale)(const node_view *node);
    /* The criterion if `left`, with left_total by class, goes left. */
    double (*of_classes)(const search_input *in, const node_view *node, const double *left_total, double left);
    /* Several classes: the price of a class of `cases` cases, and the priced sum that a cut needs to equal the best
     * split (split_classes.c). */
    double (*price)(double total);
    double (*threshold)(const column *c, const node_view *node, const bar *bar);
} count_criterion;

/* search_input.filter: the same for all threads. */
typedef struct filter_input {
    const simd *simd;
    const count_criterion *counts; /* NULL: the criterion has no version for counts */
    /* R's order among equal values, which share a rank, if it determines the rounding of sums; otherwise NULL. Only the
     * thread that grows the tree reads it. */
    order_like_r *like_r;
    bool squares;              /* the criterion is Gini's */
    bool two_classes, several; /* classes are counted in whole numbers: class weights are 1.0 or near it */
    bool ordered;              /* R's sums are added up row by row if whole numbers leave a doubt */
    double *inverse;           /* inverse[k] is 1 / k, up to MAX_INVERSE; regression only */
    double *logarithm;         /* n_logarithms: n log n; where classes are counted for entropy */
    int n_logarithms;
    /* Of a tree: */
    uint32_t *payload; /* n: 0 out of bag; counts of a row as split_two_class.c or split_classes.c pack them, or 1 */
    int rows_pack;     /* the payloads of this number of rows add up in their halves */
    sorted_rows sorted_rows;
    uint8_t *listed;     /* by node: its range in the sorted lists is valid */
    uint16_t *left_rank; /* by node: scratch of apply_packed(); NULL: no columns of few values */
} filter_input;

/* Largest whole weight whose inverse is in a table. */
enum { MAX_INVERSE = 2047 };

typedef struct class_counts class_counts;

/* The distinct values of a node in a numeric feature, ascending; regression only. */
typedef struct value_list {
    int size;
    bool of_rows;         /* value i belongs to row i of the sorted ones, and `rank` is not filled in */
    uint32_t *rank;       /* n */
    double *weight, *sum; /* n: of the rows with the value; later of all rows up to it */
    double *ratio;        /* n: the criterion of the cut after the value, approximately */
    double *slot;         /* moments by rank, of few ranks; all zero between uses */
} value_list;

/* The margin of the best split, and the state before the current feature (incumbent.h). */
typedef struct split_incumbent {
    double margin; /* largest difference of R's criterion above best.crit; 0: it equals best.crit */
    double factor; /* of its feature */
    bool compares; /* whole numbers may decide about the current feature */
    split before;
    double margin_before;
    int n_better; /* cuts of the current feature that were better than all before them */
} split_incumbent;

/* splitter.filter: every thread has its own. */
typedef struct filter_scratch {
    splitter *splitter;
    uint64_t *mark;                /* a bit for each rank present in the node; all zero between uses */
    uint32_t *slot;                /* the payload of each rank; all zero between uses */
    uint32_t *present;             /* n: slots of the ranks present, in order */
    uint32_t *present_rank;        /* n: and these ranks */
    node_rows node_rows;           /* of the node under search */
    uint8_t *bin;                  /* n: of the node's rows in a feature; NULL: no feature has bins */
    double *most;                  /* p: upper bound on the gain of each feature of a list; likewise */
    struct coarse_bins *coarse;    /* two classes only */
    struct value_bins *value_bins; /* regression only */
    struct class_bins *class_bins; /* several classes only */
    value_list values;             /* regression only */
    int32_t *node_of;              /* n: node whose rows are marked so far, by row, or -1 */
    int marked_node;               /* the last node whose rows are marked; -1: none */
    class_counts *classes;         /* of split_classes.c; NULL: two classes, or no whole numbers */
    struct node_lanes *lanes;      /* of lanes.c; NULL: none */
    bool listed;                   /* the node under search has its range in the sorted lists */
    double scale;                  /* of the node under search: its two_class_scale() */
    split_incumbent incumbent;
} filter_scratch;

/* The current column at a node: the parts of the tree, the node, the column, and the bar that its cuts must beat. */
typedef struct scan {
    const search_input *in;
    const filter_input *read;
    const node_view *node;
    column column;
    bar *bar;
    filter_scratch *own;
} scan;

static inline scan scan_begin(splitter *s, const node_view *node, const column *c)
{
    return (scan){s->in, s->in->filter, node, *c, &s->bar, s->filter};
}

static inline const feature_profile *scan_profile(const scan *c)
{
    return c->in->profile + c->column.feature;
}

/* Returns the column if it has few values (few_values.h), otherwise NULL; and its bins, row by row (coarse_ranks.h), or
 * NULL. */
static inline const void *packed_column(const scan *c)
{
    return scan_profile(c)->view[0];
}

static inline const uint8_t *coarse_bins_of(const scan *c)
{
    return scan_profile(c)->view[1];
}

static inline uint32_t scan_rank(const scan *c, int row)
{
    return rank_of(c->in->ranks, c->column.feature, row);
}

static inline bool scan_offer(scan *c, double crit, uint32_t cut_rank)
{
    return bar_offer(c->bar, c->node, &c->column, crit, cut_rank);
}

/* Returns the node's entries in the column's sorted list; NULL without one. */
static inline const uint64_t *node_list(const filter_scratch *own, const node_view *node, int feature)
{
    const filter_input *read = own->splitter->in->filter;
    return own->listed ? sorted_rows_range(&read->sorted_rows, feature, node->start) : NULL;
}

/* Returns the criterion that a cut needs to equal the best split so far. */
static inline double scan_threshold(const column *c, double offset, const bar *bar)
{
    bool known = FILTER_THRESHOLD && c->factor > MIN_FACTOR && bar->best.crit > 0.0;
    return known ? (bar->best.crit / c->factor + offset) * (1.0 - SCAN_SLACK) : -INFINITY;
}

/* A criterion that is a quotient in each daughter. */
typedef struct scan_sums {
    double left_squares, left, right_squares, right; /* R's rln, rld, rrn, rrd */
} scan_sums;

/* Compares without divisions. */
static inline bool scan_promises(const scan_sums *sum, double threshold)
{
    double weight = sum->left * sum->right;
    return !(sum->left_squares * sum->right + sum->right_squares * sum->left <= threshold * weight);
}

#endif

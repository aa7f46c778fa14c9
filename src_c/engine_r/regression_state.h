/* What the search of regression knows and writes to: the features of the node, the sorted rows, the best split so far.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_STATE_H
#define RRF_REGRESSION_STATE_H

#include "engine_r/candidates.h"
#include "engine_r/regression_bag.h"
#include "engine_r/regression_lanes.h"
#include "engine_r/regression_sorted.h"

typedef struct regression_split {
    double crit; /* the decrease of the sum of squares, after regularization */
    int feature; /* -1: none found */
    int turn;    /* when the feature was drawn, from 0 */
    /* The cut lies between the values of two rows or, in a factor, between two levels (from 0). */
    int32_t below, above;
    uint32_t cut_rank; /* number: the largest rank that goes left */
    bool exact;        /* randomForest: crit is R's; otherwise it is within a margin */
    bool borrows;      /* randomForest: the split point is `point`, which another feature has left */
    double point;
    double level_mean[RRF_MAX_PACKED]; /* factor: the value that stood for each level */
} regression_split;

/* The result of a first look at the cuts of a feature. */
typedef struct cut_look {
    double factor;  /* multiplies the feature's decrease */
    double margin;  /* how far the ratios may lie from R's */
    double bar;     /* only cuts with a higher ratio can win */
    double highest; /* of the ratios */
} cut_look;

/* A feature that is searched after all others. */
typedef struct pending_feature {
    int turn;
    double least;   /* its best cut reaches this at least */
    double highest; /* ratio of its cuts */
} pending_feature;

/* Results of the ratios of a feature's cuts. */
typedef struct cut_record {
    double most;   /* the highest, and at first that of no cut */
    int best;      /* the place of that cut; -1: none */
    uint32_t left; /* cases up to it */
    int beaten;    /* how often the highest was beaten; -1: ratios are too close to decide */
} cut_record;

/* The cuts of a feature as randomForest scans them. */
typedef struct forest_cuts {
    int32_t *place; /* of each cut, among the sorted rows, values or cases */
    uint32_t *left; /* cases up to it */
    double *crit;   /* what R makes of it */
    int size;
    double *suml, *sumr;   /* R's sums of both sides after each case */
    double margin;         /* of the node: ratios further apart are in R's order */
    int n_ties;            /* R's tieVar */
    regression_split here; /* the current feature */
    cut_record record;     /* and the result of its ratios */
    bool laid_out;         /* its rows are those that are sorted */
    regression_split last; /* whose point R's ubestt holds; feature -1: none, and the point is 0 */
} forest_cuts;

typedef struct regression_search {
    const rrf_data *data;
    const rrf_ranks *ranks;
    const regression_bag *bag;
    const double *coef_reg;
    int mtry;
    bool flag_reg, quirks;
    candidates features; /* of which F is a part */
    rrf_rng *rng;
    int32_t *drawn;           /* mtry: the features of the node, in the order of their draws */
    pending_feature *pending; /* mtry */
    int n_pending;
    double *bound; /* mtry: of each feature's decrease, before the penalty */
    regression_lanes lanes;
    double promised; /* the best of the pending features reaches at least this */
    regression_sorted sorted;
    double *inverse;  /* inverse[k] is 1 / k, up to the cases of a tree */
    double *sorted_y; /* cases: the responses in the order by value */
    case_sum *sums;   /* cases: of the rows of the node, or of the cases in their place */
    double *value;    /* cases: the values, sorted as R does */
    int32_t *index;   /* cases: and their places in the node */
    uint64_t *items;  /* cases: the same, as keys above places */
    uint32_t *needed; /* cases + 1: how many cases up to each are among ties that matter */
    double level_mean[RRF_MAX_PACKED];
    case_sum level_sums[RRF_MAX_PACKED];
    int level_count[RRF_MAX_PACKED];
    cut_look look;
    regression_split best;
    forest_cuts cuts; /* randomForest */
} regression_search;

static inline bool is_factor(const regression_search *s, int feature)
{
    return s->data->ncat[feature] > 1;
}

#endif

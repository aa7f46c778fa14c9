/* What the two files of the regression oracle share: a tree, and the bag that it grows on.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGRESSION_ORACLE_TREE_H
#define REGRESSION_ORACLE_TREE_H

#include <stdbool.h>

#include "data/matrix.h"
#include "tree/forest.h"

/* A case is a draw: its number is its place in `draw`. */
typedef struct reg_oracle {
    const rrf_data *data;
    const double *y;
    double *response; /* n: what trees grow on: y, without quirks less its lower median, `location` */
    double location;
    const rrf_params *params;
    rrf_rng *rng;
    int32_t *used;
    double *decrease;
    int m;             /* cases */
    int *draw;         /* m: their rows */
    int *order;        /* m: cases; a node owns a range */
    int *start, *size; /* by node */
    int *inbag;        /* n: times drawn */
    bool *used_in_tree;
    tree t;
    int degenerate;
    /* The split search. */
    double *value, *sorted;                   /* m: values of the node's cases, and the same sorted */
    int32_t *place;                           /* m: places of the sorted cases, as the last feature left them */
    double *best_value;                       /* m: values of the feature split on */
    double best_crit, best_point, kept_point; /* kept_point: R's ubestt, which outlives a feature */
    int n_ties;                               /* randomForest: of features */
    double best_mean[RRF_MAX_PACKED];
    int best_feature;
} reg_oracle;

void regression_oracle_draw_bag(reg_oracle *o);
/* Grows o->t on the bag. */
void regression_oracle_grow(reg_oracle *o);

#endif

/* A split, and the node and the feature of its search. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_H
#define RRF_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct split {
    double crit;       /* R's critmax: the criterion minus the node's offset, after regularization */
    int feature;       /* -1: none found */
    uint32_t cut_rank; /* number: the highest rank that goes left */
    uint64_t levels;   /* factor: a bit for each level that goes left; for a wide one the number of ordered levels that
                        * do */
    bool missing_left; /* missing values go left (parallel engine) */
    int n_equal;       /* number of equal splits of the same feature, itself included (parallel engine) */
} split;

/* The view of a node for the search. The caller fills in the first part, the criterion the second, the rule the third. */
typedef struct node_view {
    int number;
    const int32_t *rows; /* its in-bag rows, in R's ncase order */
    int start, size;     /* their range among the tree's in-bag rows */
    const double *sums;  /* over its rows: the weight of each class, or moments (criterion.h) */

    double weight;      /* of all its rows, classes added in order: R's pdo */
    double class_parts; /* the classes' parts of the criterion, added in order; squares are R's pno. Classes only */
    double crit;        /* the criterion before the split, R's crit0 */
    double offset;      /* a coefficient multiplies the criterion minus this */
    double least_gain;  /* a gain of at most this may be rounding and counts as none */
    double floor;       /* a split is accepted if its value is above this after regularization */

    uint64_t key; /* the node's random stream (parallel engine) */
    int depth;    /* splits above the node (parallel engine) */
} node_view;

/* A feature at a node. */
typedef struct column {
    int feature;
    double factor, inverse; /* multiplies the gains of its cuts; 1 / factor, or 0 if that could overflow */
    bool missing_left;      /* side on which missing values are tried */
} column;

#endif

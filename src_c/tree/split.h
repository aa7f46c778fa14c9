/* A split, and a node as the search sees it.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_H
#define RRF_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct split {
    double crit;       /* R's critmax: the impurity criterion less the node's offset, after regularization */
    int feature;       /* -1: none found */
    uint32_t cut_rank;  /* numeric: the largest key that goes left */
    uint32_t levels;   /* factor: bits of the levels that go left */
    bool missing_left; /* missing values go left (parallel engine) */
    uint64_t priority; /* decides between equal splits (parallel engine) */
} split;

/* A node as the split finders see it. */
typedef struct node_view {
    const int32_t *rows;       /* its in-bag rows; contiguous, in R's ncase order */
    int start, size;           /* where they stand among the tree's in-bag rows, and how many they are */
    const double *class_total; /* n_totals */
    double sum;                /* over class_total, added in class order: R's pdo; for numbers, the weight */
    double sum_squares;        /* likewise: R's pno; for numbers, the square of the weighted response */
    double crit;               /* their quotient, R's crit0: the criterion before the split */
    double offset;             /* what coefficients multiply is the criterion less this */
    double least_gain; /* a criterion that exceeds the offset by no more is none; what rounding leaves is no gain */
    uint64_t key;      /* the node's random stream (parallel engine) */
    int depth;         /* splits above the node (parallel engine) */
} node_view;

#endif

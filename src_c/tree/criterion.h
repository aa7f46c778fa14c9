/* The interface of the criteria: the values of nodes and splits.
 *
 * gini.c, entropy.c and variance.c are one criterion each. A new one is a file like them, its name below, a row of the table
 * in criterion.c, and a value of rrf_criterion.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CRITERION_H
#define RRF_CRITERION_H

#include "tree/bag.h"
#include "tree/split.h"

typedef struct search_input search_input;
typedef struct bar bar;

/* The node's rows in the order of a scan: by ascending rank, with missing ones last or first. There may be a cut after each
 * of the rows `first` to `last`. */
typedef struct row_order {
    const int32_t *rows;
    int first, last;
} row_order;

/* The sums of a factor's level: the weight of its rows, and the weighted sum of their responses. Of two classes the
 * response is 1 in class 0 and 0 in class 1. */
typedef struct level_mean {
    double weight, sum;
    int level;
} level_mean;

/* In regression a node has two sums: of the weights, and of weight times response. */
enum { SUM_WEIGHT, SUM_RESPONSE, N_MOMENTS };

typedef struct criterion {
    int n_moments;      /* sums per node, and values per row that begin_tree() prepares; 0: sums by class, no values */
    int mean_sum;       /* index of the node's sum that corresponds to its levels' `sum` */
    int32_t interior;   /* the status of a split node in the forest */
    bool orders_levels; /* the best cut between levels by their means is the best of all subsets, for any target */
    bool absent_right;  /* levels without rows in the node go right; false: as in R */

    /* Computes the sums of the tree's bag. */
    void (*sum_bag)(const bag *b, double *sums);
    /* Computes the sums over some of its rows, after begin_tree(). Returns the size that is compared with nodesize. */
    int (*sum_rows)(const search_input *in, const int32_t *rows, int n_rows, double *sums);
    /* Returns whether no split can improve a node with these sums. */
    bool (*is_pure)(const double *sums, int nclass);
    /* Returns the prediction of a node; NULL: leaves predict a class, which the rule chooses. */
    double (*predict)(const double *sums);
    /* Fills in the second part of the view. */
    void (*view)(node_view *view, int nclass);

    /* Prepares the n_moments values of each row in the bag; NULL: there are none. */
    void (*begin_tree)(const bag *b, double *moments);
    /* Offers the cuts of a sorted numeric feature. sums: scratch of 2 x nclass. */
    void (*scan)(const search_input *in, const node_view *node, const column *c, const row_order *order, double *sums,
                 bar *bar);
    /* Adds up the node's rows by level of a factor; means: zeros, one per level. */
    void (*sum_levels)(const search_input *in, const node_view *node, int feature, level_mean *means);
    /* Returns one daughter's part of the criterion, from its weight and its sum as in level_mean. */
    double (*impurity_of_child)(double weight, double sum);
    /* Returns the criterion if `left`, with left_total by class, goes left; NULL without classes. */
    double (*of_classes)(const search_input *in, const node_view *node, const double *left_total, double left);
} criterion;

extern const criterion gini, gini_gain, entropy, variance;

/* Returns the criterion of a fit. parallel NULL: engine r. */
const criterion *criterion_choose(const rrf_target *target, const rrf_parallel_params *parallel);

/* Sums that describe a node. */
static inline int criterion_sums(const criterion *c, int nclass)
{
    return c->n_moments ? c->n_moments : nclass;
}

/* R's 1.0e-5, single precision: the smallest weight of a daughter. */
#define MIN_WEIGHT ((double)1.0e-5F)
/* Largest gain, as a share of the node's weight, that a useless split may have by rounding. */
#define ROUNDING 1.0e-12

#endif

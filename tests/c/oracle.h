/* A slow reimplementation of the classification fit: every node filters every column for its rows and evaluates every
 * split as written in the specification. No keys, no kernels, no streams. It shares with the core the random stream and
 * sort_like_r, which have tests of their own.
 *
 *   oracle_bag.c     in-bag rows
 *   oracle_tree.c    candidates, split search, one tree
 *   oracle_forest.c  votes, importance, proximity, the fit
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>

#include "rrf.h"

typedef struct oracle_node {
    int32_t *rows; /* in-bag rows, in the order that the last split left them in */
    int n_rows;
    double *total;             /* nclass: class totals, added in that order */
    int status, left, feature; /* left and feature from 1, 0 in a terminal node */
    double point;
    int prediction; /* from 1, 0 in an interior node */
} oracle_node;

typedef struct oracle {
    const rrf_data *data;     /* what split points and terminal nodes go by */
    const rrf_data *searched; /* what splits are searched in: the same, but in unsupervised mode */
    const int32_t *y;
    int nclass;
    const rrf_params *params;
    rrf_rng *rng;
    const double *classwt;
    int32_t *used;      /* p: in F */
    double *decrease;   /* p: sums of decreases */
    int32_t **order;    /* p: all rows as R's sort leaves them; NULL for a factor */
    int32_t *count;     /* n: times in the bag */
    double *weight;     /* n */
    double *bag_total;  /* nclass */
    double *chance;     /* n: case_weight, or NULL; those of a stratum are scaled anew for each bag */
    bool *in_node;      /* n: scratch */
    bool *used_in_tree; /* p */
    oracle_node *node;
    int n_nodes, node_capacity;
} oracle;

/* malloc that ends the test when memory is short. */
void *oracle_alloc(size_t count, size_t size);

void oracle_init(oracle *o, const rrf_data *data, const int32_t *y, int nclass, const rrf_params *params, rrf_rng *rng,
                 rrf_class_result *result);
void oracle_free(oracle *o);
/* Sorts the columns of o->searched. */
void oracle_sort(oracle *o);
/* A number from 0 below n, drawn as R does. */
int oracle_below(oracle *o, int n);
/* RRF_ERR_ONE_CLASS where randomForest gives up. */
rrf_status oracle_draw_bag(oracle *o);
/* Whether CRAN RRF's own slips are mirrored. */
bool oracle_slips(const rrf_params *params);
rrf_ties oracle_ties(const rrf_params *params);
void oracle_grow(oracle *o);
/* The terminal node, from 0, of a row of `data`; `value` stands in for feature `replaced` (-1: none). */
int oracle_apply(const oracle *o, const rrf_data *data, int row, int replaced, double value);

/* Marks the feature and those with its label as used. */
void oracle_enter(const rrf_params *params, int p, int feature, int32_t *used);
/* The same for all features that are used. */
void oracle_enter_all(const rrf_params *params, int p, int32_t *used);

/* The class with most votes over cutoff among n_votes in all; `current` stands when no class has a vote. */
int oracle_winner(const int32_t *votes, int n_votes, int nclass, const double *cutoff, rrf_ties ties, int current,
                  rrf_rng *rng);

/* As rrf_fit_classification; forest is filled whatever keep_forest says. */
rrf_status oracle_fit(const rrf_data *train, const int32_t *y, int nclass, const rrf_data *test, const int32_t *ytest,
                      const rrf_params *params, rrf_rng *rng, rrf_forest *forest, rrf_class_result *result);

#endif

/* Generated data with the arguments of a fit, and a place for the results. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "rrf.h"

/* What a column may hold; a problem picks one of the kinds allowed for each column. */
enum {
    SMOOTH = 1, /* different values, unrelated to the class */
    SIGNAL = 2, /* different values, higher in higher classes */
    TIED = 4,   /* few values */
    CONSTANT = 8,
    COPY = 16,   /* the column before: every split ties */
    MIRROR = 32, /* minus the column before: every split ties with its mirror image */
    ODD = 64,    /* zeros of both signs, neighbouring doubles, the largest and the smallest */
    FACTOR = 128,
    ANY_COLUMN = 255
};

enum coef_kind {
    COEF_ONE,
    COEF_HIGH,
    COEF_MIXED,
    COEF_SOME_ZERO,
    COEF_SOME_NEGATIVE,
    COEF_TINY,
    COEF_SOME_REFUSED,
    COEF_ANY
};
enum weight_kind { WEIGHTS_BY_SIZE, WEIGHTS_SOME, WEIGHTS_TINY };

/* 0 stands for the default, given in brackets. */
typedef struct spec {
    const char *name;
    int n, p, nclass;
    int columns;                /* kinds allowed [SMOOTH | SIGNAL] */
    int n_levels;               /* levels of every factor, 53 at most [any number from 2 to 32] */
    int class0;                 /* rows of class 0 [as they fall] */
    int n_test;                 /* test rows */
    int ntree;                  /* [3] */
    int mtry;                   /* [the root of p] */
    int nodesize;               /* [1] */
    int max_nodes;              /* [no bound] */
    int sampsize;               /* [n with replacement, 0.632 n without] */
    int nstrata;                /* rows of each stratum are drawn for themselves */
    int coef;                   /* coef_kind */
    int n_groups;               /* labels of features, without all_penalised [no groups] */
    int classwt;                /* weight_kind */
    int n_jobs;                 /* [1] */
    unsigned all_penalised : 1; /* flag_reg 0 */
    unsigned no_replacement : 1, no_quirks : 1, cutoff : 1, some_used : 1;
    unsigned importance : 1, local : 1, proximity : 1, oob_proximity : 1, test_labels : 1, inbag : 1;
    unsigned random_forest : 1; /* CRAN randomForest's; then all_penalised without no_quirks */
    unsigned case_weights : 1;  /* chances of the rows */
    unsigned unsupervised : 1;  /* n counts the rows twice; nclass is 2 */
    unsigned exact : 1;         /* a promise: every class weight comes out as 1.0 */
} spec;

typedef struct problem {
    const char *name;
    double *x, *xtest;
    int32_t *ncat, *y, *ytest, *sampsize, *strata, *used, *group;
    double *classwt, *cutoff, *coef_reg, *case_weight;
    int nclass;
    rrf_data train, test;
    rrf_params params;
    spec made_from;
} problem;

/* The same seed makes the same problem. */
void problem_make(problem *p, const spec *s, uint64_t seed);
void problem_free(problem *p);
/* A spec with every field drawn, small enough for the oracle. */
spec spec_draw(uint64_t seed);

typedef struct answer {
    rrf_class_result result;
    rrf_forest forest;
    rrf_rng rng;
    rrf_status status;
} answer;

/* Allocates the arrays that the problem's arguments ask for; `stream` is copied, or seeded where NULL. */
void answer_make(answer *a, const problem *p, const rrf_rng *stream);
void answer_free(answer *a);
/* Fits with the core. */
void answer_fit(answer *a, const problem *p, const rrf_monitor *monitor);

#endif

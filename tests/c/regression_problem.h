/* Generated data and responses with the arguments of a regression, and a place for the results.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGRESSION_PROBLEM_H
#define REGRESSION_PROBLEM_H

#include <stdbool.h>

#include "problem.h"

/* What the responses are. */
enum response {
    REAL,     /* signal and noise */
    WHOLE,    /* whole numbers: all sums are exact */
    FEW,      /* three values */
    ONE,      /* 0.1 for every row: decreases are nothing but rounding */
    SHIFTED,  /* small differences far from zero */
    TINY_Y,   /* squares next to the smallest number */
    HUGE_Y,   /* squares beyond the largest */
    OUTLIERS, /* a tenth so large that sums lose most digits of the others */
    N_RESPONSES
};

typedef struct regression_spec {
    spec base; /* nclass 2; strata and class weights are not looked at */
    int response, n_perm;
    unsigned corr_bias : 1;
} regression_spec;

typedef struct regression_problem {
    problem p;
    double *y, *ytest;
    regression_spec made_from;
} regression_problem;

typedef struct regression_answer {
    rrf_regression_result result;
    rrf_forest forest;
    rrf_rng rng;
} regression_answer;

#define BASE(...) .base = {.nclass = 2, __VA_ARGS__}

/* The same seed makes the same problem. */
void regression_make(regression_problem *r, const regression_spec *s, uint64_t seed);
void regression_unmake(regression_problem *r);
/* Asks for the forest of randomForest, with weights of the rows or NULL. */
void ask_random_forest(regression_problem *r, const double *weight);
/* Drawn weights of the rows, whose sum is 1; the caller's. */
double *draw_weights(const regression_problem *r, uint32_t seed);

/* Allocates the arrays that the problem's arguments ask for, and seeds the stream. */
void regression_answer_init(regression_answer *a, const regression_problem *r, uint32_t seed);
void regression_answer_clear(regression_answer *a);
/* Fits with the core. */
rrf_status regression_fit(regression_answer *a, const regression_problem *r, const rrf_monitor *monitor);

#endif

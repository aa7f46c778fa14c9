/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random/mersenne.h"
#include "oracle.h"
#include "regression_problem.h"

static double draw_response(rrf_rng *rng, int kind, int class)
{
    double noise = rng_uniform(rng) - 0.5, signal = class + noise;
    switch (kind) {
    case WHOLE:
        return floor(10.0 * signal);
    case FEW:
        return floor(3.0 * rng_uniform(rng));
    case ONE:
        return 0.1;
    case SHIFTED:
        return 1e6 + signal;
    case TINY_Y:
        return 1e-160 * signal;
    case HUGE_Y:
        return 1e300 * signal;
    case OUTLIERS:
        return signal + (rng_below(rng, 10) ? 0.0 : rng_below(rng, 2) ? 1e13 : -1e13);
    default:
        return signal;
    }
}

void regression_make(regression_problem *r, const regression_spec *s, uint64_t seed)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, (uint32_t)seed);
    r->made_from = *s;
    problem_make(&r->p, &s->base, seed);
    r->y = oracle_alloc((size_t)s->base.n, sizeof *r->y);
    r->ytest = oracle_alloc((size_t)s->base.n_test, sizeof *r->ytest);
    for (int row = 0; row < s->base.n; ++row) {
        r->y[row] = draw_response(&rng, s->response, r->p.y[row]);
    }
    for (int row = 0; row < s->base.n_test; ++row) {
        r->ytest[row] = draw_response(&rng, s->response, r->p.ytest[row]);
    }
    r->p.params.n_perm = s->n_perm ? s->n_perm : 1;
    r->p.params.bias_correction = s->corr_bias;
}

void regression_unmake(regression_problem *r)
{
    problem_free(&r->p);
    free(r->y);
    free(r->ytest);
}

/* ---- answers --------------------------------------------------------------------------------------------------------- */

static double *doubles(bool wanted, size_t count)
{
    return wanted ? oracle_alloc(count, sizeof(double)) : NULL;
}

static int32_t *ints(bool wanted, size_t count)
{
    return wanted ? oracle_alloc(count, sizeof(int32_t)) : NULL;
}

void regression_answer_init(regression_answer *a, const regression_problem *r, uint32_t seed)
{
    const spec *s = &r->made_from.base;
    const rrf_params *params = &r->p.params;
    size_t n = (size_t)s->n, m = (size_t)s->n_test, p = (size_t)s->p, ntree = (size_t)params->ntree;
    a->result = (rrf_regression_result){.mean = doubles(true, n),
                                        .oob_times = ints(true, n),
                                        .error = doubles(true, ntree),
                                        .decrease = doubles(true, p),
                                        .used = ints(true, p),
                                        .coef = doubles(params->bias_correction, 2),
                                        .importance = doubles(params->importance, p),
                                        .importance_sd = doubles(params->importance, p),
                                        .local_importance = doubles(s->local, p * n),
                                        .proximity = doubles(s->proximity, n * n),
                                        .inbag = ints(s->inbag, n * ntree),
                                        .test_mean = doubles(m, m),
                                        .test_error = doubles(m && s->test_labels, ntree),
                                        .test_proximity = doubles(m && s->proximity, m * (m + n))};
    memcpy(a->result.used, r->p.used, p * sizeof *r->p.used);
    rrf_forest_init(&a->forest);
    rrf_rng_seed(&a->rng, seed);
}

void regression_answer_clear(regression_answer *a)
{
    rrf_regression_result *r = &a->result;
    void *owned[] = {r->mean,  r->oob_times,  r->error,         r->decrease,         r->used,
                     r->coef,  r->importance, r->importance_sd, r->local_importance, r->proximity,
                     r->inbag, r->test_mean,  r->test_error,    r->test_proximity};
    for (int i = 0; i < COUNT(owned); ++i) {
        free(owned[i]);
    }
    rrf_forest_free(&a->forest);
}

rrf_status regression_fit(regression_answer *a, const regression_problem *r, const rrf_monitor *monitor)
{
    const problem *p = &r->p;
    return rrf_fit_regression(&p->train, r->y, p->test.n ? &p->test : NULL, p->made_from.test_labels ? r->ytest : NULL,
                              &p->params, NULL, &a->rng, monitor, &a->forest, &a->result);
}

/* Asks for the forest of randomForest. */
void ask_random_forest(regression_problem *r, const double *weight)
{
    r->p.params.random_forest = r->p.params.quirks = 1;
    r->p.params.flag_reg = 0;
    r->p.params.feature_group = NULL;
    r->p.params.case_weight = weight;
}

/* Drawn weights of the rows, whose sum is 1. */
double *draw_weights(const regression_problem *r, uint32_t seed)
{
    size_t n = (size_t)r->p.train.n;
    double *weight = oracle_alloc(n, sizeof *weight), sum = 0.0;
    rrf_rng rng;
    rrf_rng_seed(&rng, seed);
    for (size_t row = 0; row < n; ++row) {
        weight[row] = 1 + rng_below(&rng, 9);
        sum += weight[row];
    }
    for (size_t row = 0; row < n; ++row) {
        weight[row] /= sum;
    }
    return weight;
}

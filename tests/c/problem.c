/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "problem.h"

/* ---- numbers for the data: splitmix64, apart from the stream under test ----------------------------------------------- */

typedef struct dice {
    uint64_t state;
} dice;

static uint64_t next_bits(dice *d)
{
    uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double uniform(dice *d)
{
    return (double)(next_bits(d) >> 11) * 0x1p-53;
}

/* From low to high, both included. */
static int between(dice *d, int low, int high)
{
    return low + (int)(next_bits(d) % (uint64_t)(high - low + 1));
}

static bool chance(dice *d, double share)
{
    return uniform(d) < share;
}

/* ---- columns --------------------------------------------------------------------------------------------------------- */

static int pick_kind(dice *d, int allowed)
{
    int kind;
    do {
        kind = 1 << between(d, 0, 7);
    } while (!(kind & allowed));
    return kind;
}

static double odd_value(dice *d)
{
    static const double odd[] = {0.0,
                                 -0.0,
                                 DBL_MIN,
                                 -DBL_MIN,
                                 4.9e-324,
                                 -4.9e-324,
                                 1e308,
                                 1.5e308,
                                 -1.7e308,
                                 1.0,
                                 1.0 + DBL_EPSILON,
                                 1.0 + 2 * DBL_EPSILON,
                                 1.0 - DBL_EPSILON / 2,
                                 1e-310};
    return odd[between(d, 0, (int)(sizeof odd / sizeof *odd) - 1)];
}

static double draw_value(dice *d, int kind, int n_levels, int class)
{
    switch (kind) {
    case SIGNAL:
        return uniform(d) + 0.4 * class;
    case TIED:
        return between(d, -1, n_levels - 2) + (chance(d, 0.3) ? class : 0);
    case CONSTANT:
        return 3.5;
    case ODD:
        return odd_value(d);
    case FACTOR:
        return 1 + (between(d, 0, n_levels - 1) + (chance(d, 0.3) ? class : 0)) % n_levels;
    default:
        return uniform(d) - 0.5;
    }
}

static void fill_column(dice *d, int kind, int n_levels, const int32_t *y, int n, double *x)
{
    for (int row = 0; row < n; ++row) {
        x[row] = kind == COPY ? x[row - n] : kind == MIRROR ? -x[row - n] : draw_value(d, kind, n_levels, y[row]);
    }
}

static void make_columns(problem *p, dice *d)
{
    const spec *s = &p->made_from;
    int allowed = s->columns ? s->columns : SMOOTH | SIGNAL;
    for (int feature = 0; feature < s->p; ++feature) {
        int kind = pick_kind(d, allowed), n_levels = s->n_levels ? s->n_levels : between(d, 2, 32);
        if ((kind == COPY || kind == MIRROR) && (feature == 0 || p->ncat[feature - 1] > 1)) {
            kind = SMOOTH;
        }
        p->ncat[feature] = kind == FACTOR ? n_levels : 1;
        fill_column(d, kind, n_levels, p->y, s->n, p->x + (size_t)feature * (size_t)s->n);
        if (p->xtest) {
            fill_column(d, kind, n_levels, p->ytest, s->n_test, p->xtest + (size_t)feature * (size_t)s->n_test);
        }
    }
}

static void make_classes(dice *d, int32_t *y, int n, int nclass, int class0)
{
    for (int row = 0; row < n; ++row) {
        y[row] = row < nclass ? row : between(d, 0, nclass - 1);
        if (class0) {
            y[row] = row < class0 ? 0 : 1 + (row - class0) % (nclass - 1);
        }
    }
}

/* ---- arguments ------------------------------------------------------------------------------------------------------- */

static double draw_coef(dice *d, int kind)
{
    static const double coefs[] = {1.0, 0.9, 0.5, 0.0, -0.5};
    switch (kind) {
    case COEF_HIGH:
        return 0.9;
    case COEF_MIXED:
        return uniform(d);
    case COEF_SOME_ZERO:
        return chance(d, 0.5) ? 0.0 : 0.8;
    case COEF_SOME_NEGATIVE:
        return chance(d, 0.4) ? -uniform(d) : 0.7;
    case COEF_SOME_REFUSED:
        return chance(d, 0.5) ? -1e12 : 0.8;
    case COEF_ANY:
        return coefs[between(d, 0, (int)(sizeof coefs / sizeof *coefs) - 1)];
    case COEF_TINY:
        return chance(d, 0.5) ? 1e-310 : 2e-323;
    default:
        return 1.0;
    }
}

static void make_weights(problem *p, dice *d)
{
    const spec *s = &p->made_from;
    for (int k = 0; k < s->nclass; ++k) {
        p->classwt[k] = s->classwt == WEIGHTS_TINY && chance(d, 0.5) ? 2e-9 : 0.2 + uniform(d);
        p->cutoff[k] = s->cutoff ? 0.1 + uniform(d) : 1.0 / s->nclass;
    }
    for (int feature = 0; feature < s->p; ++feature) {
        p->coef_reg[feature] = draw_coef(d, s->coef);
        p->used[feature] = s->some_used && chance(d, 0.5);
        p->group[feature] = s->n_groups ? between(d, 0, s->n_groups - 1) : 0;
    }
}

static void make_sampsize(problem *p, dice *d)
{
    const spec *s = &p->made_from;
    p->sampsize[0] = s->sampsize ? s->sampsize : s->no_replacement ? (int)ceil(0.632 * s->n) : s->n;
    for (int i = 0; i < s->nstrata; ++i) {
        p->sampsize[i] = 0;
    }
    for (int row = 0; s->nstrata && row < s->n; ++row) {
        p->strata[row] = row < s->nstrata ? row : between(d, 0, s->nstrata - 1);
        p->sampsize[p->strata[row]] += s->no_replacement ? p->sampsize[p->strata[row]] == 0 || chance(d, 0.7) : 1;
    }
}

/* Chances of the rows, some of them a thousand times as large as others. */
static void make_case_weights(problem *p, dice *d)
{
    double sum = 0.0;
    for (int row = 0; p->made_from.case_weights && row < p->made_from.n; ++row) {
        p->case_weight[row] = (0.1 + uniform(d)) * (chance(d, 0.2) ? 1e-3 : 1.0);
        sum += p->case_weight[row];
    }
    for (int row = 0; p->made_from.case_weights && row < p->made_from.n; ++row) {
        p->case_weight[row] /= sum;
    }
}

static void make_params(problem *p)
{
    const spec *s = &p->made_from;
    p->params = (rrf_params){.n_jobs = s->n_jobs ? s->n_jobs : 1,
                             .ntree = s->ntree ? s->ntree : 3,
                             .mtry = s->mtry ? s->mtry : (int)sqrt(s->p),
                             .nodesize = s->nodesize ? s->nodesize : 1,
                             .max_nodes = s->max_nodes ? s->max_nodes : 2 * s->n + 1,
                             .replace = !s->no_replacement,
                             .sampsize = p->sampsize,
                             .strata = s->nstrata ? p->strata : NULL,
                             .nstrata = s->nstrata,
                             .classwt = s->classwt ? p->classwt : NULL,
                             .cutoff = p->cutoff,
                             .flag_reg = !s->all_penalised,
                             .coef_reg = p->coef_reg,
                             .feature_group = s->n_groups && !s->all_penalised ? p->group : NULL,
                             .importance = s->importance || s->local,
                             .n_perm = 1,
                             .oob_proximity = s->oob_proximity,
                             .keep_forest = 1,
                             .quirks = !s->no_quirks,
                             .random_forest = s->random_forest,
                             .case_weight = s->case_weights ? p->case_weight : NULL,
                             .add_class = s->unsupervised};
}

/* The second half of the rows repeats the first and is class 1. */
static void double_rows(problem *p)
{
    int n_real = p->made_from.n / 2;
    for (int row = 0; row < n_real; ++row) {
        p->y[row] = 0;
        p->y[n_real + row] = 1;
        for (int feature = 0; feature < p->made_from.p; ++feature) {
            double *x = p->x + (size_t)feature * (size_t)p->made_from.n;
            x[n_real + row] = x[row];
        }
    }
}

void problem_make(problem *p, const spec *s, uint64_t seed)
{
    dice d = {seed};
    size_t n = (size_t)s->n, n_test = (size_t)s->n_test, features = (size_t)s->p, nclass = (size_t)s->nclass;
    *p = (problem){.name = s->name, .made_from = *s, .nclass = s->nclass};
    p->x = oracle_alloc(n * features, sizeof *p->x);
    p->xtest = s->n_test ? oracle_alloc(n_test * features, sizeof *p->xtest) : NULL;
    p->ncat = oracle_alloc(features, sizeof *p->ncat);
    p->y = oracle_alloc(n, sizeof *p->y);
    p->ytest = oracle_alloc(n_test, sizeof *p->ytest);
    p->sampsize = oracle_alloc((size_t)s->nstrata + 1, sizeof *p->sampsize);
    p->strata = oracle_alloc(n, sizeof *p->strata);
    p->used = oracle_alloc(features, sizeof *p->used);
    p->group = oracle_alloc(features, sizeof *p->group);
    p->classwt = oracle_alloc(nclass, sizeof *p->classwt);
    p->cutoff = oracle_alloc(nclass, sizeof *p->cutoff);
    p->coef_reg = oracle_alloc(features, sizeof *p->coef_reg);
    p->case_weight = oracle_alloc(n, sizeof *p->case_weight);
    make_classes(&d, p->y, s->n, s->nclass, s->class0);
    make_classes(&d, p->ytest, s->n_test, s->nclass, 0);
    make_columns(p, &d);
    if (s->unsupervised) {
        double_rows(p);
    }
    make_weights(p, &d);
    make_sampsize(p, &d);
    make_case_weights(p, &d);
    make_params(p);
    p->train = (rrf_data){.x = p->x, .n = s->n, .p = s->p, .ncat = p->ncat};
    p->test = (rrf_data){.x = p->xtest, .n = s->n_test, .p = s->p, .ncat = p->ncat};
}

void problem_free(problem *p)
{
    void *owned[] = {p->x,    p->xtest, p->ncat,    p->y,      p->ytest,    p->sampsize,   p->strata,
                     p->used, p->group, p->classwt, p->cutoff, p->coef_reg, p->case_weight};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i) {
        free(owned[i]);
    }
}

/* Mostly small, now and then many rows or many features, never both. */
static void draw_size(dice *d, spec *s)
{
    int size = between(d, 0, 9);
    s->nclass = chance(d, 0.5) ? 2 : between(d, 3, 8);
    s->n = size < 6 ? between(d, s->nclass, 60) : size < 9 ? between(d, 60, 300) : between(d, 300, 1000);
    s->p = size < 2 ? between(d, 20, 300) : between(d, 1, size < 9 ? 20 : 8);
    s->n_test = chance(d, 0.3) ? between(d, 1, 30) : 0;
    s->class0 = s->nclass < s->n && chance(d, 0.3) ? between(d, 1, s->n - s->nclass + 1) : 0;
}

static void draw_rules(dice *d, spec *s)
{
    s->ntree = between(d, 1, 4);
    s->mtry = between(d, 1, s->p);
    s->nodesize = chance(d, 0.7) ? 1 : between(d, 1, 10);
    s->max_nodes = chance(d, 0.8) ? 0 : 2 * between(d, 1, 20) + 1;
    s->no_replacement = chance(d, 0.3);
    s->nstrata = chance(d, 0.2) ? between(d, 1, s->n < 5 ? s->n : 5) : 0;
    s->sampsize = s->nstrata || chance(d, 0.7) ? 0 : between(d, 1, s->no_replacement ? s->n : 2 * s->n);
    s->coef = between(d, COEF_ONE, COEF_TINY);
    s->all_penalised = chance(d, 0.25);
    s->no_quirks = chance(d, 0.4);
    s->classwt = chance(d, 0.7) ? WEIGHTS_BY_SIZE : between(d, WEIGHTS_SOME, WEIGHTS_TINY);
    s->cutoff = chance(d, 0.3);
    s->some_used = chance(d, 0.3);
}

static void draw_outputs(dice *d, spec *s)
{
    s->importance = chance(d, 0.3);
    s->local = chance(d, 0.2);
    s->proximity = s->n <= 500 && chance(d, 0.3);
    s->oob_proximity = chance(d, 0.5);
    s->test_labels = chance(d, 0.6);
    s->inbag = chance(d, 0.3);
}

spec spec_draw(uint64_t seed)
{
    dice d = {~seed};
    spec s = {.name = "drawn"};
    next_bits(&d);
    draw_size(&d, &s);
    draw_rules(&d, &s);
    draw_outputs(&d, &s);
    s.unsupervised = !s.nstrata && s.nclass == 2 && s.n % 2 == 0 && chance(&d, 0.3);
    s.columns = chance(&d, 0.3) ? ANY_COLUMN : between(&d, 1, ANY_COLUMN);
    s.columns = s.columns & ~(CONSTANT | COPY | MIRROR) ? s.columns : s.columns | SIGNAL;
    s.n_levels = chance(&d, 0.5) ? between(&d, 2, 32) : 0;
    s.n_groups = chance(&d, 0.3) ? between(&d, 1, s.p) : 0;
    return s;
}

/* ---- results --------------------------------------------------------------------------------------------------------- */

static double *doubles(int wanted, size_t count)
{
    return wanted ? oracle_alloc(count, sizeof(double)) : NULL;
}

static int32_t *ints(int wanted, size_t count)
{
    return wanted ? oracle_alloc(count, sizeof(int32_t)) : NULL;
}

void answer_make(answer *a, const problem *p, const rrf_rng *stream)
{
    const spec *s = &p->made_from;
    size_t n = (size_t)s->n, m = (size_t)s->n_test, features = (size_t)s->p;
    size_t nclass = (size_t)s->nclass, ntree = (size_t)p->params.ntree;
    a->result = (rrf_class_result){.predicted = ints(1, n),
                                   .votes = ints(1, n * nclass),
                                   .oob_times = ints(1, n),
                                   .error = doubles(1, ntree * (nclass + 1)),
                                   .decrease = doubles(1, features),
                                   .classwt = doubles(1, nclass),
                                   .used = ints(1, features),
                                   .importance = doubles(p->params.importance, features * (nclass + 1)),
                                   .importance_sd = doubles(p->params.importance, features * (nclass + 1)),
                                   .local_importance = doubles(s->local, features * n),
                                   .proximity = doubles(s->proximity, n * n),
                                   .inbag = ints(s->inbag, n * ntree),
                                   .test_predicted = ints(s->n_test, m),
                                   .test_votes = ints(s->n_test, m * nclass),
                                   .test_error = doubles(s->n_test && s->test_labels, ntree * (nclass + 1)),
                                   .test_proximity = doubles(s->n_test && s->proximity, m * (m + n))};
    memcpy(a->result.used, p->used, features * sizeof *p->used);
    rrf_forest_init(&a->forest);
    if (stream) {
        a->rng = *stream;
    } else {
        rrf_rng_seed(&a->rng, 1);
    }
    a->status = RRF_OK;
}

void answer_free(answer *a)
{
    rrf_class_result *r = &a->result;
    void *owned[] = {r->predicted,     r->votes,      r->oob_times,      r->error,
                     r->decrease,      r->classwt,    r->used,           r->importance,
                     r->importance_sd, r->proximity,  r->inbag,          r->local_importance,
                     r->test_votes,    r->test_error, r->test_proximity, r->test_predicted};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i) {
        free(owned[i]);
    }
    rrf_forest_free(&a->forest);
}

void answer_fit(answer *a, const problem *p, const rrf_monitor *monitor)
{
    const spec *s = &p->made_from;
    a->status = rrf_fit_classification(&p->train, p->y, p->nclass, s->n_test ? &p->test : NULL,
                                       s->n_test && s->test_labels ? p->ytest : NULL, &p->params, NULL, &a->rng,
                                       monitor, &a->forest, &a->result);
}

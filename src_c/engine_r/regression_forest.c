/* A regression forest of R's engine, R's regRF: the data of its trees, and their means. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#include "data/centre.h"
#include "engine_r/forest_run.h"
#include "engine_r/regression_importance.h"
#include "numbers.h"
#include "params.h"
#include "tree/apply.h"

typedef struct regressor {
    forest_run run;
    const double *y, *test_y;
    rrf_regression_result *result;
    regression_builder builder;
    double *centred; /* n: y minus `location`, the response of trees without R's quirks; NULL: they use y */
    double location; /* added to the predictions of a tree; 0 if these are of y */
    double *column;  /* n: scratch of importance */
} regressor;

/* ---- a tree ---------------------------------------------------------------------------------------------------------- */

static rrf_status grow(void *own, tree *t)
{
    regressor *r = own;
    regression_builder *g = &r->builder;
    rrf_status status = regression_bag_draw(&g->bag, g->rng, &g->watch);
    status = status ? status : grow_regression_tree(g, t);
    for (int node = 0; r->centred && node < t->size; ++node) {
        t->prediction[node] += r->location;
    }
    return status;
}

static void apply(const void *own, const tree *t, const int32_t *rows, int n_rows, int32_t *leaves)
{
    const regressor *r = own;
    tree_apply(t, r->run.train, rows, n_rows, -1, NULL, leaves);
}

/* Updates running means of the predictions, with R's rounding. */
static void add_oob_predictions(regressor *r)
{
    const oob_sample *oob = &r->run.oob;
    rrf_regression_result *result = r->result;
    for (int i = 0; i < oob->size; ++i) {
        int row = oob->rows[i], times = ++result->oob_times[row];
        result->mean[row] = ((times - 1) * result->mean[row] + oob->predicted[i]) / times;
    }
}

/* Least squares of y on the OOB predictions: R's simpleLinReg. Returns the mean squared error of the fitted line. */
static double correct_bias(const regressor *r, double coef[2])
{
    const double *x = r->result->mean, *y = r->y;
    const int32_t *times = r->result->oob_times;
    double mean_x = 0.0, mean_y = 0.0, squares = 0.0, products = 0.0, error = 0.0;
    int n = r->run.train->n, count = 0;
    for (int row = 0; row < n; ++row) {
        if (times[row]) {
            ++count;
            mean_x += x[row];
            mean_y += y[row];
        }
    }
    mean_x /= count;
    mean_y /= count;
    for (int row = 0; row < n; ++row) {
        if (times[row]) {
            squares += (x[row] - mean_x) * (x[row] - mean_x);
            products += (x[row] - mean_x) * (y[row] - mean_y);
        }
    }
    coef[1] = one_nan(products / squares);
    coef[0] = one_nan(mean_y - coef[1] * mean_x);
    for (int row = 0; row < n; ++row) {
        if (times[row]) {
            double residual = y[row] - (coef[0] + coef[1] * x[row]);
            error += residual * residual;
        }
    }
    return one_nan(error / count);
}

static void add_test_predictions(regressor *r, const tree *t)
{
    const forest_run *f = &r->run;
    rrf_regression_result *result = r->result;
    const double *coef = f->params->bias_correction ? result->coef : NULL;
    int n = f->statistics.n_test;
    double error = 0.0;
    for (int row = 0; row < n; ++row) {
        double predicted = t->prediction[f->test_leaves[row]];
        result->test_mean[row] = ((f->n_grown - 1) * result->test_mean[row] + predicted) / f->n_grown;
    }
    for (int row = 0; r->test_y && row < n; ++row) {
        double predicted = result->test_mean[row];
        double residual = r->test_y[row] - (coef ? coef[0] + coef[1] * predicted : predicted);
        error += residual * residual;
    }
    if (r->test_y) {
        result->test_error[f->n_grown - 1] = one_nan(error / n);
    }
}

static void add_predictions(void *own, const tree *t)
{
    regressor *r = own;
    const forest_run *f = &r->run;
    rrf_regression_result *result = r->result;
    add_oob_predictions(r);
    result->error[f->n_grown - 1] = f->params->bias_correction
                                        ? correct_bias(r, result->coef)
                                        : oob_mean_square(r->y, result->mean, result->oob_times, f->train->n);
    if (f->test) {
        add_test_predictions(r, t);
    }
}

static rrf_status permute(void *own, const tree *t)
{
    regressor *r = own;
    permuted_tree permuted = {&r->builder, t, r->y, &r->run.oob, r->column, r->run.leaves};
    return permuted_tree_add(&permuted, &r->run.statistics);
}

/* ---- after the last tree
 * --------------------------------------------------------------------------------------------- */

static void apply_line(const double coef[2], double *predicted, const int32_t *times, int n)
{
    for (int row = 0; row < n; ++row) {
        if (!times || times[row]) {
            predicted[row] = coef[0] + coef[1] * predicted[row];
        }
    }
}

/* R's C code divides by ntree, R's R code once more, and neither sets the diagonal. */
static void repeat_slips(const forest_statistics *s)
{
    size_t n_test = (size_t)s->n_test, n = (size_t)s->n;
    for (size_t i = 0; i < n_test; ++i) {
        s->test_proximity[i * n_test + i] = 0.0;
    }
    for (size_t at = 0; at < n_test * (n_test + n); ++at) {
        s->test_proximity[at] /= s->ntree;
    }
}

static void finish(void *own)
{
    regressor *r = own;
    const forest_run *f = &r->run;
    rrf_regression_result *result = r->result;
    if (f->params->bias_correction) {
        apply_line(result->coef, result->mean, result->oob_times, f->train->n);
        apply_line(result->coef, result->test_mean, NULL, f->statistics.n_test);
    }
    if (result->test_proximity && f->params->quirks) {
        repeat_slips(&f->statistics);
    }
}

static const forest_kind regression = {
    .grow = grow, .apply = apply, .predict = add_predictions, .permute = permute, .finish = finish};

/* ---- set-up ---------------------------------------------------------------------------------------------------------- */

/* RRF loses digits of a response far from 0. Without its quirks trees grow on the centred response. */
static void centre_response(regressor *r)
{
    const forest_run *f = &r->run;
    if (!f->params->quirks) {
        TAKE(&r->run.memory, r->centred, f->train->n);
    }
    if (r->centred) {
        r->location = centre(r->y, f->train->n, r->centred);
    }
}

static void clear_means(regressor *r)
{
    const forest_run *f = &r->run;
    memset(r->result->mean, 0, (size_t)f->train->n * sizeof *r->result->mean);
    if (f->test) {
        memset(r->result->test_mean, 0, (size_t)f->test->n * sizeof *r->result->test_mean);
    }
}

static rrf_status regressor_init(regressor *r)
{
    forest_run *f = &r->run;
    regression_builder *g = &r->builder;
    centre_response(r);
    TAKE(&f->memory, r->column, f->train->n);
    regression_setup setup = {.data = f->train,
                              .y = r->centred ? r->centred : r->y,
                              .params = f->params,
                              .ranks = f->ranks,
                              .used = f->params->quirks ? NULL : r->result->used, /* RRF ignores feaIni */
                              .decrease = r->result->decrease,
                              .rng = f->rng,
                              .monitor = f->monitor};
    rrf_status status = arena_status(&f->memory);
    if (!status) {
        status = regression_builder_init(g, &setup, &f->memory);
    }
    clear_means(r);
    f->watch = &g->watch;
    f->count = g->bag.count;
    f->used = &g->search.features.f;
    f->max_nodes = g->nodes.capacity;
    return status;
}

/* Returns whether the required arrays of the fit exist. */
static bool has_buffers(const regressor *r)
{
    const rrf_regression_result *result = r->result;
    const forest_run *f = &r->run;
    bool means = result->mean && result->error && (!f->params->bias_correction || result->coef);
    bool of_test = !f->test || (result->test_mean && (!r->test_y || result->test_error));
    return means && of_test && forest_run_has_buffers(f);
}

rrf_status rrf_fit_regression(const rrf_data *train, const double *y, const rrf_data *test, const double *ytest,
                              const rrf_params *params, const rrf_ranks *ranks, rrf_rng *rng,
                              const rrf_monitor *monitor, rrf_forest *forest, rrf_regression_result *result)
{
    rrf_target target = {.nclass = 1, .response = y};
    rrf_status checked = rrf_params_check(train, &target, params, NULL, NULL);
    if (checked) {
        return checked;
    }
    regressor r = {.y = y, .test_y = test ? ytest : NULL, .result = result};
    r.run =
        (forest_run){.kind = &regression,
                     .own = &r,
                     .train = train,
                     .test = test,
                     .params = params,
                     .ranks = ranks,
                     .rng = rng,
                     .monitor = monitor,
                     .forest = forest,
                     .statistics = {.n_measures = 1, .test_proximity = result->test_proximity, STATISTICS_OF(result)}};
    if (!has_buffers(&r) || check_test_data(train, test)) {
        return RRF_ERR_ARGUMENT;
    }
    rrf_status status = regressor_init(&r);
    status = status ? status : forest_run_trees(&r.run);
    rrf_ranks_free(r.builder.own_ranks);
    arena_free(&r.run.memory);
    return status;
}

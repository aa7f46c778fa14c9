/* A regression forest from sampling to results, R's regRF. SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_r/regression_importance.h"
#include "params.h"
#include "answers/importance.h"
#include "answers/oob.h"
#include "answers/pairs.h"
#include "answers/proximity.h"
#include "data/centre.h"
#include "numbers.h"
#include "tree/apply.h"

typedef struct regressor {
    arena memory;
    regression_builder builder;
    const double *y;
    double *centred; /* n: y less `location`, on which trees grow without R's quirks; NULL: they grow on y */
    double location; /* added to the predictions of a tree; 0: they are those of y */
    const rrf_data *test;
    const double *test_y;
    rrf_forest *forest;
    rrf_regression_result *result;
    regression_oob oob;
    permutation_scratch permutation;
    int32_t *nodes, *test_nodes; /* n, ntest: terminal node of a row in the current tree */
    int32_t *oob_pairs;          /* n x n, with oob.prox */
} regressor;

static void clear(void *array, size_t count, size_t size)
{
    if (array) {
        memset(array, 0, count * size);
    }
}

static void clear_results(const regressor *r)
{
    rrf_regression_result *result = r->result;
    size_t n = (size_t)r->builder.data->n, p = (size_t)r->builder.data->p, n_test = r->test ? (size_t)r->test->n : 0;
    clear(result->mean, n, sizeof *result->mean);
    clear(result->oob_times, n, sizeof *result->oob_times);
    clear(result->decrease, p, sizeof *result->decrease);
    clear(result->importance, p, sizeof *result->importance);
    clear(result->importance_sd, p, sizeof *result->importance_sd);
    clear(result->local_importance, p * n, sizeof *result->local_importance);
    clear(result->proximity, n * n, sizeof *result->proximity);
    clear(result->test_mean, n_test, sizeof *result->test_mean);
    clear(result->test_proximity, n_test * (n_test + n), sizeof *result->test_proximity);
}

static rrf_status regressor_alloc(regressor *r)
{
    size_t n = (size_t)r->builder.data->n;
    const rrf_params *params = r->builder.params;
    r->nodes = malloc(n * sizeof *r->nodes);
    bool ready = r->nodes;
    if (r->test) {
        r->test_nodes = malloc((size_t)r->test->n * sizeof *r->test_nodes);
        ready = ready && r->test_nodes;
    }
    /* Without oob.prox CRAN RRF reads pairs that it never counted, and crashes. The intended divisor is ntree. */
    if (r->result->proximity && params->oob_proximity) {
        r->oob_pairs = calloc(n * n, sizeof *r->oob_pairs);
        ready = ready && r->oob_pairs;
    }
    rrf_status status = ready ? regression_oob_init(&r->oob, r->builder.data->n, &r->memory) : RRF_ERR_MEMORY;
    return status || !params->importance ? status : permutation_init(&r->permutation, r->builder.data->n, &r->memory);
}

static void regressor_free(regressor *r)
{
    rrf_ranks_free(r->builder.own_ranks);
    free(r->centred);
    free(r->nodes);
    free(r->test_nodes);
    free(r->oob_pairs);
    arena_free(&r->memory);
}

/* ---- errors ---------------------------------------------------------------------------------------------------------- */

static void find_oob(regressor *r, const tree *t)
{
    const regression_builder *g = &r->builder;
    regression_oob *oob = &r->oob;
    oob->size = oob_list(g->bag.count, g->data->n, oob->rows);
    tree_apply(t, g->data, oob->rows, oob->size, -1, NULL, r->nodes);
    oob->sum_squares = 0.0;
    for (int i = 0; i < oob->size; ++i) {
        oob->predicted[i] = t->prediction[r->nodes[i]];
        oob->residual[i] = oob->predicted[i] - r->y[oob->rows[i]];
        oob->sum_squares += oob->residual[i] * oob->residual[i];
    }
}

/* Running means of the predictions, updated as R rounds them. */
static void add_oob_predictions(regressor *r)
{
    rrf_regression_result *result = r->result;
    for (int i = 0; i < r->oob.size; ++i) {
        int row = r->oob.rows[i], times = ++result->oob_times[row];
        result->mean[row] = ((times - 1) * result->mean[row] + r->oob.predicted[i]) / times;
    }
}

/* Least squares of y on the OOB predictions: R's simpleLinReg. Returns the mean squared error of the fitted line. */
static double correct_bias(const regressor *r, double coef[2])
{
    const double *x = r->result->mean, *y = r->y;
    const int32_t *times = r->result->oob_times;
    double mean_x = 0.0, mean_y = 0.0, squares = 0.0, products = 0.0, error = 0.0;
    int n = r->builder.data->n, count = 0;
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

static void add_test_predictions(regressor *r, const tree *t, int n_grown)
{
    rrf_regression_result *result = r->result;
    const double *coef = r->builder.params->bias_correction ? result->coef : NULL;
    double error = 0.0;
    tree_apply(t, r->test, NULL, r->test->n, -1, NULL, r->test_nodes);
    for (int row = 0; row < r->test->n; ++row) {
        double predicted = t->prediction[r->test_nodes[row]];
        result->test_mean[row] = ((n_grown - 1) * result->test_mean[row] + predicted) / n_grown;
    }
    for (int row = 0; r->test_y && row < r->test->n; ++row) {
        double predicted = result->test_mean[row];
        double residual = r->test_y[row] - (coef ? coef[0] + coef[1] * predicted : predicted);
        error += residual * residual;
    }
    if (r->test_y) {
        result->test_error[n_grown - 1] = one_nan(error / r->test->n);
    }
}

static rrf_status count_proximity(regressor *r, const tree *t)
{
    regression_builder *g = &r->builder;
    tree_apply(t, g->data, NULL, g->data->n, -1, NULL, r->nodes);
    const int32_t *leaves[] = {r->nodes}, *bags[] = {g->bag.count};
    pair_count pairs = {r->result->proximity, r->oob_pairs, leaves, bags, g->data->n, 1, has_slips_of_rrf(g->params)};
    rrf_status status = count_pairs_of_tree(&pairs, g->params->n_jobs, &g->watch);
    if (r->result->test_proximity) {
        proximity_add_test(r->result->test_proximity, r->test_nodes, r->test->n, r->nodes, g->data->n);
    }
    return status;
}

/* ---- the fit --------------------------------------------------------------------------------------------------------- */

/* Adds a tree to the results. */
static rrf_status use_tree(regressor *r, const tree *t, int n_grown)
{
    regression_builder *g = &r->builder;
    rrf_regression_result *result = r->result;
    int64_t descents = r->oob.size + (r->test ? r->test->n : 0);
    add_oob_predictions(r);
    result->error[n_grown - 1] = g->params->bias_correction
                                     ? correct_bias(r, result->coef)
                                     : oob_mean_square(r->y, result->mean, result->oob_times, g->data->n);
    if (r->test) {
        add_test_predictions(r, t, n_grown);
    }
    rrf_status status = watch_work(&g->watch, descents * WORK_PER_DESCENT);
    if (!status && result->proximity) {
        status = count_proximity(r, t);
    }
    return status || !g->params->importance ? status : permutation_add(g, t, &r->oob, &r->permutation, r->y, result);
}

/* RRF loses the digits of a response far from 0. Without its quirks trees grow near 0. */
static rrf_status centre_response(regressor *r, const rrf_data *train, const rrf_params *params)
{
    if (params->quirks) {
        return RRF_OK;
    }
    r->centred = malloc((size_t)train->n * sizeof *r->centred);
    if (!r->centred) {
        return RRF_ERR_MEMORY;
    }
    r->location = centre(r->y, train->n, r->centred);
    return RRF_OK;
}

static rrf_status grow(regressor *r, tree *t)
{
    rrf_status status = grow_regression_tree(&r->builder, t);
    for (int node = 0; r->centred && node < t->size; ++node) {
        t->prediction[node] += r->location;
    }
    return status;
}

static rrf_status add_tree(regressor *r, int n_grown)
{
    regression_builder *g = &r->builder;
    const rrf_monitor *monitor = g->watch.monitor;
    tree t;
    rrf_status status = forest_reserve(r->forest, g->nodes.capacity, &t);
    if (status) {
        return status;
    }
    status = regression_bag_draw(&g->bag, g->search.rng, &g->watch);
    status = status ? status : grow(r, &t);
    if (!status) {
        find_oob(r, &t);
        if (r->result->inbag) {
            size_t n = (size_t)g->data->n;
            int32_t *inbag = r->result->inbag + (size_t)(n_grown - 1) * n;
            oob_tell_inbag(g->bag.count, g->data->n, g->params->random_forest, inbag);
        }
        status = use_tree(r, &t, n_grown);
    }
    if (status) {
        return status;
    }
    if (g->params->keep_forest) {
        forest_append(r->forest, &t);
    }
    bool stop = monitor && monitor->tree && monitor->tree(monitor->context, n_grown);
    return stop ? RRF_ERR_INTERRUPT : RRF_OK;
}

static void apply_line(const double coef[2], double *predicted, const int32_t *times, int n)
{
    for (int row = 0; row < n; ++row) {
        if (!times || times[row]) {
            predicted[row] = coef[0] + coef[1] * predicted[row];
        }
    }
}

/* R's C code divides by ntree, R's code once more, and neither sets the diagonal. */
static void finish_test_proximity(const regressor *r)
{
    double *proximity = r->result->test_proximity;
    size_t n_test = (size_t)r->test->n, n = (size_t)r->builder.data->n;
    int ntree = r->builder.params->ntree;
    proximity_finish_test(proximity, r->test->n, r->builder.data->n, ntree);
    if (!r->builder.params->quirks) {
        return;
    }
    for (size_t i = 0; i < n_test; ++i) {
        proximity[i * n_test + i] = 0.0;
    }
    for (size_t at = 0; at < n_test * (n_test + n); ++at) {
        proximity[at] /= ntree;
    }
}

static void finish_results(regressor *r)
{
    const regression_builder *g = &r->builder;
    rrf_regression_result *result = r->result;
    if (g->params->bias_correction) {
        apply_line(result->coef, result->mean, result->oob_times, g->data->n);
        if (r->test) {
            apply_line(result->coef, result->test_mean, NULL, r->test->n);
        }
    }
    if (result->proximity) {
        proximity_finish(result->proximity, r->oob_pairs, g->data->n, g->params->ntree);
    }
    if (result->test_proximity) {
        finish_test_proximity(r);
    }
    if (g->params->importance) {
        importance_finish(result->importance, result->importance_sd, (size_t)g->data->p, g->params->ntree, false);
        local_importance_finish(result->local_importance, result->oob_times, g->data->n, g->data->p);
    }
    for (int feature = 0; feature < g->data->p; ++feature) {
        result->decrease[feature] /= g->params->ntree;
    }
    feature_set_write(&g->search.features.f, result->used);
}

/* Whether all arrays that every fit writes to are given. */
static bool has_buffers(const rrf_regression_result *r, const rrf_params *params, const rrf_data *test,
                        const double *ytest)
{
    bool fit = r->mean && r->oob_times && r->error && r->decrease && r->used && (!params->bias_correction || r->coef);
    bool importance = !params->importance || (r->importance && r->importance_sd);
    bool errors = !test || (r->test_mean && (!ytest || r->test_error));
    return fit && importance && errors && (!r->local_importance || params->importance) &&
           (!r->test_proximity || (test && r->proximity));
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
    if (!has_buffers(result, params, test, ytest) || check_test_data(train, test)) {
        return RRF_ERR_ARGUMENT;
    }
    regressor r = {.y = y, .test = test, .test_y = test ? ytest : NULL, .forest = forest, .result = result};
    rrf_status status = centre_response(&r, train, params);
    if (!status) {
        status = regression_builder_init(&r.builder, train, r.centred ? r.centred : y, params, ranks, result->decrease,
                                         rng, monitor, &r.memory);
    }
    /* RRF's regression ignores feaIni. */
    if (!status && !params->quirks) {
        feature_set_take(&r.builder.search.features.f, result->used);
    }
    if (!status) {
        status = regressor_alloc(&r);
    }
    if (!status) {
        clear_results(&r);
    }
    for (int n_grown = 1; !status && n_grown <= params->ntree; ++n_grown) {
        status = add_tree(&r, n_grown);
    }
    if (!status) {
        finish_results(&r);
    }
    regressor_free(&r);
    return status;
}

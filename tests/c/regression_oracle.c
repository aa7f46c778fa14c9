/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random/mersenne.h"
#include "tree/apply.h"
#include "oracle.h"
#include "regression_oracle.h"
#include "regression_oracle_tree.h"

/* The terminal node of a row; column, if not NULL, stands in for a feature. */
static int node_of(const reg_oracle *o, const rrf_data *data, int row, int replaced, const double *column)
{
    int node = 0;
    while (o->t.status[node] != RRF_TERMINAL) {
        int feature = o->t.split_var[node] - 1;
        double value = feature == replaced ? column[row] : data->x[(size_t)feature * (size_t)data->n + (size_t)row];
        bool left = data->ncat[feature] == 1 ? value <= o->t.split_point[node]
                                             : fmod(floor(ldexp(o->t.split_point[node], 1 - (int)value)), 2.0) == 1.0;
        node = o->t.left[node] - (left ? 1 : 0);
    }
    return node;
}

static double fit_line(const reg_oracle *o, const rrf_regression_result *r)
{
    double xbar = 0, ybar = 0, sxx = 0, sxy = 0, error = 0;
    int n = 0;
    for (int row = 0; row < o->data->n; ++row) {
        if (r->oob_times[row]) {
            n += 1;
            xbar += r->mean[row];
            ybar += o->y[row];
        }
    }
    xbar /= n;
    ybar /= n;
    for (int row = 0; row < o->data->n; ++row) {
        if (r->oob_times[row]) {
            double dx = r->mean[row] - xbar;
            sxx += dx * dx;
            sxy += dx * (o->y[row] - ybar);
        }
    }
    r->coef[1] = sxy / sxx;
    r->coef[0] = ybar - r->coef[1] * xbar;
    for (int row = 0; row < o->data->n; ++row) {
        if (r->oob_times[row]) {
            double residual = o->y[row] - (r->coef[0] + r->coef[1] * r->mean[row]);
            error += residual * residual;
        }
    }
    return error / n;
}

static double predict_oob(const reg_oracle *o, rrf_regression_result *r)
{
    double error = 0.0;
    int count = 0;
    for (int row = 0; row < o->data->n; ++row) {
        if (!o->inbag[row]) {
            int times = ++r->oob_times[row];
            double here = o->t.prediction[node_of(o, o->data, row, -1, NULL)];
            r->mean[row] = ((times - 1) * r->mean[row] + here) / times;
        }
        if (r->oob_times[row]) {
            ++count;
            error += (o->y[row] - r->mean[row]) * (o->y[row] - r->mean[row]);
        }
    }
    return o->params->bias_correction ? fit_line(o, r) : error / count;
}

static void predict_test(const reg_oracle *o, const rrf_data *test, const double *ytest, int j,
                         rrf_regression_result *r)
{
    double error = 0.0;
    for (int row = 0; row < test->n; ++row) {
        double here = o->t.prediction[node_of(o, test, row, -1, NULL)];
        r->test_mean[row] = (j * r->test_mean[row] + here) / (j + 1);
    }
    for (int row = 0; ytest && row < test->n; ++row) {
        double said = r->test_mean[row];
        double residual = ytest[row] - (o->params->bias_correction ? r->coef[0] + r->coef[1] * said : said);
        error += residual * residual;
    }
    if (ytest) {
        r->test_error[j] = error / test->n;
    }
}

/* Adds the tree to the counts of pairs; pairs[i * n + j] counts what the proximity is divided by. */
static void add_proximity(const reg_oracle *o, const rrf_data *test, int *pairs, rrf_regression_result *r)
{
    int n = o->data->n, m = test ? test->n : 0;
    bool slips = o->params->quirks && !o->params->random_forest;
    for (int i = 0; i < n; ++i) {
        int node = node_of(o, o->data, i, -1, NULL);
        for (int j = 0; j < n; ++j) {
            bool counts =
                !o->params->oob_proximity || (slips ? !o->inbag[i] != !o->inbag[j] : !o->inbag[i] && !o->inbag[j]);
            pairs[i * n + j] += counts;
            r->proximity[i * n + j] += counts && node_of(o, o->data, j, -1, NULL) == node;
        }
    }
    for (int k = 0; k < m + n && r->test_proximity; ++k) {
        int node = k < m ? node_of(o, test, k, -1, NULL) : node_of(o, o->data, k - m, -1, NULL);
        for (int i = 0; i < m; ++i) {
            r->test_proximity[(size_t)k * (size_t)m + (size_t)i] += node_of(o, test, i, -1, NULL) == node;
        }
    }
}

static void add_importance(const reg_oracle *o, rrf_regression_result *r)
{
    int n = o->data->n, n_oob = 0, p = o->data->p, n_perm = o->params->n_perm;
    double *column = oracle_alloc((size_t)n, sizeof *column), before = 0.0;
    int *oob = oracle_alloc((size_t)n, sizeof *oob);
    for (int row = 0; row < n; ++row) {
        double residual = o->t.prediction[node_of(o, o->data, row, -1, NULL)] - o->y[row];
        before += o->inbag[row] ? 0.0 : residual * residual;
        oob[n_oob] = row;
        n_oob += !o->inbag[row];
    }
    for (int feature = 0; feature < p; ++feature) {
        double after = 0.0;
        memcpy(column, o->data->x + (size_t)feature * (size_t)n, (size_t)n * sizeof *column);
        for (int k = 0; o->used_in_tree[feature] && k < n_perm; ++k) {
            for (int last = n_oob - 1; last >= 0; --last) {
                int at = rng_below(o->rng, last + 1);
                double swap = column[oob[last]];
                column[oob[last]] = column[oob[at]];
                column[oob[at]] = swap;
            }
            for (int i = 0; i < n_oob; ++i) {
                double was = o->t.prediction[node_of(o, o->data, oob[i], -1, NULL)] - o->y[oob[i]];
                double is = o->t.prediction[node_of(o, o->data, oob[i], feature, column)] - o->y[oob[i]];
                after += is * is;
                if (r->local_importance) {
                    r->local_importance[feature + (size_t)oob[i] * (size_t)p] += (is * is - was * was) / n_perm;
                }
            }
        }
        double rise = o->used_in_tree[feature] ? (after / n_perm - before) / n_oob : 0.0;
        r->importance[feature] += rise;
        r->importance_sd[feature] += rise * rise;
    }
    free(column);
    free(oob);
}

static void finish(const reg_oracle *o, const rrf_data *test, const int *pairs, rrf_regression_result *r)
{
    int n = o->data->n, m = test ? test->n : 0, p = o->data->p, ntree = o->params->ntree;
    for (int i = 0; i < n && o->params->bias_correction; ++i) {
        r->mean[i] = r->oob_times[i] ? r->coef[0] + r->coef[1] * r->mean[i] : r->mean[i];
    }
    for (int i = 0; i < m && o->params->bias_correction; ++i) {
        r->test_mean[i] = r->coef[0] + r->coef[1] * r->test_mean[i];
    }
    for (int i = 0; r->proximity && i < n * n; ++i) {
        r->proximity[i] = i % n == i / n ? 1.0 : r->proximity[i] / (pairs[i] ? pairs[i] : 1);
    }
    for (int i = 0; r->test_proximity && i < m * (m + n); ++i) {
        bool diagonal = i % m == i / m;
        double share = diagonal ? (o->params->quirks ? 0.0 : 1.0) : r->test_proximity[i] / ntree;
        r->test_proximity[i] = o->params->quirks ? share / ntree : share;
    }
    for (int feature = 0; feature < p; ++feature) {
        r->decrease[feature] /= ntree;
        if (o->params->importance) {
            r->importance[feature] /= ntree;
            r->importance_sd[feature] =
                sqrt((r->importance_sd[feature] / ntree - r->importance[feature] * r->importance[feature]) / ntree);
        }
    }
    for (int i = 0; r->local_importance && i < n * p; ++i) {
        r->local_importance[i] /= r->oob_times[i / p];
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void set_response(reg_oracle *o)
{
    size_t n = (size_t)o->data->n;
    o->response = oracle_alloc(n, sizeof *o->response);
    memcpy(o->response, o->y, n * sizeof *o->response);
    if (o->params->quirks) {
        return;
    }
    qsort(o->response, n, sizeof *o->response, ascending);
    o->location = o->response[(n - 1) / 2];
    for (size_t row = 0; row < n; ++row) {
        o->response[row] = o->y[row] - o->location;
    }
}

static void oracle_begin(reg_oracle *o, int max_nodes)
{
    set_response(o);
    size_t m = (size_t)o->m, nodes = (size_t)max_nodes + 2;
    o->draw = oracle_alloc(m, sizeof *o->draw);
    o->order = oracle_alloc(m, sizeof *o->order);
    o->start = oracle_alloc(nodes, sizeof *o->start);
    o->size = oracle_alloc(nodes, sizeof *o->size);
    o->inbag = oracle_alloc((size_t)o->data->n, sizeof *o->inbag);
    o->used_in_tree = oracle_alloc((size_t)o->data->p, sizeof *o->used_in_tree);
    o->value = oracle_alloc(m, sizeof *o->value);
    o->sorted = oracle_alloc(m, sizeof *o->sorted);
    o->best_value = oracle_alloc(m, sizeof *o->best_value);
    o->place = oracle_alloc(m, sizeof *o->place);
}

static void oracle_end(reg_oracle *o)
{
    void *owned[] = {o->response,     o->draw,  o->order,  o->start,      o->size, o->inbag,
                     o->used_in_tree, o->value, o->sorted, o->best_value, o->place};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i) {
        free(owned[i]);
    }
}

static void add_tree(reg_oracle *o, const rrf_data *test, const double *ytest, int j, int *pairs,
                     rrf_regression_result *r)
{
    int n = o->data->n;
    regression_oracle_draw_bag(o);
    regression_oracle_grow(o);
    for (int row = 0; r->inbag && row < n; ++row) {
        r->inbag[(size_t)j * (size_t)n + (size_t)row] = o->params->random_forest ? o->inbag[row] : o->inbag[row] > 0;
    }
    r->error[j] = predict_oob(o, r);
    if (test) {
        predict_test(o, test, ytest, j, r);
    }
    if (r->proximity) {
        add_proximity(o, test, pairs, r);
    }
    if (o->params->importance) {
        add_importance(o, r);
    }
}

/* The result arrays come cleared, `used` aside. */
void regression_oracle_fit(const rrf_data *train, const double *y, const rrf_data *test, const double *ytest,
                           const rrf_params *params, rrf_rng *rng, rrf_forest *forest, rrf_regression_result *result,
                           int *degenerate)
{
    int m = params->sampsize[0], max_nodes = params->max_nodes < 2 * m ? params->max_nodes : 2 * m;
    reg_oracle o = {.data = train, .y = y, .params = params, .rng = rng, .m = m};
    size_t n = (size_t)train->n;
    int *pairs = oracle_alloc(result->proximity ? n * n : 1, sizeof *pairs);
    o.used = result->used;
    o.decrease = result->decrease;
    oracle_begin(&o, max_nodes);
    if (params->quirks) {
        memset(result->used, 0, (size_t)train->p * sizeof *result->used);
    }
    oracle_enter_all(params, train->p, result->used);
    for (int j = 0; j < params->ntree; ++j) {
        if (forest_reserve(forest, max_nodes + 2, &o.t)) {
            abort();
        }
        add_tree(&o, test, ytest, j, pairs, result);
        forest_append(forest, &o.t);
    }
    finish(&o, test, pairs, result);
    *degenerate = o.degenerate;
    oracle_end(&o);
    free(pairs);
}

/* Votes, importance and proximity of the oracle. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

/* ---- votes ----------------------------------------------------------------------------------------------------------- */

int oracle_winner(const int32_t *votes, int n_votes, int nclass, const double *cutoff, rrf_ties ties, int current,
                  rrf_rng *rng)
{
    double most = 0.0;
    int winner = current, ntie = 1;
    for (int k = 0; k < nclass; ++k) {
        double share = (double)votes[k] / n_votes / cutoff[k];
        bool leads = share > most;
        if (leads) {
            most = share;
            winner = k;
            ntie = ties == RRF_TIES_RRF ? ntie : 1;
        }
        bool draws = ties != RRF_TIES_INTENDED ? share == most : !leads && share == most && most > 0.0;
        if (draws) {
            ntie += 1;
            double u = rrf_rng_uniform(rng);
            winner = (ties == RRF_TIES_RRF ? u > 1.0 / ntie : u < 1.0 / ntie) ? k : winner;
        }
    }
    return winner;
}

static int winner_of(const oracle *o, const int32_t *votes, int n_votes, int current)
{
    return oracle_winner(votes, n_votes, o->nclass, o->params->cutoff, oracle_ties(o->params), current, o->rng);
}

/* Shares of wrong rows among the rows with a vote: overall, then by class. n_votes NULL: all rows have votes. */
static void error_rates(const oracle *o, const int32_t *y, const int32_t *predicted, const int32_t *n_votes, int n,
                        double *err_rate)
{
    for (int k = -1; k < o->nclass; ++k) {
        double wrong = 0.0, cases = 0.0;
        for (int row = 0; row < n; ++row) {
            if ((!n_votes || n_votes[row] > 0) && (k < 0 || y[row] == k)) {
                cases += 1.0;
                wrong += predicted[row] != y[row];
            }
        }
        err_rate[k + 1] = wrong / cases;
    }
}

/* What a leaf says, from 1, counts for the row. CRAN's packages count 0, of a leaf without cases, one place before the row's
 * own: for the last class of the row before, if there is one. */
static void count_vote(const oracle *o, int32_t *votes, int row, int says)
{
    int place = row * o->nclass + says - 1;
    if (says > 0 || (row > 0 && oracle_ties(o->params) != RRF_TIES_INTENDED)) {
        ++votes[place];
    }
}

static void vote_on_test(oracle *o, const rrf_data *test, const int32_t *ytest, int grown, rrf_class_result *r)
{
    for (int row = 0; row < test->n; ++row) {
        count_vote(o, r->test_votes, row, o->node[oracle_apply(o, test, row, -1, 0.0)].prediction);
    }
    for (int row = 0; row < test->n; ++row) {
        int32_t *votes = r->test_votes + (size_t)row * (size_t)o->nclass;
        r->test_predicted[row] = winner_of(o, votes, grown, r->test_predicted[row]);
    }
    if (ytest) {
        double *err_rate = r->test_error + (size_t)(grown - 1) * ((size_t)o->nclass + 1);
        error_rates(o, ytest, r->test_predicted, NULL, test->n, err_rate);
    }
}

static void vote_out_of_bag(oracle *o, int grown, rrf_class_result *r)
{
    int n = o->data->n;
    for (int row = 0; row < n; ++row) {
        if (o->count[row] == 0) {
            count_vote(o, r->votes, row, o->node[oracle_apply(o, o->data, row, -1, 0.0)].prediction);
            ++r->oob_times[row];
        }
    }
    for (int row = 0; row < n; ++row) {
        if (r->oob_times[row] > 0) {
            int32_t *votes = r->votes + (size_t)row * (size_t)o->nclass;
            r->predicted[row] = winner_of(o, votes, r->oob_times[row], r->predicted[row]);
        }
    }
    double *err_rate = r->error + (size_t)(grown - 1) * ((size_t)o->nclass + 1);
    error_rates(o, o->y, r->predicted, r->oob_times, n, err_rate);
}

/* ---- unsupervised mode ----------------------------------------------------------------------------------------------- */

/* Rows of the data themselves; the second half is made up in unsupervised mode. */
static int real_rows(const oracle *o)
{
    return o->params->add_class ? o->data->n / 2 : o->data->n;
}

/* Fills the second half of x, row by row. CRAN RRF means to draw a row for each value, but always takes the first; and
 * it searches splits in the data as they were before. */
static void make_second_class(oracle *o, double *x)
{
    size_t n = (size_t)o->data->n, n_real = n / 2;
    for (size_t row = n_real; row < n; ++row) {
        for (size_t feature = 0; feature < (size_t)o->data->p; ++feature) {
            double u = rrf_rng_uniform(o->rng);
            size_t from = oracle_slips(o->params) ? 0 : (size_t)(u * (double)n_real);
            x[feature * n + row] = x[feature * n + from];
        }
    }
    if (!oracle_slips(o->params)) {
        oracle_sort(o);
    }
}

/* ---- proximity ------------------------------------------------------------------------------------------------------- */

/* Only the half with i < j is counted; pairs: of the trees that count for a pair, with oob.prox. */
static void count_pairs(const oracle *o, const rrf_data *test, int32_t *pairs, rrf_class_result *r)
{
    size_t n = (size_t)real_rows(o), n_test = test ? (size_t)test->n : 0;
    int *at = oracle_alloc(n_test + n, sizeof *at);
    for (size_t k = 0; k < n_test + n; ++k) {
        at[k] =
            k < n_test ? oracle_apply(o, test, (int)k, -1, 0.0) : oracle_apply(o, o->data, (int)(k - n_test), -1, 0.0);
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = i + 1; j < n; ++j) {
            bool out_i = o->count[i] == 0, out_j = o->count[j] == 0;
            bool counts = !pairs || (oracle_slips(o->params) ? out_i != out_j : out_i && out_j);
            if (pairs) {
                pairs[i + j * n] += counts;
            }
            r->proximity[i + j * n] += counts && at[n_test + i] == at[n_test + j];
        }
    }
    for (size_t i = 0; r->test_proximity && i < n_test; ++i) {
        for (size_t k = 0; k < n_test + n; ++k) {
            r->test_proximity[i + k * n_test] += at[i] == at[k];
        }
    }
    free(at);
}

static void finish_pairs(const oracle *o, int n_test, const int32_t *pairs, rrf_class_result *r)
{
    size_t n = (size_t)real_rows(o), m = (size_t)n_test;
    for (size_t i = 0; i < n; ++i) {
        r->proximity[i + i * n] = 1.0;
        for (size_t j = i + 1; j < n; ++j) {
            int trees = pairs ? pairs[i + j * n] : o->params->ntree;
            r->proximity[i + j * n] /= trees > 0 ? trees : 1;
            r->proximity[j + i * n] = r->proximity[i + j * n];
        }
    }
    for (size_t i = 0; r->test_proximity && i < m; ++i) {
        for (size_t k = 0; k < m + n; ++k) {
            r->test_proximity[i + k * m] = i == k ? 1.0 : r->test_proximity[i + k * m] / o->params->ntree;
        }
    }
}

/* ---- permutation importance ------------------------------------------------------------------------------------------ */

static double *shuffled_values(oracle *o, int feature)
{
    double *values = oracle_alloc((size_t)o->data->n, sizeof *values);
    int size = 0;
    for (int row = 0; row < o->data->n; ++row) {
        if (o->count[row] == 0) {
            values[size++] = o->data->x[(size_t)feature * (size_t)o->data->n + (size_t)row];
        }
    }
    for (int last = size - 1; last >= 0; --last) {
        int at = (int)((last + 1) * rrf_rng_uniform(o->rng));
        double moved = values[last];
        values[last] = values[at];
        values[at] = moved;
    }
    return values;
}

/* What one feature's shuffle costs, by class and overall; one place for each class, then one for all. */
static void count_lost(oracle *o, int feature, int *lost, int *cases, rrf_class_result *r)
{
    double *values = shuffled_values(o, feature);
    int next = 0;
    for (int row = 0; row < o->data->n; ++row) {
        if (o->count[row] > 0) {
            continue;
        }
        int k = o->y[row];
        int before = o->node[oracle_apply(o, o->data, row, -1, 0.0)].prediction - 1;
        int after = o->node[oracle_apply(o, o->data, row, feature, values[next++])].prediction - 1;
        int change = (before == k) - (after == k);
        lost[k] += change;
        lost[o->nclass] += change;
        ++cases[k];
        ++cases[o->nclass];
        if (r->local_importance && before != after) {
            r->local_importance[(size_t)feature + (size_t)row * (size_t)o->data->p] += after == k ? -1.0 : 1.0;
        }
    }
    free(values);
}

static void add_importance(oracle *o, rrf_class_result *r)
{
    size_t places = (size_t)o->nclass + 1, p = (size_t)o->data->p;
    for (int feature = 0; feature < o->data->p; ++feature) {
        if (!o->used_in_tree[feature]) {
            continue;
        }
        int *lost = oracle_alloc(places, sizeof *lost), *cases = oracle_alloc(places, sizeof *cases);
        count_lost(o, feature, lost, cases, r);
        for (size_t k = 0; k < places; ++k) {
            double share = (double)lost[k] / cases[k];
            double square = oracle_slips(o->params) ? (double)lost[k] * lost[k] / cases[k] : share * share;
            if (cases[k] > 0) {
                r->importance[(size_t)feature + k * p] += share;
                r->importance_sd[(size_t)feature + k * p] += square;
            }
        }
        free(lost);
        free(cases);
    }
}

static void finish_importance(const oracle *o, rrf_class_result *r)
{
    size_t p = (size_t)o->data->p, cells = p * ((size_t)o->nclass + 1), ntree = (size_t)o->params->ntree;
    for (size_t at = 0; at < cells; ++at) {
        double mean = r->importance[at] / (double)ntree;
        r->importance[at] = mean;
        r->importance_sd[at] = sqrt((r->importance_sd[at] / (double)ntree - mean * mean) / (double)ntree);
    }
    for (size_t row = 0; r->local_importance && row < (size_t)o->data->n; ++row) {
        for (size_t feature = 0; feature < p; ++feature) {
            r->local_importance[feature + row * p] /= r->oob_times[row];
        }
    }
}

/* ---- the fit --------------------------------------------------------------------------------------------------------- */

/* Class weights by way of shares of the cases, which need not give 1.0 back; without quirks they are 1.0. */
static void weigh_classes(const rrf_data *train, const int32_t *y, int nclass, const rrf_params *params,
                          double *classwt)
{
    double sum = 0.0;
    for (int k = 0; k < nclass; ++k) {
        sum += params->classwt ? params->classwt[k] : 0.0;
    }
    for (int k = 0; k < nclass; ++k) {
        int cases = 0;
        for (int row = 0; row < train->n; ++row) {
            cases += y[row] == k;
        }
        double share = params->classwt ? params->classwt[k] / sum : (double)cases / train->n;
        classwt[k] = !params->classwt && !params->quirks ? 1.0 : share * train->n / cases;
    }
}

static void zero_results(const oracle *o, const rrf_data *test, rrf_class_result *r)
{
    size_t n = (size_t)o->data->n, p = (size_t)o->data->p, nclass = (size_t)o->nclass, n_real = (size_t)real_rows(o);
    memset(r->votes, 0, n * nclass * sizeof *r->votes);
    memset(r->oob_times, 0, n * sizeof *r->oob_times);
    memset(r->decrease, 0, p * sizeof *r->decrease);
    for (size_t row = 0; row < n; ++row) {
        r->predicted[row] = -1;
    }
    for (size_t at = 0; r->importance && at < p * (nclass + 1); ++at) {
        r->importance[at] = r->importance_sd[at] = 0.0;
    }
    for (size_t at = 0; r->local_importance && at < p * n; ++at) {
        r->local_importance[at] = 0.0;
    }
    for (size_t at = 0; r->proximity && at < n_real * n_real; ++at) {
        r->proximity[at] = 0.0;
    }
    if (test) {
        size_t m = (size_t)test->n;
        memset(r->test_votes, 0, m * nclass * sizeof *r->test_votes);
        for (size_t row = 0; row < m; ++row) {
            r->test_predicted[row] = -1;
        }
        for (size_t at = 0; r->test_proximity && at < m * (m + n_real); ++at) {
            r->test_proximity[at] = 0.0;
        }
    }
}

static void *grown(void *array, size_t count, size_t size)
{
    void *larger = realloc(array, count * size);
    if (!larger) {
        exit(2);
    }
    return larger;
}

static void keep_tree(const oracle *o, rrf_forest *f)
{
    size_t first = f->offset ? (size_t)f->offset[f->ntree] : 0, end = first + (size_t)o->n_nodes;
    f->offset = grown(f->offset, (size_t)f->ntree + 2, sizeof *f->offset);
    f->left = grown(f->left, end, sizeof *f->left);
    f->split_var = grown(f->split_var, end, sizeof *f->split_var);
    f->split_point = grown(f->split_point, end, sizeof *f->split_point);
    f->status = grown(f->status, end, sizeof *f->status);
    f->prediction = grown(f->prediction, end, sizeof *f->prediction);
    for (size_t i = 0; i < (size_t)o->n_nodes; ++i) {
        const oracle_node *node = &o->node[i];
        f->left[first + i] = node->left;
        f->split_var[first + i] = node->feature;
        f->split_point[first + i] = node->point;
        f->status[first + i] = node->status;
        f->prediction[first + i] = node->prediction;
    }
    f->offset[0] = 0;
    f->offset[++f->ntree] = (int64_t)end;
}

static rrf_status add_tree(oracle *o, const rrf_data *test, const int32_t *ytest, int grown_before, int32_t *pairs,
                           rrf_class_result *r)
{
    for (int bags = 0; bags == 0 || o->n_nodes == 1; ++bags) {
        if (bags == 10000) {
            return RRF_ERR_NO_SPLIT;
        }
        rrf_status status = oracle_draw_bag(o);
        if (status) {
            return status;
        }
        oracle_grow(o);
    }
    for (int row = 0; r->inbag && row < real_rows(o); ++row) {
        r->inbag[(size_t)grown_before * (size_t)real_rows(o) + (size_t)row] =
            o->params->random_forest ? o->count[row] : o->count[row] > 0;
    }
    if (test) {
        vote_on_test(o, test, ytest, grown_before + 1, r);
    }
    vote_out_of_bag(o, grown_before + 1, r);
    if (r->proximity) {
        count_pairs(o, test, pairs, r);
    }
    if (o->params->importance) {
        add_importance(o, r);
    }
    return RRF_OK;
}

/* The data that the trees of unsupervised mode are grown on; x is a copy, to be changed before each tree. */
static rrf_data own_copy(const rrf_data *data, double **x)
{
    size_t cells = (size_t)data->n * (size_t)data->p;
    *x = oracle_alloc(cells, sizeof **x);
    memcpy(*x, data->x, cells * sizeof **x);
    return (rrf_data){.x = *x, .n = data->n, .p = data->p, .ncat = data->ncat};
}

static void finish(const oracle *o, int n_test, const int32_t *pairs, rrf_class_result *result)
{
    for (int feature = 0; feature < o->data->p; ++feature) {
        result->decrease[feature] /= o->params->ntree;
    }
    if (o->params->importance) {
        finish_importance(o, result);
    }
    if (result->proximity) {
        finish_pairs(o, n_test, pairs, result);
    }
}

rrf_status oracle_fit(const rrf_data *train, const int32_t *y, int nclass, const rrf_data *test, const int32_t *ytest,
                      const rrf_params *params, rrf_rng *rng, rrf_forest *forest, rrf_class_result *result)
{
    oracle o;
    double *x;
    rrf_data data = own_copy(train, &x);
    rrf_status status = RRF_OK;
    size_t n = (size_t)train->n;
    int32_t *pairs = result->proximity && params->oob_proximity ? oracle_alloc(n * n, sizeof *pairs) : NULL;
    weigh_classes(train, y, nclass, params, result->classwt);
    oracle_init(&o, &data, y, nclass, params, rng, result);
    o.searched = oracle_slips(params) ? train : &data;
    zero_results(&o, test, result);
    for (int t = 0; !status && t < params->ntree; ++t) {
        if (params->add_class) {
            make_second_class(&o, x);
        }
        status = add_tree(&o, test, ytest, t, pairs, result);
        keep_tree(&o, forest);
    }
    finish(&o, test ? test->n : 0, pairs, result);
    free(pairs);
    oracle_free(&o);
    free(x);
    return status;
}

/* Draws the in-bag rows of a tree, in the order of RRF's classRF. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/bag.h"

/* Largest number of samplings for one bag, if bags miss a class. */
enum { MAX_SAMPLINGS = 11 };

static rrf_status group_by_stratum(bag *b, const rrf_params *params)
{
    b->stratum_start = calloc((size_t)params->nstrata + 1, sizeof *b->stratum_start);
    b->stratum_rows = malloc((size_t)b->n * sizeof *b->stratum_rows);
    int32_t *next = malloc(((size_t)params->nstrata + 1) * sizeof *next);
    bool ready = b->stratum_start && b->stratum_rows && next;
    if (ready) {
        for (int row = 0; row < b->n; ++row) {
            ++b->stratum_start[params->strata[row] + 1];
        }
        for (int s = 0; s < params->nstrata; ++s) {
            b->stratum_start[s + 1] += b->stratum_start[s];
        }
        memcpy(next, b->stratum_start, ((size_t)params->nstrata + 1) * sizeof *next);
        for (int row = 0; row < b->n; ++row) {
            b->stratum_rows[next[params->strata[row]]++] = row;
        }
    }
    free(next);
    return ready ? RRF_OK : RRF_ERR_MEMORY;
}

/* R's normClassWt. The round trip through shares misses 1.0 by an ulp for some class sizes. */
void normalize_class_weights(const int32_t *y, int n, int nclass, const rrf_params *params, double *classwt)
{
    double sum = 0.0;
    for (int k = 0; params->classwt && k < nclass; ++k) {
        sum += params->classwt[k];
    }
    for (int k = 0; k < nclass; ++k) {
        int size = 0;
        for (int row = 0; row < n; ++row) {
            size += y[row] == k;
        }
        double share = params->classwt ? params->classwt[k] / sum : (double)size / n;
        bool exact = !params->quirks && !params->classwt;
        classwt[k] = size == 0 ? 0.0 : exact ? 1.0 : share * n / size;
    }
}

void settle_class_weights(double *classwt, int nclass)
{
    for (int k = 0; k < nclass; ++k) {
        classwt[k] = is_near_one(classwt[k]) ? 1.0 : classwt[k];
    }
}

bool weights_are_exact(const double *classwt, int nclass)
{
    bool exact = true;
    for (int k = 0; k < nclass; ++k) {
        exact = exact && classwt[k] == 1.0;
    }
    return exact;
}

rrf_status bag_init(bag *b, int n, int nclass, const int32_t *y, const double *response, const double *classwt,
                    const rrf_params *params)
{
    *b = (bag){.n = n,
               .nclass = nclass,
               .y = y,
               .response = response,
               .classwt = classwt,
               .exact = weights_are_exact(classwt, nclass)};
    b->count = malloc((size_t)n * sizeof *b->count);
    b->weight = malloc((size_t)n * sizeof *b->weight);
    b->class_total = malloc((size_t)b->nclass * sizeof *b->class_total);
    b->rows = malloc((size_t)n * sizeof *b->rows);
    b->pool = malloc((size_t)n * sizeof *b->pool);
    if (!b->count || !b->weight || !b->class_total || !b->rows || !b->pool) {
        return RRF_ERR_MEMORY;
    }
    return params->strata ? group_by_stratum(b, params) : RRF_OK;
}

void bag_free(bag *b)
{
    free(b->count);
    free(b->weight);
    free(b->class_total);
    free(b->rows);
    free(b->pool);
    free(b->stratum_start);
    free(b->stratum_rows);
    *b = (bag){0};
}

void bag_clear(bag *b)
{
    memset(b->count, 0, (size_t)b->n * sizeof *b->count);
    memset(b->weight, 0, (size_t)b->n * sizeof *b->weight);
    memset(b->class_total, 0, (size_t)b->nclass * sizeof *b->class_total);
}

void bag_add(bag *b, int row)
{
    double weight = b->classwt[b->y[row]] * (b->row_weight ? b->row_weight[row] : 1.0);
    b->class_total[b->y[row]] += weight;
    b->weight[row] += weight;
    ++b->count[row];
}

/* The weights and sums of rows that have been counted. */
static void weigh_counts(bag *b)
{
    memset(b->class_total, 0, (size_t)b->nclass * sizeof *b->class_total);
    for (int row = 0; row < b->n; ++row) {
        b->weight[row] = b->count[row];
        b->class_total[b->y[row]] += b->count[row];
    }
}

/* Adds some draws of the given rows, or of all where there are none given. */
static void draw_some(bag *b, const int32_t *rows, int n_rows, int draws, rrf_rng *rng)
{
    if (rows) {
        for (int i = 0; i < draws; ++i) {
            bag_add(b, rows[rng_below(rng, n_rows)]);
        }
    } else if (weights_are_counts(b)) {
        for (int i = 0; i < draws; ++i) {
            ++b->count[rng_below(rng, n_rows)];
        }
    } else {
        for (int i = 0; i < draws; ++i) {
            bag_add(b, rng_below(rng, n_rows));
        }
    }
}

static rrf_status draw_with_replacement(bag *b, const int32_t *rows, int n_rows, int draws, rrf_rng *rng, watch *w)
{
    rrf_status status = RRF_OK;
    for (int now, left = draws; !status && left > 0; left -= now) {
        now = draws_per_poll(left);
        draw_some(b, rows, n_rows, now, rng);
        status = watch_work(w, now);
    }
    if (!rows && weights_are_counts(b)) {
        weigh_counts(b);
    }
    return status;
}

rrf_status bag_draw_from(bag *b, const int32_t *rows, int n_rows, int draws, bool replace, rrf_rng *rng, watch *w)
{
    if (replace) {
        return draw_with_replacement(b, rows, n_rows, draws, rng, w);
    }
    for (int i = 0; i < n_rows; ++i) {
        b->pool[i] = rows ? rows[i] : i;
    }
    for (int last = n_rows - 1, i = 0; i < draws; ++i, --last) {
        int at = rng_below(rng, last + 1);
        bag_add(b, b->pool[at]);
        b->pool[at] = b->pool[last];
    }
    return watch_work(w, n_rows);
}

static bool misses_a_class(const bag *b)
{
    for (int k = 0; k < b->nclass; ++k) {
        if (b->class_total[k] == 0) {
            return true;
        }
    }
    return false;
}

static rrf_status draw_plain(bag *b, const rrf_params *params, rrf_rng *rng, watch *w)
{
    bool missing = false;
    int samplings = 0;
    rrf_status status = RRF_OK;
    do {
        bag_clear(b);
        status = bag_draw_from(b, NULL, b->n, params->sampsize[0], params->replace, rng, w);
        /* RRF never resets the flag: after one bad bag all samplings are made, even if some are good. */
        missing = (params->quirks && missing) || misses_a_class(b);
        ++samplings;
    } while (!status && missing && samplings < MAX_SAMPLINGS);
    return status;
}

static rrf_status draw_stratified(bag *b, const rrf_params *params, rrf_rng *rng, watch *w)
{
    rrf_status status = RRF_OK;
    bag_clear(b);
    for (int s = 0; !status && s < params->nstrata; ++s) {
        int start = b->stratum_start[s], n_rows = b->stratum_start[s + 1] - start;
        status = bag_draw_from(b, b->stratum_rows + start, n_rows, params->sampsize[s], params->replace, rng, w);
    }
    return status;
}

/* Rows of weight 0 are neither in the tree nor out of bag. */
void bag_list(bag *b)
{
    b->size = 0;
    for (int row = 0; row < b->n; ++row) {
        if (b->count[row] && (!b->row_weight || b->weight[row] > 0.0)) {
            b->rows[b->size++] = row;
        }
    }
}

rrf_status bag_draw(bag *b, const rrf_params *params, rrf_rng *rng, watch *w)
{
    rrf_status status = (params->strata ? draw_stratified : draw_plain)(b, params, rng, w);
    bag_list(b);
    return status;
}

rrf_status bag_take(bag *b, const int32_t *count, watch *w)
{
    rrf_status status = RRF_OK;
    bag_clear(b);
    for (int row = 0; !status && row < b->n; ++row) {
        for (int now, left = count[row]; !status && left > 0; left -= now) {
            now = draws_per_poll(left);
            for (int i = 0; i < now; ++i) {
                bag_add(b, row);
            }
            status = watch_work(w, now);
        }
    }
    bag_list(b);
    return status;
}

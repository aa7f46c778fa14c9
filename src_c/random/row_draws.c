/* Rows drawn with equal probabilities, R's unif_rand() times their number; and by weights, randomForest's
 * sampleWithReplacementWithWeights and sampleWithoutReplacementWithWeights. SPDX-License-Identifier: GPL-2.0-or-later */
#include "random/row_draws.h"

/* Number of weights that a draw with replacement compares at a time. */
enum { WORK_PER_WEIGHTED = 32 };

rrf_status row_draws_init(row_draws *d, int n, bool replace, const double *weight, const int32_t *order, arena *memory)
{
    *d = (row_draws){.replace = replace};
    TAKE(memory, d->pool, n);
    if (weight) {
        TAKE(memory, d->weight, n);
        TAKE(memory, d->left, n);
        TAKE(memory, d->boundary, n + 1);
    }
    for (int i = 0; d->weight && !arena_status(memory) && i < n; ++i) {
        d->weight[i] = weight[order ? order[i] : i];
    }
    return arena_status(memory);
}

static void divide(double *values, int n, double by)
{
    for (int i = 0; i < n; ++i) {
        values[i] /= by;
    }
}

void row_draws_scale(row_draws *d, int first, int n)
{
    double sum = 0.0;
    for (int i = 0; d->weight && i < n; ++i) {
        sum += d->weight[first + i];
    }
    if (d->weight) {
        divide(d->weight + first, n, sum);
    }
}

static void add_up(row_draws *d)
{
    d->boundary[0] = 0.0;
    for (int i = 0; i < d->n; ++i) {
        d->boundary[i + 1] = d->boundary[i] + d->left[i];
    }
}

void row_draws_begin(row_draws *d, int first, int n)
{
    d->n = n;
    if (d->weight) {
        memcpy(d->left, d->weight + first, (size_t)n * sizeof *d->left);
        add_up(d);
    } else if (!d->replace) {
        for (int i = 0; i < n; ++i) {
            d->pool[i] = i;
        }
    }
}

/* Returns the row within whose boundaries u lies, as R's findInterval: the last one for a u beyond all boundaries,
 * whose last may be below 1. */
static int find_row(const row_draws *d, double u)
{
    int below = 0, above = d->n;
    while (above - below > 1) {
        int middle = below + (above - below) / 2;
        if (u >= d->boundary[middle]) {
            below = middle;
        } else {
            above = middle;
        }
    }
    return below;
}

static int draw_by_weight(row_draws *d, rrf_rng *rng)
{
    int row = find_row(d, rng_uniform(rng));
    if (!d->replace) {
        /* Sets the weight of the drawn row to 0, and scales the others to a sum of 1 except for rounding. */
        double rest = 1.0 - d->left[row];
        d->left[row] = 0.0;
        divide(d->left, d->n, rest);
        add_up(d);
    }
    return row;
}

static int draw_from_pool(row_draws *d, rrf_rng *rng)
{
    int at = rng_below(rng, d->n), row = d->pool[at];
    d->pool[at] = d->pool[--d->n];
    return row;
}

rrf_status row_draws_take(row_draws *d, int32_t *drawn, int draws, rrf_rng *rng, watch *w)
{
    rrf_status status = RRF_OK;
    int64_t work = !d->weight ? 1 : d->replace ? WORK_PER_WEIGHTED : 4 * (int64_t)d->n;
    for (int i = 0; !status && i < draws;) {
        int now = d->weight ? 1 : draws_per_poll(draws - i);
        for (int end = i + now; i < end; ++i) {
            drawn[i] = d->weight ? draw_by_weight(d, rng) : d->replace ? rng_below(rng, d->n) : draw_from_pool(d, rng);
        }
        status = watch_work(w, now * work);
    }
    return status;
}

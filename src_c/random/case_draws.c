/* Rows drawn by the weights of the cases: randomForest's sampleWithReplacementWithWeights and its sister.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "random/case_draws.h"

rrf_status case_draws_init(case_draws *d, int n, const double *weight, const int32_t *order)
{
    size_t size = (size_t)n;
    *d = (case_draws){.weight = malloc(size * sizeof *d->weight),
                      .left = malloc(size * sizeof *d->left),
                      .boundary = malloc((size + 1) * sizeof *d->boundary)};
    if (!d->weight || !d->left || !d->boundary) {
        return RRF_ERR_MEMORY;
    }
    for (int i = 0; i < n; ++i) {
        d->weight[i] = weight[order ? order[i] : i];
    }
    return RRF_OK;
}

void case_draws_free(case_draws *d)
{
    free(d->weight);
    free(d->left);
    free(d->boundary);
    *d = (case_draws){0};
}

static void divide(double *values, int n, double by)
{
    for (int i = 0; i < n; ++i) {
        values[i] /= by;
    }
}

void case_draws_scale(case_draws *d, int first, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += d->weight[first + i];
    }
    divide(d->weight + first, n, sum);
}

static void add_up(case_draws *d)
{
    d->boundary[0] = 0.0;
    for (int i = 0; i < d->n; ++i) {
        d->boundary[i + 1] = d->boundary[i] + d->left[i];
    }
}

/* The row within whose boundaries u lies, R's findInterval: the last one for a u beyond all boundaries, which may sum to
 * less than 1. */
static int find_row(const case_draws *d, double u)
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

void case_draws_begin(case_draws *d, int first, int n)
{
    d->n = n;
    memcpy(d->left, d->weight + first, (size_t)n * sizeof *d->left);
    add_up(d);
}

int64_t case_draws_work(const case_draws *d, bool replace)
{
    return replace ? 32 : 4 * (int64_t)d->n;
}

int case_draws_next(case_draws *d, bool replace, rrf_rng *rng)
{
    int row = find_row(d, rng_uniform(rng));
    if (!replace) {
        /* What is drawn weighs nothing any more, and the others sum to 1 again but for rounding. */
        double rest = 1.0 - d->left[row];
        d->left[row] = 0.0;
        divide(d->left, d->n, rest);
        add_up(d);
    }
    return row;
}

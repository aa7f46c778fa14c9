/* Draws the cases that a regression tree grows on, in the order of R's regRF. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "engine_r/regression_bag.h"

rrf_status regression_bag_init(regression_bag *b, const double *y, int n, int size, const double *case_weight)
{
    *b = (regression_bag){.y = y, .n = n, .size = size};
    b->draw = malloc((size_t)size * sizeof *b->draw);
    b->count = malloc((size_t)n * sizeof *b->count);
    b->rows = malloc((size_t)n * sizeof *b->rows);
    b->pool = malloc((size_t)n * sizeof *b->pool);
    if (!b->count || !b->draw || !b->rows || !b->pool) {
        return RRF_ERR_MEMORY;
    }
    for (int row = 0; row < n; ++row) {
        b->largest = fmax(b->largest, fabs(y[row]));
    }
    b->weighted = case_weight != NULL;
    return b->weighted ? case_draws_init(&b->cases, n, case_weight, NULL) : RRF_OK;
}

void regression_bag_free(regression_bag *b)
{
    free(b->draw);
    free(b->count);
    free(b->rows);
    free(b->pool);
    case_draws_free(&b->cases);
    *b = (regression_bag){0};
}

static rrf_status draw_weighted(regression_bag *b, bool replace, rrf_rng *rng, watch *w)
{
    rrf_status status = RRF_OK;
    case_draws_begin(&b->cases, 0, b->n);
    for (int i = 0; !status && i < b->size; ++i) {
        b->draw[i] = case_draws_next(&b->cases, replace, rng);
        status = watch_work(w, case_draws_work(&b->cases, replace));
    }
    return status;
}

static rrf_status draw_with_replacement(regression_bag *b, rrf_rng *rng, watch *w)
{
    rrf_status status = RRF_OK;
    for (int i = 0; !status && i < b->size;) {
        int now = draws_per_poll(b->size - i);
        for (int end = i + now; i < end; ++i) {
            b->draw[i] = rng_below(rng, b->n);
        }
        status = watch_work(w, now);
    }
    return status;
}

static rrf_status draw_rows(regression_bag *b, bool replace, rrf_rng *rng, watch *w)
{
    if (b->weighted) {
        return draw_weighted(b, replace, rng, w);
    }
    if (replace) {
        return draw_with_replacement(b, rng, w);
    }
    for (int row = 0; row < b->n; ++row) {
        b->pool[row] = row;
    }
    for (int i = 0, last = b->n - 1; i < b->size; ++i, --last) {
        int at = rng_below(rng, last + 1);
        b->draw[i] = b->pool[at];
        b->pool[at] = b->pool[last];
    }
    return watch_work(w, b->n);
}

rrf_status regression_bag_draw(regression_bag *b, bool replace, rrf_rng *rng, watch *w)
{
    memset(b->count, 0, (size_t)b->n * sizeof *b->count);
    rrf_status status = draw_rows(b, replace, rng, w);
    if (status) {
        return status; /* some draws are not made */
    }
    for (int i = 0; i < b->size; ++i) {
        ++b->count[b->draw[i]];
    }
    b->n_rows = 0;
    for (int row = 0; row < b->n; ++row) {
        b->rows[b->n_rows] = (bag_row){.y = b->y[row], .row = row, .count = b->count[row]};
        b->n_rows += b->count[row] > 0;
    }
    return RRF_OK;
}

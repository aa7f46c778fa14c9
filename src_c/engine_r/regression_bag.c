/* Draws the cases that a regression tree grows on, in the order of R's regRF. SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_r/regression_bag.h"

rrf_status regression_bag_init(regression_bag *b, const double *y, int n, const rrf_params *params, arena *memory)
{
    *b = (regression_bag){.y = y, .n = n, .size = params->sampsize[0]};
    TAKE(memory, b->draw, b->size);
    TAKE(memory, b->count, n);
    return row_draws_init(&b->draws, n, params->replace, params->case_weight, NULL, memory);
}

rrf_status regression_bag_draw(regression_bag *b, rrf_rng *rng, watch *w)
{
    row_draws_begin(&b->draws, 0, b->n);
    rrf_status status = row_draws_take(&b->draws, b->draw, b->size, rng, w);
    if (status) {
        return status; /* some draws are skipped */
    }
    memset(b->count, 0, (size_t)b->n * sizeof *b->count);
    for (int i = 0; i < b->size; ++i) {
        ++b->count[b->draw[i]];
    }
    return RRF_OK;
}

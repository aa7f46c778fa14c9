/* Construction, copying and freeing of ranks. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/make_ranks.h"
#include "filters.h"
#include "monitor.h"

rrf_status ranks_make_range(rrf_ranks *ranks, const rrf_data *data, int first, int last, rank_scratch *scratch,
                            const rrf_monitor *monitor)
{
    watch watch = {.monitor = monitor};
    rrf_status status = rank_scratch_begin(scratch, data, ranks, last);
    for (int feature = first; !status && feature < last; ++feature) {
        status = rank_feature(ranks, data, feature, scratch);
        status = status ? status : ASK(column_ranked, RRF_OK, ranks, data, feature, (double *)(void *)scratch->items);
        status = status ? status : watch_work(&watch, ranks->n);
    }
    return status;
}

rrf_status ranks_make(rrf_ranks *ranks, const rrf_data *data, const rrf_monitor *monitor)
{
    rank_scratch scratch = {0};
    rrf_status status = ranks_make_range(ranks, data, 0, ranks->p, &scratch, monitor);
    rank_scratch_free(&scratch);
    return status ? status : ASK(columns_ranked, RRF_OK, ranks);
}

/* ---- the object ------------------------------------------------------------------------------------------------------ */

static rrf_status alloc_columns(rrf_ranks *ranks, int n, int p, ranks_kind kind)
{
    size_t columns = (size_t)p;
    *ranks = (rrf_ranks){.n = n, .p = p, .kind = kind, .wide = n > 65536 /* RRF_MAX_WIDE fits, too */};
    arena *memory = &ranks->memory;
    ranks->rank = arena_take_large(memory, columns * (size_t)n, rank_width(ranks));
    TAKE(memory, ranks->ncat, columns);
    TAKE_ZEROS(memory, ranks->n_ranks, columns);
    TAKE_ZEROS(memory, ranks->n_present, columns);
    TAKE_ZEROS(memory, ranks->has_ties, columns);
    return arena_status(memory) ? RRF_ERR_MEMORY : ASK(columns_init, RRF_OK, ranks);
}

rrf_status ranks_alloc(rrf_ranks *ranks, const rrf_data *data, ranks_kind kind)
{
    rrf_status status = alloc_columns(ranks, data->n, data->p, kind);
    if (!status) {
        memcpy(ranks->ncat, data->ncat, (size_t)data->p * sizeof *ranks->ncat);
    }
    return status;
}

void ranks_clear(rrf_ranks *ranks)
{
    TELL(columns_free, ranks);
    arena_free(&ranks->memory);
    *ranks = (rrf_ranks){0};
}

void rrf_ranks_free(rrf_ranks *ranks)
{
    if (ranks) {
        ranks_clear(ranks);
        free(ranks);
    }
}

static rrf_status copy_column(const rrf_ranks *from, int feature, rrf_ranks *to, int at)
{
    size_t bytes = (size_t)from->n * rank_width(from);
    memcpy((char *)to->rank + (size_t)at * bytes, (const char *)from->rank + (size_t)feature * bytes, bytes);
    to->ncat[at] = from->ncat[feature];
    to->n_ranks[at] = from->n_ranks[feature];
    to->n_present[at] = from->n_present[feature];
    to->has_ties[at] = from->has_ties[feature];
    return ASK(column_copied, RRF_OK, from, feature, to, at);
}

rrf_status rrf_ranks_select(const rrf_ranks *ranks, const int32_t *features, int n_features, rrf_ranks **selected)
{
    *selected = NULL;
    for (int i = 0; i < n_features; ++i) {
        if (features[i] < 0 || features[i] >= ranks->p) {
            return RRF_ERR_ARGUMENT;
        }
    }
    rrf_ranks *own = n_features > 0 ? malloc(sizeof *own) : NULL;
    if (!own) {
        return n_features > 0 ? RRF_ERR_MEMORY : RRF_ERR_ARGUMENT;
    }
    rrf_status status = alloc_columns(own, ranks->n, n_features, ranks->kind);
    for (int i = 0; !status && i < n_features; ++i) {
        status = copy_column(ranks, features[i], own, i);
    }
    status = status ? status : ASK(columns_ranked, RRF_OK, own);
    if (status) {
        rrf_ranks_free(own);
        return status;
    }
    *selected = own;
    return RRF_OK;
}

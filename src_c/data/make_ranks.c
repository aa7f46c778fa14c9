/* Ranks are made, copied and freed. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/coarse_ranks.h"
#include "data/few_values.h"
#include "data/make_ranks.h"
#include "data/rare_values.h"
#include "filters.h"
#include "monitor.h"

static void forget_sorted_rows(rrf_ranks *ranks, int feature)
{
    free(atomic_load_explicit(ranks->order + feature, memory_order_relaxed));
    atomic_init(ranks->order + feature, NULL);
}

/* Where equal values have ranks of their own, regression has to know which values are equal. value: scratch. */
static rrf_status keep_first_equal(rrf_ranks *ranks, const rrf_data *data, int feature, double *value)
{
    if (!ranks->first_equal) {
        return RRF_OK;
    }
    free(ranks->first_equal[feature]);
    ranks->first_equal[feature] = NULL;
    if (!ranks->has_ties[feature] || ranks->n_ranks[feature] < ranks->n) {
        return RRF_OK;
    }
    uint32_t *first = ranks->first_equal[feature] = malloc((size_t)ranks->n * sizeof *first);
    for (int row = 0; row < ranks->n; ++row) {
        value[rank_of(ranks, feature, row)] = data_value(data, feature, row);
    }
    for (int rank = 0; first && rank < ranks->n; ++rank) {
        first[rank] = rank > 0 && value[rank] == value[rank - 1] ? first[rank - 1] : (uint32_t)rank;
    }
    return first ? RRF_OK : RRF_ERR_MEMORY;
}

rrf_status ranks_make_range(rrf_ranks *ranks, const rrf_data *data, int first, int last, rank_scratch *scratch,
                            const rrf_monitor *monitor)
{
    watch watch = {.monitor = monitor};
    rrf_status status = rank_scratch_begin(scratch, data, ranks, last);
    for (int feature = first; !status && feature < last; ++feature) {
        forget_sorted_rows(ranks, feature);
        status = rank_feature(ranks, data, feature, scratch);
        status = status ? status : keep_first_equal(ranks, data, feature, (double *)(void *)scratch->items);
        status = status ? status : few_values_pack(ranks, feature);
        status = status ? status : rare_values_list(ranks, feature);
        status = status ? status : watch_work(&watch, ranks->n);
    }
    return status;
}

/* With this many rows, ranks are also stored row by row: the rows of a small node are far apart, and each feature would
 * fetch other lines of memory. */
enum { MIN_BY_ROW = 2048 };

#define COPY_RANKS(type)                                                                                               \
    for (size_t row = 0; row < n; ++row) {                                                                             \
        for (size_t feature = 0; feature < p; ++feature) {                                                             \
            ((type *)ranks->by_row)[row * p + feature] = ((const type *)ranks->rank)[feature * n + row];               \
        }                                                                                                              \
    }

rrf_status ranks_finish(rrf_ranks *ranks)
{
    size_t n = (size_t)ranks->n, p = (size_t)ranks->p;
    coarse_ranks_fill(ranks);
    if (!ranks->kind.values || n < MIN_BY_ROW) {
        return RRF_OK;
    }
    if (!ranks->by_row) {
        ranks->by_row = arena_take(&ranks->memory, n * p, rank_width(ranks));
    }
    if (!ranks->by_row) {
        return RRF_ERR_MEMORY;
    }
    if (ranks->wide) {
        COPY_RANKS(uint32_t)
    } else {
        COPY_RANKS(uint16_t)
    }
    return RRF_OK;
}

rrf_status ranks_make(rrf_ranks *ranks, const rrf_data *data, const rrf_monitor *monitor)
{
    rank_scratch scratch = {0};
    rrf_status status = ranks_make_range(ranks, data, 0, ranks->p, &scratch, monitor);
    rank_scratch_free(&scratch);
    return status ? status : ranks_finish(ranks);
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
    TAKE_ZEROS(memory, ranks->order, columns);
    if (kind.values) {
        TAKE_ZEROS(memory, ranks->first_equal, columns);
    }
    if (kind.few) {
        TAKE_ZEROS(memory, ranks->packed, columns);
    }
    if (kind.ties == TIES_MERGED) {
        TAKE_ZEROS(memory, ranks->rare, columns);
    }
    if (FILTER_COARSE && kind.ties == TIES_MERGED && n >= MIN_COARSE) {
        ranks->coarse = arena_take(memory, columns, (size_t)n);
    }
    return arena_status(memory);
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
    for (int feature = 0; ranks->order && feature < ranks->p; ++feature) {
        free(atomic_load_explicit(ranks->order + feature, memory_order_relaxed));
    }
    for (int feature = 0; ranks->first_equal && feature < ranks->p; ++feature) {
        free(ranks->first_equal[feature]);
    }
    few_values_free(ranks);
    rare_values_free(ranks);
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
    size_t bytes = (size_t)from->n * rank_width(from), n = (size_t)from->n;
    memcpy((char *)to->rank + (size_t)at * bytes, (const char *)from->rank + (size_t)feature * bytes, bytes);
    to->ncat[at] = from->ncat[feature];
    to->n_ranks[at] = from->n_ranks[feature];
    to->n_present[at] = from->n_present[feature];
    to->has_ties[at] = from->has_ties[feature];
    if (!from->first_equal || !from->first_equal[feature]) {
        rrf_status status = few_values_pack(to, at);
        return status ? status : rare_values_list(to, at);
    }
    to->first_equal[at] = malloc(n * sizeof *to->first_equal[at]);
    if (to->first_equal[at]) {
        memcpy(to->first_equal[at], from->first_equal[feature], n * sizeof *to->first_equal[at]);
    }
    return to->first_equal[at] ? RRF_OK : RRF_ERR_MEMORY;
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
    status = status ? status : ranks_finish(own);
    if (status) {
        rrf_ranks_free(own);
        return status;
    }
    *selected = own;
    return RRF_OK;
}

/* ---- sorted rows ----------------------------------------------------------------------------------------------------- */

/* next: n_ranks + 1 zeros. */
static void sort_rows_by_key(const rrf_ranks *ranks, int feature, int32_t *next, int32_t *order)
{
    for (int row = 0; row < ranks->n; ++row) {
        ++next[rank_of(ranks, feature, row) + 1];
    }
    for (int rank = 0; rank < ranks->n_ranks[feature]; ++rank) {
        next[rank + 1] += next[rank];
    }
    for (int row = 0; row < ranks->n; ++row) {
        order[next[rank_of(ranks, feature, row)]++] = row;
    }
}

/* Two threads may make the same rows at the same time; all then use those of the first to finish. */
static const int32_t *publish(const rrf_ranks *ranks, int feature, int32_t *order)
{
    int32_t *shown = NULL;
    if (atomic_compare_exchange_strong(ranks->order + feature, &shown, order)) {
        return order;
    }
    free(order);
    return shown;
}

const int32_t *ranks_sorted_rows(const rrf_ranks *ranks, int feature)
{
    const int32_t *shown = atomic_load_explicit(ranks->order + feature, memory_order_acquire);
    if (shown) {
        return shown;
    }
    int32_t *order = malloc((size_t)ranks->n * sizeof *order);
    int32_t *next = calloc((size_t)ranks->n_ranks[feature] + 1, sizeof *next);
    bool ready = order && next;
    if (ready) {
        sort_rows_by_key(ranks, feature, next, order);
    } else {
        free(order);
    }
    free(next);
    return ready ? publish(ranks, feature, order) : NULL;
}

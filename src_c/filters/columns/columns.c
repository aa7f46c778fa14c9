/* Other forms of ranked columns. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/columns/coarse_ranks.h"
#include "filters/columns/few_values.h"
#include "filters/columns/rare_values.h"
#include "filters/switches.h"

/* Number of rows from which R's regression also stores ranks row by row: the rows of a small node are far apart in a
 * column, and each feature would fetch other cache lines. */
enum { MIN_BY_ROW = 2048 };

rrf_status columns_init(rrf_ranks *ranks)
{
    column_filter *f;
    arena *memory = &ranks->memory;
    size_t n = (size_t)ranks->n, p = (size_t)ranks->p;
    bool merged = ranks->kind.ties == TIES_MERGED, values = ranks->kind.values;
    TAKE_ZEROS(memory, f, 1);
    if (!f) {
        return RRF_ERR_MEMORY;
    }
    ranks->filter = f;
    TAKE_ZEROS(memory, f->order, p);
    if (ranks->kind.counts) {
        TAKE_ZEROS(memory, f->packed, p);
    }
    if (merged) {
        TAKE_ZEROS(memory, f->rare, p);
    }
    if (FILTER_COARSE && merged && ranks->n >= MIN_COARSE) {
        TAKE(memory, f->coarse, n * p);
    }
    if (values) {
        TAKE_ZEROS(memory, f->first_equal, p);
    }
    if (values && n >= MIN_BY_ROW) {
        f->by_row = arena_take(memory, n * p, rank_width(ranks));
    }
    return arena_status(memory);
}

/* ---- a column -------------------------------------------------------------------------------------------------------- */

static rrf_status keep_first_equal(const rrf_ranks *ranks, const rrf_data *data, int feature, double *value)
{
    uint32_t **of_columns = ranks->filter->first_equal;
    if (!of_columns) {
        return RRF_OK;
    }
    free(of_columns[feature]);
    of_columns[feature] = NULL;
    if (!ranks->has_ties[feature] || ranks->n_ranks[feature] < ranks->n) {
        return RRF_OK;
    }
    uint32_t *first = of_columns[feature] = malloc((size_t)ranks->n * sizeof *first);
    for (int row = 0; row < ranks->n; ++row) {
        value[rank_of(ranks, feature, row)] = data_value(data, feature, row);
    }
    for (int rank = 0; first && rank < ranks->n; ++rank) {
        first[rank] = rank > 0 && value[rank] == value[rank - 1] ? first[rank - 1] : (uint32_t)rank;
    }
    return first ? RRF_OK : RRF_ERR_MEMORY;
}

rrf_status columns_take(rrf_ranks *ranks, const rrf_data *data, int feature, double *value)
{
    _Atomic(int32_t *) *order = ranks->filter->order + feature;
    free(atomic_load_explicit(order, memory_order_relaxed));
    atomic_init(order, NULL);
    rrf_status status = keep_first_equal(ranks, data, feature, value);
    status = status ? status : few_values_pack(ranks, feature);
    return status ? status : rare_values_list(ranks, feature);
}

rrf_status columns_copy(const rrf_ranks *from, int feature, rrf_ranks *to, int at)
{
    size_t bytes = (size_t)from->n * sizeof(uint32_t);
    uint32_t **first = from->filter->first_equal;
    if (first && first[feature]) {
        uint32_t *copy = to->filter->first_equal[at] = malloc(bytes);
        return copy && memcpy(copy, first[feature], bytes) ? RRF_OK : RRF_ERR_MEMORY;
    }
    rrf_status status = few_values_pack(to, at);
    return status ? status : rare_values_list(to, at);
}

/* ---- all columns ----------------------------------------------------------------------------------------------------- */

#define COPY_RANKS(type)                                                                                               \
    for (size_t row = 0; row < n; ++row) {                                                                             \
        for (size_t feature = 0; feature < p; ++feature) {                                                             \
            ((type *)ranks->filter->by_row)[row * p + feature] = ((const type *)ranks->rank)[feature * n + row];       \
        }                                                                                                              \
    }

rrf_status columns_finish(rrf_ranks *ranks)
{
    size_t n = (size_t)ranks->n, p = (size_t)ranks->p;
    coarse_ranks_fill(ranks);
    if (ranks->filter->by_row && ranks->wide) {
        COPY_RANKS(uint32_t)
    } else if (ranks->filter->by_row) {
        COPY_RANKS(uint16_t)
    }
    return RRF_OK;
}

static void free_columns(void **columns, int p)
{
    for (int feature = 0; columns && feature < p; ++feature) {
        free(columns[feature]);
    }
}

void columns_free(rrf_ranks *ranks)
{
    column_filter *f = ranks->filter;
    if (f) {
        free_columns((void **)(void *)f->order, f->order ? ranks->p : 0);
        free_columns((void **)(void *)f->first_equal, ranks->p);
        free_columns((void **)(void *)f->rare, ranks->p);
        free_columns(f->packed, ranks->p);
    }
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

/* Two threads may compute the same rows at the same time; all then use the result of the first to finish. */
static const int32_t *publish(const rrf_ranks *ranks, int feature, int32_t *order)
{
    int32_t *shown = NULL;
    if (atomic_compare_exchange_strong(ranks->filter->order + feature, &shown, order)) {
        return order;
    }
    free(order);
    return shown;
}

const int32_t *columns_sorted_rows(const rrf_ranks *ranks, int feature)
{
    const int32_t *shown = atomic_load_explicit(ranks->filter->order + feature, memory_order_acquire);
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

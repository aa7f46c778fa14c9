/* R's order among equal values. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/columns/order_like_r.h"
#include "data/sort_like_r.h"

rrf_status order_like_r_init(order_like_r *o, const rrf_ranks *merged, arena *memory)
{
    size_t n = (size_t)merged->n, p = (size_t)merged->p;
    *o = (order_like_r){.merged = merged};
    o->rank = arena_take(memory, p * n, rank_width(merged));
    TAKE_ZEROS(memory, o->known, p);
    TAKE(memory, o->value, n);
    TAKE(memory, o->row_at, p * n);
    return arena_status(memory);
}

void order_like_r_forget(order_like_r *o)
{
    memset(o->known, 0, (size_t)o->merged->p * sizeof *o->known);
}

static char *column_of(void *ranks, const rrf_ranks *merged, int feature)
{
    return (char *)ranks + (size_t)feature * (size_t)merged->n * rank_width(merged);
}

/* R's sort only compares values, and ranks compare in the same way. */
static void sort_column(order_like_r *o, int feature, int32_t *row_at)
{
    for (int row = 0; row < o->merged->n; ++row) {
        o->value[row] = (double)rank_of(o->merged, feature, row);
        row_at[row] = row;
    }
    sort_like_r(o->value, row_at, o->merged->n);
}

static void write_ranks(const order_like_r *o, const int32_t *row_at, void *column)
{
    for (int at = 0; at < o->merged->n; ++at) {
        if (o->merged->wide) {
            ((uint32_t *)column)[row_at[at]] = (uint32_t)at;
        } else {
            ((uint16_t *)column)[row_at[at]] = (uint16_t)at;
        }
    }
}

static int32_t *rows_of(const order_like_r *o, int feature)
{
    return o->row_at + (size_t)feature * (size_t)o->merged->n;
}

const void *order_like_r_ranks(order_like_r *o, int feature)
{
    if (!o->merged->has_ties[feature]) {
        return column_of(o->merged->rank, o->merged, feature);
    }
    void *column = column_of(o->rank, o->merged, feature);
    if (!o->known[feature]) {
        sort_column(o, feature, rows_of(o, feature));
        write_ranks(o, rows_of(o, feature), column);
        o->known[feature] = 1;
    }
    return column;
}

const int32_t *order_like_r_rows(order_like_r *o, int feature)
{
    order_like_r_ranks(o, feature);
    return rows_of(o, feature);
}

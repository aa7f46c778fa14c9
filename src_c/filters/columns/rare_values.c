/* Columns in which most rows have the same value. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/columns/rare_values.h"
#include "filters/switches.h"

/* At most one row in MIN_COMMON has another value. The common value is estimated from a sample of rows. */
enum { MIN_COMMON = 8, LOOKED_AT = 9 };
/* Rows compared at once. */
enum { BLOCK = 64 };

/* Returns the rank of most of the sampled rows, if there is one. */
static uint32_t guess_common(const rrf_ranks *ranks, int feature)
{
    uint32_t leader = 0;
    int lead = 0;
    for (int i = 0; i < LOOKED_AT; ++i) {
        uint32_t rank = rank_of(ranks, feature, (int)((int64_t)ranks->n * i / LOOKED_AT));
        leader = lead == 0 ? rank : leader;
        lead += rank == leader ? 1 : -1;
    }
    return leader;
}

#define COUNT_OTHERS(type)                                                                                             \
    for (int i = 0; i < n; ++i) {                                                                                      \
        others += ((const type *)ranks->rank)[at + (size_t)i] != (type)common;                                         \
    }

/* Returns the number of rows with another rank among n rows from `first` on. */
static int count_others(const rrf_ranks *ranks, int feature, int first, int n, uint32_t common)
{
    size_t at = (size_t)feature * (size_t)ranks->n + (size_t)first;
    int others = 0;
    if (ranks->wide) {
        COUNT_OTHERS(uint32_t)
    } else {
        COUNT_OTHERS(uint16_t)
    }
    return others;
}

/* Lists these rows, ascending; blocks without any are skipped. */
static void list_others(const rrf_ranks *ranks, int feature, uint32_t common, rare_row *others)
{
    int n = 0;
    for (int first = 0; first < ranks->n; first += BLOCK) {
        int size = ranks->n - first < BLOCK ? ranks->n - first : BLOCK;
        bool any = count_others(ranks, feature, first, size, common) > 0;
        for (int row = first; any && row < first + size; ++row) {
            uint32_t rank = rank_of(ranks, feature, row);
            if (rank != common) {
                others[n++] = (rare_row){row, rank};
            }
        }
    }
}

/* next: n_ranks + 1 zeros; dense ranks are hardly more than the listed rows. */
static void sort_by_rank(const rare_row *others, int n_ranks, int32_t *next, rare_values *rare)
{
    for (int i = 0; i < rare->n_rows; ++i) {
        ++next[others[i].rank + 1];
    }
    for (int rank = 0; rank < n_ranks; ++rank) {
        next[rank + 1] += next[rank];
    }
    for (int i = 0; i < rare->n_rows; ++i) {
        rare->rows[next[others[i].rank]++] = others[i];
    }
}

static rare_values *make(const rrf_ranks *ranks, int feature, uint32_t common, int n_rows)
{
    rare_values *rare = malloc(sizeof *rare + (size_t)n_rows * sizeof *rare->rows);
    rare_row *others = malloc(((size_t)n_rows + 1) * sizeof *others);
    int32_t *next = calloc((size_t)ranks->n_ranks[feature] + 1, sizeof *next);
    if (rare && others && next) {
        rare->common = common;
        rare->n_rows = n_rows;
        list_others(ranks, feature, common, others);
        sort_by_rank(others, ranks->n_ranks[feature], next, rare);
    } else {
        free(rare);
        rare = NULL;
    }
    free(others);
    free(next);
    return rare;
}

rrf_status rare_values_list(rrf_ranks *ranks, int feature)
{
    rare_values **of_columns = ranks->filter->rare;
    if (!FILTER_RARE_VALUES || !of_columns || ranks->ncat[feature] > 1) {
        return RRF_OK;
    }
    free(of_columns[feature]);
    of_columns[feature] = NULL;
    uint32_t common = guess_common(ranks, feature);
    int n_rows = count_others(ranks, feature, 0, ranks->n, common);
    if (n_rows > ranks->n / MIN_COMMON) {
        return RRF_OK;
    }
    of_columns[feature] = make(ranks, feature, common, n_rows);
    return of_columns[feature] ? RRF_OK : RRF_ERR_MEMORY;
}

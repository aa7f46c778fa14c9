/* Sorts the rows of a node by their ranks in a numeric feature. All ranks differ: among equal values they
 * follow the order of R's sort. SPDX-License-Identifier: GPL-2.0-or-later */
#include "r/regression.h"
#include "data/radix.h"

/* There are three ways. Few rows: for each of them the smaller ranks are counted, without a branch. More rows: they are
 * marked in a bitmap of all ranks, unless this has more than WORDS_PER_ROW words per row. Otherwise a radix sort, which
 * pays from more rows on than a bitmap does. */
enum { MAX_COUNTING_DENSE = 64, MAX_COUNTING_SPARSE = 128, WORDS_PER_ROW = 4 };
/* Ranks are read row by row where those of the node, all features together, fill no more than this. */
enum { MAX_BYTES_BY_ROW = 1 << 17 };

/* ---- set-up ---------------------------------------------------------------------------------------------------------- */

rrf_status regression_sorted_init(regression_sorted *sorted, const rrf_ranks *ranks, int n_cases)
{
    size_t n = (size_t)ranks->n, slots = n / 64 * 64 + 64;
    size_t size = n + (size_t)n_cases + RRF_MAX_LEVELS + SIMD_BLOCK;
    *sorted = (regression_sorted){.ranks = ranks, .simd = simd_best()};
    sorted->mark = calloc(slots / 64, sizeof *sorted->mark);
    sorted->slot = calloc(slots, sizeof *sorted->slot);
    sorted->items = malloc(n * sizeof *sorted->items);
    sorted->spare = malloc(n * sizeof *sorted->spare);
    sorted->sorted_rank = malloc(size * sizeof *sorted->sorted_rank);
    sorted->rank = malloc(size * sizeof *sorted->rank);
    sorted->place = malloc(size * sizeof *sorted->place);
    sorted->left = malloc(size * sizeof *sorted->left);
    sorted->ratio = malloc(size * sizeof *sorted->ratio);
    bool ready = sorted->mark && sorted->slot && sorted->items && sorted->spare && sorted->sorted_rank &&
                 sorted->rank && sorted->place && sorted->left && sorted->ratio;
    return ready ? RRF_OK : RRF_ERR_MEMORY;
}

void regression_sorted_free(regression_sorted *sorted)
{
    free(sorted->mark);
    free(sorted->slot);
    free(sorted->items);
    free(sorted->spare);
    free(sorted->sorted_rank);
    free(sorted->rank);
    free(sorted->place);
    free(sorted->left);
    free(sorted->ratio);
    *sorted = (regression_sorted){0};
}

/* ---- ranks ----------------------------------------------------------------------------------------------------------- */

typedef struct rank_view {
    const void *base; /* the feature's rank in row 0 */
    size_t stride;    /* ranks from one row to the next */
} rank_view;

/* The ranks of a feature, column by column or row by row, whichever is faster for so many rows. */
static rank_view view_ranks(const rrf_ranks *ranks, int feature, int n_rows)
{
    size_t p = (size_t)ranks->p, width = rank_width(ranks);
    if (ranks->by_row && (size_t)n_rows * p * width <= MAX_BYTES_BY_ROW) {
        return (rank_view){(const char *)ranks->by_row + (size_t)feature * width, p};
    }
    return (rank_view){(const char *)ranks->rank + (size_t)feature * (size_t)ranks->n * width, 1};
}

#define LOAD_RANKS(type)                                                                                               \
    for (int i = 0; i < n_rows; ++i) {                                                                                 \
        rank[i] = ((const type *)view.base)[(size_t)rows[i].row * view.stride];                                        \
    }

void regression_load_ranks(const rrf_ranks *ranks, int feature, const bag_row *rows, int n_rows, uint32_t *rank)
{
    rank_view view = view_ranks(ranks, feature, n_rows);
    if (ranks->wide) {
        LOAD_RANKS(uint32_t)
    } else {
        LOAD_RANKS(uint16_t)
    }
}

void regression_fetch_ranks(const rrf_ranks *ranks, const bag_row *rows, int n_rows)
{
    if (!ranks->by_row || n_rows > MAX_COUNTING_DENSE) {
        return;
    }
    size_t bytes = rank_width(ranks) * (size_t)ranks->p;
    for (int i = 0; i < n_rows; ++i) {
        const char *of_row = (const char *)ranks->by_row + (size_t)rows[i].row * bytes;
        __builtin_prefetch(of_row);
        __builtin_prefetch(of_row + bytes - 1);
    }
}

/* ---- sorting --------------------------------------------------------------------------------------------------------- */

static void sort_by_counting(regression_sorted *sorted, int n_rows)
{
    int32_t smaller[MAX_COUNTING_SPARSE];
    memset(sorted->rank + n_rows, 0, SIMD_BLOCK * sizeof *sorted->rank);
    sorted->simd->count_smaller_ranks((const int32_t *)sorted->rank, n_rows, smaller);
    for (int i = 0; i < n_rows; ++i) {
        sorted->place[smaller[i]] = (uint32_t)i;
    }
}

static void sort_by_bitmap(regression_sorted *sorted, int n_rows, int n_ranks)
{
    for (int i = 0; i < n_rows; ++i) {
        uint32_t rank = sorted->rank[i];
        sorted->mark[rank >> 6] |= (uint64_t)1 << (rank & 63);
        sorted->slot[rank] = (uint32_t)i;
    }
    sorted->simd->gather(sorted->mark, n_ranks / 64 + 1, sorted->slot, sorted->sorted_rank, sorted->place);
}

static void sort_by_digits(regression_sorted *sorted, int n_rows, int n_ranks)
{
    for (int i = 0; i < n_rows; ++i) {
        sorted->items[i] = (uint64_t)sorted->rank[i] << 32 | (uint32_t)i;
    }
    const uint64_t *items = radix_sort_ranks(sorted->items, sorted->spare, n_rows, (uint32_t)n_ranks);
    for (int i = 0; i < n_rows; ++i) {
        sorted->place[i] = (uint32_t)items[i];
    }
}

void regression_sort_rows(regression_sorted *sorted, int feature, const bag_row *rows, int n_rows)
{
    int n_ranks = sorted->ranks->n_ranks[feature];
    bool dense = n_ranks / 64 <= (int64_t)WORDS_PER_ROW * n_rows;
    sorted->rows = rows;
    sorted->size = n_rows;
    regression_load_ranks(sorted->ranks, feature, rows, n_rows, sorted->rank);
    if (n_rows <= (dense ? MAX_COUNTING_DENSE : MAX_COUNTING_SPARSE)) {
        sort_by_counting(sorted, n_rows);
    } else if (dense) {
        sort_by_bitmap(sorted, n_rows, n_ranks);
    } else {
        sort_by_digits(sorted, n_rows, n_ranks);
    }
}

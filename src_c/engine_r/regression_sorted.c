/* Sorts the rows of a node by their ranks in a numeric feature, or adds up those of each value.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters.h"
#include "engine_r/regression_sorted.h"
#include "data/radix.h"

/* There are three ways to sort. Few rows: for each of them the smaller ranks are counted, without a branch. More rows: they are
 * marked in a bitmap of all ranks, unless this has more than WORDS_PER_ROW words per row. Otherwise a radix sort, which
 * pays from more rows on than a bitmap does. It is also the one that serves rows with equal ranks. */
enum { MAX_COUNTING_DENSE = 64, MAX_COUNTING_SPARSE = 128, WORDS_PER_ROW = 4 };
/* Ranks are read row by row where those of the node, all features together, fill no more than this. */
enum { MAX_BYTES_BY_ROW = 1 << 17 };
/* An addition to a sum has to wait for the one before. With no more values than this, and so many rows for each, a value
 * has several sums. */
enum { BANKS = 4, MAX_BANKED = 32, ROWS_PER_BANKED = 4 };

/* ---- set-up ---------------------------------------------------------------------------------------------------------- */

void regression_sorted_init(regression_sorted *sorted, const rrf_ranks *ranks, int n_cases, arena *memory)
{
    size_t n = (size_t)ranks->n, slots = n / 64 * 64 + 64;
    size_t size = n + (size_t)n_cases + RRF_MAX_PACKED + SIMD_BLOCK;
    *sorted = (regression_sorted){.ranks = ranks, .simd = simd_best()};
    TAKE_ZEROS(memory, sorted->mark, slots / 64);
    TAKE_ZEROS(memory, sorted->slot, slots);
    TAKE(memory, sorted->items, n);
    TAKE(memory, sorted->spare, n);
    TAKE(memory, sorted->value_sums, n + BANKS * MAX_BANKED);
    TAKE(memory, sorted->sorted_rank, size);
    TAKE(memory, sorted->rank, size);
    TAKE(memory, sorted->key, size);
    TAKE(memory, sorted->place, size);
    TAKE(memory, sorted->left, size);
    TAKE(memory, sorted->ratio, size);
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

#define LOAD_LANE(type)                                                                                                \
    for (int i = 0; i < n_rows; ++i) {                                                                                 \
        rank[(size_t)i * SIMD_BLOCK] = (int32_t)((const type *)view.base)[(size_t)rows[i].row * view.stride];          \
    }

void regression_load_lane(const rrf_ranks *ranks, int feature, const bag_row *rows, int n_rows, int32_t *rank)
{
    rank_view view = view_ranks(ranks, feature, n_rows);
    if (ranks->wide) {
        LOAD_LANE(uint32_t)
    } else {
        LOAD_LANE(uint16_t)
    }
}

#define LOAD_ITEMS(type)                                                                                               \
    for (int i = 0; i < node->size; ++i) {                                                                             \
        uint64_t rank = ((const type *)view.base)[(size_t)node->cases[i].row * view.stride];                           \
        items[i] = (first_equal ? first_equal[rank] : rank) << 32 | (uint32_t)i;                                       \
    }

void regression_load_items(const rrf_ranks *ranks, int feature, const regression_node *node, uint64_t *items)
{
    rank_view view = view_ranks(ranks, feature, node->size);
    const uint32_t *first_equal = ranks->first_equal[feature];
    if (ranks->wide) {
        LOAD_ITEMS(uint32_t)
    } else {
        LOAD_ITEMS(uint16_t)
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

/* Equal ranks are separated by the row's place in the node. */
static void sort_by_counting(regression_sorted *sorted, int n_rows, bool merged)
{
    int32_t smaller[MAX_COUNTING_SPARSE], apart[MAX_COUNTING_SPARSE + SIMD_BLOCK];
    const int32_t *rank = (const int32_t *)sorted->rank;
    memset(sorted->rank + n_rows, 0, SIMD_BLOCK * sizeof *sorted->rank);
    if (merged) {
        for (int i = 0; i < n_rows; ++i) {
            apart[i] = rank[i] * MAX_COUNTING_SPARSE + i;
        }
        memset(apart + n_rows, 0, SIMD_BLOCK * sizeof *apart);
        rank = apart;
    }
    sorted->simd->count_smaller_ranks(rank, n_rows, smaller);
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

void regression_sort_rows(regression_sorted *sorted, int feature, const regression_node *node)
{
    int n_ranks = sorted->ranks->n_ranks[feature], n_rows = node->n_rows;
    bool dense = n_ranks / 64 <= (int64_t)WORDS_PER_ROW * n_rows, merged = ranks_are_merged(sorted->ranks, feature);
    sorted->rows = node->rows;
    sorted->sums = node->sums;
    sorted->size = n_rows;
    sorted->has_ties = sorted->ranks->has_ties[feature];
    regression_load_ranks(sorted->ranks, feature, node->rows, n_rows, sorted->rank);
    if (n_rows <= (dense ? MAX_COUNTING_DENSE : MAX_COUNTING_SPARSE)) {
        sort_by_counting(sorted, n_rows, merged);
    } else if (dense && !merged) {
        sort_by_bitmap(sorted, n_rows, n_ranks);
    } else {
        sort_by_digits(sorted, n_rows, n_ranks);
    }
}

void regression_list_keys(regression_sorted *sorted, int feature)
{
    const uint32_t *first_equal = sorted->ranks->first_equal[feature];
    for (int i = 0; i < sorted->size; ++i) {
        uint32_t rank = sorted->rank[sorted->place[i]];
        sorted->key[i] = first_equal ? first_equal[rank] : rank;
    }
}

/* ---- sums by value --------------------------------------------------------------------------------------------------- */

static inline void add_cases(case_sum *to, case_sum item)
{
    to->y += item.y;
    to->cases += item.cases;
}

/* Several sums of each value, put together at the end, if that takes less than the waiting. */
static void add_to_values(regression_sorted *sorted, const regression_node *node, int n_values)
{
    case_sum *sums = sorted->value_sums;
    int banks = n_values <= MAX_BANKED && n_values * ROWS_PER_BANKED <= node->n_rows ? BANKS : 1;
    memset(sums, 0, (size_t)(n_values * banks) * sizeof *sums);
    for (int i = 0; i < node->n_rows; ++i) {
        add_cases(sums + ((i & (banks - 1)) * n_values + (int)sorted->rank[i]), node->sums[i]);
    }
    for (int value = n_values; value < n_values * banks; ++value) {
        add_cases(sums + value % n_values, sums[value]);
    }
}

static void list_values(regression_sorted *sorted, int n_values)
{
    int size = 0;
    for (int value = 0; value < n_values; ++value) {
        sorted->place[size] = (uint32_t)value;
        size += sorted->value_sums[value].cases > 0.0;
    }
    sorted->size = size;
}

/* For many values, most of which no row has. */
static void add_to_scattered(regression_sorted *sorted, const regression_node *node, int n_values)
{
    for (int i = 0; i < node->n_rows; ++i) {
        uint32_t rank = sorted->rank[i];
        sorted->value_sums[rank] = (case_sum){0.0, 0.0};
        sorted->mark[rank >> 6] |= (uint64_t)1 << (rank & 63);
    }
    for (int i = 0; i < node->n_rows; ++i) {
        add_cases(sorted->value_sums + sorted->rank[i], node->sums[i]);
    }
    sorted->size =
        sorted->simd->gather(sorted->mark, n_values / 64 + 1, sorted->slot, sorted->place, sorted->sorted_rank);
}

bool regression_sum_values(regression_sorted *sorted, int feature, const regression_node *node)
{
    int n_values = sorted->ranks->n_ranks[feature];
    bool few = n_values <= node->n_rows;
    if (!FILTER_VALUE_SUMS || !ranks_are_merged(sorted->ranks, feature) ||
        (!few && node->n_rows <= MAX_COUNTING_DENSE)) {
        return false;
    }
    regression_load_ranks(sorted->ranks, feature, node->rows, node->n_rows, sorted->rank);
    sorted->sums = sorted->value_sums;
    sorted->has_ties = false;
    if (few) {
        add_to_values(sorted, node, n_values);
        list_values(sorted, n_values);
    } else {
        add_to_scattered(sorted, node, n_values);
    }
    return true;
}

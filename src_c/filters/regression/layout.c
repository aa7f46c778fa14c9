/* The cases of a node in the order of a feature. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/regression/layout.h"
#include "data/radix.h"
#include "filters/switches.h"

/* There are three ways to sort. For few rows, the smaller ranks of each are counted, without a branch. More rows are
 * marked in a bitmap of all ranks, unless it has more than WORDS_PER_ROW words per row. Otherwise a radix sort, which
 * is faster for more rows than a bitmap, and is the only one for rows with equal ranks. */
enum { MAX_COUNTING_DENSE = 64, MAX_COUNTING_SPARSE = 128, WORDS_PER_ROW = 4 };
/* Largest size of the ranks of a node, of all features together, that are read row by row. */
enum { MAX_BYTES_BY_ROW = 1 << 17 };
/* Additions to the same sum wait for each other. Up to this number of values, and from this number of rows for each, a
 * value has several sums. */
enum { BANKS = 4, MAX_BANKED = 32, ROWS_PER_BANKED = 4 };

/* ---- set-up ---------------------------------------------------------------------------------------------------------- */

void layout_scratch_init(layout_scratch *s, const rrf_ranks *ranks, arena *memory)
{
    size_t n = (size_t)ranks->n, slots = n / 64 * 64 + 64;
    *s = (layout_scratch){.ranks = ranks, .simd = simd_best()};
    TAKE_ZEROS(memory, s->mark, slots / 64);
    TAKE_ZEROS(memory, s->slot, slots);
    TAKE(memory, s->items, n);
    TAKE(memory, s->spare, n);
    TAKE(memory, s->sorted_rank, n + SIMD_BLOCK);
}

void layout_init(layout *l, int n, int n_cases, arena *memory)
{
    size_t rows = (size_t)(n < n_cases ? n : n_cases), size = rows + RRF_MAX_PACKED + MAX_COUNTING_SPARSE + SIMD_BLOCK;
    *l = (layout){.feature = -1};
    TAKE(memory, l->rank, size);
    TAKE(memory, l->key, size);
    TAKE(memory, l->item, size);
    TAKE(memory, l->left, size);
    TAKE(memory, l->ratio, size);
    TAKE(memory, l->value_sums, n + BANKS * MAX_BANKED + RRF_MAX_PACKED);
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
    const char *by_row = ranks->filter->by_row;
    if (by_row && (size_t)n_rows * p * width <= MAX_BYTES_BY_ROW) {
        return (rank_view){by_row + (size_t)feature * width, p};
    }
    return (rank_view){(const char *)ranks->rank + (size_t)feature * (size_t)ranks->n * width, 1};
}

#define LOAD_RANKS(type)                                                                                               \
    for (int i = 0; i < n_rows; ++i) {                                                                                 \
        rank[i] = ((const type *)view.base)[(size_t)rows[i].row * view.stride];                                        \
    }

void load_ranks(const rrf_ranks *ranks, int feature, const bag_row *rows, int n_rows, uint32_t *rank)
{
    rank_view view = view_ranks(ranks, feature, n_rows);
    if (ranks->wide) {
        LOAD_RANKS(uint32_t)
    } else {
        LOAD_RANKS(uint16_t)
    }
}

#define LOAD_KEYS(type)                                                                                                \
    for (int i = 0; i < node->size; ++i) {                                                                             \
        uint64_t rank = ((const type *)view.base)[(size_t)node->cases[i].row * view.stride];                           \
        keys[i] = (first_equal ? first_equal[rank] : rank) << 32 | (uint32_t)i;                                        \
    }

void load_keys(const rrf_ranks *ranks, int feature, const regression_node *node, uint64_t *keys)
{
    rank_view view = view_ranks(ranks, feature, node->size);
    const uint32_t *first_equal = ranks->filter->first_equal[feature];
    if (ranks->wide) {
        LOAD_KEYS(uint32_t)
    } else {
        LOAD_KEYS(uint16_t)
    }
}

void fetch_ranks(const rrf_ranks *ranks, const bag_row *rows, int n_rows)
{
    const char *by_row = ranks->filter->by_row;
    size_t bytes = rank_width(ranks) * (size_t)ranks->p;
    for (int i = 0; by_row && n_rows <= MAX_COUNTING_DENSE && i < n_rows; ++i) {
        const char *of_row = by_row + (size_t)rows[i].row * bytes;
        __builtin_prefetch(of_row);
        __builtin_prefetch(of_row + bytes - 1);
    }
}

/* Columns are prefetched if they do not stay in the processor's cache: in a small node the ranks of its rows, in others
 * the beginning of the column; the processor itself prefetches the rest. */
enum { CACHE = 1 << 19, CACHE_LINE = 64, FETCHED_LINES = 16 };

void fetch_column_of_node(const rrf_ranks *ranks, int feature, const bag_row *rows, int n_rows)
{
    size_t width = rank_width(ranks), bytes = (size_t)ranks->n * width;
    const char *column = (const char *)ranks->rank + (size_t)feature * bytes;
    bool few = n_rows < FETCHED_LINES;
    if (bytes * (size_t)ranks->p < CACHE || view_ranks(ranks, feature, n_rows).stride != 1) {
        return;
    }
    for (int i = 0; few && i < n_rows; ++i) {
        __builtin_prefetch(column + (size_t)rows[i].row * width);
    }
    for (size_t at = 0; !few && at < bytes && at < FETCHED_LINES * CACHE_LINE; at += CACHE_LINE) {
        __builtin_prefetch(column + at);
    }
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* Whether equal values share a rank. */
static bool ranks_are_merged(const rrf_ranks *ranks, int feature)
{
    return ranks->has_ties[feature] && !ranks->filter->first_equal[feature];
}

/* Equal ranks are separated by the row's place in the node. */
static void sort_by_counting(layout *l, const layout_scratch *s, int n_rows, bool merged)
{
    int32_t smaller[MAX_COUNTING_SPARSE], apart[MAX_COUNTING_SPARSE + SIMD_BLOCK];
    const int32_t *rank = (const int32_t *)l->rank;
    memset(l->rank + n_rows, 0, SIMD_BLOCK * sizeof *l->rank);
    if (merged) {
        for (int i = 0; i < n_rows; ++i) {
            apart[i] = rank[i] * MAX_COUNTING_SPARSE + i;
        }
        memset(apart + n_rows, 0, SIMD_BLOCK * sizeof *apart);
        rank = apart;
    }
    s->simd->count_smaller_ranks(rank, n_rows, smaller);
    for (int i = 0; i < n_rows; ++i) {
        l->item[smaller[i]] = (uint32_t)i;
    }
}

static void sort_by_bitmap(layout *l, layout_scratch *s, int n_rows, int n_ranks)
{
    for (int i = 0; i < n_rows; ++i) {
        uint32_t rank = l->rank[i];
        s->mark[rank >> 6] |= (uint64_t)1 << (rank & 63);
        s->slot[rank] = (uint32_t)i;
    }
    s->simd->gather(s->mark, n_ranks / 64 + 1, s->slot, s->sorted_rank, l->item);
}

static void sort_by_digits(layout *l, layout_scratch *s, int n_rows, int n_ranks)
{
    for (int i = 0; i < n_rows; ++i) {
        s->items[i] = (uint64_t)l->rank[i] << 32 | (uint32_t)i;
    }
    const uint64_t *items = radix_sort_ranks(s->items, s->spare, n_rows, (uint32_t)n_ranks);
    for (int i = 0; i < n_rows; ++i) {
        l->item[i] = (uint32_t)items[i];
    }
}

static void list_keys(layout *l, const uint32_t *first_equal)
{
    for (int i = 0; i < l->size; ++i) {
        uint32_t rank = l->rank[l->item[i]];
        l->key[i] = first_equal ? first_equal[rank] : rank;
    }
}

static void lay_out_rows(layout *l, layout_scratch *s, const row_list *node)
{
    const rrf_ranks *ranks = s->ranks;
    int n_ranks = ranks->n_ranks[l->feature], n_rows = node->size;
    bool dense = n_ranks / 64 <= (int64_t)WORDS_PER_ROW * n_rows, merged = ranks_are_merged(ranks, l->feature);
    l->by_value = false;
    l->sums = node->sums;
    l->size = n_rows;
    l->has_ties = ranks->has_ties[l->feature];
    if (n_rows <= (dense ? MAX_COUNTING_DENSE : MAX_COUNTING_SPARSE)) {
        sort_by_counting(l, s, n_rows, merged);
    } else if (dense && !merged) {
        sort_by_bitmap(l, s, n_rows, n_ranks);
    } else {
        sort_by_digits(l, s, n_rows, n_ranks);
    }
    if (l->has_ties) {
        list_keys(l, ranks->filter->first_equal[l->feature]);
    }
}

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static inline void add_cases(case_sum *to, case_sum item)
{
    to->y += item.y;
    to->cases += item.cases;
}

/* Computes several sums of each value, added at the end, if that is faster. */
static void sum_few_values(layout *l, const row_list *node, int n_values)
{
    case_sum *sums = l->value_sums;
    int banks = n_values <= MAX_BANKED && n_values * ROWS_PER_BANKED <= node->size ? BANKS : 1;
    memset(sums, 0, (size_t)(n_values * banks) * sizeof *sums);
    for (int i = 0; i < node->size; ++i) {
        add_cases(sums + ((i & (banks - 1)) * n_values + (int)l->rank[i]), node->sums[i]);
    }
    for (int value = n_values; value < n_values * banks; ++value) {
        add_cases(sums + value % n_values, sums[value]);
    }
    l->size = 0;
    for (int value = 0; value < n_values; ++value) {
        if (sums[value].cases > 0.0) {
            l->item[l->size++] = (uint32_t)value;
        }
    }
}

/* For many values, most of which have no row. */
static void sum_scattered_values(layout *l, layout_scratch *s, const row_list *node, int n_values)
{
    for (int i = 0; i < node->size; ++i) {
        uint32_t rank = l->rank[i];
        l->value_sums[rank] = (case_sum){0.0, 0.0};
        s->mark[rank >> 6] |= (uint64_t)1 << (rank & 63);
    }
    for (int i = 0; i < node->size; ++i) {
        add_cases(l->value_sums + l->rank[i], node->sums[i]);
    }
    l->size = s->simd->gather(s->mark, n_values / 64 + 1, s->slot, l->item, s->sorted_rank);
}

void lay_out_number(layout *l, layout_scratch *s, const row_list *node, int feature)
{
    int n_values = s->ranks->n_ranks[feature];
    bool few = n_values <= node->size;
    l->feature = feature;
    load_ranks(s->ranks, feature, node->rows, node->size, l->rank);
    if (!FILTER_VALUE_SUMS || !ranks_are_merged(s->ranks, feature) || (!few && node->size <= MAX_COUNTING_DENSE)) {
        lay_out_rows(l, s, node);
        return;
    }
    l->by_value = true;
    l->has_ties = false;
    l->sums = l->value_sums;
    if (few) {
        sum_few_values(l, node, n_values);
    } else {
        sum_scattered_values(l, s, node, n_values);
    }
}

/* ---- levels ---------------------------------------------------------------------------------------------------------- */

/* Two sums per level are faster than one, because additions to the same sum wait for each other. Levels without cases
 * are skipped. */
void lay_out_factor(layout *l, const rrf_data *data, const rrf_ranks *ranks, const row_list *node, int feature)
{
    case_sum sum[2][RRF_MAX_PACKED] = {{{0.0, 0.0}}};
    double *mean = l->mean;
    l->feature = feature;
    l->size = 0;
    l->by_value = l->has_ties = false;
    l->sums = l->value_sums;
    load_ranks(ranks, feature, node->rows, node->size, l->rank);
    for (int i = 0; i < node->size; ++i) {
        add_cases(sum[i & 1] + l->rank[i], node->sums[i]);
    }
    for (uint32_t level = 0; level < (uint32_t)data->ncat[feature]; ++level) {
        add_cases(&sum[0][level], sum[1][level]);
        l->value_sums[level] = sum[0][level];
        if (sum[0][level].cases == 0.0) {
            continue;
        }
        mean[level] = sum[0][level].y / sum[0][level].cases;
        int at = l->size++;
        for (; at > 0 && mean[l->item[at - 1]] > mean[level]; --at) {
            l->item[at] = l->item[at - 1];
        }
        l->item[at] = level;
    }
}

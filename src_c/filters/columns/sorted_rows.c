/* The rows of a tree in the order of some features. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/columns/columns.h"
#include "filters/columns/few_values.h"
#include "filters/columns/sorted_rows.h"
#include "filters/switches.h"

/* Number of rows below which sorting by a bitmap is faster than partitioning the lists. */
enum { MIN_ROWS = 256 };
/* A node has lists of its own if it has at least 1/MIN_SHARE of the tree's rows, because filling them reads the ranks
 * of all rows. */
enum { MIN_SHARE = 8 };
enum { MAX_ENTRIES = 1 << 25 };
/* Largest number of values of a column that is counted although sums depend on R's order. */
enum { MAX_COUNTED = 32 };

rrf_status sorted_rows_init(sorted_rows *sorted, const rrf_ranks *ranks, order_like_r *like_r, const simd *simd,
                            arena *memory)
{
    *sorted = (sorted_rows){.ranks = ranks, .like_r = like_r, .simd = simd, .memory = memory};
    TAKE(memory, sorted->list, ranks->p);
    TAKE(memory, sorted->feature, ranks->p);
    for (int feature = 0; sorted->list && feature < ranks->p; ++feature) {
        sorted->list[feature] = -1;
    }
    return arena_status(memory);
}

static rrf_status reserve(sorted_rows *sorted, int n_lists)
{
    /* One extra block: the SIMD loops read, and fill() writes, beyond the last entry. */
    sorted->stride = (size_t)sorted->n_rows + SIMD_BLOCK;
    size_t needed = (size_t)n_lists * sorted->stride;
    if (needed <= sorted->capacity) {
        return RRF_OK;
    }
    /* F grows feature by feature in the first trees: spare lists reduce reallocations. */
    size_t capacity = needed + needed / 4;
    rrf_status status = RENEW(sorted->memory, sorted->entries, capacity);
    sorted->capacity = status ? 0 : capacity;
    return status;
}

void sorted_rows_end(sorted_rows *sorted)
{
    for (int i = 0; i < sorted->n_lists; ++i) {
        sorted->list[sorted->feature[i]] = -1;
    }
    sorted->n_lists = 0;
}

int sorted_rows_most(int n_rows, int n_features)
{
    int most = MAX_ENTRIES / (n_rows + SIMD_BLOCK);
    return most >= n_features ? n_features : most < n_features - most ? 0 : most;
}

bool sorted_rows_serve(const rrf_ranks *ranks, int feature)
{
    bool numbers = ranks->kind.ties == TIES_MERGED && !ranks->kind.counts;
    bool summed = numbers && ranks->n_ranks[feature] <= SLOTS_PER_ROW * MIN_ROWS;
    return ranks->ncat[feature] == 1 && !ranks_have_missing(ranks, feature) && !ranks_are_few(ranks, feature) &&
           !summed;
}

/* If sums depend on R's order, a list also saves sorting the cuts that counts do not rule out, and the limit of values
 * is lower. */
static bool is_worth_sorting(const sorted_rows *sorted, int feature)
{
    const rrf_ranks *ranks = sorted->ranks;
    bool counted = sorted->like_r && ranks_are_few(ranks, feature) && !ranks_have_missing(ranks, feature);
    return counted ? ranks->n_ranks[feature] > MAX_COUNTED : sorted_rows_serve(ranks, feature);
}

/* Returns the rows of all trees in the order of the feature; NULL: no memory. */
static const int32_t *rows_in_order(const sorted_rows *sorted, int feature)
{
    bool like_r = sorted->like_r && sorted->ranks->has_ties[feature];
    return like_r ? order_like_r_rows(sorted->like_r, feature) : columns_sorted_rows(sorted->ranks, feature);
}

rrf_status sorted_rows_begin(sorted_rows *sorted, const int32_t *features, int n_features, int n_rows, watch *watch)
{
    sorted_rows_end(sorted);
    sorted->n_rows = n_rows;
    for (int i = 0; FILTER_SORTED_ROWS && n_rows >= MIN_ROWS && i < n_features; ++i) {
        if (is_worth_sorting(sorted, features[i])) {
            sorted->list[features[i]] = sorted->n_lists;
            sorted->feature[sorted->n_lists++] = features[i];
        }
    }
    rrf_status status = sorted->n_lists ? reserve(sorted, sorted->n_lists) : RRF_OK;
    for (int i = 0; !status && i < sorted->n_lists; ++i) {
        status = rows_in_order(sorted, sorted->feature[i]) ? RRF_OK : RRF_ERR_MEMORY;
        status = status ? status : watch_work(watch, sorted->ranks->n);
    }
    return status;
}

/* Writes the `size` rows that have a payload; later entries are not changed. */
static void fill(const int32_t *order, int n, const uint32_t *payload, uint64_t *entries, int size)
{
    uint64_t behind = entries[size];
    int at = 0;
    for (int i = 0; i < n; ++i) {
        uint32_t row = (uint32_t)order[i], own = payload[row];
        entries[at] = (uint64_t)own << 32 | row;
        at += own != 0;
    }
    entries[size] = behind;
}

static void fill_range(sorted_rows *sorted, const uint32_t *payload, int start, int size)
{
    for (int i = 0; i < sorted->n_lists; ++i) {
        const int32_t *order = rows_in_order(sorted, sorted->feature[i]);
        fill(order, sorted->ranks->n, payload, sorted->entries + (size_t)i * sorted->stride + start, size);
    }
}

bool sorted_rows_fill(sorted_rows *sorted, const uint32_t *payload)
{
    fill_range(sorted, payload, 0, sorted->n_rows);
    return sorted->n_lists > 0;
}

bool sorted_rows_fill_node(sorted_rows *sorted, const int32_t *rows, int start, int size, const uint32_t *payload,
                           uint32_t *zeros)
{
    if (sorted->n_lists == 0 || size < MIN_ROWS || size < sorted->n_rows / MIN_SHARE) {
        return false;
    }
    for (int i = 0; i < size; ++i) {
        zeros[rows[i]] = payload[rows[i]];
    }
    fill_range(sorted, zeros, start, size);
    for (int i = 0; i < size; ++i) {
        zeros[rows[i]] = 0;
    }
    return true;
}

void sorted_rows_part(sorted_rows *sorted, int start, int size, const uint8_t *left, bool keep_right, uint64_t *spare)
{
    for (int i = 0; i < sorted->n_lists; ++i) {
        uint64_t *entries = sorted->entries + (size_t)i * sorted->stride + start;
        int n_left = sorted->simd->part(entries, size, left, spare);
        if (keep_right) {
            memcpy(entries + n_left, spare, (size_t)(size - n_left) * sizeof *entries);
        }
    }
}

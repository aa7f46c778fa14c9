/* Sorts the rows of a node by the keys of a feature, which all differ. SPDX-License-Identifier: GPL-2.0-or-later */
#include "r/regression.h"
#include "data/radix.h"

/* Up to SMALL rows each one counts the keys below its own, which branches nowhere. More are marked in a bitmap of the
 * keys, as long as that has no more than WORDS_PER_ROW words a row. Otherwise they count, too, or they are so many that
 * sorting digit by digit pays. */
enum { SMALL = 64, MAX_COUNTING = 128, WORDS_PER_ROW = 4 };
/* Keys are read row by row in nodes whose keys, all features together, fill no more than this. */
enum { MAX_BYTES_BY_ROW = 1 << 17 };

/* ---- set-up ---------------------------------------------------------------------------------------------------------- */

rrf_status node_order_init(node_order *o, const rrf_ranks *ranks, int n_cases)
{
    size_t n = (size_t)ranks->n, slots = n / 64 * 64 + 64;
    size_t size = n + (size_t)n_cases + RRF_MAX_LEVELS + SIMD_BLOCK;
    *o = (node_order){.ranks = ranks, .simd = simd_best()};
    o->mark = calloc(slots / 64, sizeof *o->mark);
    o->slot = calloc(slots, sizeof *o->slot);
    o->items = malloc(n * sizeof *o->items);
    o->spare = malloc(n * sizeof *o->spare);
    o->sorted_key = malloc(size * sizeof *o->sorted_key);
    o->key = malloc(size * sizeof *o->key);
    o->place = malloc(size * sizeof *o->place);
    o->left = malloc(size * sizeof *o->left);
    o->ratio = malloc(size * sizeof *o->ratio);
    bool ready =
        o->mark && o->slot && o->items && o->spare && o->sorted_key && o->key && o->place && o->left && o->ratio;
    return ready ? RRF_OK : RRF_ERR_MEMORY;
}

void node_order_free(node_order *o)
{
    free(o->mark);
    free(o->slot);
    free(o->items);
    free(o->spare);
    free(o->sorted_key);
    free(o->key);
    free(o->place);
    free(o->left);
    free(o->ratio);
    *o = (node_order){0};
}

/* ---- keys ------------------------------------------------------------------------------------------------------------ */

typedef struct key_view {
    const void *base; /* the feature's key in row 0 */
    size_t stride;    /* keys from one row to the next */
} key_view;

/* The keys of a feature, in the arrangement that serves so many rows better. */
static key_view view_keys(const node_order *o, int feature, int n_rows)
{
    size_t p = (size_t)o->ranks->p, width = key_width(o->ranks);
    if (o->ranks->by_row && (size_t)n_rows * p * width <= MAX_BYTES_BY_ROW) {
        return (key_view){(const char *)o->ranks->by_row + (size_t)feature * width, p};
    }
    return (key_view){(const char *)o->ranks->key + (size_t)feature * (size_t)o->ranks->n * width, 1};
}

#define LOAD_KEYS(type)                                                                                                \
    for (int i = 0; i < n_rows; ++i) {                                                                                 \
        key[i] = ((const type *)view.base)[(size_t)rows[i].row * view.stride];                                         \
    }

void node_order_keys(const node_order *o, int feature, const bag_row *rows, int n_rows, uint32_t *key)
{
    key_view view = view_keys(o, feature, n_rows);
    if (o->ranks->wide) {
        LOAD_KEYS(uint32_t)
    } else {
        LOAD_KEYS(uint16_t)
    }
}

void node_order_fetch(const node_order *o, const bag_row *rows, int n_rows)
{
    if (!o->ranks->by_row || n_rows > SMALL) {
        return;
    }
    size_t bytes = key_width(o->ranks) * (size_t)o->ranks->p;
    for (int i = 0; i < n_rows; ++i) {
        const char *keys = (const char *)o->ranks->by_row + (size_t)rows[i].row * bytes;
        __builtin_prefetch(keys);
        __builtin_prefetch(keys + bytes - 1);
    }
}

/* ---- small nodes ----------------------------------------------------------------------------------------------------- */

static void sort_by_counting(node_order *o, int n_rows)
{
    int32_t rank[MAX_COUNTING];
    memset(o->key + n_rows, 0, SIMD_BLOCK * sizeof *o->key);
    o->simd->count_smaller_ranks((const int32_t *)o->key, n_rows, rank);
    for (int i = 0; i < n_rows; ++i) {
        o->place[rank[i]] = (uint32_t)i;
    }
}

/* ---- large nodes ----------------------------------------------------------------------------------------------------- */

static void sort_by_bitmap(node_order *o, int n_rows, int n_ranks)
{
    for (int i = 0; i < n_rows; ++i) {
        uint32_t key = o->key[i];
        o->mark[key >> 6] |= (uint64_t)1 << (key & 63);
        o->slot[key] = (uint32_t)i;
    }
    o->simd->gather(o->mark, (n_ranks + 63) / 64, o->slot, o->sorted_key, o->place);
}

static void sort_by_digits(node_order *o, int n_rows, int n_ranks)
{
    for (int i = 0; i < n_rows; ++i) {
        o->items[i] = (uint64_t)o->key[i] << 32 | (uint32_t)i;
    }
    const uint64_t *sorted = radix_sort_ranks(o->items, o->spare, n_rows, (uint32_t)n_ranks);
    for (int i = 0; i < n_rows; ++i) {
        o->place[i] = (uint32_t)sorted[i];
    }
}

void node_order_sort(node_order *o, int feature, const bag_row *rows, int n_rows)
{
    int n_ranks = o->ranks->n_ranks[feature];
    bool dense = n_ranks / 64 <= WORDS_PER_ROW * n_rows;
    o->rows = rows;
    o->size = n_rows;
    node_order_keys(o, feature, rows, n_rows, o->key);
    if (n_rows <= (dense ? SMALL : MAX_COUNTING)) {
        sort_by_counting(o, n_rows);
    } else if (dense) {
        sort_by_bitmap(o, n_rows, n_ranks);
    } else {
        sort_by_digits(o, n_rows, n_ranks);
    }
}

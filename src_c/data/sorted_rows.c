/* Sorted streams of the features in F. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/sorted_rows.h"
#include "tree/splitter.h"

/* Below this many in-bag rows a bitmap orders a node in less time than it takes to part streams. */
enum { MIN_ROWS = 256 };
/* A node that is to have streams of its own has one in so many of the tree's rows. */
enum { MIN_SHARE = 8 };
/* Entries of a worker's streams, 256 MiB of them: further members are sorted anew at each node. */
enum { MAX_ENTRIES = 1 << 25 };

rrf_status sorted_rows_init(sorted_rows *st, int p)
{
    *st = (sorted_rows){0};
    st->slot = malloc((size_t)p * sizeof *st->slot);
    st->feature = malloc((size_t)p * sizeof *st->feature);
    for (int feature = 0; st->slot && feature < p; ++feature) {
        st->slot[feature] = -1;
    }
    return st->slot && st->feature ? RRF_OK : RRF_ERR_MEMORY;
}

void sorted_rows_free(sorted_rows *st)
{
    free(st->slot);
    free(st->feature);
    free(st->entries);
    free(st->spare);
    *st = (sorted_rows){0};
}

static rrf_status reserve(sorted_rows *st, int n_sorted, int n_rows, int most_rows)
{
    size_t needed = (size_t)n_sorted * (size_t)n_rows;
    st->stride = (size_t)n_rows;
    if (needed > st->capacity) {
        /* F grows feature by feature in the first trees: leave room so that this stays rare. */
        size_t capacity = needed + needed / 4;
        free(st->entries);
        st->entries = malloc(capacity * sizeof *st->entries);
        st->capacity = st->entries ? capacity : 0;
    }
    if (!st->spare) {
        st->spare = malloc((size_t)most_rows * sizeof *st->spare);
    }
    return st->entries && st->spare ? RRF_OK : RRF_ERR_MEMORY;
}

/* wanted: non-zero for the rows to take; with the two-class kernels their packed counts. What lies behind the entries stays
 * as it is. */
static void fill(const int32_t *order, int n, const uint32_t *wanted, uint64_t *entries, int size)
{
    uint64_t behind = entries[size];
    int at = 0;
    for (int i = 0; i < n; ++i) {
        uint32_t row = (uint32_t)order[i], payload = wanted[row];
        entries[at] = (uint64_t)payload << 32 | row;
        at += payload != 0;
    }
    entries[size] = behind;
}

void sorted_rows_end(sorted_rows *st)
{
    for (int i = 0; i < st->n_sorted; ++i) {
        st->slot[st->feature[i]] = -1;
    }
    st->n_sorted = 0;
    st->filled = false;
}

/* A stream has a block more than n entries: the kernels read, and fill writes, past the last one. */
rrf_status sorted_rows_begin(splitter *s, const int32_t *features, int n_features)
{
    sorted_rows *st = &s->sorted_rows;
    sorted_rows_end(st);
    int room = MAX_ENTRIES / (s->bag->size + SIMD_BLOCK);
    n_features = s->parallel && n_features > room ? room : n_features;
    if (s->bag->size < MIN_ROWS || n_features == 0) {
        return RRF_OK;
    }
    rrf_status status = reserve(st, n_features, s->bag->size + SIMD_BLOCK, s->data->n + SIMD_BLOCK);
    for (int i = 0; !status && i < n_features; ++i) {
        int feature = features[i];
        /* Where values are missing they are tried on both sides, which takes the rows in two orders. */
        if (s->data->ncat[feature] == 1 && !ranks_have_missing(s->ranks, feature)) {
            status = ranks_sorted_rows(s->ranks, feature) ? RRF_OK : RRF_ERR_MEMORY;
            st->slot[feature] = st->n_sorted;
            st->feature[st->n_sorted++] = feature;
            status = status ? status : watch_work(s->watch, s->data->n);
        }
    }
    return status;
}

static void fill_all(splitter *s, const uint32_t *wanted, int start, int size)
{
    sorted_rows *st = &s->sorted_rows;
    for (int i = 0; i < st->n_sorted; ++i) {
        const int32_t *order = ranks_sorted_rows(s->ranks, st->feature[i]);
        fill(order, s->data->n, wanted, st->entries + (size_t)i * st->stride + start, size);
    }
    st->filled = st->n_sorted > 0;
}

void sorted_rows_fill(splitter *s)
{
    fill_all(s, s->packs || s->parallel ? s->payload : (const uint32_t *)s->bag->count, 0, s->bag->size);
}

bool sorted_rows_fill_node(splitter *s, const node_view *node)
{
    /* Each order is walked from end to end: a small node is not worth it. */
    if (s->sorted_rows.n_sorted == 0 || node->size < MIN_ROWS || node->size < s->bag->size / MIN_SHARE) {
        return false;
    }
    for (int i = 0; i < node->size; ++i) {
        s->slot[node->rows[i]] = s->payload[node->rows[i]];
    }
    fill_all(s, s->slot, node->start, node->size);
    for (int i = 0; i < node->size; ++i) {
        s->slot[node->rows[i]] = 0;
    }
    return true;
}

void sorted_rows_part(splitter *s, const node_view *node, const uint8_t *left, bool keep_left, bool keep_right)
{
    sorted_rows *st = &s->sorted_rows;
    if (!st->filled || (!keep_left && !keep_right)) {
        return;
    }
    for (int i = 0; i < st->n_sorted; ++i) {
        uint64_t *entries = st->entries + (size_t)i * st->stride + node->start;
        int n_left = s->simd->part(entries, node->size, left, st->spare);
        if (keep_right) {
            memcpy(entries + n_left, st->spare, (size_t)(node->size - n_left) * sizeof *entries);
        }
    }
}

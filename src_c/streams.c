/* Sorted streams of the features in F. SPDX-License-Identifier: GPL-2.0-or-later */
#include "internal.h"

/* Below this many in-bag rows a bitmap orders a node in less time than it takes to part streams. */
enum { MIN_ROWS = 256 };
/* A node that is to have streams of its own has one in so many of the tree's rows. */
enum { MIN_SHARE = 8 };
/* Entries of a worker's streams, 256 MiB of them: further members are sorted anew at each node. */
enum { MAX_ENTRIES = 1 << 25 };

rrf_status streams_init(streams *st, int p)
{
    *st = (streams){0};
    st->slot = malloc((size_t)p * sizeof *st->slot);
    st->feature = malloc((size_t)p * sizeof *st->feature);
    for (int feature = 0; st->slot && feature < p; ++feature) {
        st->slot[feature] = -1;
    }
    return st->slot && st->feature ? RRF_OK : RRF_ERR_MEMORY;
}

void streams_free(streams *st)
{
    free(st->slot);
    free(st->feature);
    free(st->entries);
    free(st->spare);
    *st = (streams){0};
}

static rrf_status reserve(streams *st, int n_streams, int n_rows, int most_rows)
{
    size_t needed = (size_t)n_streams * (size_t)n_rows;
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

void streams_end(streams *st)
{
    for (int i = 0; i < st->n_streams; ++i) {
        st->slot[st->feature[i]] = -1;
    }
    st->n_streams = 0;
    st->filled = false;
}

/* A stream has a block more than n entries: the kernels read, and fill writes, past the last one. */
rrf_status streams_begin(splitter *s, const int32_t *features, int n_features)
{
    streams *st = &s->streams;
    streams_end(st);
    int room = MAX_ENTRIES / (s->bag->size + KERNEL_BLOCK);
    n_features = s->native && n_features > room ? room : n_features;
    if (s->bag->size < MIN_ROWS || n_features == 0) {
        return RRF_OK;
    }
    rrf_status status = reserve(st, n_features, s->bag->size + KERNEL_BLOCK, s->data->n + KERNEL_BLOCK);
    for (int i = 0; !status && i < n_features; ++i) {
        int feature = features[i];
        /* Where values are missing they are tried on both sides, which takes the rows in two orders. */
        if (s->data->ncat[feature] == 1 && !column_has_missing(s->cols, feature)) {
            status = columns_order(s->cols, feature) ? RRF_OK : RRF_ERR_MEMORY;
            st->slot[feature] = st->n_streams;
            st->feature[st->n_streams++] = feature;
            status = status ? status : watch_work(s->watch, s->data->n);
        }
    }
    return status;
}

static void fill_all(splitter *s, const uint32_t *wanted, int start, int size)
{
    streams *st = &s->streams;
    for (int i = 0; i < st->n_streams; ++i) {
        const int32_t *order = columns_order(s->cols, st->feature[i]);
        fill(order, s->data->n, wanted, st->entries + (size_t)i * st->stride + start, size);
    }
    st->filled = st->n_streams > 0;
}

void streams_fill(splitter *s)
{
    fill_all(s, s->packs || s->native ? s->payload : (const uint32_t *)s->bag->count, 0, s->bag->size);
}

bool streams_fill_node(splitter *s, const node_view *node)
{
    /* Each order is walked from end to end: a small node is not worth it. */
    if (s->streams.n_streams == 0 || node->size < MIN_ROWS || node->size < s->bag->size / MIN_SHARE) {
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

void streams_part(splitter *s, const node_view *node, const uint8_t *left, bool keep_left, bool keep_right)
{
    streams *st = &s->streams;
    if (!st->filled || (!keep_left && !keep_right)) {
        return;
    }
    for (int i = 0; i < st->n_streams; ++i) {
        uint64_t *entries = st->entries + (size_t)i * st->stride + node->start;
        int n_left = s->kernels->part(entries, node->size, left, st->spare);
        if (keep_right) {
            memcpy(entries + n_left, st->spare, (size_t)(node->size - n_left) * sizeof *entries);
        }
    }
}

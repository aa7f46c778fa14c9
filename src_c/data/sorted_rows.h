/* The rows of a node in the order of a feature, carried from node to node.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SORTED_ROWS_H
#define RRF_SORTED_ROWS_H

#include "rrf.h"
#include "tree/split.h"

/* streams.c: the rows of a node by ascending key, kept through the splits of a tree for the features that were in F
 * when it began. Those are evaluated at every node, so sorting anew would cost more than carrying the order along. An
 * entry is the row (low half) and, for the two-class kernels, its payload: count << 16 | count, the upper only in class 0. */
typedef struct sorted_rows {
    int n_sorted;
    bool filled;             /* for the node under search */
    int32_t *slot;           /* p: stream of a feature, or -1 */
    int32_t *feature;        /* n_sorted */
    uint64_t *entries;       /* n_sorted x stride; a node owns the same range in each */
    uint64_t *spare;         /* rows going right, while a range is parted */
    size_t stride, capacity; /* entries a stream, entries in all */
} sorted_rows;

typedef struct splitter splitter;

rrf_status sorted_rows_init(sorted_rows *st, int p);
void sorted_rows_free(sorted_rows *st);
/* Starts a tree: a stream for each numeric feature, to be filled. */
rrf_status sorted_rows_begin(splitter *s, const int32_t *features, int n_features);
/* Fills them with the tree's rows, or with those of a node, which then is the root of a tree of its own; false: with none. */
void sorted_rows_fill(splitter *s);
bool sorted_rows_fill_node(splitter *s, const node_view *node);
/* Ends it: there are no streams until the next one begins. */
void sorted_rows_end(sorted_rows *st);
/* Parts every stream of a node; rows with left[row] set go left. Ranges that will not be split again may be spared. */
void sorted_rows_part(splitter *s, const node_view *node, const uint8_t *left, bool keep_left, bool keep_right);

/* A stream's entries from a node's start on; NULL for a feature without a stream. */
static inline uint64_t *sorted_rows_range(const sorted_rows *st, int feature, int start)
{
    int slot = st->filled ? st->slot[feature] : -1;
    return slot < 0 ? NULL : st->entries + (size_t)slot * st->stride + start;
}

#endif

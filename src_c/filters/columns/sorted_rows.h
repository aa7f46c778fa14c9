/* The rows of a tree, sorted by each of some features, and partitioned with its nodes.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SORTED_ROWS_H
#define RRF_SORTED_ROWS_H

#include "filters/columns/order_like_r.h"
#include "data/ranks.h"
#include "filters/simd/simd.h"
#include "monitor.h"

/* Smallest ratio of ranks to rows of a node for which responses are not summed by value (split_values.c). */
enum { SLOTS_PER_ROW = 4 };

/* One list per feature, for the features that are candidates of every node: partitioning a sorted list is cheaper than
 * sorting again. An entry has a row in its low half and the row's payload in its high half (splitter.h). A node owns
 * the same range in every list as among the tree's rows; within it the rows are sorted by ascending rank, those of
 * equal rank by row or as in R. */
typedef struct sorted_rows {
    const rrf_ranks *ranks;
    order_like_r *like_r; /* among equal values; NULL: by row */
    const simd *simd;
    int n_rows;              /* of the tree */
    int n_lists;             /* 0: none in this tree */
    int32_t *list;           /* p: number of a feature's list, or -1 */
    int32_t *feature;        /* n_lists */
    uint64_t *entries;       /* n_lists x stride */
    size_t stride, capacity; /* entries per list, entries in all */
    arena *memory;           /* in which the entries grow */
} sorted_rows;

rrf_status sorted_rows_init(sorted_rows *sorted, const rrf_ranks *ranks, order_like_r *like_r, const simd *simd,
                            arena *memory);
/* Returns whether a list of the column would be read, if sums do not depend on R's order: columns with missing values,
 * which need the rows in two orders, have none, nor have columns of few values, which are counted or whose responses
 * are summed. */
bool sorted_rows_serve(const rrf_ranks *ranks, int feature);
/* Returns the number of features that get lists of n_rows: as many as fit into 256 MiB, or none if that would be less
 * than half of them. Lists of few features save little time, and each needs the order of a whole column. */
int sorted_rows_most(int n_rows, int n_features);
/* Begins a tree of n_rows rows: an empty list for each feature that is numeric and has no missing values; none if the
 * tree is so small that sorting is faster. */
rrf_status sorted_rows_begin(sorted_rows *sorted, const int32_t *features, int n_features, int n_rows, watch *watch);
/* Fills the lists with the rows that have a payload. False without lists. */
bool sorted_rows_fill(sorted_rows *sorted, const uint32_t *payload);
/* Fills the range of one node, which has lists from now on. False if the node is too small for lists. zeros: n zeros,
 * restored on return. */
bool sorted_rows_fill_node(sorted_rows *sorted, const int32_t *rows, int start, int size, const uint32_t *payload,
                           uint32_t *zeros);
/* Ends the tree: removes all lists. */
void sorted_rows_end(sorted_rows *sorted);
/* Partitions a node's range in every list; rows with left[row] = 1 go left. keep_right: the right side will be split.
 * spare: room for `size` entries and a block. */
void sorted_rows_part(sorted_rows *sorted, int start, int size, const uint8_t *left, bool keep_right, uint64_t *spare);

/* Returns the feature's entries from `start` on; NULL if it has no list. */
static inline const uint64_t *sorted_rows_range(const sorted_rows *sorted, int feature, int start)
{
    int list = sorted->list[feature];
    return list < 0 ? NULL : sorted->entries + (size_t)list * sorted->stride + start;
}

#endif

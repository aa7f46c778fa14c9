/* A node's in-bag rows in a layout for columns of few values, made once per node for all such features.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NODE_ROWS_H
#define RRF_NODE_ROWS_H

#include "arena.h"
#include "filters/columns/column_filter.h"
#include "filters/simd/simd.h"
#include "tree/bag.h"
#include "tree/split.h"

/* Neighbouring rows are counted in different parts, so that additions need not wait for each other. */
enum { N_PARTS = 4 };
/* Bits of the largest in-bag count, for two classes. */
enum { MAX_GROUPS = 2 * 27 };

typedef struct node_rows {
    int payload_node, masks_node; /* the node that owns the rows; -1: none */
    uint32_t *payload;            /* n: the packed counts of the node's rows, in their order */
    uint64_t *row_bits;           /* a bit for each row; zeros between uses; NULL where rows ascend in every node */
    int32_t *ascending;           /* n: the node's rows; NULL likewise */
    uint32_t *part;               /* counts by rank, in parts; zeros between uses */
    int n_words, n_bits;          /* words of a plane; bits of the tree's largest count */
    int stride, max_groups;       /* capacity of a group in words; capacity in groups */
    int32_t *word;                /* max_groups x stride: as in node_masks */
    uint64_t *mask;               /* the same */
    int32_t n_masks[MAX_GROUPS];
    uint64_t unit[MAX_GROUPS];
} node_rows;

/* Begins a tree and allocates arrays for its rows. Does nothing without columns of few values. */
rrf_status node_rows_begin_tree(node_rows *n, const rrf_ranks *ranks, const bag *bag, arena *memory);
/* Returns the packed counts of the node's rows. payload: of all rows. */
const uint32_t *node_rows_payload(node_rows *n, const node_view *node, const uint32_t *payload);
/* Returns the node's rows as bits. */
node_masks node_rows_masks(node_rows *n, const node_view *node, const bag *bag);

#endif

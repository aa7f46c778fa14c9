/* A forest laid out for many rows: a node takes 16 bytes, rows lie side by side in blocks, and several of them go down a
 * tree at once. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_COMPACT_H
#define RRF_COMPACT_H

#include "arena.h"
#include "data/matrix.h"
#include "tree/forest.h"

/* Terminal nodes lead to themselves: they split a feature of zeros, which comes after the others. */
typedef struct compact_node {
    double point;   /* larger values go right */
    uint32_t place; /* of the feature in a row of a block */
    uint32_t left;  /* twice the left daughter; the right one follows it */
} compact_node;

typedef struct compact_forest {
    const rrf_forest *forest;
    const rrf_data *data;
    compact_node *nodes; /* NULL: there is none, and trees are to be used as they are */
    int32_t *place;      /* p: of the features that are split, in a row of a block; -1 for others */
    int32_t *features;   /* n_features: those that are split */
    int n_features;
    int block_rows;
} compact_forest;

/* Rows of the data, of a thread. */
typedef struct row_block {
    double *values; /* block_rows x (n_features + 1), row by row */
    int64_t *next;  /* n_features: sparse columns: the first entry behind the block; NULL: dense ones */
    int first, n_rows;
    bool any_missing;
} row_block;

/* Leaves out->nodes NULL where the layout is not worth its making, and where factors are split. */
void compact_init(compact_forest *c, const rrf_forest *forest, const rrf_data *data, arena *memory);
void row_block_init(row_block *b, const compact_forest *c, arena *memory);
/* Begins a range of rows; no block is read yet. */
void row_block_begin(row_block *b, const compact_forest *c, int first);
/* Reads the next rows, at most n_rows. Returns their number. */
int row_block_read(row_block *b, const compact_forest *c, int n_rows);
/* The terminal nodes of the block's rows in a tree, from 0. */
void compact_apply(const compact_forest *c, int tree, const row_block *b, int32_t *leaves);

#endif

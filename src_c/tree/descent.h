/* Descent of many rows in a tree together, node by node: the rows of a node are partitioned into those of its
 * daughters, as when a tree grows. So loads from memory do not wait for each other. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_DESCENT_H
#define RRF_DESCENT_H

#include "arena.h"
#include "data/matrix.h"
#include "tree/forest.h"

/* Most rows of a block: their numbers within the block have 16 bits. A power of two. */
enum { MAX_BLOCK_ROWS = 1 << 14 };

/* The plan for reading the rows of some data; shared by all threads. */
typedef struct descent_plan {
    const rrf_forest *forest;
    const rrf_data *data;
    int32_t *features; /* n_features: features that are split, ascending; read if rows are copied or fetched */
    int32_t *place;    /* p: index of a feature among these */
    int n_features;
    int block_rows;
    int max_nodes; /* of a tree */
    bool copies;   /* a block has copies of the features, column by column; otherwise they are read in place */
    bool fetches;  /* rows of many features are prefetched one after the other */
} descent_plan;

/* Rows of a block in a node: rows[begin .. begin + n - 1] of the descent. */
typedef struct part {
    int32_t node, begin, n;
} part;

/* A block of rows, of a thread, and their nodes in a tree. */
typedef struct descent {
    const descent_plan *plan;
    void *values;   /* block_rows x n_features, column by column, of the data's type; NULL: not copied */
    int64_t *next;  /* n_features: sparse columns: the first entry behind the block; NULL: dense ones */
    double fetched; /* an unused sum, so that values are read */
    int first, n_rows;
    part *under_way, *arrived; /* the latter: of terminal nodes, with every row in one of them */
    int n_arrived;
    uint16_t rows[2 * MAX_BLOCK_ROWS]; /* from 0 in the block: a node's in one half, its daughters' in the other */
} descent;

void descent_plan_init(descent_plan *plan, const rrf_forest *forest, const rrf_data *data, arena *memory);
void descent_init(descent *d, const descent_plan *plan, arena *memory);
/* Begins a range of rows; no block has been read. */
void descent_begin(descent *d, int first);
/* Reads the next rows, at most n_rows. Returns their number. */
int descent_read(descent *d, int n_rows);
/* Finds the terminal nodes of the block's rows in a tree. */
void descend(descent *d, const tree *t);

#endif

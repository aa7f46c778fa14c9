/* Many rows sent down a tree together, node by node: the rows of a node are parted into those of its daughters, as when a
 * tree grows. What a row costs is then no chain of loads that wait for each other. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_DESCENT_H
#define RRF_DESCENT_H

#include "arena.h"
#include "data/matrix.h"
#include "tree/forest.h"

/* Rows that are sent down at once: their numbers within the block take 16 bits. A power of two. */
enum { MAX_BLOCK_ROWS = 1 << 14 };

/* How the rows of some data are read; for all threads. */
typedef struct descent_plan {
    const rrf_forest *forest;
    const rrf_data *data;
    int32_t *features; /* n_features: those that are split, ascending; read where rows are copied or fetched */
    int32_t *place;    /* p: of these features among them */
    int n_features;
    int block_rows;
    int max_nodes; /* of a tree */
    bool copies;   /* the features lie column by column in a block; otherwise they are read where they are */
    bool fetches;  /* rows of many features are brought into the cache one after the other */
} descent_plan;

/* Rows of a block in a node: rows[begin .. begin + n - 1] of the descent. */
typedef struct part {
    int32_t node, begin, n;
} part;

/* A block of rows, of a thread, and where they are in a tree. */
typedef struct descent {
    const descent_plan *plan;
    void *values;   /* block_rows x n_features, column by column, of the data's type; NULL: not copied */
    int64_t *next;  /* n_features: sparse columns: the first entry behind the block; NULL: dense ones */
    double fetched; /* a sum that nobody asks for, so that values are read */
    int first, n_rows;
    part *under_way, *arrived; /* the latter: in terminal nodes, every row in one of them */
    int n_arrived;
    uint16_t rows[2 * MAX_BLOCK_ROWS]; /* from 0 in the block: a node's in one half, its daughters' in the other */
} descent;

void descent_plan_init(descent_plan *plan, const rrf_forest *forest, const rrf_data *data, arena *memory);
void descent_init(descent *d, const descent_plan *plan, arena *memory);
/* Begins a range of rows; no block is read yet. */
void descent_begin(descent *d, int first);
/* Reads the next rows, at most n_rows. Returns their number. */
int descent_read(descent *d, int n_rows);
/* Sends the block's rows down a tree. */
void descend(descent *d, const tree *t);

#endif

/* A forest laid out for many rows. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tree/compact.h"

/* A block should stay in the processor's second cache. */
enum { BLOCK_VALUES = 1 << 16, MAX_BLOCK_ROWS = 2048 };
/* To lay out a node costs as much as a step of so many rows. A row's values are read first, which is worth it if they are at
 * most so many for each tree; those that a sparse matrix does not store take less time. */
enum { ROWS_PER_NODE = 32, VALUES_PER_TREE = 32, SPARSE_VALUES_PER_TREE = 512 };
/* Rows that go down a tree at once, and steps between two looks at whether they have arrived. */
enum { SIDE_BY_SIDE = 16, STEPS = 3 };

/* ---- the forest ------------------------------------------------------------------------------------------------------ */

/* Lists the features that are split. False if one of them is a factor. */
static bool list_features(compact_forest *c)
{
    int64_t n_nodes = c->forest->offset[c->forest->ntree];
    bool numeric = true;
    memset(c->place, 0xff, (size_t)c->data->p * sizeof *c->place);
    for (int64_t node = 0; node < n_nodes; ++node) {
        int feature = c->forest->split_var[node] - 1;
        if (feature >= 0 && c->place[feature] < 0) {
            numeric = numeric && c->data->ncat[feature] == 1;
            c->place[feature] = c->n_features;
            c->features[c->n_features++] = feature;
        }
    }
    return numeric;
}

static bool is_worth_it(const compact_forest *c)
{
    int64_t per_tree = c->data->column_start ? SPARSE_VALUES_PER_TREE : VALUES_PER_TREE;
    return c->n_features <= per_tree * c->forest->ntree;
}

static void lay_out(compact_forest *c)
{
    const rrf_forest *f = c->forest;
    for (int tree = 0; tree < f->ntree; ++tree) {
        for (int64_t i = f->offset[tree]; i < f->offset[tree + 1]; ++i) {
            uint32_t itself = (uint32_t)(i - f->offset[tree]);
            c->nodes[i] = f->split_var[i] > 0
                              ? (compact_node){f->split_point[i], (uint32_t)c->place[f->split_var[i] - 1],
                                               2 * ((uint32_t)f->left[i] - 1)}
                              : (compact_node){INFINITY, (uint32_t)c->n_features, 2 * itself};
        }
    }
}

void compact_init(compact_forest *c, const rrf_forest *forest, const rrf_data *data, arena *memory)
{
    int64_t n_nodes = forest->ntree ? forest->offset[forest->ntree] : 0;
    *c = (compact_forest){.forest = forest, .data = data};
    if (n_nodes == 0 || n_nodes / ROWS_PER_NODE > (int64_t)data->n * forest->ntree) {
        return;
    }
    TAKE(memory, c->place, data->p);
    TAKE(memory, c->features, data->p);
    if (arena_status(memory) || !list_features(c) || !is_worth_it(c)) {
        return;
    }
    int rows = BLOCK_VALUES / (c->n_features + 1);
    c->block_rows = rows < SIDE_BY_SIDE ? SIDE_BY_SIDE : rows < MAX_BLOCK_ROWS ? rows : MAX_BLOCK_ROWS;
    TAKE(memory, c->nodes, n_nodes);
    if (c->nodes) {
        lay_out(c);
    }
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

void row_block_init(row_block *b, const compact_forest *c, arena *memory)
{
    size_t stride = (size_t)c->n_features + 1;
    *b = (row_block){0};
    TAKE_ZEROS(memory, b->values, stride * (size_t)c->block_rows);
    if (c->data->column_start) {
        TAKE(memory, b->next, stride);
    }
}

void row_block_begin(row_block *b, const compact_forest *c, int first)
{
    b->first = first;
    b->n_rows = 0;
    for (int i = 0; b->next && i < c->n_features; ++i) {
        b->next[i] = sparse_place(c->data, c->features[i], first);
    }
}

static void read_sparse(row_block *b, const compact_forest *c)
{
    const rrf_data *data = c->data;
    size_t stride = (size_t)c->n_features + 1;
    memset(b->values, 0, stride * (size_t)b->n_rows * sizeof *b->values);
    for (size_t i = 0; i + 1 < stride; ++i) {
        int64_t at = b->next[i], end = data->column_start[c->features[i] + 1];
        for (; at < end && data->row_index[at] < b->first + b->n_rows; ++at) {
            double value = data->x[at];
            b->values[(size_t)(data->row_index[at] - b->first) * stride + i] = value;
            b->any_missing = b->any_missing || value != value;
        }
        b->next[i] = at;
    }
}

static void read_dense(row_block *b, const compact_forest *c)
{
    size_t stride = (size_t)c->n_features + 1;
    for (size_t i = 0; i + 1 < stride; ++i) {
        bool missing = false;
        for (int row = 0; row < b->n_rows; ++row) {
            double value = dense_value(c->data, c->features[i], b->first + row);
            b->values[(size_t)row * stride + i] = value;
            missing |= value != value;
        }
        b->any_missing = b->any_missing || missing;
    }
}

int row_block_read(row_block *b, const compact_forest *c, int n_rows)
{
    b->first += b->n_rows;
    b->n_rows = n_rows < c->block_rows ? n_rows : c->block_rows;
    b->any_missing = false;
    (b->next ? read_sparse : read_dense)(b, c);
    return b->n_rows;
}

/* ---- down a tree ----------------------------------------------------------------------------------------------------- */

/* From the node at `at`, in halves of a node, as the processor can address them. missing_left NULL: no value is missing. */
static inline uint32_t step(const compact_node *nodes, uint32_t at, const double *row, const uint8_t *missing_left)
{
    const compact_node *node = (const compact_node *)((const double *)nodes + at);
    double value = row[node->place];
    bool right = !(value <= node->point);
    if (missing_left) {
        right &= !((value != value) & missing_left[at / 2]);
    }
    return node->left + 2 * (uint32_t)right;
}

static inline void descend(const compact_node *nodes, const double *const *rows, const uint8_t *missing_left,
                           uint32_t *at)
{
    uint32_t moved;
    do {
        for (int i = 1; i < STEPS; ++i) {
            for (int k = 0; k < SIDE_BY_SIDE; ++k) {
                at[k] = step(nodes, at[k], rows[k], missing_left);
            }
        }
        moved = 0;
        for (int k = 0; k < SIDE_BY_SIDE; ++k) {
            uint32_t before = at[k];
            at[k] = step(nodes, before, rows[k], missing_left);
            moved |= at[k] ^ before;
        }
    } while (moved);
}

void compact_apply(const compact_forest *c, int tree, const row_block *b, int32_t *leaves)
{
    const compact_node *nodes = c->nodes + c->forest->offset[tree];
    const uint8_t *missing_left = c->forest->missing_left ? c->forest->missing_left + c->forest->offset[tree] : NULL;
    size_t stride = (size_t)c->n_features + 1;
    for (int first = 0; first < b->n_rows; first += SIDE_BY_SIDE) {
        uint32_t at[SIDE_BY_SIDE] = {0};
        const double *rows[SIDE_BY_SIDE];
        for (int k = 0; k < SIDE_BY_SIDE; ++k) {
            int row = first + k < b->n_rows ? first + k : b->n_rows - 1;
            rows[k] = b->values + (size_t)row * stride;
        }
        if (b->any_missing && missing_left) {
            descend(nodes, rows, missing_left, at);
        } else {
            descend(nodes, rows, NULL, at);
        }
        for (int k = 0; k < SIDE_BY_SIDE && first + k < b->n_rows; ++k) {
            leaves[first + k] = (int32_t)at[k] / 2;
        }
    }
}

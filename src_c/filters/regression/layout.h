/* The cases of a node in the order of a feature: as rows, as values or as levels.
 *
 * A node has fewer rows than cases, and a column of few values fewer values than that. So sums are taken over these items first,
 * in any order; they lie within a margin of R's sums, which add the cases one by one (ratios.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_LAYOUT_H
#define RRF_LAYOUT_H

#include "engine_r/regression_tree.h"
#include "filters/columns/column_filter.h"
#include "filters/simd/simd.h"

/* A drawn row. */
typedef struct bag_row {
    double y;
    int32_t row;
    int32_t count; /* times it was drawn */
} bag_row;

/* The sum of the responses of cases, in any order, and the number of cases. */
typedef struct case_sum {
    double y, cases;
} case_sum;

/* The node under search: its rows, in any order, and the sum of each row's cases. */
typedef struct row_list {
    const bag_row *rows;
    case_sum *sums;
    int size;
} row_list;

typedef struct layout {
    int feature, size;    /* items with cases */
    bool by_value;        /* items are values; otherwise rows of the node, or levels */
    bool has_ties;        /* neighbouring rows may have the same value */
    uint32_t *item;       /* ascending: values, positions of rows in the node, or levels */
    const case_sum *sums; /* by item */
    uint32_t *rank;       /* of the rows of the node, in their order */
    uint32_t *key;        /* of each item, with ties: the same for equal values, otherwise ascending */
    /* For the cut after each item: */
    uint32_t *left;              /* cases up to the cut */
    double *ratio;               /* a^2 / l + b^2 / r, approximately; -INFINITY if the next row has the same value */
    case_sum *value_sums;        /* n: by value, or by level */
    double mean[RRF_MAX_PACKED]; /* of levels, up to rounding */
} layout;

/* Buffers for making layouts. */
typedef struct layout_scratch {
    const rrf_ranks *ranks;
    const simd *simd;
    uint64_t *mark;          /* a bit for each rank in a large node; all zero between uses */
    uint32_t *slot;          /* by rank: position in the node of the row with this rank; zeros between uses */
    uint64_t *items, *spare; /* n */
    uint32_t *sorted_rank;
} layout_scratch;

void layout_scratch_init(layout_scratch *s, const rrf_ranks *ranks, arena *memory);
void layout_init(layout *l, int n, int n_cases, arena *memory);
/* Makes the layout of a numeric feature. */
void lay_out_number(layout *l, layout_scratch *s, const row_list *node, int feature);
/* Makes the layout of a factor, by approximate means of its levels. */
void lay_out_factor(layout *l, const rrf_data *data, const rrf_ranks *ranks, const row_list *node, int feature);
/* Writes for each case of a node a key that equal values share, above its position in the node. */
void load_keys(const rrf_ranks *ranks, int feature, const regression_node *node, uint64_t *keys);
/* Ranks of the rows of a node. */
void load_ranks(const rrf_ranks *ranks, int feature, const bag_row *rows, int n_rows, uint32_t *rank);
/* Prefetches the ranks of one feature, which stand in its column. */
void fetch_column_of_node(const rrf_ranks *ranks, int feature, const bag_row *rows, int n_rows);
/* Prefetches the ranks of all features for the rows of a small node, if they are also stored row by row. */
void fetch_ranks(const rrf_ranks *ranks, const bag_row *rows, int n_rows);

#endif

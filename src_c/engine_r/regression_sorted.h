/* The rows of a node, sorted by a feature.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_SORTED_H
#define RRF_REGRESSION_SORTED_H

#include "data/ranks.h"
#include "data/simd.h"
#include "engine_r/regression_bag.h"

/* The responses of cases, added up in any order, and how many cases these are. */
typedef struct case_sum {
    double y, cases;
} case_sum;

typedef struct regression_node {
    const bag_row *rows;  /* its rows, in any order */
    const case_sum *sums; /* the sum of each row's cases */
    int n_rows;
    const bag_case *cases; /* in the order of RRF's jdex */
    int size;              /* how many cases */
    double sum;            /* cases times their mean: RRF's sumnode */
    double parent;         /* sum * sum / size: RRF's critParent */
} regression_node;

typedef struct regression_sorted {
    const rrf_ranks *ranks;
    const simd *simd;
    uint64_t *mark;          /* a bit for each rank in a large node; all zero between uses */
    uint32_t *slot;          /* by rank: the place in the node of the row that has it; all zero between uses */
    uint64_t *items, *spare; /* n: scratch */
    uint32_t *sorted_rank;   /* scratch */
    case_sum *value_sums;    /* n: by value */
    /* The rows of a node, which are sorted. Values, levels or cases can take the place of rows. */
    const bag_row *rows;
    const case_sum *sums; /* of each row, by its place in the node */
    uint32_t *rank;       /* by place */
    int size;             /* how many rows */
    uint32_t *place;      /* the sorted rows, as places in the node */
    bool has_ties;        /* whether sorted rows may have the same value; then, once they are listed: */
    uint32_t *key;        /* of each sorted row; the same for equal values, otherwise ascending */
    /* For the cut after each sorted row: */
    uint32_t *left; /* cases up to the cut */
    double *ratio;  /* a^2 / l + b^2 / r, roughly; -INFINITY where the next row has the same value */
} regression_sorted;

void regression_sorted_init(regression_sorted *sorted, const rrf_ranks *ranks, int n_cases, arena *memory);
/* Sorts the rows of a node by their ranks in a numeric feature. */
void regression_sort_rows(regression_sorted *sorted, int feature, const regression_node *node);
/* Lists the keys of these rows; most features turn out useless without. */
void regression_list_keys(regression_sorted *sorted, int feature);
/* Puts the feature's values in the place of rows. False, and nothing is done, where sorting the rows is faster. */
bool regression_sum_values(regression_sorted *sorted, int feature, const regression_node *node);
/* The ranks of the rows in a feature (levels of a factor), in the order of the rows. */
void regression_load_ranks(const rrf_ranks *ranks, int feature, const bag_row *rows, int n_rows, uint32_t *rank);
/* The same as one of SIMD_BLOCK lanes: each row's rank is so far from the next row's. */
void regression_load_lane(const rrf_ranks *ranks, int feature, const bag_row *rows, int n_rows, int32_t *rank);
/* For each case of a node, a key that equal values share, above its place in the node. */
void regression_load_items(const rrf_ranks *ranks, int feature, const regression_node *node, uint64_t *items);
/* Asks for the memory that sorting the rows of a small node will read. */
void regression_fetch_ranks(const rrf_ranks *ranks, const bag_row *rows, int n_rows);

#endif

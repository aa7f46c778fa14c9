/* What the stages of a regression forest share.
 *
 *   regression_bag ──► variance_search ──► regression_tree ──► regression (errors, importance, proximity)
 *     (draws)          (node_order)          (means)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_H
#define RRF_REGRESSION_H

#include "data/ranks.h"
#include "data/simd.h"
#include "monitor.h"
#include "tree/forest.h"

/* ---- regression_bag.c: the in-bag sample of a tree ----------------------------------------------------------------- */
/* A row that was drawn. */
typedef struct bag_row {
    double y;
    int32_t row;
    int32_t count; /* times it was drawn */
} bag_row;

typedef struct regression_bag {
    const double *y; /* n */
    int n, size;     /* rows; draws */
    int32_t *draw;   /* size: the row of each draw; RRF copies the row, so that two draws of it are two cases */
    int32_t *count;  /* n: times a row was drawn */
    bag_row *rows;   /* those drawn, ascending */
    int n_rows;      /* how many they are */
    int32_t *pool;   /* n: scratch for sampling without replacement */
    double largest;  /* of the |y| */
} regression_bag;

rrf_status regression_bag_init(regression_bag *b, const double *y, int n, int size);
void regression_bag_free(regression_bag *b);
void regression_bag_draw(regression_bag *b, bool replace, rrf_rng *rng);

/* ---- node_order.c: the rows of a node by the values of a feature ------------------------------------------------- */
typedef struct node_order {
    const rrf_ranks *ranks;
    const simd *simd;
    uint64_t *mark;          /* a bit for each key present in a large node; all zero between uses */
    uint32_t *slot;          /* the place in the node of the row that holds a key; all zero between uses */
    uint64_t *items, *spare; /* n */
    uint32_t *sorted_key;    /* n and some: scratch */
    /* What is sorted: the rows of a node; or levels, or cases, where these stand for rows. */
    const bag_row *rows;
    uint32_t *key; /* by place among rows: their keys */
    int size;
    uint32_t *place; /* the sorted rows, as places among rows */
    /* What the search finds about the cut after each of them. */
    uint32_t *left; /* cases up to it */
    double *ratio;  /* a^2 / l + b^2 / r, roughly; -INFINITY when the next has the same value */
} node_order;

rrf_status node_order_init(node_order *o, const rrf_ranks *ranks, int n_cases);
void node_order_free(node_order *o);
/* Sorts the rows of a node by their keys in a numeric feature. */
void node_order_sort(node_order *o, int feature, const bag_row *rows, int n_rows);
/* The keys of rows, in their order. */
void node_order_keys(const node_order *o, int feature, const bag_row *rows, int n_rows, uint32_t *key);
/* Asks for what sorting the rows of a small node will read. */
void node_order_fetch(const node_order *o, const bag_row *rows, int n_rows);

/* ---- variance_search.c: the best split of a node, R's findBestSplit of regression --------------------------------- */
/* A node. RRF's cases are draws: they stand in the order of drawing, which decides how sums are rounded. */
typedef struct variance_node {
    const bag_row *rows; /* its rows, ascending; not to be read unless whole */
    int n_rows;
    const int32_t *draws; /* its cases, by row, in the order of RRF's jdex */
    const double *y;      /* their responses */
    int size;             /* how many cases */
    double sum;           /* cases times their mean: RRF's sumnode */
    double parent;        /* sum * sum / size: RRF's critParent */
    bool whole;           /* all draws of a row are in the same node, in all of the tree */
} variance_node;

typedef struct variance_split {
    double crit; /* the decrease of the sum of squares, after regularization */
    int feature; /* -1: none found */
    int turn;    /* when it was drawn, from 0 */
    /* The cut lies between the values of two rows, or between two levels of a factor, from 0. */
    int32_t below, above;
    uint32_t cut_rank;                 /* number: the largest key that goes left; not set unless the node is whole */
    double level_mean[RRF_MAX_LEVELS]; /* factor: what stood for the levels */
} variance_split;

/* What a first look at a feature has found. */
typedef struct cut_look {
    double factor;  /* the penalty of the feature */
    double margin;  /* how far the ratios may lie from R's */
    double bar;     /* a ratio has to be higher to be of interest */
    double highest; /* of the ratios */
} cut_look;

/* A feature whose cuts are evaluated after all others. */
typedef struct pending_feature {
    int turn;
    double least; /* its best cut lowers the sum of squares at least by this, after regularization */
} pending_feature;

typedef struct variance_search {
    const rrf_data *data;
    const rrf_ranks *ranks;
    const regression_bag *bag;
    const double *coef_reg;
    int mtry;
    bool flag_reg, quirks;
    int32_t *used; /* p: 1 = in F */
    rrf_rng *rng;
    int32_t *shuffle;         /* p: shuffle[i] is i between nodes */
    int32_t *touched;         /* mtry: positions of the shuffle that differ */
    int32_t *drawn;           /* mtry: the features of the node */
    pending_feature *pending; /* mtry */
    int n_pending;
    double promised; /* what the best of the pending features will reach at least */
    node_order order;
    double *inverse;  /* inverse[k] is 1 / k, up to the cases of a tree */
    double *sorted_y; /* cases: the responses in the order by value */
    bag_row *standin; /* cases, 32 at least: what stands for rows when levels or cases are sorted */
    double *value;    /* cases: the values, sorted as R does */
    int32_t *index;   /* cases: and their places in the node */
    double level_mean[RRF_MAX_LEVELS];
    int level_count[RRF_MAX_LEVELS];
    cut_look look;
    variance_split best;
} variance_search;

rrf_status variance_search_init(variance_search *s, const rrf_data *data, const rrf_ranks *ranks,
                                const regression_bag *bag, const rrf_params *params, int32_t *used, rrf_rng *rng);
void variance_search_free(variance_search *s);
/* Searches mtry features; the answer stands in s->best. */
void variance_search_node(variance_search *s, const variance_node *node);
/* Sorts the node's cases by a feature as R does: their values into s->value, their places in the node into s->index. */
void sort_cases_like_r(variance_search *s, const variance_node *node, int feature);

/* ---- variance_cuts.c ----------------------------------------------------------------------------------------------- */
/* Looks at the cuts between the sorted rows: false when none can beat what is found or promised so far. x, if not NULL,
 * gives the value that a key stands for. */
bool cuts_promise(variance_search *s, const variance_node *node, int feature, const double *x);
/* What the best cut that was looked at will reach at least. */
double cuts_lower_bound(const variance_search *s, const variance_node *node);
/* How many of the sorted rows there are up to the last cut that might be the best; raises the bar to what that needs. */
int cuts_shortlist(variance_search *s);
/* Evaluates the cuts above the bar as R does, before `end` and over s->sorted_y, the responses in R's order. Returns the
 * place of the best, or -1 when none of them beats s->best. */
int cuts_evaluate(variance_search *s, const variance_node *node, int turn, int end);

/* ---- regression_tree.c --------------------------------------------------------------------------------------------- */
typedef struct regression_builder {
    const rrf_data *data;
    const rrf_params *params;
    watch watch;
    regression_bag bag;
    const rrf_ranks *ranks;
    rrf_ranks *own_ranks; /* NULL: the caller's */
    variance_search search;
    /* The cases and the rows of the tree; a node owns a range in each. */
    int32_t *draws, *spare_draws;
    double *y, *spare_y;
    bag_row *rows, *spare_rows;
    uint8_t *goes_left;          /* n: by row */
    int32_t *start, *size;       /* by node: its range of cases */
    int32_t *row_start, *n_rows; /* by node: its range of rows */
    bool whole;                  /* no split has parted draws of one row */
    int max_nodes;
    uint8_t *used_in_tree; /* p */
    double *purity;        /* p: sums of the decreases */
} regression_builder;

rrf_status regression_builder_init(regression_builder *g, const rrf_data *data, const double *y,
                                   const rrf_params *params, const rrf_ranks *ranks, int32_t *used, double *purity,
                                   rrf_rng *rng, const rrf_monitor *monitor);
void regression_builder_free(regression_builder *g);
/* Grows a tree on the bag's draws; a single node is a tree, too. */
rrf_status grow_regression_tree(regression_builder *g, tree *t);

/* ---- regression_importance.c ----------------------------------------------------------------------------------------- */
/* The rows that a tree did not see, and what it predicts for them. */
typedef struct regression_oob {
    int size;
    int32_t *rows;                /* ascending */
    double *predicted, *residual; /* residual: predicted - y */
    double sum_squares;           /* of the residuals */
} regression_oob;

rrf_status regression_oob_init(regression_oob *oob, int n);
void regression_oob_free(regression_oob *oob);

typedef struct permutation_scratch {
    double *column; /* n */
    int32_t *nodes; /* n */
} permutation_scratch;

rrf_status permutation_init(permutation_scratch *scratch, int n);
void permutation_free(permutation_scratch *scratch);
/* Adds one tree; R's loop in regRF. */
rrf_status permutation_add(regression_builder *g, const tree *t, const regression_oob *oob,
                           permutation_scratch *scratch, const double *y, rrf_regression_result *result);

#endif

/* Structures and functions that the stages of a regression forest share.
 *
 *   regression_bag ──► regression_search ──► regression_tree ──► regression_forest
 *     (draws)     (lanes, sorted rows, cuts)    (means)         (errors, importance, proximity)
 *
 * RRF copies a row as often as it is drawn. Each draw is a case. The cases of a node are in the order of R's sorting,
 * which decides how sums are rounded. A node has fewer rows than cases, so the search looks at rows, with their number of
 * draws, first. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_H
#define RRF_REGRESSION_H

#include "data/ranks.h"
#include "data/simd.h"
#include "monitor.h"
#include "random/case_draws.h"
#include "tree/feature_set.h"
#include "tree/forest.h"

/* ---- regression_bag.c: the in-bag sample of a tree ----------------------------------------------------------------- */
/* A row that was drawn. */
typedef struct bag_row {
    double y;
    int32_t row;
    int32_t count; /* times it was drawn */
} bag_row;

/* The responses of cases, added up in any order, and how many cases these are. */
typedef struct case_sum {
    double y, cases;
} case_sum;

/* A draw: RRF copies the row. */
typedef struct bag_case {
    double y;
    int32_t row;
} bag_case;

typedef struct regression_bag {
    const double *y; /* n */
    int n, size;     /* rows; draws */
    int32_t *draw;   /* size: the row of each draw */
    int32_t *count;  /* n: times a row was drawn */
    bag_row *rows;   /* the rows that were drawn, ascending */
    int n_rows;      /* how many these are */
    int32_t *pool;   /* n: scratch for sampling without replacement */
    double largest;  /* of all |y| */
    bool weighted;   /* randomForest: rows are drawn by weights, from `cases` */
    case_draws cases;
} regression_bag;

/* case_weight: n, or NULL. */
rrf_status regression_bag_init(regression_bag *b, const double *y, int n, int size, const double *case_weight);
void regression_bag_free(regression_bag *b);
rrf_status regression_bag_draw(regression_bag *b, bool replace, rrf_rng *rng, watch *w);

/* ---- regression_sorted.c: the rows of a node, sorted by a feature --------------------------------------------------- */
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

rrf_status regression_sorted_init(regression_sorted *sorted, const rrf_ranks *ranks, int n_cases);
void regression_sorted_free(regression_sorted *sorted);
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

/* ---- regression_search.c: the best split of a node, R's findBestSplit of regression --------------------------------- */
typedef struct regression_split {
    double crit; /* the decrease of the sum of squares, after regularization */
    int feature; /* -1: none found */
    int turn;    /* when the feature was drawn, from 0 */
    /* The cut lies between the values of two rows or, in a factor, between two levels (from 0). */
    int32_t below, above;
    uint32_t cut_rank; /* number: the largest rank that goes left */
    bool exact;        /* randomForest: crit is R's; otherwise it is within a margin */
    bool borrows;      /* randomForest: the split point is `point`, which another feature has left */
    double point;
    double level_mean[RRF_MAX_PACKED]; /* factor: the value that stood for each level */
} regression_split;

/* The result of a first look at the cuts of a feature. */
typedef struct cut_look {
    double factor;  /* multiplies the feature's decrease */
    double margin;  /* how far the ratios may lie from R's */
    double bar;     /* only cuts with a higher ratio can win */
    double highest; /* of the ratios */
} cut_look;

/* A feature that is searched after all others. */
typedef struct pending_feature {
    int turn;
    double least;   /* its best cut reaches this at least */
    double highest; /* ratio of its cuts */
} pending_feature;

/* ---- regression_lanes.c: several features side by side --------------------------------------------------------------- */
typedef struct regression_lanes {
    const rrf_ranks *ranks;
    const simd *simd;
    int32_t *rank;         /* rows x SIMD_BLOCK: by place in the node, for each lane */
    float *sums, *n_cases; /* rows: by place */
    int32_t *values;       /* cuts x SIMD_BLOCK: rank k in all lanes of cut k */
} regression_lanes;

rrf_status regression_lanes_init(regression_lanes *lanes, const rrf_ranks *ranks);
void regression_lanes_free(regression_lanes *lanes);
/* Bounds from above what the cuts of each feature lower the node's sum of squares by, roughly: R's decrease without the
 * penalty exceeds it by half the margin of cuts_promise() at most. INFINITY where a bound would not be faster. */
void regression_bound(regression_lanes *lanes, const regression_node *node, const int32_t *features, int n_features,
                      double *bound);

/* Results of the ratios of a feature's cuts. */
typedef struct cut_record {
    double most;   /* the highest, and at first that of no cut */
    int best;      /* the place of that cut; -1: none */
    uint32_t left; /* cases up to it */
    int beaten;    /* how often the highest was beaten; -1: ratios are too close to tell */
} cut_record;

/* The cuts of a feature as randomForest scans them. */
typedef struct forest_cuts {
    int32_t *place; /* of each cut, among the sorted rows, values or cases */
    uint32_t *left; /* cases up to it */
    double *crit;   /* what R makes of it */
    int size;
    double *suml, *sumr;   /* R's sums of both sides after each case */
    double margin;         /* of the node: ratios further apart are in R's order */
    int n_ties;            /* R's tieVar */
    regression_split here; /* the current feature */
    cut_record record;     /* and the result of its ratios */
    bool laid_out;         /* its rows are those that are sorted */
    regression_split last; /* whose point R's ubestt holds; feature -1: none, and the point is 0 */
} forest_cuts;

typedef struct regression_search {
    const rrf_data *data;
    const rrf_ranks *ranks;
    const regression_bag *bag;
    const double *coef_reg;
    int mtry;
    bool flag_reg, quirks;
    feature_set f; /* F */
    rrf_rng *rng;
    int32_t *shuffle;         /* p: shuffle[i] is i between nodes */
    int32_t *touched;         /* mtry: positions of the shuffle that differ */
    int32_t *drawn;           /* mtry: the features of the node */
    pending_feature *pending; /* mtry */
    int n_pending;
    double *bound; /* mtry: of each feature's decrease, before the penalty */
    regression_lanes lanes;
    double promised; /* the best of the pending features reaches at least this */
    regression_sorted sorted;
    double *inverse;  /* inverse[k] is 1 / k, up to the cases of a tree */
    double *sorted_y; /* cases: the responses in the order by value */
    case_sum *sums;   /* cases: of the rows of the node, or of the cases in their place */
    double *value;    /* cases: the values, sorted as R does */
    int32_t *index;   /* cases: and their places in the node */
    uint64_t *items;  /* cases: the same, as keys above places */
    uint32_t *needed; /* cases + 1: how many cases up to each are among ties that matter */
    double level_mean[RRF_MAX_PACKED];
    case_sum level_sums[RRF_MAX_PACKED];
    int level_count[RRF_MAX_PACKED];
    cut_look look;
    regression_split best;
    forest_cuts cuts; /* randomForest */
} regression_search;

rrf_status regression_search_init(regression_search *s, const rrf_data *data, const rrf_ranks *ranks,
                                  const regression_bag *bag, const rrf_params *params, rrf_rng *rng);
void regression_search_free(regression_search *s);
/* Searches mtry features and writes the best split to s->best. Fills node->sums. */
void regression_search_node(regression_search *s, regression_node *node);
/* Draws the next of mtry features without replacement, in R's order: s->drawn. After the last one they are put back. */
void regression_draw_feature(regression_search *s, int turn);
void regression_put_back(regression_search *s);
/* Fills node->sums. */
void regression_sum_rows(regression_search *s, regression_node *node);
static inline bool is_factor(const regression_search *s, int feature)
{
    return s->data->ncat[feature] > 1;
}
/* The mean response of each level up to rounding, and the levels that have cases sorted by it. */
void regression_rough_means(regression_search *s, const regression_node *node, int feature);
void regression_sort_levels(regression_search *s, int n_levels);
/* The responses of the first sorted rows, each as often as the row was drawn: s->sorted_y. */
void regression_list_rows(regression_search *s, int n_rows);
/* A row of the node that has a value; s->sorted.rank tells. */
int regression_row_of_value(const regression_search *s, const regression_node *node, uint32_t value);
/* Sorts the node's cases by a feature as R does: their values into s->value, their places in the node into s->index. */
void sort_cases_like_r(regression_search *s, const regression_node *node, int feature);

/* ---- regression_ties.c: R's order among equal values ------------------------------------------------------------- */
/* Whether rows tie in value and differ in response, among those up to the cut before `end`. */
bool ties_matter(const regression_search *s, int end);
/* Puts the responses of tied cases up to that cut in R's order. s->sorted_y holds them in the order of the rows. */
void order_ties_like_r(regression_search *s, const regression_node *node, int feature, int end);
/* Lists the responses of the first n_cases in R's order, without knowing which tie: s->sorted_y. They end where a value does. */
void list_first_like_r(regression_search *s, const regression_node *node, int feature, uint32_t n_cases);

/* ---- regression_cuts.c: which cut of a feature is the best -------------------------------------------------------- */
/* Looks at the cuts between the sorted rows. False when none can beat what has been found or promised so far. */
bool cuts_promise(regression_search *s, const regression_node *node, int feature);
/* How much a feature may lower the node's sum of squares, roughly, by the bound of its decrease. */
double cuts_hope(const regression_search *s, int feature, double bound);
/* Whether a feature whose decrease has this bound may win, and not only equal what has been found. */
bool cuts_bound_promises(const regression_search *s, const regression_node *node, int feature, double bound);
/* The same once more, without the cuts between equal values. */
bool cuts_promise_between_values(regression_search *s);
/* Whether a feature whose cuts have no higher ratio than this may still win. */
bool cuts_still_promise(const regression_search *s, const regression_node *node, int feature, double highest);
/* The ratio of a cut with `left` cases on the left, whose responses sum to left_sum: a^2 / l + b^2 / r. */
static inline double ratio_of_cut(const regression_search *s, const regression_node *node, double left_sum,
                                  uint32_t left)
{
    double right_sum = node->sum - left_sum;
    return left_sum * left_sum * s->inverse[left] + right_sum * right_sum * s->inverse[(uint32_t)node->size - left];
}
/* How far two ratios of the same cut may differ: R's, and the one found there. */
double regression_margin(const regression_search *s, const regression_node *node);
/* A lower bound of the best of these cuts. */
double cuts_lower_bound(const regression_search *s, const regression_node *node);
/* The number of sorted rows up to the last cut that might be the best. Raises the bar accordingly. */
int cuts_shortlist(regression_search *s);
/* Computes, as R does, the decrease of those cuts before `end` whose ratio is above the bar. s->sorted_y holds the responses
 * in R's order. Returns the position of the best cut, or -1 if none beats s->best. */
int cuts_evaluate(regression_search *s, const regression_node *node, int turn, int end);

/* ---- forest_scan.c: the cuts of one feature as randomForest scans them ---------------------------------------------- */
rrf_status forest_cuts_init(forest_cuts *cuts, int n_cases);
void forest_cuts_free(forest_cuts *cuts);
/* Begins with a node. */
void forest_scan_begin(regression_search *s, const regression_node *node);
/* Scans the feature drawn in this turn, with R's draws: s->cuts.here. False where it has one value in the node. */
bool forest_scan(regression_search *s, const regression_node *node, int turn);
/* Makes s->cuts.here exact, without draws. */
void forest_settle(regression_search *s, const regression_node *node);

/* ---- forest_search.c: the best split of a node as randomForest finds it ---------------------------------------------- */
/* The same as regression_search_node() for randomForest. */
void forest_search_node(regression_search *s, regression_node *node);

/* ---- regression_tree.c --------------------------------------------------------------------------------------------- */
typedef struct regression_builder {
    const rrf_data *data;
    const rrf_params *params;
    watch watch;
    regression_bag bag;
    const rrf_ranks *ranks;
    rrf_ranks *own_ranks; /* NULL: the caller's */
    regression_search search;
    /* The cases and the rows of the tree; a node owns a range in each, and both begin at the same place. */
    bag_case *cases, *spare_cases;
    bag_row *rows, *spare_rows;
    uint8_t *goes_left;    /* n: by row */
    int32_t *start, *size; /* by node: its range of cases */
    int32_t *n_rows;       /* by node: how many rows these are */
    int n_means;           /* nodes whose means are known */
    int max_nodes;
    uint8_t *used_in_tree; /* p */
    double *decrease;      /* p: sums of the decreases */
} regression_builder;

rrf_status regression_builder_init(regression_builder *g, const rrf_data *data, const double *y,
                                   const rrf_params *params, const rrf_ranks *ranks, double *decrease, rrf_rng *rng,
                                   const rrf_monitor *monitor);
void regression_builder_free(regression_builder *g);
/* Grows a tree on the bag's draws; it may be a single node. */
rrf_status grow_regression_tree(regression_builder *g, tree *t);

/* ---- regression_importance.c ----------------------------------------------------------------------------------------- */
/* The out-of-bag rows of a tree, and its predictions for them. */
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

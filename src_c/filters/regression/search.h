/* The search of regression with filters: approximate ratios of all cuts first, and R's sums only of those that may win.
 *
 * A cut has l cases and the sum a on the left, r and b on the right. Its ratio is a^2 / l + b^2 / r: what it lowers the sum of
 * squares by, above that of the node. Sums in any order give it within a margin of what R's sums give, which add the cases one by
 * one. Most features cannot win, and of the others few cuts are so close to the best that R's sums are needed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FILTER_REGRESSION_H
#define RRF_FILTER_REGRESSION_H

#include "filters/regression/layout.h"

/* A feature's best cut. */
typedef struct contender {
    int feature; /* -1: none yet */
    double crit;
    bool exact;           /* crit is R's; otherwise it is within the margins, and the cut is unknown */
    int32_t below, above; /* rows next to the cut of a number; below -1: see `point` */
    uint32_t cut_rank;    /* the largest rank up to the cut */
    double point;
} contender;

/* regression_builder.filter. */
typedef struct regression_filter {
    bag_row *rows, *spare_rows; /* cases: a node owns a range, which begins where that of its cases does */
    int32_t *n_rows;            /* by node */
    double *inverse;            /* inverse[k] is 1 / k, up to the cases of a tree */
    double largest;             /* response, without its sign */
    layout_scratch scratch;
    layout layouts[2], *now, *kept; /* the current feature; the most promising one */
    double *highest;                /* p: by draw, the highest ratio of the feature */
    double *y;                      /* cases: responses in R's order */
    uint64_t *keys;                 /* cases */
    /* The current node: */
    row_list node;
    contender best;
    double margin; /* largest difference between R's ratio of a cut and the one computed here */
} regression_filter;

rrf_status regression_filter_init(regression_builder *g, arena *memory);
void regression_filter_begin_tree(regression_builder *g);
void regression_filter_parted(regression_builder *g, int node, int left, bool degenerate);
bool regression_filter_search(regression_builder *g, const regression_node *node);
bool regression_filter_mark(regression_builder *g, const regression_node *node);

/* Makes the layout of a feature and computes its ratios. Returns the highest. */
double look_at_feature(regression_filter *f, const regression_input *in, const regression_node *node, int feature);
/* Keeps the layout while other features are scanned. */
void keep_layout(regression_filter *f);
/* Makes the layout of a feature of the node again, unless it was kept. */
void look_again(regression_filter *f, const regression_input *in, const regression_node *node, int feature);
/* Returns whether the feature in the layout has one value. */
static inline bool is_constant(const layout *l)
{
    return l->size < 2 || (l->has_ties && l->key[0] == l->key[l->size - 1]);
}
/* Evaluates the feature in the layout, or any factor. Returns whether it beats `best`, and updates it; equal features,
 * too, if they win ties. */
bool evaluate_feature(regression_filter *f, regression_search *s, const regression_node *node, double factor,
                      bool wins_ties, contender *best);
/* R's split point; 0 before the first feature. */
double find_point(const regression_input *in, const contender *c);
/* Searches a node with given features as RRF, and with draws as randomForest (forest_search.c). */
void search_regularized(regression_filter *f, regression_search *s, const regression_node *node);
void search_forest(regression_filter *f, regression_search *s, const regression_node *node);

#endif

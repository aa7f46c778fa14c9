/* The search of regression with less work: rough ratios of all cuts first, and R's sums only of those that may win.
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
    bool exact;           /* crit is R's; otherwise it is within the margins, and the cut is not known */
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
    layout layouts[2], *now, *kept; /* the feature under evaluation; the one that promises most */
    double *highest;                /* p: by turn, the highest ratio of the feature */
    double *y;                      /* cases: responses in R's order */
    uint64_t *keys;                 /* cases */
    /* Of the node under search: */
    row_list node;
    contender best;
    double margin; /* how far two ratios of a cut may differ: R's, and the one found here */
} regression_filter;

rrf_status regression_filter_init(regression_builder *g, arena *memory);
void regression_filter_begin_tree(regression_builder *g);
void regression_filter_parted(regression_builder *g, int node, int left, bool degenerate);
bool regression_filter_search(regression_builder *g, const regression_node *node);
bool regression_filter_mark(regression_builder *g, const regression_node *node);

/* Lays out a feature and finds its ratios. Returns the highest. */
double look_at_feature(regression_filter *f, const regression_input *in, const regression_node *node, int feature);
/* Keeps the layout while other features are looked at. */
void keep_layout(regression_filter *f);
/* Lays out a feature of the node once more, unless that is kept. */
void look_again(regression_filter *f, const regression_input *in, const regression_node *node, int feature);
/* Whether the feature that is laid out has one value. */
static inline bool is_constant(const layout *l)
{
    return l->size < 2 || (l->has_ties && l->key[0] == l->key[l->size - 1]);
}
/* Evaluates the feature that is laid out, or any factor. Returns whether it beats `best`, which it then is; equal, too, if it
 * wins ties. */
bool evaluate_feature(regression_filter *f, regression_search *s, const regression_node *node, double factor,
                      bool wins_ties, contender *best);
/* R's split point; 0: no feature yet. */
double find_point(const regression_input *in, const contender *c);
/* Searches a node as RRF does, whose features have been drawn, and as randomForest draws (forest_search.c). */
void search_regularized(regression_filter *f, regression_search *s, const regression_node *node);
void search_forest(regression_filter *f, regression_search *s, const regression_node *node);

#endif

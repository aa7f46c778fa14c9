/* The best split of a node, R's findBestSplit of regression; also randomForest's, which draws between equal splits.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGRESSION_SPLIT_H
#define RRF_REGRESSION_SPLIT_H

#include "data/ranks.h"
#include "engine_r/candidates.h"
#include "engine_r/regression_bag.h"

typedef struct regression_node {
    int number;
    const bag_case *cases; /* in the order of R's jdex */
    int size;              /* number of cases */
    double sum;            /* cases times their mean: R's sumnode */
    double parent;         /* sum * sum / size: R's critParent */
} regression_node;

/* Cases go left if their value, or the mean of their level, is at most `point`. */
typedef struct regression_split {
    double crit;                       /* R's critmax: the decrease of the sum of squares, after regularization */
    int feature;                       /* -1: none found */
    double point;                      /* R's ubest */
    double level_mean[RRF_MAX_PACKED]; /* of a factor: R's tavcat */
} regression_split;

/* The input of the search, which is the same for all nodes of a tree. */
typedef struct regression_input {
    const rrf_data *data;
    const rrf_ranks *ranks; /* a factor's are its levels */
    const regression_bag *bag;
    const double *coef_reg;
    int mtry;
    bool flag_reg, quirks, random_forest;
} regression_input;

/* The cases of a node in the order of a feature. */
typedef struct sorted_cases {
    double *value;                     /* R's v: their values or, for a factor, the means of their levels */
    int32_t *index;                    /* R's ncase: their positions in the node */
    double level_mean[RRF_MAX_PACKED]; /* R's avcat */
} sorted_cases;

typedef struct regression_search {
    regression_input in;
    candidates features; /* the owner of F */
    rrf_rng *rng;
    int32_t *drawn; /* p: the candidates of the node, in the order of their draws */
    sorted_cases sorted;
    regression_split best;
} regression_search;

/* The value to beat: R's critvar for the cuts of a feature, critmax for the features. */
typedef struct split_bar {
    double crit;
    int n_ties;
    rrf_rng *draws; /* NULL: RRF, where the first of equal values wins */
} split_bar;

/* Returns whether a cut, or a feature, beats the bar, and updates it. In randomForest a better one draws as if it tied
 * with itself. */
static inline bool beats(split_bar *bar, double crit)
{
    bool better = crit > bar->crit;
    if (!better && !(bar->draws && crit == bar->crit)) {
        return false;
    }
    bar->crit = crit;
    bar->n_ties = better ? 2 : bar->n_ties + 1;
    bool won = bar->draws && rng_uniform(bar->draws) < 1.0 / bar->n_ties;
    return better || won;
}

/* The sums of the responses on both sides of a cut: R's suml, sumr. */
typedef struct cut_sums {
    double left, right;
} cut_sums;

/* Returns the decrease of the sum of squares, computed as in R. */
static inline double cut_decrease(const regression_node *node, cut_sums sum, double left)
{
    double right = node->size - left;
    return (sum.left * sum.left / left) + (sum.right * sum.right / right) - node->parent;
}

rrf_status regression_search_init(regression_search *s, const regression_input *in, const rrf_params *params,
                                  const int32_t *used, rrf_rng *rng, arena *memory);
/* Searches mtry features, and writes the best split to s->best. */
void find_best_split(regression_search *s, const regression_node *node);
/* Returns the coefficient of a feature's decrease. */
double regression_penalty(const regression_input *in, const feature_set *f, int feature);
/* Writes the mean response of each level, by which levels are ordered; 0 for a level without cases. */
void find_level_means(const regression_input *in, const regression_node *node, int feature, double *mean);
/* Sorts the node's cases by a feature, with R's order among equal values. */
void sort_cases(const regression_input *in, const regression_node *node, int feature, sorted_cases *sorted);
/* Searches the gaps between values for the last cut that beats the bar. Returns the position of the case before it; -1:
 * none. */
int scan_gaps(const sorted_cases *sorted, const regression_node *node, double factor, split_bar *bar);
/* Returns the split point in the gap after a case. */
static inline double point_after(const sorted_cases *sorted, int place)
{
    return (sorted->value[place] + sorted->value[place + 1]) / 2.0;
}

static inline bool is_factor(const rrf_data *data, int feature)
{
    return data->ncat[feature] > 1;
}

#endif

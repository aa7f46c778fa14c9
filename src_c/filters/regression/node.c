/* The hooks of the plain core for the nodes of regression. SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "filters/regression/search.h"
#include "filters/switches.h"

/* Range of the responses in which squares neither lose digits near zero nor overflow; outside no margin is valid. */
#define LEAST_RESPONSE 1.0e-100
#define MOST_RESPONSE 1.0e100

/* Half of this is four times the bound on the rounding of both ratios. INFINITY if they cannot be compared: then each
 * cut is evaluated as in R, also with overflowing sums. */
static double find_margin(double largest, double size)
{
    double error = 8.0 * DBL_EPSILON * size * size * largest;
    if (!FILTER_RATIOS || !(largest > LEAST_RESPONSE && largest < MOST_RESPONSE)) {
        return INFINITY;
    }
    return 4.0 * largest * error + 2.0 * error * error;
}

static void draw_features(regression_search *s)
{
    candidates_begin(&s->features);
    for (int turn = 0; turn < s->in.mtry; ++turn) {
        s->drawn[turn] = candidates_next(&s->features, s->rng);
    }
    candidates_end(&s->features);
}

/* Prefetches the memory that the search of the next node will read. */
static void fetch_next(const regression_builder *g, int node)
{
    const tree *t = g->nodes.tree;
    while (++node < t->size && t->status[node] != TO_SPLIT) {}
    if (node < t->size) {
        fetch_ranks(g->ranks, g->filter->rows + g->nodes.start[node], g->filter->n_rows[node]);
    }
}

bool regression_filter_search(regression_builder *g, const regression_node *node)
{
    regression_filter *f = g->filter;
    regression_search *s = &g->search;
    f->margin = find_margin(f->largest, node->size);
    if (!(f->margin < INFINITY)) {
        return false;
    }
    fetch_next(g, node->number);
    f->node.rows = f->rows + g->nodes.start[node->number];
    f->node.size = f->n_rows[node->number];
    for (int i = 0; i < f->node.size; ++i) {
        bag_row row = f->node.rows[i];
        f->node.sums[i] = (case_sum){row.count * row.y, row.count};
    }
    f->now->feature = f->kept->feature = -1;
    f->best = (contender){.feature = -1, .exact = true, .below = -1};
    if (s->in.random_forest) {
        search_forest(f, s, node);
    } else {
        draw_features(s);
        search_regularized(f, s, node);
    }
    s->best.crit = f->best.crit;
    s->best.feature = f->best.feature;
    s->best.point = find_point(&s->in, &f->best);
    if (f->best.feature >= 0 && is_factor(s->in.data, f->best.feature)) {
        find_level_means(&s->in, node, f->best.feature, s->best.level_mean);
    }
    return true;
}

bool regression_filter_mark(regression_builder *g, const regression_node *node)
{
    regression_filter *f = g->filter;
    const contender *best = &f->best;
    uint32_t *rank = f->now->rank;
    double point = g->search.best.point;
    if (!(find_margin(f->largest, node->size) < INFINITY) || best->below < 0) {
        return false;
    }
    /* Between neighbouring doubles the midpoint may be one of them; beyond the largest double it is infinite. */
    if (!(data_value(g->data, best->feature, best->below) <= point &&
          point < data_value(g->data, best->feature, best->above))) {
        return false;
    }
    load_ranks(g->ranks, best->feature, f->node.rows, f->node.size, rank);
    for (int i = 0; i < f->node.size; ++i) {
        g->goes_left[f->node.rows[i].row] = rank[i] <= best->cut_rank;
    }
    return true;
}

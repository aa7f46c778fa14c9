/* The filtered search of regression, randomForest.
 *
 * A cut that beats all cuts before it draws a random number, and so does a cut that equals the best; features do the
 * same. So the position in the stream depends on how often the best was beaten. If no two relevant ratios are closer
 * than the margins, ratios and R's sums give the same order, and these draws decide nothing: then they are skipped.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "filters/regression/search.h"
#include "random/mersenne.h"

typedef struct forest_search {
    regression_filter *filter;
    regression_search *search;
    const regression_node *node;
    double margin; /* of two ratios */
    split_bar bar;
    contender last; /* the feature whose split point is in R's ubestt */
} forest_search;

/* Number of times that the highest ratio is beaten; 0: unknown, or never. */
static int count_records(const layout *l, double parent, double margin, double *highest)
{
    double most = parent;
    int n = 0;
    for (int i = 0; i < l->size - 1; ++i) {
        double ratio = l->ratio[i];
        if (ratio < most - margin) {
            continue;
        }
        if (!(ratio > most + margin)) {
            return 0;
        }
        most = ratio;
        ++n;
    }
    *highest = most;
    return n;
}

/* Returns whether approximate means of levels are so close that R's may be equal, or in the other order. */
static bool means_are_close(const forest_search *s, const layout *l)
{
    double error = 16.0 * DBL_EPSILON * s->node->size * s->filter->largest;
    bool close = false;
    for (int i = 0; i < l->size - 1; ++i) {
        close = close || !(l->mean[l->item[i + 1]] - l->mean[l->item[i]] > error);
    }
    return close;
}

/* Computes exact values of the split that was found by ratios. */
static void settle(forest_search *s, contender *c)
{
    if (c->exact) {
        return;
    }
    contender best = {.feature = -1};
    look_again(s->filter, &s->search->in, s->node, c->feature);
    evaluate_feature(s->filter, s->search, s->node, 1.0, false, &best);
    best.exact = true;
    *c = best;
}

static bool scan_ratios(forest_search *s, contender *c)
{
    const layout *l = s->filter->now;
    double highest;
    bool in_doubt = is_factor(s->search->in.data, c->feature) && means_are_close(s, l);
    int n_records = in_doubt ? 0 : count_records(l, s->node->parent, s->margin, &highest);
    if (n_records == 0) {
        return false;
    }
    rng_pass(s->search->rng, n_records);
    c->crit = highest - s->node->parent;
    s->last = *c;
    return true;
}

/* Evaluates as R does, with its draws. A feature without a cut takes the split point that is in R's variable. */
static void scan_exactly(forest_search *s, contender *c)
{
    regression_search *search = s->search;
    split_bar bar = {.n_ties = 1, .draws = search->rng};
    int cut = scan_gaps(&search->sorted, s->node, 1.0, &bar);
    c->crit = bar.crit;
    c->exact = true;
    c->below = -1;
    if (cut >= 0) {
        c->point = point_after(&search->sorted, cut);
        s->last = *c;
    } else {
        settle(s, &s->last);
        c->point = find_point(&search->in, &s->last);
    }
}

/* Scans a feature. False if it has one value in the node. */
static bool scan_feature(forest_search *s, contender *c)
{
    regression_search *search = s->search;
    look_at_feature(s->filter, &search->in, s->node, c->feature);
    if (is_constant(s->filter->now)) {
        return false;
    }
    if (scan_ratios(s, c)) {
        return true;
    }
    sort_cases(&search->in, s->node, c->feature, &search->sorted);
    if (search->sorted.value[0] >= search->sorted.value[s->node->size - 1]) {
        return false;
    }
    scan_exactly(s, c);
    return true;
}

static void compare(forest_search *s, contender *c)
{
    contender *best = &s->filter->best;
    if (!(c->exact && best->exact) && !(fabs(c->crit - best->crit) > s->margin)) {
        settle(s, c);
        settle(s, best);
    }
    s->bar.crit = best->crit;
    if (beats(&s->bar, c->crit)) {
        *best = *c;
        if (s->filter->now->feature == c->feature) {
            keep_layout(s->filter);
        }
    }
}

void search_forest(regression_filter *f, regression_search *search, const regression_node *node)
{
    forest_search s = {.filter = f,
                       .search = search,
                       .node = node,
                       .margin = 2.0 * f->margin,
                       .bar = {.n_ties = 1, .draws = search->rng},
                       .last = f->best};
    candidates_begin(&search->features);
    for (int turn = 0; turn < search->in.mtry; ++turn) {
        contender c = {.feature = search->drawn[turn] = candidates_next(&search->features, search->rng)};
        if (scan_feature(&s, &c)) {
            compare(&s, &c);
        }
    }
    candidates_end(&search->features);
    settle(&s, &f->best);
}

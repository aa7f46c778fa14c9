/* The best split of a node as randomForest finds it: of equal features, too, draws decide.
 *
 * A feature that does not reach what has been found costs no draw; one that does or beats it costs one. What a feature gains
 * is known up to a margin (forest_scan.c), and exactly where that leaves a doubt.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "engine_r/forest_scan.h"
#include "engine_r/forest_search.h"
#include "random/mersenne.h"

/* The split without the means of levels that it does not have. */
static void copy_split(const regression_search *s, regression_split *to, const regression_split *from)
{
    if (is_factor(s, from->feature)) {
        *to = *from;
    } else {
        memcpy(to, from, offsetof(regression_split, level_mean));
    }
}

/* Finds out exactly what a feature gains that was scanned before the current one. */
static void settle(regression_search *s, const regression_node *node, regression_split *split)
{
    if (!split->exact) {
        regression_split here = s->cuts.here;
        copy_split(s, &s->cuts.here, split);
        s->cuts.laid_out = false;
        forest_settle(s, node);
        copy_split(s, split, &s->cuts.here);
        s->cuts.here = here;
    }
}

/* Whether the current feature gains more or less than the best so far is unknown. */
static bool is_close(const regression_search *s)
{
    const regression_split *here = &s->cuts.here, *best = &s->best;
    return !(here->exact && best->exact) && !(fabs(here->crit - best->crit) > s->cuts.margin);
}

/* The point between the values next to a cut. */
static double point_of(regression_search *s, const regression_node *node, regression_split *split)
{
    if (split->feature < 0) {
        return 0.0;
    }
    if (is_factor(s, split->feature)) {
        settle(s, node, split);
        return (split->level_mean[split->below] + split->level_mean[split->above]) / 2.0;
    }
    const double *x = s->data->x + (size_t)split->feature * (size_t)s->data->n;
    return (x[split->below] + x[split->above]) / 2.0;
}

/* The current feature takes the lead, with whatever point was kept last. */
static void take(regression_search *s, const regression_node *node)
{
    regression_split *here = &s->cuts.here;
    if (here->borrows) {
        here->point = point_of(s, node, &s->cuts.last);
    }
    copy_split(s, &s->best, here);
}

static void compare(regression_search *s, const regression_node *node)
{
    regression_split *here = &s->cuts.here;
    if (is_close(s)) {
        forest_settle(s, node);
        settle(s, node, &s->best);
    }
    if (here->crit > s->best.crit) {
        take(s, node);
        s->cuts.n_ties = 2;
        rng_pass(s->rng, 1);
    } else if (here->crit == s->best.crit) {
        ++s->cuts.n_ties;
        if (rng_uniform(s->rng) < 1.0 / s->cuts.n_ties) {
            take(s, node);
        }
    }
}

void forest_search_node(regression_search *s, regression_node *node)
{
    regression_sum_rows(s, node);
    s->best.feature = s->cuts.last.feature = -1;
    s->best.crit = 0.0;
    s->best.exact = true;
    s->cuts.n_ties = 1;
    forest_scan_begin(s, node);
    candidates_begin(&s->features);
    for (int turn = 0; turn < s->mtry; ++turn) {
        s->drawn[turn] = candidates_next(&s->features, s->rng);
        if (forest_scan(s, node, turn)) {
            if (!s->cuts.here.borrows) {
                copy_split(s, &s->cuts.last, &s->cuts.here);
            }
            compare(s, node);
        }
    }
    candidates_end(&s->features);
    if (s->best.feature >= 0) {
        settle(s, node, &s->best);
    }
}

/* The best split so far, if R's criterion of it is known only up to a margin.
 *
 * Where sums are not exact, R's criterion of a cut takes a look at all rows in R's order. Whole numbers say what it is up to
 * a slack (rounding_bound.h), and most features that lead for a while are beaten by a later one. So a feature's cuts are first
 * compared by whole numbers. R keeps one number, the best criterion so far; each cut that is better takes a draw from the
 * stream that decides nothing, and one that is equal takes a draw that decides. What R does with a cut is certain
 *   - if all it may be worth is less than all the best may be worth: nothing,
 *   - if all it may be worth is more: it becomes the best, and one draw is passed.
 * If every cut of a feature is certain, the best of them leads within a margin, and nothing has been sorted. At the first cut
 * in doubt the feature is given up: the incumbent before it is settled, which finds R's criterion of that one cut, and all cuts
 * of the feature are evaluated as R does. The incumbent at the end of a node is settled, too, because R's criterion goes into
 * the importance.
 *
 * While the margin is not 0, best.crit is the least that the best split may be worth. A filter that rules out
 * what cannot equal it thus still drops nothing that R takes or draws for.
 *
 * The criterion in whole numbers, coefReg's product and the comparisons are rounded by less than 10 u N in all, which is no
 * more than 5 u N^2; of the slack at least 18 u N^2 are not used up by R's errors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_INCUMBENT_H
#define RRF_INCUMBENT_H

#include "filters/state.h"

/* Called before the cuts of a feature are compared. With ranks that equal values do not share there are cuts that R
 * does not evaluate; and a coefficient below 0 reverses the order of the cuts. */
static inline void incumbent_begin(const scan *c)
{
    split_incumbent *i = &c->own->incumbent;
    i->compares = FILTER_INCUMBENT && c->in->rule->pass_better && c->read->like_r && c->column.inverse > 0.0;
    i->before = c->bar->best;
    i->margin_before = i->margin;
    i->n_better = 0;
}

/* Compares a cut with the best. crit: its criterion in whole numbers; R's may differ by up to `slack`. */
typedef enum incumbent_answer { INCUMBENT_STAYS, INCUMBENT_BEATEN, INCUMBENT_UNSURE } incumbent_answer;

static inline incumbent_answer incumbent_compare(const scan *c, double crit, double slack, uint32_t cut_rank)
{
    split_incumbent *i = &c->own->incumbent;
    split *best = &c->bar->best;
    double worth = penalized(c->column.factor, crit - c->node->offset), half = c->column.factor * slack;
    /* The sums are so near R's that R, too, considers neither daughter empty. */
    bool near = i->compares && slack < 0.25 * c->node->weight;
    if (near && worth + half < best->crit) {
        return INCUMBENT_STAYS;
    }
    if (!near || !(worth - half > best->crit + i->margin)) {
        return INCUMBENT_UNSURE;
    }
    best->crit = worth - half;
    best->feature = c->column.feature;
    best->cut_rank = cut_rank;
    i->margin = 2.0 * half;
    ++i->n_better;
    return INCUMBENT_BEATEN;
}

/* All cuts of the feature were certain: stores the best of them, if one leads. */
void incumbent_take(const scan *c);
/* A cut was in doubt: restores the state before the feature, with R's criterion of the best split. */
void incumbent_give_up(const scan *c);
/* Computes R's criterion of the best split. */
void incumbent_settle(splitter *s, const node_view *node);

#endif

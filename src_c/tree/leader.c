/* The best split so far, up to a margin. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/leader.h"
#include "tree/row_order.h"

void leader_take(splitter *s)
{
    if (s->leader.n_better > 0) {
        s->leader.factor = s->factor;
        s->rule->pass_better(s->rule_own, s->leader.n_better);
    }
}

void leader_settle(splitter *s, const node_view *node)
{
    if (s->leader.margin > 0.0) {
        split *best = &s->best;
        sort_rows(s, node, best->feature);
        double crit = s->in->criterion->of_cut(s, node, best->feature, best->cut_rank);
        best->crit = penalized(s->leader.factor, crit - node->offset);
        s->leader.margin = 0.0;
    }
}

void leader_give_up(splitter *s, const node_view *node)
{
    s->best = s->leader.before;
    s->leader.margin = s->leader.margin_before;
    leader_settle(s, node);
}

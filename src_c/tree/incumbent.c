/* The best split so far, up to a margin. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/incumbent.h"
#include "tree/row_order.h"

void incumbent_take(splitter *s)
{
    if (s->incumbent.n_better > 0) {
        s->incumbent.factor = s->factor;
        s->rule->pass_better(s->rule_own, s->incumbent.n_better);
    }
}

void incumbent_settle(splitter *s, const node_view *node)
{
    if (s->incumbent.margin > 0.0) {
        split *best = &s->best;
        sort_rows(s, node, best->feature);
        double crit = s->in->criterion->impurity_of_cut(s, node, best->feature, best->cut_rank);
        best->crit = penalized(s->incumbent.factor, crit - node->offset);
        s->incumbent.margin = 0.0;
    }
}

void incumbent_give_up(splitter *s, const node_view *node)
{
    s->best = s->incumbent.before;
    s->incumbent.margin = s->incumbent.margin_before;
    incumbent_settle(s, node);
}

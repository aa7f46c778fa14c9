/* The best split so far, up to a margin. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/counts/incumbent.h"
#include "tree/row_order.h"

void incumbent_take(const scan *c)
{
    split_incumbent *i = &c->own->incumbent;
    if (i->n_better > 0) {
        i->factor = c->column.factor;
        c->in->rule->pass_better(c->bar->own, i->n_better);
    }
}

static bool keep_worth(void *own, split *best, const column *c, double worth, uint32_t cut_rank)
{
    (void)own, (void)c, (void)cut_rank;
    best->crit = worth;
    return true;
}

static const rule one_cut = {.offer_cut = keep_worth};

/* Scans this cut alone by the criterion's own function. */
void incumbent_settle(splitter *s, const node_view *node)
{
    split_incumbent *i = &s->filter->incumbent;
    split *best = &s->bar.best;
    if (!(i->margin > 0.0)) {
        return;
    }
    int last = 0;
    sort_rows(s, node, best->feature);
    while (last < node->size && rank_of(s->in->ranks, best->feature, s->sorted[last]) <= best->cut_rank) {
        ++last;
    }
    bar alone = {.rule = &one_cut};
    column c = {.feature = best->feature, .factor = i->factor};
    row_order order = {s->sorted, last - 1, last - 1};
    s->in->criterion->scan(s->in, node, &c, &order, s->class_sums, &alone);
    best->crit = alone.best.crit;
    i->margin = 0.0;
}

void incumbent_give_up(const scan *c)
{
    c->bar->best = c->own->incumbent.before;
    c->own->incumbent.margin = c->own->incumbent.margin_before;
    incumbent_settle(c->own->splitter, c->node);
}

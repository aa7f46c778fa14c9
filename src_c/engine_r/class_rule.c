/* R's rule of classification trees. SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_r/class_rule.h"
#include "filters.h"
#include "params.h"
#include "random/drawn_sets.h"
#include "random/reservoir.h"
#include "tree/splitter.h"

rrf_status class_rule_init(class_rule *own, builder *g, const rrf_params *params, const int32_t *used, double *decrease,
                           rrf_rng *rng, arena *memory)
{
    *own = (class_rule){.splitter = &g->splitter, .rng = rng, .ties = ties_of(params), .decrease = decrease};
    return candidates_init(&own->features, g->data->p, params, used, memory);
}

/* In a regularized forest the candidates of every node include F. */
static rrf_status begin_tree(void *context)
{
    class_rule *own = context;
    const feature_set *f = &own->features.f;
    return ASK(begin_tree, RRF_OK, own->splitter, own->features.members_join ? f->members : NULL, f->size);
}

static void view_node(const void *context, node_view *view)
{
    (void)context, (void)view;
}

static bool at_bottom(const void *context, int node)
{
    (void)context, (void)node;
    return false;
}

/* R's findbestsplit. */
static rrf_status search(void *context, const node_view *view)
{
    class_rule *own = context;
    splitter *s = own->splitter;
    candidates *features = &own->features;
    rrf_status status = watch_work(s->watch, s->in->data->p);
    splitter_begin_node(s, view);
    TELL(begin_members, s, view);
    candidates_begin(features);
    for (int feature; !status && (feature = candidates_next(features, own->rng)) >= 0;) {
        int next = s->in->fetches ? candidates_peek(features, own->rng) : -1;
        if (next >= 0) {
            TELL(fetch, s, view, next);
        }
        own->ntie = 1;
        splitter_try(s, view, feature, features->f.has[feature]);
        status = watch_work(s->watch, view->size);
    }
    TELL(settle, s, view);
    candidates_end(features);
    return status;
}

static void record(void *context, const split *best, int node, int left, double decrease)
{
    class_rule *own = context;
    const feature_set *f = &own->features.f;
    int feature = best->feature, before = f->size;
    (void)node, (void)left;
    candidates_enter(&own->features, feature);
    for (int i = before; i < f->size; ++i) {
        TELL(member_enters, own->splitter, f->members[i]);
    }
    own->decrease[feature] += decrease;
}

/* CRAN's packages also draw for a leading class without cases. */
static int leaf_class(void *context, int node, const double *class_weight)
{
    class_rule *own = context;
    reservoir tie = {.most = 0.0, .ntie = 1};
    int winner = -1;
    (void)node;
    for (int k = 0; k < own->splitter->in->nclass; ++k) {
        if (reservoir_takes(&tie, class_weight[k], own->ties, own->rng, reservoir_draw)) {
            winner = k;
        }
    }
    return winner;
}

static bool offer_cut(void *context, split *best, const column *c, double worth, uint32_t cut_rank)
{
    class_rule *own = context;
    reservoir tie = {best->crit, own->ntie, best->feature >= 0};
    bool better = worth > best->crit;
    if (reservoir_takes(&tie, worth, own->ties, own->rng, reservoir_draw)) {
        best->crit = worth;
        best->feature = c->feature;
        best->cut_rank = cut_rank;
    }
    own->ntie = tie.ntie;
    return better;
}

/* For a better cut R also draws, as if it tied with itself. */
static void pass_better(void *context, int n_cuts)
{
    class_rule *own = context;
    if (own->ties != RRF_TIES_INTENDED) {
        rng_pass(own->rng, n_cuts);
    }
}

/* The first of equal sets of levels wins. */
static bool offer_levels(void *context, split *best, const column *c, double worth, uint64_t levels)
{
    bool better = worth > best->crit;
    (void)context;
    if (better) {
        *best = (split){.crit = worth, .feature = c->feature, .levels = levels};
    }
    return better;
}

static void draw_sets(void *context, int n_sets, int n_levels, uint32_t *sets)
{
    class_rule *own = context;
    rng_draw_sets(own->rng, n_sets, n_levels, sets);
}

static void draw_wide_sets(void *context, int n_sets, int n_levels, uint64_t *sets)
{
    class_rule *own = context;
    rng_draw_wide_sets(own->rng, n_sets, n_levels, sets);
}

static uint32_t name_levels(uint32_t levels, uint32_t present)
{
    (void)present;
    return levels;
}

static double split_point(double below, double above)
{
    return 0.5 * (below + above);
}

const rule class_rule_table = {.leaves_sorted = true,
                               .begin_tree = begin_tree,
                               .view = view_node,
                               .search = search,
                               .record = record,
                               .at_bottom = at_bottom,
                               .leaf_class = leaf_class,
                               .offer_cut = offer_cut,
                               .pass_better = pass_better,
                               .offer_levels = offer_levels,
                               .draw_sets = draw_sets,
                               .draw_wide_sets = draw_wide_sets,
                               .name_levels = name_levels,
                               .split_point = split_point};

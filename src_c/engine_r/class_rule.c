/* R's rule of classification trees. SPDX-License-Identifier: GPL-2.0-or-later */
#include "params.h"
#include "engine_r/class_rule.h"
#include "random/drawn_sets.h"
#include "random/reservoir.h"
#include "tree/lanes.h"
#include "tree/incumbent.h"
#include "tree/splitter.h"

/* The ranks of so many bytes stay in the processor's cache; to fetch them takes longer than to wait for them. */
enum { MAX_CACHED = 1 << 21 };

static bool ranks_are_far(const rrf_ranks *ranks)
{
    return (size_t)ranks->n * (size_t)ranks->p * rank_width(ranks) > MAX_CACHED;
}

rrf_status class_rule_init(class_rule *own, builder *g, const rrf_params *params, const int32_t *used, double *decrease,
                           rrf_rng *rng, arena *memory)
{
    *own = (class_rule){.splitter = &g->splitter,
                        .sorted_rows = &g->input.sorted_rows,
                        .rng = rng,
                        .ties = ties_of(params),
                        .fetches = ranks_are_far(g->ranks),
                        .decrease = decrease};
    return candidates_init(&own->features, g->data->p, params, used, memory);
}

rrf_status class_rule_lookahead(class_rule *own, const builder *g, int n_jobs, arena *memory)
{
    return lookahead_init(&own->lookahead, g, &own->features.f, n_jobs, memory);
}

void class_rule_end(class_rule *own)
{
    lookahead_end(&own->lookahead);
}

void class_rule_end_tree(class_rule *own)
{
    lookahead_end_tree(&own->lookahead);
}

/* In a regularized forest every node looks at F, so the rows are kept sorted by its features. */
static rrf_status begin_tree(void *context)
{
    class_rule *own = context;
    splitter *s = own->splitter;
    const feature_set *f = &own->features.f;
    int n_lists = own->features.members_join ? f->size : 0;
    rrf_status status = sorted_rows_begin(own->sorted_rows, f->members, n_lists, s->in->bag->size, s->watch);
    if (!status) {
        s->listed = sorted_rows_fill(own->sorted_rows, s->in->payload);
        status = lanes_begin_tree(s, f->members, n_lists);
    }
    return status ? status : lookahead_begin_tree(&own->lookahead);
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

/* Prefetches the ranks of the feature that is likely to be next; its column may be far away in memory. */
static void fetch_ahead(const class_rule *own, const node_view *view)
{
    int feature = candidates_peek(&own->features, own->rng);
    if (feature >= 0 && !lanes_serve(own->splitter, view, feature)) {
        const search_input *in = own->splitter->in;
        __builtin_prefetch(in->profile + feature);
        (ranks_are_few(in->ranks, feature) ? few_values_fetch : ranks_fetch)(in->ranks, feature);
    }
}

/* Whether it is known that the feature cannot equal the best split so far. */
static bool passes_over(const class_rule *own, lookahead_node *known, int feature)
{
    if (!own->features.f.has[feature]) {
        return false;
    }
    bool out = lookahead_rules_out(known, feature, own->splitter->best.crit);
    lookahead_skip(known, feature);
    return out;
}

/* R's findbestsplit. */
static rrf_status search(void *context, const node_view *view)
{
    class_rule *own = context;
    splitter *s = own->splitter;
    int feature;
    rrf_status status = watch_work(s->watch, s->in->data->p);
    lookahead_node *known = lookahead_enter(&own->lookahead, view->number);
    splitter_begin_node(s, view);
    lanes_begin_node(s, view);
    candidates_begin(&own->features);
    while (!status && (feature = candidates_next(&own->features, own->rng)) >= 0) {
        if (own->fetches) {
            fetch_ahead(own, view);
        }
        if (!known || !passes_over(own, known, feature)) {
            own->ntie = 1;
            splitter_try(s, view, feature, own->features.f.has[feature]);
            status = watch_work(s->watch, view->size);
        }
    }
    incumbent_settle(s, view);
    candidates_end(&own->features);
    lookahead_leave(&own->lookahead, known);
    return status;
}

static void record(void *context, int node, int left, double decrease)
{
    class_rule *own = context;
    const feature_set *f = &own->features.f;
    int feature = own->splitter->best.feature, before = f->size;
    (void)node, (void)left;
    candidates_enter(&own->features, feature);
    for (int i = before; i < f->size; ++i) {
        lanes_add(own->splitter, f->members[i]);
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

static bool offer_cut(void *context, double worth, int feature, uint32_t cut_rank)
{
    class_rule *own = context;
    split *best = &own->splitter->best;
    reservoir tie = {best->crit, own->ntie, best->feature >= 0};
    bool better = worth > best->crit;
    if (reservoir_takes(&tie, worth, own->ties, own->rng, reservoir_draw)) {
        best->crit = worth;
        best->feature = feature;
        best->cut_rank = cut_rank;
    }
    own->ntie = tie.ntie;
    return better;
}

/* R draws for a cut that is better as if it tied with itself. */
static void pass_better(void *context, int n_cuts)
{
    class_rule *own = context;
    if (own->ties != RRF_TIES_INTENDED) {
        rng_pass(own->rng, n_cuts);
    }
}

/* Of equal sets of levels the first one wins. */
static bool offer_levels(void *context, double worth, int feature, uint64_t levels)
{
    class_rule *own = context;
    bool better = worth > own->splitter->best.crit;
    if (better) {
        own->splitter->best = (split){.crit = worth, .feature = feature, .levels = levels};
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

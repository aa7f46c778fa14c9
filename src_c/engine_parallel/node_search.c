/* The rule of the parallel engine: at a node all features in F and up to mtry others, drawn one by one; or mtry of all
 * features.
 *
 * A node's draws come from its own stream, and among equal splits hashes decide (node_ties.h), so a node's answer depends
 * on its rows, its key and F alone. When a tree has to be grown again because F has grown meanwhile, nodes whose rows are the same
 * are compared with what won then (regrow.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "filters.h"
#include "engine_parallel/node_draws.h"
#include "engine_parallel/node_ties.h"
#include "engine_parallel/regrow.h"
#include "random/priority.h"
#include "tree/lanes.h"
#include "tree/splitter.h"

/* Which numbers of a key are for what. */
#define LEFT_KEY 0xa0761d6478bd642fU
#define RIGHT_KEY 0xe7037ed1a0b428dbU
#define CLASS_KEY 0x8ebc6af09c88c6e3U

rrf_status node_search_init(node_search *s, builder *g, const rrf_params *params, const rrf_parallel_params *parallel,
                            arena *memory)
{
    int p = g->data->p;
    *s = (node_search){.splitter = &g->splitter,
                       .sorted_rows = &g->input.sorted_rows,
                       .parallel = parallel,
                       .p = p,
                       .mtry = params->mtry,
                       .members_join = params->flag_reg == 1 && !parallel->draw_from_all,
                       .first_wins = g->criterion->predict != NULL || parallel->ties_first,
                       .lowest_wins = parallel->ties_first,
                       .seed = parallel->seed};
    TAKE(memory, s->known_at, p);
    TAKE_ZEROS(memory, s->drawn, p);
    TAKE(memory, s->list, p);
    TAKE(memory, s->most, p);
    TAKE(memory, s->brought_in_at, p);
    TAKE(memory, s->brought_in, p);
    for (int feature = 0; !arena_status(memory) && feature < p; ++feature) {
        s->known_at[feature] = s->brought_in_at[feature] = INT32_MAX;
    }
    return feature_set_init(&s->f, p, params->feature_group, memory);
}

/* ---- F --------------------------------------------------------------------------------------------------------------- */

/* Known members come first; one that the tree itself has added moves up. */
static void make_known(node_search *s, int feature)
{
    int32_t *members = s->f.members;
    int at = s->n_known, from = at;
    if (feature_set_add(&s->f, feature)) {
        from = s->f.size - 1;
    } else {
        while (members[from] != feature) {
            ++from;
        }
    }
    members[from] = members[at];
    members[at] = feature;
    s->known_at[feature] = s->n_known++;
}

void node_search_learn(node_search *s, const int32_t *members, int n_members)
{
    while (s->n_known < n_members) {
        make_known(s, members[s->n_known]);
    }
}

/* A tree that takes over what others have added in the meantime has less to be grown again. */
static void catch_up(node_search *s)
{
    if (s->n_shared) {
        node_search_learn(s, s->shared, atomic_load_explicit(s->n_shared, memory_order_acquire));
    }
}

void node_search_forget(node_search *s)
{
    for (int i = 0; i < s->n_known; ++i) {
        s->known_at[s->f.members[i]] = INT32_MAX;
    }
    s->n_known = 0;
    feature_set_cut(&s->f, 0);
}

/* ---- a tree ---------------------------------------------------------------------------------------------------------- */

static void begin_node(node_search *s, int node, uint64_t key, int depth, int hint, bool sorted)
{
    s->nodes[node] =
        (parallel_node){.key = key, .depth = depth, .hint = hint, .sorted = sorted, .best = {.feature = -1}};
}

void node_search_begin_tree(node_search *s, uint64_t stream, parallel_node *nodes, attempt earlier)
{
    s->nodes = nodes;
    s->earlier = earlier;
    s->n_searched = 0;
    s->changed = false;
    begin_node(s, 0, splitmix_word(splitmix_word(s->seed, 1), stream), 0, earlier.nodes ? 0 : -1, false);
    if (earlier.nodes) {
        regrow_begin(s);
    }
    sorted_rows_end(s->sorted_rows);
}

void node_search_end_tree(node_search *s)
{
    feature_set_cut(&s->f, s->n_known);
    if (s->earlier.nodes) {
        regrow_end(s);
    }
    s->earlier = (attempt){0};
}

/* Sorted lists are made node by node; node_search_begin_tree has ended those of the tree before. */
static rrf_status begin_tree(void *own)
{
    node_search *s = own;
    return s->members_join ? lanes_begin_tree(s->splitter, s->f.members, s->f.size) : RRF_OK;
}

/* ---- a node ---------------------------------------------------------------------------------------------------------- */

static void view_node(const void *own, node_view *view)
{
    const node_search *s = own;
    view->key = s->nodes[view->number].key;
    view->depth = s->nodes[view->number].depth;
}

static bool at_bottom(const void *own, int node)
{
    const node_search *s = own;
    return s->parallel->max_depth > 0 && s->nodes[node].depth >= s->parallel->max_depth;
}

/* The features that get sorted lists. Where not all of F does, they are the known members of the lowest numbers: the same ones
 * from tree to tree, since each asks for the order of its column. */
static const int32_t *choose_sorted(node_search *s, int n_rows, int *n)
{
    bool expects = s->n_known == 0 && s->expected;
    int wanted = expects ? s->p : s->n_known;
    *n = sorted_rows_most(n_rows, wanted);
    if (expects || *n == wanted) {
        return expects ? s->expected : s->f.members;
    }
    for (int feature = 0, at = 0; at < *n; ++feature) {
        s->list[at] = feature;
        at += s->known_at[feature] < INT32_MAX;
    }
    return s->list;
}

/* Sorted lists begin where a tree, or a part of it, is searched in full. */
static rrf_status begin_sorted_rows(node_search *s, parallel_node *node, const node_view *view)
{
    splitter *sp = s->splitter;
    int n_rows = sp->in->bag->size;
    rrf_status status = RRF_OK;
    if (node->sorted || !s->members_join) {
        return status;
    }
    if (s->sorted_rows->n_lists == 0) {
        int n;
        const int32_t *features = choose_sorted(s, n_rows, &n);
        status = sorted_rows_begin(s->sorted_rows, features, n, n_rows, sp->watch);
    }
    sp->listed = node->sorted = !status && sorted_rows_fill_node(s->sorted_rows, view->rows, view->start, view->size,
                                                                 sp->in->payload, sp->scratch.slot);
    return status;
}

/* The gain is found in a search of its own, which leaves the one that counts as it is. */
static rrf_status evaluate(node_search *s, const node_view *view, int feature)
{
    if (s->gains.out) {
        gains_add(&s->gains, feature, splitter_gain(s->splitter, view, feature));
    }
    ties_begin_feature(s);
    splitter_try(s->splitter, view, feature, s->f.has[feature]);
    ties_end_feature(s);
    return watch_work(s->splitter->watch, s->gains.out ? 2 * (int64_t)view->size : view->size);
}

/* Drops features from the list of which another one's bounds say that they can neither win nor be equal. */
static rrf_status drop_hopeless(node_search *s, const node_view *view, int *n_listed)
{
    double least = s->splitter->best.feature < 0 ? -INFINITY : s->splitter->best.crit;
    rrf_status status = RRF_OK;
    int n = 0;
    for (int i = 0; !status && i < *n_listed; ++i) {
        int feature = s->list[i];
        gain_bounds bounds = splitter_bounds(s->splitter, view, feature, s->f.has[feature]);
        s->most[i] = bounds.most;
        least = bounds.least > least ? bounds.least : least;
        status = watch_work(s->splitter->watch, view->size);
    }
    for (int i = 0; !status && i < *n_listed; ++i) {
        s->list[n] = s->list[i];
        n += s->most[i] >= least;
    }
    *n_listed = n;
    return status;
}

static rrf_status evaluate_list(node_search *s, const node_view *view, int n_listed)
{
    bool bounded = !s->gains.out && splitter_can_bound(s->splitter);
    rrf_status status = bounded ? drop_hopeless(s, view, &n_listed) : RRF_OK;
    for (int i = 0; !status && i < n_listed; ++i) {
        status = evaluate(s, view, s->list[i]);
    }
    return status;
}

/* Looks at everything that the node draws. */
static rrf_status search_in_full(node_search *s, const node_view *view)
{
    splitter_begin_node(s->splitter, view);
    lanes_begin_node(s->splitter, view);
    rrf_status status = evaluate_list(s, view, draws_list(s, view->key));
    int feature = 0;
    while (!status && s->parallel->draw_until_split && s->splitter->best.feature < 0 && feature >= 0) {
        feature = draws_more(s);
        status = feature < 0 ? RRF_OK : evaluate(s, view, feature);
    }
    if (!status && s->gains.out) {
        status = gains_end_node(&s->gains, view->number);
    }
    return status;
}

static bool same_split(const split *a, const split *b)
{
    return a->feature == b->feature && (a->feature < 0 || (a->cut_rank == b->cut_rank && a->levels == b->levels &&
                                                           a->missing_left == b->missing_left));
}

static rrf_status search(void *own, const node_view *view)
{
    node_search *s = own;
    parallel_node *node = s->nodes + view->number;
    split *best = &s->splitter->best;
    rrf_status status = RRF_OK;
    catch_up(s);
    s->key = node->key;
    s->splitter->listed = node->sorted;
    int n = !FILTER_REGROW || node->hint < 0 ? -1 : regrow_list(s, node->key, node->hint);
    if (n >= 0) {
        *best = s->earlier.nodes[node->hint].best;
        status = evaluate_list(s, view, n);
    } else {
        node->hint = -1;
        ++s->n_searched;
        s->changed = true;
        status = begin_sorted_rows(s, node, view);
        status = status ? status : search_in_full(s, view);
    }
    if (node->hint >= 0 && !same_split(best, &s->earlier.nodes[node->hint].best)) {
        node->hint = -1;
        s->changed = true;
    }
    node->best = *best;
    node->n_known = s->n_known;
    node->searched = true;
    return status;
}

static void enter_f(node_search *s, int feature)
{
    int before = s->f.size;
    feature_set_enter(&s->f, feature);
    for (int i = before; s->members_join && i < s->f.size; ++i) {
        lanes_add(s->splitter, s->f.members[i]);
        draws_without(s, s->f.members[i]);
    }
}

static void record(void *own, int number, int left, double decrease)
{
    node_search *s = own;
    parallel_node *node = s->nodes + number;
    bool same = node->hint >= 0;
    int hint = same ? s->earlier.nodes[node->hint].left : -1;
    node->left = left;
    node->decrease = decrease;
    enter_f(s, node->best.feature);
    begin_node(s, left, splitmix_mix(node->key ^ LEFT_KEY), node->depth + 1, hint, node->sorted);
    begin_node(s, left + 1, splitmix_mix(node->key ^ RIGHT_KEY), node->depth + 1, same ? hint + 1 : -1, node->sorted);
}

static int leaf_class(void *own, int node, const double *class_weight)
{
    const node_search *s = own;
    uint64_t key = s->nodes[node].key ^ CLASS_KEY;
    lead lead = {.most = -INFINITY};
    int winner = 0;
    for (int k = 0; k < s->splitter->in->nclass; ++k) {
        uint64_t priority = s->lowest_wins ? ~(uint64_t)k : splitmix_word(key, (uint64_t)k);
        if (priority_takes(&lead, class_weight[k], priority)) {
            winner = k;
        }
    }
    return winner;
}

/* ---- splits ---------------------------------------------------------------------------------------------------------- */

/* Each way of parting the levels present has one name. Absent ones go right, with the last level present: where R tries
 * every subset it takes the same among equal ones. */
static uint32_t name_levels(uint32_t levels, uint32_t present)
{
    uint32_t last = (uint32_t)1 << (31 - __builtin_clz(present));
    return levels & last ? present & ~levels : present & levels;
}

static bool offer_levels(void *own, double worth, int feature, uint64_t levels)
{
    return ties_offer(own, worth, feature, (uint32_t)levels);
}

/* Half-way between two neighbours, and always left of the right one: between neighbouring doubles the middle may round to
 * either. Missing values alone lie right of every number. */
static double split_point(double below, double above)
{
    double point = 0.5 * (below + above);
    if (isnan(above)) {
        return INFINITY;
    }
    point = isfinite(point) ? point : 0.5 * below + 0.5 * above;
    return point < above ? point : below;
}

const rule hashed_rule = {.orders_two_classes = true,
                          .orders_many_levels = true,
                          .unites_mirrored = true,
                          .only_best_counts = true,
                          .begin_tree = begin_tree,
                          .view = view_node,
                          .search = search,
                          .record = record,
                          .at_bottom = at_bottom,
                          .leaf_class = leaf_class,
                          .offer_cut = ties_offer,
                          .offer_levels = offer_levels,
                          .name_levels = name_levels,
                          .split_point = split_point};

/* The rule of the parallel engine: at a node all features in F and up to mtry others, drawn one by one; or mtry of all
 * features.
 *
 * A node's draws come from its own stream, and among equal splits hashes decide (node_ties.h), so a node's answer depends
 * on its rows, its key and F alone. When a tree has to be grown again because F has grown meanwhile, nodes whose rows are the
 * same may be compared with what won then (filters/).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "engine_parallel/node_search.h"
#include "filters.h"
#include "random/priority.h"
#include "random/splitmix.h"
#include "tree/splitter.h"

/* The use of the numbers of a key's stream. */
#define LEFT_KEY 0xa0761d6478bd642fU
#define RIGHT_KEY 0xe7037ed1a0b428dbU
#define CLASS_KEY 0x8ebc6af09c88c6e3U

rrf_status node_search_init(node_search *s, builder *g, const rrf_params *params, const rrf_parallel_params *parallel,
                            arena *memory)
{
    int p = g->data->p;
    bool members_join = params->flag_reg == 1 && !parallel->draw_from_all;
    *s = (node_search){.splitter = &g->splitter, .parallel = parallel, .seed = parallel->seed};
    s->draws = (node_draws){
        .p = p, .mtry = params->mtry, .members_join = members_join, .f = &s->known.f, .splitter = &g->splitter};
    s->ties = (node_ties){.draws = &s->draws,
                          .first_wins = g->criterion->predict != NULL || parallel->ties_first,
                          .lowest_wins = parallel->ties_first};
    TAKE(memory, s->known.known_at, p);
    TAKE_ZEROS(memory, s->draws.drawn, p);
    TAKE(memory, s->list, p);
    for (int feature = 0; !arena_status(memory) && feature < p; ++feature) {
        s->known.known_at[feature] = INT32_MAX;
    }
    rrf_status status = feature_set_init(&s->known.f, p, params->feature_group, memory);
    return status ? status : ASK(regrow_init, RRF_OK, s, memory);
}

/* ---- F --------------------------------------------------------------------------------------------------------------- */

/* Known members come first; a feature that the tree itself has added moves there when it becomes known. */
static void make_known(known_features *k, int feature)
{
    int32_t *members = k->f.members;
    int at = k->n_known, from = at;
    if (feature_set_add(&k->f, feature)) {
        from = k->f.size - 1;
    } else {
        while (members[from] != feature) {
            ++from;
        }
    }
    members[from] = members[at];
    members[at] = feature;
    k->known_at[feature] = k->n_known++;
}

void known_learn(known_features *k, const int32_t *members, int n_members)
{
    while (k->n_known < n_members) {
        make_known(k, members[k->n_known]);
    }
}

/* A tree that takes over members of F that other trees have added meanwhile needs less regrowing. */
static void catch_up(known_features *k)
{
    if (k->n_shared) {
        known_learn(k, k->shared, atomic_load_explicit(k->n_shared, memory_order_acquire));
    }
}

void known_forget(known_features *k)
{
    for (int i = 0; i < k->n_known; ++i) {
        k->known_at[k->f.members[i]] = INT32_MAX;
    }
    k->n_known = 0;
    feature_set_cut(&k->f, 0);
}

/* ---- a tree ---------------------------------------------------------------------------------------------------------- */

static parallel_node new_node(uint64_t key, int depth, int hint)
{
    return (parallel_node){.key = key, .depth = depth, .hint = hint, .best = {.feature = -1}};
}

void node_search_begin_tree(node_search *s, uint64_t stream, parallel_node *nodes, attempt earlier)
{
    s->tree = (tree_in_work){.nodes = nodes, .earlier = earlier};
    nodes[0] = new_node(splitmix_word(splitmix_word(s->seed, 1), stream), 0, earlier.nodes ? 0 : -1);
    TELL(regrow_begin, s);
}

void node_search_end_tree(node_search *s)
{
    feature_set_cut(&s->known.f, s->known.n_known);
    TELL(regrow_end, s);
    s->tree.earlier = (attempt){0};
}

static rrf_status begin_tree(void *own)
{
    node_search *s = own;
    return ASK(begin_tree, RRF_OK, s->splitter, s->draws.members_join ? s->known.f.members : NULL, s->known.f.size);
}

/* ---- a node ---------------------------------------------------------------------------------------------------------- */

static const parallel_node *node_of(const void *own, int node)
{
    return ((const node_search *)own)->tree.nodes + node;
}

static void view_node(const void *own, node_view *view)
{
    const parallel_node *node = node_of(own, view->number);
    view->key = node->key;
    view->depth = node->depth;
}

static bool at_bottom(const void *own, int node)
{
    int most = ((const node_search *)own)->parallel->max_depth;
    return most > 0 && node_of(own, node)->depth >= most;
}

/* The gain is found by a separate search, which does not affect the best split. */
static rrf_status evaluate(node_search *s, const node_view *view, int feature)
{
    splitter *splitter = s->splitter;
    if (s->gains.out) {
        gains_add(&s->gains, feature, splitter_gain(splitter, view, feature));
    }
    ties_begin_feature(&s->ties, &splitter->bar.best);
    splitter_try(splitter, view, feature, s->known.f.has[feature]);
    ties_end_feature(&s->ties, &splitter->bar.best);
    return watch_work(splitter->watch, s->gains.out ? 2 * (int64_t)view->size : view->size);
}

static rrf_status evaluate_list(node_search *s, const node_view *view, int n_listed)
{
    rrf_status status =
        s->gains.out ? RRF_OK : ASK(shortlist, RRF_OK, s->splitter, view, &s->known.f, s->list, &n_listed);
    for (int i = 0; !status && i < n_listed; ++i) {
        status = evaluate(s, view, s->list[i]);
    }
    return status;
}

/* Passes the members of F that are known, or expected, to the filters. */
static rrf_status list_members(node_search *s, const node_view *view)
{
    const known_features *k = &s->known;
    bool expects = k->n_known == 0 && k->expected;
    return ASK(list_node, RRF_OK, s->splitter, view, expects ? k->expected : k->f.members,
               expects ? k->f.p : k->n_known);
}

/* Evaluates all candidates of the node. */
static rrf_status search_in_full(node_search *s, const node_view *view)
{
    const split *best = &s->splitter->bar.best;
    splitter_begin_node(s->splitter, view);
    rrf_status status = s->draws.members_join ? list_members(s, view) : RRF_OK;
    TELL(begin_members, s->splitter, view);
    status = status ? status : evaluate_list(s, view, draws_list(&s->draws, view->key, s->list));
    int feature = 0;
    while (!status && s->parallel->draw_until_split && best->feature < 0 && feature >= 0) {
        feature = draws_more(&s->draws);
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
    tree_in_work *t = &s->tree;
    parallel_node *node = t->nodes + view->number;
    const split *then = node->hint < 0 ? NULL : &t->earlier.nodes[node->hint].best;
    split *best = &s->splitter->bar.best;
    rrf_status status = RRF_OK;
    int n_listed = 0;
    catch_up(&s->known);
    s->ties.key = node->key;
    if (then && ASK(regrow_list, false, s, node->key, node->hint, &n_listed)) {
        splitter_begin_node(s->splitter, view);
        *best = *then;
        status = evaluate_list(s, view, n_listed);
    } else {
        then = NULL;
        ++t->n_searched;
        status = search_in_full(s, view);
    }
    if (!then || !same_split(best, then)) {
        node->hint = -1;
        t->changed = true;
    }
    node->best = *best;
    node->n_known = s->known.n_known;
    node->searched = true;
    return status;
}

static void enter_f(node_search *s, int feature)
{
    feature_set *f = &s->known.f;
    int before = f->size;
    feature_set_enter(f, feature);
    for (int i = before; s->draws.members_join && i < f->size; ++i) {
        TELL(member_enters, s->splitter, f->members[i]);
        draws_without(&s->draws, f->members[i]);
    }
}

static void record(void *own, const split *best, int number, int left, double decrease)
{
    node_search *s = own;
    parallel_node *nodes = s->tree.nodes, *node = nodes + number;
    bool same = node->hint >= 0;
    int hint = same ? s->tree.earlier.nodes[node->hint].left : -1;
    node->left = left;
    node->decrease = decrease;
    enter_f(s, best->feature);
    nodes[left] = new_node(splitmix_mix(node->key ^ LEFT_KEY), node->depth + 1, hint);
    nodes[left + 1] = new_node(splitmix_mix(node->key ^ RIGHT_KEY), node->depth + 1, same ? hint + 1 : -1);
}

static int leaf_class(void *own, int node, const double *class_weight)
{
    const node_search *s = own;
    uint64_t key = node_of(own, node)->key ^ CLASS_KEY;
    lead lead = {.most = -INFINITY};
    int winner = 0;
    for (int k = 0; k < s->splitter->in->nclass; ++k) {
        uint64_t priority = s->ties.lowest_wins ? ~(uint64_t)k : splitmix_word(key, (uint64_t)k);
        if (priority_takes(&lead, class_weight[k], priority)) {
            winner = k;
        }
    }
    return winner;
}

/* ---- splits ---------------------------------------------------------------------------------------------------------- */

/* Returns the canonical set of all sets that separate the levels present in the same way. Absent levels go right, with
 * the last level present: among equal sets R, which tries every subset, takes the same one. */
static uint32_t name_levels(uint32_t levels, uint32_t present)
{
    uint32_t last = (uint32_t)1 << (31 - __builtin_clz(present));
    return levels & last ? present & ~levels : present & levels;
}

static bool offer_cut(void *own, split *best, const column *c, double worth, uint32_t cut_rank)
{
    return ties_offer(&((node_search *)own)->ties, best, c, worth, cut_rank);
}

static bool offer_levels(void *own, split *best, const column *c, double worth, uint64_t levels)
{
    return ties_offer(&((node_search *)own)->ties, best, c, worth, (uint32_t)levels);
}

/* Returns the midpoint of two neighbouring values, always left of the right one: between neighbouring doubles it may
 * round to either. Missing values alone are right of every number. */
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
                          .offer_cut = offer_cut,
                          .offer_levels = offer_levels,
                          .name_levels = name_levels,
                          .split_point = split_point};

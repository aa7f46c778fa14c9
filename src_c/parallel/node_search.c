/* The parallel engine at a node: all features in F and up to mtry others, drawn one by one; or mtry of all features.
 *
 * A node's draws come from a stream of its own, and among equal splits a hash decides, so a node's answer depends on its
 * rows, its key and F alone. When a tree has to be grown again because F has grown meanwhile, only the features that are
 * candidates now, and were not or paid a penalty then, are evaluated, against the split that won then.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "parallel/node_search.h"
#include "random/splitmix.h"

/* Which numbers of a key are for what. */
#define LEFT_KEY 0xa0761d6478bd642fU
#define RIGHT_KEY 0xe7037ed1a0b428dbU
#define CLASS_KEY 0x8ebc6af09c88c6e3U
/* A criterion below every one that can be offered. */
#define NO_CRITERION (-1.0e25)

/* A feature's turn comes after an exponential time of its rate: those with the least times are a sample without
 * replacement (Efraimidis and Spirakis 2006). */
typedef struct waiting {
    double time;
    int feature;
} waiting;

rrf_status search_init(node_search *s, splitter *splitter, const rrf_params *params,
                       const rrf_parallel_params *parallel)
{
    size_t p = (size_t)splitter->data->p;
    *s = (node_search){.splitter = splitter,
                       .parallel = parallel,
                       .p = splitter->data->p,
                       .mtry = params->mtry,
                       .regularized = params->flag_reg == 1,
                       .members_join = params->flag_reg == 1 && !parallel->draw_from_all,
                       .seed = parallel->seed,
                       .n_allowed = splitter->data->p};
    s->members = malloc(p * sizeof *s->members);
    s->in_f = calloc(p, 1);
    s->seen = calloc(p, sizeof *s->seen);
    s->list = malloc(p * sizeof *s->list);
    s->waiting = malloc(p * sizeof *s->waiting);
    s->rank = malloc(p * sizeof *s->rank);
    s->brought_in_at = malloc(p * sizeof *s->brought_in_at);
    s->brought_in = malloc(p * sizeof *s->brought_in);
    if (!s->members || !s->in_f || !s->seen || !s->list || !s->waiting || !s->rank || !s->brought_in_at ||
        !s->brought_in) {
        return RRF_ERR_MEMORY;
    }
    for (size_t feature = 0; feature < p; ++feature) {
        s->rank[feature] = s->brought_in_at[feature] = INT32_MAX;
    }
    return RRF_OK;
}

void search_free(node_search *s)
{
    free(s->members);
    free(s->in_f);
    free(s->seen);
    free(s->list);
    free(s->waiting);
    free(s->rank);
    free(s->brought_in_at);
    free(s->brought_in);
    *s = (node_search){0};
}

/* ---- F ---------------------------------------------------------------------------------------------------------------- */

/* Known members come first; one that the tree itself has added moves up. */
static void make_known(node_search *s, int feature)
{
    int at = s->n_known, from = at;
    if (s->in_f[feature]) {
        while (s->members[from] != feature) {
            ++from;
        }
    } else {
        from = s->n_members++;
        s->in_f[feature] = 1;
    }
    s->members[from] = s->members[at];
    s->members[at] = feature;
    s->rank[feature] = s->n_known++;
}

void search_learn(node_search *s, const int32_t *members, int n_members)
{
    while (s->n_known < n_members) {
        make_known(s, members[s->n_known]);
    }
}

/* A tree that takes over what others have added in the meantime has less to be grown again. */
static void catch_up(node_search *s)
{
    if (s->n_shared) {
        search_learn(s, s->shared, atomic_load_explicit(s->n_shared, memory_order_acquire));
    }
}

void search_forget(node_search *s)
{
    for (int i = 0; i < s->n_members; ++i) {
        s->in_f[s->members[i]] = 0;
        s->rank[s->members[i]] = INT32_MAX;
    }
    s->n_known = s->n_members = 0;
}

static void add_member(node_search *s, int feature)
{
    if (!s->in_f[feature]) {
        s->in_f[feature] = 1;
        s->members[s->n_members++] = feature;
    }
}

static inline bool is_penalized(const node_search *s, int feature)
{
    return !s->regularized || !s->in_f[feature];
}

/* Whether the feature is among those that are drawn. */
static inline bool is_drawable(const node_search *s, int feature)
{
    return !s->members_join || !s->in_f[feature];
}

/* ---- draws ------------------------------------------------------------------------------------------------------------ */

/* Feature number i that the node draws; features come up again and again. */
static inline int draw(const node_search *s, uint64_t key, uint64_t i)
{
    return (int)((splitmix_word(key, i) >> 32) * (uint64_t)s->p >> 32);
}

static inline bool is_allowed(const node_search *s, int feature)
{
    return !s->cumulative || s->cumulative[feature] > (feature ? s->cumulative[feature - 1] : 0.0);
}

/* True the first time that the node draws the feature. */
static inline bool first_time(node_search *s, int feature)
{
    bool first = s->seen[feature] != s->stamp;
    s->seen[feature] = s->stamp;
    return first;
}

static void begin_draws(node_search *s)
{
    if (++s->stamp == 0) {
        memset(s->seen, 0, (size_t)s->p * sizeof *s->seen);
        s->stamp = 1;
    }
}

/* Features that can be drawn. */
static int count_available(const node_search *s)
{
    int in_f = 0;
    if (!s->members_join) {
        return s->n_allowed;
    }
    if (!s->cumulative) {
        return s->p - s->n_members;
    }
    for (int i = 0; i < s->n_members; ++i) {
        in_f += is_allowed(s, s->members[i]);
    }
    return s->n_allowed - in_f;
}

static int list_all_others(const node_search *s, int32_t *list)
{
    int n = 0;
    for (int feature = 0; feature < s->p; ++feature) {
        if (is_drawable(s, feature) && is_allowed(s, feature)) {
            list[n++] = feature;
        }
    }
    return n;
}

/* The next feature that the node has not drawn yet; *i counts the draws. */
static inline int next_drawn(node_search *s, uint64_t key, uint64_t *i)
{
    int feature;
    do {
        feature = draw(s, key, (*i)++);
    } while (!first_time(s, feature));
    return feature;
}

static int list_drawn(node_search *s, uint64_t key, int32_t *list)
{
    int n = 0;
    uint64_t i = 0;
    begin_draws(s);
    while (n < s->mtry) {
        int feature = next_drawn(s, key, &i);
        if (is_drawable(s, feature)) {
            ranks_fetch(s->splitter->ranks, feature);
            list[n++] = feature;
        }
    }
    return n;
}

/* ---- unequal probabilities ---------------------------------------------------------------------------------------------- */

void search_take_probabilities(node_search *s, const double *cumulative)
{
    s->cumulative = cumulative;
    s->n_allowed = 0;
    for (int feature = 0; feature < s->p; ++feature) {
        s->n_allowed += is_allowed(s, feature);
    }
}

static bool is_sooner(const waiting *a, const waiting *b)
{
    return a->time != b->time ? a->time < b->time : a->feature < b->feature;
}

/* Brings the k least of n times to the front: Hoare's selection. */
static void select_least(waiting *items, int n, int k)
{
    for (int low = 0, high = n - 1; low < high;) {
        waiting pivot = items[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            for (; is_sooner(items + i, &pivot); ++i) {}
            for (; is_sooner(&pivot, items + j); --j) {}
            if (i <= j) {
                waiting swap = items[i];
                items[i++] = items[j];
                items[j--] = swap;
            }
        }
        low = k > j ? i : low;
        high = k < i ? j : high;
    }
}

static int list_waiting(node_search *s, uint64_t key, int32_t *list)
{
    int n = 0;
    for (int feature = 0; feature < s->p; ++feature) {
        if (is_drawable(s, feature) && is_allowed(s, feature)) {
            double u = ((double)(splitmix_word(key, (uint64_t)feature) >> 11) + 0.5) * 0x1p-53;
            double rate = s->cumulative[feature] - (feature ? s->cumulative[feature - 1] : 0.0);
            s->waiting[n++] = (waiting){-log(u) / rate, feature};
        }
    }
    select_least(s->waiting, n, s->mtry);
    for (int i = 0; i < s->mtry; ++i) {
        list[i] = s->waiting[i].feature;
    }
    return s->mtry;
}

/* F, then the new candidates. */
static int list_candidates(node_search *s, uint64_t key)
{
    int n = s->members_join ? s->n_members : 0, available = count_available(s);
    memcpy(s->list, s->members, (size_t)n * sizeof *s->list);
    if (available == 0) {
        return n;
    }
    if (available <= s->mtry) {
        return n + list_all_others(s, s->list + n);
    }
    return n + (s->cumulative ? list_waiting(s, key, s->list + n) : list_drawn(s, key, s->list + n));
}

/* ---- growing again ---------------------------------------------------------------------------------------------------- */

/* Marks what the earlier attempt took into F, and where. */
static void recall_additions(node_search *s)
{
    for (int node = 0; node < s->earlier.size; ++node) {
        const parallel_node *was = s->earlier.nodes + node;
        if (was->left && s->brought_in_at[was->best.feature] == INT32_MAX) {
            s->brought_in_at[was->best.feature] = node;
            s->brought_in[s->n_brought_in++] = was->best.feature;
        }
    }
}

static void forget_additions(node_search *s)
{
    for (; s->n_brought_in > 0; --s->n_brought_in) {
        s->brought_in_at[s->brought_in[s->n_brought_in - 1]] = INT32_MAX;
    }
}

/* Whether the feature was in F when the earlier attempt searched node `hint`. */
static inline bool was_member(const node_search *s, int feature, int hint)
{
    return s->rank[feature] < s->earlier.nodes[hint].n_known || s->brought_in_at[feature] < hint;
}

/* How many they were. */
static int count_earlier_members(const node_search *s, int hint)
{
    int n = s->earlier.nodes[hint].n_known, n_known = n;
    for (int i = 0; i < s->n_brought_in && s->brought_in_at[s->brought_in[i]] < hint; ++i) {
        n += s->rank[s->brought_in[i]] >= n_known;
    }
    return n;
}

/* The candidates of a node that draws from all features are always the same; some of them may have entered F. */
static int list_members_drawn(node_search *s, uint64_t key, int hint)
{
    int drawn = list_candidates(s, key), n = 0;
    for (int i = 0; i < drawn; ++i) {
        if (s->in_f[s->list[i]] && !was_member(s, s->list[i], hint)) {
            s->list[n++] = s->list[i];
        }
    }
    return n;
}

/* Lists the drawn features that were no candidates then. False when the winner of then was drawn, and no longer is. */
static bool list_newly_drawn(node_search *s, uint64_t key, int hint, int *n_listed)
{
    int winner = s->earlier.nodes[hint].best.feature, n_now = 0, n_then = 0;
    bool winner_stands = winner < 0 || was_member(s, winner, hint) || s->in_f[winner];
    uint64_t i = 0;
    begin_draws(s);
    while (n_now < s->mtry) {
        int feature = next_drawn(s, key, &i);
        bool member_then = was_member(s, feature, hint);
        bool drawn_then = !member_then && n_then < s->mtry;
        n_then += drawn_then;
        if (!s->in_f[feature]) {
            ++n_now;
            winner_stands = winner_stands || feature == winner;
            if (!member_then && !drawn_then) {
                s->list[(*n_listed)++] = feature;
            }
        }
    }
    return winner_stands;
}

/* Lists the features whose offer at the node may be better than it was in the earlier attempt: those that were no candidates,
 * and those that paid a penalty and do so no longer. Others offer as much as then or, with a coefficient of at most 1, less,
 * so that nothing but these can beat the winner of then, if that stands. Returns how many, or -1 when the node has to be
 * searched in full. */
static int list_changes(node_search *s, uint64_t key, int hint)
{
    const parallel_node *was = s->earlier.nodes + hint;
    int winner = was->best.feature, n = 0, n_then = count_earlier_members(s, hint);
    bool all_now = s->p - s->n_members <= s->mtry, all_then = s->p - n_then <= s->mtry;
    if (!was->searched || (s->members_join && all_now != all_then) || s->cumulative ||
        (winner >= 0 && was_member(s, winner, hint) && !s->in_f[winner])) {
        return -1;
    }
    for (int i = was->n_known; i < s->n_members; ++i) {
        if (!was_member(s, s->members[i], hint)) {
            s->list[n++] = s->members[i];
        }
    }
    if (n == 0 && n_then == s->n_members) {
        return 0;
    }
    if (!s->members_join) {
        return list_members_drawn(s, key, hint);
    }
    return all_now || list_newly_drawn(s, key, hint, &n) ? n : -1;
}

static bool same_split(const split *a, const split *b)
{
    return a->feature == b->feature && (a->feature < 0 || (a->cut_rank == b->cut_rank && a->levels == b->levels &&
                                                           a->missing_left == b->missing_left));
}

/* ---- a node ------------------------------------------------------------------------------------------------------------- */

/* Numbers and gains are split only when that explains something; of classes, as in R, any split will do. */
static split no_split(const node_search *s)
{
    bool gain = s->splitter->bag->response || s->parallel->entropy || s->parallel->penalize_gain;
    return (split){.crit = gain ? 0.0 : NO_CRITERION, .feature = -1};
}

/* Streams begin where a tree, or a part of it, is searched in full. */
static rrf_status begin_sorted_rows(node_search *s, parallel_node *own, const node_view *view)
{
    sorted_rows *st = &s->splitter->sorted_rows;
    rrf_status status = RRF_OK;
    if (own->streamed || !s->members_join) {
        return status;
    }
    if (st->n_sorted == 0) {
        bool all = s->n_known == 0 && s->streamed;
        status = sorted_rows_begin(s->splitter, all ? s->streamed : s->members, all ? s->p : s->n_known);
    }
    own->streamed = !status && sorted_rows_fill_node(s->splitter, view);
    return status;
}

static rrf_status evaluate(node_search *s, const node_view *view, int n_listed)
{
    rrf_status status = RRF_OK;
    for (int i = 0; !status && i < n_listed; ++i) {
        splitter_try(s->splitter, view, s->list[i], is_penalized(s, s->list[i]));
        status = watch_work(s->splitter->watch, view->size);
    }
    return status;
}

rrf_status search_node(node_search *s, const node_view *view, int node)
{
    parallel_node *own = s->nodes + node;
    splitter *splitter = s->splitter;
    rrf_status status = RRF_OK;
    catch_up(s);
    splitter->sorted_rows.filled = own->streamed;
    int n = own->hint < 0 ? -1 : list_changes(s, own->key, own->hint);
    splitter->node_key = own->key;
    if (n >= 0) {
        splitter->best = s->earlier.nodes[own->hint].best;
    } else {
        status = begin_sorted_rows(s, own, view);
        own->hint = -1;
        splitter->best = no_split(s);
        n = list_candidates(s, own->key);
        ++s->n_searched;
        s->changed = true;
    }
    if (!status) {
        status = evaluate(s, view, n);
    }
    if (own->hint >= 0 && !same_split(&splitter->best, &s->earlier.nodes[own->hint].best)) {
        own->hint = -1;
        s->changed = true;
    }
    own->best = splitter->best;
    own->n_known = s->n_known;
    own->searched = true;
    return status;
}

static void begin_node(node_search *s, int node, uint64_t key, int depth, int hint, bool streamed)
{
    s->nodes[node] =
        (parallel_node){.key = key, .depth = depth, .hint = hint, .streamed = streamed, .best = {.feature = -1}};
}

void search_record(node_search *s, int node, int left, double decrease)
{
    parallel_node *own = s->nodes + node;
    bool same = own->hint >= 0;
    int hint = same ? s->earlier.nodes[own->hint].left : -1;
    own->left = left;
    own->decrease = decrease;
    add_member(s, own->best.feature);
    begin_node(s, left, splitmix_mix(own->key ^ LEFT_KEY), own->depth + 1, hint, own->streamed);
    begin_node(s, left + 1, splitmix_mix(own->key ^ RIGHT_KEY), own->depth + 1, same ? hint + 1 : -1, own->streamed);
}

void search_view(const node_search *s, int node, node_view *view)
{
    view->key = s->nodes[node].key;
    view->depth = s->nodes[node].depth;
}

bool search_at_bottom(const node_search *s, int node)
{
    return s->parallel->max_depth > 0 && s->nodes[node].depth >= s->parallel->max_depth;
}

int search_class(const node_search *s, int node, const double *total)
{
    uint64_t key = s->nodes[node].key ^ CLASS_KEY, best = 0;
    int winner = 0;
    for (int k = 0; k < s->splitter->nclass; ++k) {
        uint64_t priority = splitmix_word(key, (uint64_t)k);
        if (k == 0 || total[k] > total[winner] || (total[k] == total[winner] && priority > best)) {
            winner = k;
            best = priority;
        }
    }
    return winner;
}

/* ---- a tree ------------------------------------------------------------------------------------------------------------- */

void search_begin_tree(node_search *s, uint64_t stream, parallel_node *nodes, attempt earlier)
{
    s->nodes = nodes;
    s->earlier = earlier;
    s->n_searched = 0;
    s->changed = false;
    begin_node(s, 0, splitmix_word(splitmix_word(s->seed, 1), stream), 0, earlier.nodes ? 0 : -1, false);
    if (earlier.nodes) {
        recall_additions(s);
    }
    sorted_rows_end(&s->splitter->sorted_rows);
}

void search_end_tree(node_search *s)
{
    for (int i = s->n_known; i < s->n_members; ++i) {
        s->in_f[s->members[i]] = 0;
    }
    s->n_members = s->n_known;
    if (s->earlier.nodes) {
        forget_additions(s);
    }
    s->earlier = (attempt){0};
}

/* The candidates of a node when its tree is regrown. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/regrow.h"
#include "filters/switches.h"

/* Features that the earlier attempt added to F, in the order of its nodes. */
typedef struct regrow {
    int32_t *at;      /* p: first node that a feature of the group splits; INT32_MAX: none */
    int32_t *feature; /* n: the features that it splits on, and their groups */
    int n;
} regrow;

/* A node of the earlier attempt, and the state of F then. */
typedef struct then {
    const known_features *known;
    const regrow *brought_in;
    int hint, n_known;
} then;

rrf_status regrow_init(node_search *s, arena *memory)
{
    int p = s->known.f.p;
    regrow *r;
    TAKE_ZEROS(memory, r, 1);
    if (!r) {
        return RRF_ERR_MEMORY;
    }
    s->regrow = r;
    TAKE(memory, r->at, p);
    TAKE(memory, r->feature, p);
    for (int feature = 0; !arena_status(memory) && feature < p; ++feature) {
        r->at[feature] = INT32_MAX;
    }
    return arena_status(memory);
}

/* Lists the feature together with its group. */
static void note_entry(regrow *r, const feature_set *f, int feature, int node)
{
    while (r->at[feature] == INT32_MAX) {
        r->at[feature] = node;
        r->feature[r->n++] = feature;
        feature = feature_set_next(f, feature);
    }
}

void regrow_begin(node_search *s)
{
    const attempt *earlier = &s->tree.earlier;
    for (int node = 0; node < earlier->size; ++node) {
        if (earlier->nodes[node].left) {
            note_entry(s->regrow, &s->known.f, earlier->nodes[node].best.feature, node);
        }
    }
}

void regrow_end(node_search *s)
{
    regrow *r = s->regrow;
    for (; r->n > 0; --r->n) {
        r->at[r->feature[r->n - 1]] = INT32_MAX;
    }
}

/* Returns whether the feature was in F when the earlier attempt searched the node. */
static inline bool was_member(const then *t, int feature)
{
    return t->known->known_at[feature] < t->n_known || t->brought_in->at[feature] < t->hint;
}

/* Returns their number. */
static int count_earlier_members(const then *t)
{
    const regrow *r = t->brought_in;
    int n = t->n_known;
    for (int i = 0; i < r->n && r->at[r->feature[i]] < t->hint; ++i) {
        n += t->known->known_at[r->feature[i]] >= t->n_known;
    }
    return n;
}

/* A node that draws from all features always has the same candidates; some of them may have entered F. */
static int list_members_drawn(node_draws *draws, const then *t, uint64_t key, int32_t *list)
{
    int drawn = draws_list(draws, key, list), n = 0;
    for (int i = 0; i < drawn; ++i) {
        if (t->known->f.has[list[i]] && !was_member(t, list[i])) {
            list[n++] = list[i];
        }
    }
    return n;
}

/* Lists the features whose position in the order has changed, because the draws went further then, or go further now.
 * They include drawn features that were no candidates then, and members of F that came after the draws and now come
 * among them, or vice versa. New members are listed already. False if the winner's position has changed, so that others
 * might win; also if it was drawn then and is no candidate now. */
static bool list_new_turns(node_draws *draws, const then *t, int winner, int32_t *list, int *n_listed)
{
    int n_now = 0, n_then = 0, mtry = draws->mtry;
    bool winner_stands = true;
    while (n_now < mtry || n_then < mtry) {
        int feature = draws_next(draws);
        bool member_then = was_member(t, feature), member_now = t->known->f.has[feature];
        bool among_then = n_then < mtry, among_now = n_now < mtry;
        n_then += !member_then;
        n_now += !member_now;
        if (among_now) {
            draws_end_list(draws);
        }
        if (among_now == among_then) {
            continue;
        }
        winner_stands = winner_stands && feature != winner;
        if (member_now ? member_then : among_now) {
            list[(*n_listed)++] = feature;
        }
    }
    return winner_stands;
}

bool regrow_list(node_search *s, uint64_t key, int hint, int *n_listed)
{
    const feature_set *f = &s->known.f;
    node_draws *draws = &s->draws;
    const parallel_node *was = s->tree.earlier.nodes + hint;
    then then = {&s->known, s->regrow, hint, was->n_known};
    int winner = was->best.feature, n = 0, n_then = count_earlier_members(&then);
    bool all_now = f->p - f->size <= draws->mtry, all_then = f->p - n_then <= draws->mtry;
    if (!FILTER_REGROW || !was->searched || (draws->members_join && all_now != all_then) || draws->chances ||
        s->parallel->draw_until_split || (winner >= 0 && was_member(&then, winner) && !f->has[winner])) {
        return false;
    }
    for (int i = was->n_known; i < f->size; ++i) {
        if (!was_member(&then, f->members[i])) {
            s->list[n++] = f->members[i];
        }
    }
    *n_listed = n;
    if (n == 0 && n_then == f->size) {
        return true;
    }
    if (!draws->members_join) {
        *n_listed = list_members_drawn(draws, &then, key, s->list);
        return true;
    }
    draws_begin(draws, key);
    return all_now || list_new_turns(draws, &then, winner, s->list, n_listed);
}

/* What a node looks at when its tree is grown again. SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_parallel/node_draws.h"
#include "engine_parallel/regrow.h"

/* The feature, and its group with it. */
static void note_entry(node_search *s, int feature, int node)
{
    while (s->brought_in_at[feature] == INT32_MAX) {
        s->brought_in_at[feature] = node;
        s->brought_in[s->n_brought_in++] = feature;
        feature = feature_set_next(&s->f, feature);
    }
}

void regrow_begin(node_search *s)
{
    for (int node = 0; node < s->earlier.size; ++node) {
        const parallel_node *was = s->earlier.nodes + node;
        if (was->left) {
            note_entry(s, was->best.feature, node);
        }
    }
}

void regrow_end(node_search *s)
{
    for (; s->n_brought_in > 0; --s->n_brought_in) {
        s->brought_in_at[s->brought_in[s->n_brought_in - 1]] = INT32_MAX;
    }
}

/* Whether the feature was in F when the earlier attempt searched node `hint`. */
static inline bool was_member(const node_search *s, int feature, int hint)
{
    return s->known_at[feature] < s->earlier.nodes[hint].n_known || s->brought_in_at[feature] < hint;
}

/* How many they were. */
static int count_earlier_members(const node_search *s, int hint)
{
    int n = s->earlier.nodes[hint].n_known, n_known = n;
    for (int i = 0; i < s->n_brought_in && s->brought_in_at[s->brought_in[i]] < hint; ++i) {
        n += s->known_at[s->brought_in[i]] >= n_known;
    }
    return n;
}

/* The candidates of a node that draws from all features are always the same; some of them may have entered F. */
static int list_members_drawn(node_search *s, uint64_t key, int hint)
{
    int drawn = draws_list(s, key), n = 0;
    for (int i = 0; i < drawn; ++i) {
        if (s->f.has[s->list[i]] && !was_member(s, s->list[i], hint)) {
            s->list[n++] = s->list[i];
        }
    }
    return n;
}

/* Lists the features whose turn has changed: the draws went further then, or go further now. They include the drawn features
 * that were no candidates then, and members of F that came after the draws and now come among them, or the other way round.
 * New members are on the list already. False when the winner's turn has changed, so that others might win; also when it was
 * drawn then and is no candidate now. */
static bool list_new_turns(node_search *s, int hint, int *n_listed)
{
    int winner = s->earlier.nodes[hint].best.feature, n_now = 0, n_then = 0;
    bool winner_stands = true;
    while (n_now < s->mtry || n_then < s->mtry) {
        int feature = draws_next(s);
        bool member_then = was_member(s, feature, hint), member_now = s->f.has[feature];
        bool among_then = n_then < s->mtry, among_now = n_now < s->mtry;
        n_then += !member_then;
        n_now += !member_now;
        if (among_now) {
            draws_end_list(s);
        }
        if (among_now == among_then) {
            continue;
        }
        winner_stands = winner_stands && feature != winner;
        if (member_now ? member_then : among_now) {
            s->list[(*n_listed)++] = feature;
        }
    }
    return winner_stands;
}

int regrow_list(node_search *s, uint64_t key, int hint)
{
    const parallel_node *was = s->earlier.nodes + hint;
    int winner = was->best.feature, n = 0, n_then = count_earlier_members(s, hint);
    bool all_now = s->p - s->f.size <= s->mtry, all_then = s->p - n_then <= s->mtry;
    if (!was->searched || (s->members_join && all_now != all_then) || s->chances || s->parallel->draw_until_split ||
        (winner >= 0 && was_member(s, winner, hint) && !s->f.has[winner])) {
        return -1;
    }
    for (int i = was->n_known; i < s->f.size; ++i) {
        if (!was_member(s, s->f.members[i], hint)) {
            s->list[n++] = s->f.members[i];
        }
    }
    if (n == 0 && n_then == s->f.size) {
        return 0;
    }
    if (!s->members_join) {
        return list_members_drawn(s, key, hint);
    }
    draws_begin(s, key);
    return all_now || list_new_turns(s, hint, &n) ? n : -1;
}

/* The candidate features of a node. RRF draws one number for every feature at every node, whatever mtry is: a shuffle
 * of all p features, of which the members of F and the first mtry others are evaluated. randomForest draws mtry
 * numbers. After the mtry others only draws of members of F matter, and a tag "in F" per position suffices to find
 * them. SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_r/candidates.h"
#include "filters.h"

rrf_status candidates_init(candidates *c, int p, const rrf_params *params, const int32_t *used, arena *memory)
{
    *c = (candidates){
        .p = p, .mtry = params->mtry, .members_join = params->flag_reg == 1, .shuffles_all = !params->random_forest};
    TAKE(memory, c->tag, p);
    TAKE(memory, c->id, p);
    TAKE(memory, c->touched, p);
    rrf_status status = feature_set_init(&c->f, p, params->feature_group, memory);
    if (status) {
        return status;
    }
    if (used) {
        feature_set_take(&c->f, used);
    }
    for (int feature = 0; feature < p; ++feature) {
        c->id[feature] = feature;
        c->tag[feature] = c->f.has[feature];
    }
    return RRF_OK;
}

void candidates_enter(candidates *c, int feature)
{
    int before = c->f.size;
    feature_set_enter(&c->f, feature);
    for (int i = before; i < c->f.size; ++i) {
        c->tag[c->f.members[i]] = 1;
    }
}

void candidates_begin(candidates *c)
{
    c->remaining = c->p;
    c->tried = 0;
    c->members_left = c->f.size;
    c->n_touched = 0;
}

void candidates_end(candidates *c)
{
    for (int i = 0; i < c->n_touched; ++i) {
        int position = c->touched[i];
        c->id[position] = position;
        c->tag[position] = c->f.has[position];
    }
}

/* Removes the feature at `position` from the shuffle; the last one moves to its position. */
static inline int take(candidates *c, int position)
{
    int feature = c->id[position], last = --c->remaining;
    c->id[position] = c->id[last];
    c->tag[position] = c->tag[last];
    c->touched[c->n_touched++] = position;
    return feature;
}

static int skip_rest(candidates *c, rrf_rng *rng)
{
    rng_skip(rng, c->remaining);
    c->remaining = 0;
    return -1;
}

/* Skips draws from the current block of words that do not affect F. */
static void pass_untagged(candidates *c, rrf_rng *rng)
{
    int words = RRF_MT_WORDS - rng->position, draws = words < c->remaining ? words : c->remaining;
    int passed = ASK(pass_untagged, 0, c->tag, c->remaining, rng->word + rng->position, draws);
    rng->position += passed;
    c->remaining -= passed;
}

/* All mtry other features have been drawn: skip to the next member of F. */
static int next_member(candidates *c, rrf_rng *rng)
{
    bool exact_index = c->p < (1 << 21);
    while (c->members_left > 0) {
        if (exact_index) {
            pass_untagged(c, rng);
            if (rng->position == RRF_MT_WORDS) {
                rng_refill(rng);
                continue;
            }
        }
        int position = rng_below(rng, c->remaining);
        if (c->tag[position]) {
            --c->members_left;
            return take(c, position);
        }
        if (c->tag[c->remaining - 1]) {
            take(c, position);
        } else {
            --c->remaining;
        }
    }
    return skip_rest(c, rng);
}

int candidates_peek(const candidates *c, const rrf_rng *rng)
{
    if (c->tried >= c->mtry || c->remaining <= 0 || rng->position >= RRF_MT_WORDS) {
        return -1;
    }
    return c->id[word_to_index(rng->word[rng->position], c->remaining)];
}

int candidates_next(candidates *c, rrf_rng *rng)
{
    if (c->remaining > 0 && c->tried < c->mtry) {
        int position = rng_below(rng, c->remaining);
        bool is_member = c->tag[position];
        int feature = take(c, position);
        c->members_left -= is_member;
        c->tried += !(c->members_join && is_member);
        return feature;
    }
    if (c->members_join) {
        return next_member(c, rng);
    }
    return c->shuffles_all ? skip_rest(c, rng) : -1;
}

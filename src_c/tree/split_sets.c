/* Sets of a factor's levels that go left: R's catmax.
 *
 * Gini's criterion of many sets is found at once, class by class, in R's order of operations. Where few levels are present,
 * that is of all sets of these levels, of which the random ones are looked up. Set number i holds the present level j if bit
 * j of i is set. Of sets of equal worth the first one wins, so that only that one is offered.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "filters.h"
#include "random/drawn_sets.h"
#include "tree/level_bound.h"
#include "tree/scan.h"
#include "tree/split_sets.h"
#include "tree/rounding_bound.h"

/* R's number of random sets. With so many levels all of their sets are at hand; fewer are drawn if there are more. */
enum { RANDOM_SETS = MAX_DRAWN_SETS, MAX_LISTED = 10, MOST_SETS = 1 << MAX_LISTED };
/* All sets of fewer levels cost less than their bound. */
enum { MIN_BOUND_LEVELS = 7 };
/* Least weight of a left daughter where R tries sets. */
#define MIN_LEFT_WEIGHT 1.0e-8
/* Their filter works in single precision: a few parts in 10^7. */
#define SINGLE_SLACK 4.0e-6
_Static_assert(RANDOM_SETS % SETS_AT_A_TIME == 0, "no sets are left over");

typedef struct set_values {
    int size;
    double in_left[MOST_SETS]; /* of one class; later what the set is worth */
    double left[MOST_SETS];    /* of all classes */
    double left_squares[MOST_SETS], right_squares[MOST_SETS];
} set_values;

/* ---- one set --------------------------------------------------------------------------------------------------------- */

/* Sums the levels that go left into s->scratch.left_total; returns their weight. R adds levels up in ascending order; those that
 * are absent add 0. */
static double sum_left(splitter *s, uint64_t levels)
{
    double left = 0.0;
    for (int k = 0; k < s->in->nclass; ++k) {
        double total = 0.0;
        for (uint64_t rest = levels; rest; rest &= rest - 1) {
            total += s->scratch.level_total[k + __builtin_ctzll(rest) * s->in->nclass];
        }
        left += total;
        s->scratch.left_total[k] = total;
    }
    return left;
}

static void try_set(splitter *s, const node_view *node, int feature, uint64_t levels, uint64_t present)
{
    double left = sum_left(s, levels & present);
    if (left > MIN_LEFT_WEIGHT && node->weight - left > MIN_WEIGHT) {
        double crit = s->in->criterion->of_classes(s->in, node, s->scratch.left_total, left);
        splitter_offer_levels(s, node, crit, feature, levels);
    }
}

/* ---- many sets ------------------------------------------------------------------------------------------------------- */

static void begin_values(set_values *v, int size)
{
    size_t bytes = (size_t)size * sizeof *v->left;
    v->size = size;
    memset(v->left, 0, bytes);
    memset(v->left_squares, 0, bytes);
    memset(v->right_squares, 0, bytes);
}

static void add_class(set_values *v, double total)
{
    for (int i = 0; i < v->size; ++i) {
        double in_left = v->in_left[i], in_right = total - in_left;
        v->left[i] += in_left;
        v->left_squares[i] += in_left * in_left;
        v->right_squares[i] += in_right * in_right;
    }
}

/* What each set would be offered with. Returns the greatest worth. */
static double value_sets(set_values *v, const splitter *s, const node_view *node)
{
    double most = -INFINITY;
    for (int i = 0; i < v->size; ++i) {
        double left = v->left[i], right = node->weight - left;
        double gain = v->left_squares[i] / left + v->right_squares[i] / right - node->offset;
        bool counts = (left > MIN_LEFT_WEIGHT) & (right > MIN_WEIGHT) & (gain > node->least_gain);
        v->in_left[i] = counts ? penalized(s->factor, gain) : -INFINITY;
    }
    for (int i = 0; i < v->size; ++i) {
        most = v->in_left[i] > most ? v->in_left[i] : most;
    }
    return most;
}

/* sums[i] of set i: level j, the highest of a set, is added last, as in R. */
static void sum_all(double *sums, const double *total, size_t stride, const int *level, int n_levels, int size)
{
    sums[0] = 0.0;
    for (int j = 0, half = 1; j < n_levels && half < size; ++j, half *= 2) {
        double of_level = total[(size_t)level[j] * stride];
        for (int i = 0; i < half; ++i) {
            sums[half + i] = sums[i] + of_level;
        }
    }
}

static int list_levels(uint32_t present, int *level)
{
    int n = 0;
    for (uint32_t rest = present; rest; rest &= rest - 1) {
        level[n++] = __builtin_ctz(rest);
    }
    return n;
}

static double value_all(set_values *v, const splitter *s, const node_view *node, const int *level, int n_levels)
{
    for (int k = 0; k < s->in->nclass; ++k) {
        sum_all(v->in_left, s->scratch.level_total + k, (size_t)s->in->nclass, level, n_levels, v->size);
        add_class(v, node->sums[k]);
    }
    return value_sets(v, s, node);
}

/* ---- all sets -------------------------------------------------------------------------------------------------------- */

static uint32_t name_set(const int *level, int n_levels, int number)
{
    uint32_t levels = 0;
    for (int j = 0; j < n_levels; ++j) {
        levels |= (uint32_t)(number >> j & 1) << level[j];
    }
    return levels;
}

static int find_worth(const set_values *v, double worth)
{
    int at = 0;
    while (v->in_left[at] != worth) {
        ++at;
    }
    return at;
}

/* Whether a set and its mirror image are worth the same; where sums are not exact R's criterion may separate them. */
static bool mirrors(const splitter *s)
{
    return s->in->bag->exact || s->rule->unites_mirrored;
}

/* R tries every set of levels without the last one, in ascending order. Of those that differ in absent levels alone the
 * first, which has none of these, wins. So does the first of two sets that mirror each other. */
static void try_all_sets(splitter *s, const node_view *node, int feature, uint32_t present)
{
    uint32_t end = (uint32_t)1 << (s->in->profile[feature].n_levels - 1),
             last = (uint32_t)1 << (31 - __builtin_clz(present));
    uint32_t all = mirrors(s) ? present & ~last : present;
    for (uint32_t levels = all & -all; levels && levels < end; levels = (levels - all) & all) {
        try_set(s, node, feature, s->rule->name_levels(levels, present), present);
    }
}

void split_all_sets(splitter *s, const node_view *node, int feature, uint32_t present)
{
    set_values v;
    int level[RRF_MAX_LEVELS], n_levels = list_levels(present, level);
    bool without_last = mirrors(s) || level[n_levels - 1] == s->in->profile[feature].n_levels - 1;
    if (!FILTER_SETS || !s->in->criterion->sums_squares) {
        try_all_sets(s, node, feature, present);
        return;
    }
    if (n_levels >= MIN_BOUND_LEVELS && levels_are_hopeless(s, node, level, n_levels)) {
        return;
    }
    begin_values(&v, 1 << (n_levels - without_last));
    double most = value_all(&v, s, node, level, n_levels);
    if (most >= s->best.crit) {
        uint32_t levels = name_set(level, n_levels, find_worth(&v, most));
        s->rule->offer_levels(s->rule_own, most, feature, s->rule->name_levels(levels, present));
    }
}

/* ---- random sets of few levels: looked up -------------------------------------------------------------------------- */

static void number_sets(const uint32_t *sets, const int *level, int n_levels, int size, uint32_t *number)
{
    uint32_t all = ((uint32_t)1 << n_levels) - 1;
    memset(number, 0, RANDOM_SETS * sizeof *number);
    for (int j = 0; j < n_levels; ++j) {
        for (int i = 0; i < RANDOM_SETS; ++i) {
            number[i] |= (sets[i] >> level[j] & 1) << j;
        }
    }
    for (int i = 0; i < RANDOM_SETS; ++i) {
        number[i] = number[i] < (uint32_t)size ? number[i] : all ^ number[i];
    }
}

/* Of the sets worth most the one that is drawn first wins. Nothing above `most` can come, so that the search ends there. */
static void offer_first(splitter *s, int feature, const set_values *v, double most, const uint32_t *sets,
                        const uint32_t *number)
{
    double best = -INFINITY;
    int first = 0;
    for (int i = 0; i < RANDOM_SETS && best < most; ++i) {
        first = v->in_left[number[i]] > best ? i : first;
        best = v->in_left[number[first]];
    }
    s->rule->offer_levels(s->rule_own, best, feature, sets[first]);
}

/* A set is taken only if it is better than the best so far. */
static void draw_few_levels(splitter *s, const node_view *node, int feature, const int *level, int n_levels)
{
    set_values v;
    uint32_t sets[RANDOM_SETS], number[RANDOM_SETS];
    begin_values(&v, 1 << (n_levels - s->in->bag->exact));
    double most = value_all(&v, s, node, level, n_levels);
    bool hopeless = most <= s->best.crit;
    s->rule->draw_sets(s->rule_own, RANDOM_SETS, s->in->profile[feature].n_levels, hopeless ? NULL : sets);
    if (!hopeless) {
        number_sets(sets, level, n_levels, v.size, number);
        offer_first(s, feature, &v, most, sets, number);
    }
}

/* ---- random sets of many levels: whole numbers show which may be the best ------------------------------------------ */

/* Whether sums of so many cases fit into 32 bits, with their squares. */
static bool packs(const splitter *s, const node_view *node)
{
    return counts_cases(s, node) && node->weight <= (double)MAX_PACKED;
}

static uint32_t whole(double total)
{
    return (uint32_t)(total + 0.5);
}

static uint32_t pack(const double *total, int nclass, int k)
{
    return whole(total[k]) | (k + 1 < nclass ? whole(total[k + 1]) << 16 : 0);
}

typedef struct counted_sets {
    uint32_t set[RANDOM_SETS];
    int32_t inside[RANDOM_SETS], inside_squares[RANDOM_SETS], outside_squares[RANDOM_SETS];
} counted_sets;

static set_sums sums_of(counted_sets *c)
{
    return (set_sums){c->inside, c->inside_squares, c->outside_squares};
}

static void sum_sets(counted_sets *c, const splitter *s, const node_view *node, const int *level, int n_levels)
{
    uint32_t payload[RRF_MAX_LEVELS] = {0};
    set_sums sums = sums_of(c);
    int nclass = s->in->nclass, n_items = level[n_levels - 1] + 1;
    memset(c->inside, 0, sizeof c->inside);
    memset(c->inside_squares, 0, sizeof c->inside_squares);
    memset(c->outside_squares, 0, sizeof c->outside_squares);
    for (int k = 0; k < nclass; k += 2) {
        for (int j = 0; j < n_levels; ++j) {
            payload[level[j]] = pack(s->scratch.level_total + (size_t)level[j] * (size_t)nclass, nclass, k);
        }
        s->in->simd->add_to_sets(c->set, RANDOM_SETS, payload, n_items, pack(node->sums, nclass, k), &sums);
    }
}

/* The first block of sets from `from` on with one that may equal the best split so far, by whole numbers; single precision
 * errs too. */
static int next_promising(counted_sets *c, const splitter *s, const node_view *node, int from)
{
    double threshold = scan_threshold(s, node->offset) - rounding_bound(s->in, node, node->weight);
    set_sums sums = sums_of(c);
    return s->in->simd->find_promising_set(&sums, from, RANDOM_SETS, (int32_t)whole(node->weight),
                                           (float)(threshold > 0.0 ? threshold * (1.0 - SINGLE_SLACK) : threshold));
}

/* Whole numbers give R's sums where these are whole. */
static void offer_drawn(const counted_sets *c, splitter *s, const node_view *node, int feature, uint32_t present, int i)
{
    double left = c->inside[i], right = node->weight - left;
    if (!s->in->bag->exact) {
        try_set(s, node, feature, c->set[i], present);
    } else if (left > 0.0 && right > 0.0) {
        double crit = c->inside_squares[i] / left + c->outside_squares[i] / right;
        splitter_offer_levels(s, node, crit, feature, c->set[i]);
    }
}

static void draw_many_levels(splitter *s, const node_view *node, int feature, const int *level, int n_levels,
                             uint32_t present)
{
    counted_sets c;
    s->rule->draw_sets(s->rule_own, RANDOM_SETS, s->in->profile[feature].n_levels, c.set);
    sum_sets(&c, s, node, level, n_levels);
    int block = next_promising(&c, s, node, 0);
    while (block < RANDOM_SETS) {
        for (int i = block; i < block + SIMD_BLOCK; ++i) {
            offer_drawn(&c, s, node, feature, present, i);
        }
        block = next_promising(&c, s, node, block + SIMD_BLOCK);
    }
}

static void try_random_sets(splitter *s, const node_view *node, int feature, uint32_t present)
{
    uint32_t sets[RANDOM_SETS];
    s->rule->draw_sets(s->rule_own, RANDOM_SETS, s->in->profile[feature].n_levels, sets);
    for (int i = 0; i < RANDOM_SETS; ++i) {
        try_set(s, node, feature, sets[i], present);
    }
}

/* Only engine r draws sets. Where none can win the stream is advanced, and nothing is read. */
void split_random_sets(splitter *s, const node_view *node, int feature, uint32_t present)
{
    int level[RRF_MAX_LEVELS], n_levels = list_levels(present, level);
    if (n_levels >= MIN_BOUND_LEVELS && levels_are_hopeless(s, node, level, n_levels)) {
        s->rule->draw_sets(s->rule_own, RANDOM_SETS, s->in->profile[feature].n_levels, NULL);
    } else if (FILTER_SETS && n_levels <= MAX_LISTED) {
        draw_few_levels(s, node, feature, level, n_levels);
    } else if (FILTER_SETS && packs(s, node)) {
        draw_many_levels(s, node, feature, level, n_levels, present);
    } else {
        try_random_sets(s, node, feature, present);
    }
}

void split_wide_sets(splitter *s, const node_view *node, int feature, uint64_t present)
{
    uint64_t sets[RANDOM_SETS];
    s->rule->draw_wide_sets(s->rule_own, RANDOM_SETS, s->in->profile[feature].n_levels, sets);
    for (int i = 0; i < RANDOM_SETS; ++i) {
        try_set(s, node, feature, sets[i], present);
    }
}

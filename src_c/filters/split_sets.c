/* Sets of a factor's levels that go left: R's catmax.
 *
 * Gini's criterion of many sets is found at once, class by class, in R's order of operations. Where few levels are present,
 * that is of all sets of these levels, of which the random ones are looked up. Set number i holds the present level j if bit
 * j of i is set. Of sets of equal worth the first one wins, so that only that one is offered.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/counts/rounding_bound.h"
#include "filters/split_sets.h"
#include "tree/split_categorical.h"

/* Largest number of levels for which all sets are computed; the number of random sets for more levels is smaller. */
enum { MAX_LISTED = 10, MOST_SETS = 1 << MAX_LISTED };
_Static_assert(RANDOM_SETS % SETS_AT_A_TIME == 0, "no sets are left over");

typedef struct set_values {
    int size;
    double in_left[MOST_SETS]; /* of one class; later the value of the set */
    double left[MOST_SETS];    /* of all classes */
    double left_squares[MOST_SETS], right_squares[MOST_SETS];
} set_values;

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

/* Computes the criterion of each set. Returns the largest. */
static double value_sets(set_values *v, const scan *c)
{
    const node_view *node = c->node;
    double most = -INFINITY;
    for (int i = 0; i < v->size; ++i) {
        double left = v->left[i], right = node->weight - left;
        double gain = v->left_squares[i] / left + v->right_squares[i] / right - node->offset;
        bool counts = (left > MIN_LEFT_WEIGHT) & (right > MIN_WEIGHT) & (gain > node->least_gain);
        v->in_left[i] = counts ? penalized(c->column.factor, gain) : -INFINITY;
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

static double value_all(set_values *v, const scan *c, const int *level, int n_levels)
{
    const double *level_total = c->own->splitter->level_total;
    size_t nclass = (size_t)c->in->nclass;
    for (size_t k = 0; k < nclass; ++k) {
        sum_all(v->in_left, level_total + k, nclass, level, n_levels, v->size);
        add_class(v, c->node->sums[k]);
    }
    return value_sets(v, c);
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

static void value_every_set(const scan *c, const int *level, int n_levels, uint32_t present)
{
    set_values v;
    const rule *rule = c->in->rule;
    bool without_last = sets_mirror(c->own->splitter) || level[n_levels - 1] == scan_profile(c)->n_levels - 1;
    begin_values(&v, 1 << (n_levels - without_last));
    double most = value_all(&v, c, level, n_levels);
    if (most >= c->bar->best.crit) {
        uint32_t levels = name_set(level, n_levels, find_worth(&v, most));
        rule->offer_levels(c->bar->own, &c->bar->best, &c->column, most, rule->name_levels(levels, present));
    }
}

/* ---- random sets of few levels: table of all sets ------------------------------------------------------------------ */

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

/* Among sets of the highest criterion the first drawn one wins. `most` is an upper bound, at which the search ends. */
static void offer_first(const scan *c, const set_values *v, double most, const uint32_t *sets, const uint32_t *number)
{
    double best = -INFINITY;
    int first = 0;
    for (int i = 0; i < RANDOM_SETS && best < most; ++i) {
        first = v->in_left[number[i]] > best ? i : first;
        best = v->in_left[number[first]];
    }
    c->in->rule->offer_levels(c->bar->own, &c->bar->best, &c->column, best, sets[first]);
}

static void draw_sets(const scan *c, uint32_t *sets)
{
    c->in->rule->draw_sets(c->bar->own, RANDOM_SETS, scan_profile(c)->n_levels, sets);
}

/* A set is stored only if it is better than the best so far. If none can be, the stream is advanced without reading
 * sets. */
static void draw_few_levels(const scan *c, const int *level, int n_levels)
{
    set_values v;
    uint32_t sets[RANDOM_SETS], number[RANDOM_SETS];
    begin_values(&v, 1 << (n_levels - c->in->bag->exact));
    double most = value_all(&v, c, level, n_levels);
    bool hopeless = most <= c->bar->best.crit;
    draw_sets(c, hopeless ? NULL : sets);
    if (!hopeless) {
        number_sets(sets, level, n_levels, v.size, number);
        offer_first(c, &v, most, sets, number);
    }
}

/* ---- random sets of many levels: filter by whole numbers ----------------------------------------------------------- */

/* Returns whether sums by level are whole numbers or near them, and the sums and their squares fit into 32 bits. */
static bool packs(const scan *c)
{
    bool counts = weights_are_counts(c->in->bag) || c->read->several || c->read->two_classes;
    return counts && c->node->weight <= (double)MAX_PACKED;
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

static void sum_sets(counted_sets *sets, const scan *c, const int *level, int n_levels)
{
    const double *level_total = c->own->splitter->level_total;
    uint32_t payload[RRF_MAX_LEVELS] = {0};
    set_sums sums = sums_of(sets);
    int nclass = c->in->nclass, n_items = level[n_levels - 1] + 1;
    memset(sets->inside, 0, sizeof sets->inside);
    memset(sets->inside_squares, 0, sizeof sets->inside_squares);
    memset(sets->outside_squares, 0, sizeof sets->outside_squares);
    for (int k = 0; k < nclass; k += 2) {
        for (int j = 0; j < n_levels; ++j) {
            payload[level[j]] = pack(level_total + (size_t)level[j] * (size_t)nclass, nclass, k);
        }
        c->read->simd->add_to_sets(sets->set, RANDOM_SETS, payload, n_items, pack(c->node->sums, nclass, k), &sums);
    }
}

/* Returns the first block of sets from `from` on with one that may equal the best split so far, by whole numbers in
 * single precision. */
static int next_promising(counted_sets *sets, const scan *c, int from)
{
    const node_view *node = c->node;
    double threshold = scan_threshold(&c->column, node->offset, c->bar) - rounding_bound(c->in, node, node->weight);
    set_sums sums = sums_of(sets);
    return c->read->simd->find_promising_set(&sums, from, RANDOM_SETS, (int32_t)whole(node->weight),
                                             (float)(threshold > 0.0 ? threshold * (1.0 - SINGLE_SLACK) : threshold));
}

/* Whole numbers equal R's sums if these are whole. */
static void offer_drawn(const counted_sets *sets, const scan *c, uint32_t present, int i)
{
    double left = sets->inside[i], right = c->node->weight - left;
    if (!c->in->bag->exact) {
        try_set(c->own->splitter, c->node, &c->column, sets->set[i], present);
    } else if (left > 0.0 && right > 0.0) {
        double crit = sets->inside_squares[i] / left + sets->outside_squares[i] / right;
        bar_offer_levels(c->bar, c->node, &c->column, crit, sets->set[i]);
    }
}

static void draw_many_levels(const scan *c, const int *level, int n_levels, uint32_t present)
{
    counted_sets sets;
    draw_sets(c, sets.set);
    sum_sets(&sets, c, level, n_levels);
    int block = next_promising(&sets, c, 0);
    while (block < RANDOM_SETS) {
        for (int i = block; i < block + SIMD_BLOCK; ++i) {
            offer_drawn(&sets, c, present, i);
        }
        block = next_promising(&sets, c, block + SIMD_BLOCK);
    }
}

/* ---- a factor ---------------------------------------------------------------------------------------------------------- */

bool value_sets_at_once(splitter *s, const node_view *node, const column *column, uint32_t present)
{
    scan c = scan_begin(s, node, column);
    int level[RRF_MAX_LEVELS], n_levels = list_levels(present, level);
    if (!FILTER_SETS || !c.read->squares) {
        return false;
    }
    if (scan_profile(&c)->n_levels <= MAX_EXHAUSTIVE_LEVELS) {
        value_every_set(&c, level, n_levels, present);
    } else if (n_levels <= MAX_LISTED) {
        draw_few_levels(&c, level, n_levels);
    } else if (packs(&c)) {
        draw_many_levels(&c, level, n_levels, present);
    } else {
        return false;
    }
    return true;
}

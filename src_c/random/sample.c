/* R's sample.int. The order of the draws and of the items is R's; so is the rounding of the weights.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <math.h>

#include "arena.h"
#include "random/mersenne.h"

/* Number of items from which R avoids a table of all items, if at most half of them are drawn. */
#define HASH_ABOVE 1e7
/* Number of relevant weights from which drawing with replacement uses Walker's alias method. */
#define ALIAS_ABOVE 200

/* ---- Equal weights ------------------------------------------------------------------------------------------------ */

static void sample_with_replacement(rrf_rng *rng, int64_t n, int64_t size, int64_t *out)
{
    for (int64_t i = 0; i < size; i++) {
        out[i] = (int64_t)rrf_rng_index(rng, (double)n);
    }
}

/* The item drawn is replaced by the last one left. */
static rrf_status sample_by_table(rrf_rng *rng, int64_t n, int64_t size, int64_t *out)
{
    int64_t *item = malloc((size_t)n * sizeof *item);
    if (!item) {
        return RRF_ERR_MEMORY;
    }
    for (int64_t i = 0; i < n; i++) {
        item[i] = i;
    }
    for (int64_t i = 0; i < size; i++) {
        int64_t chosen = (int64_t)rrf_rng_index(rng, (double)n);
        out[i] = item[chosen];
        item[chosen] = item[--n];
    }
    free(item);
    return RRF_OK;
}

/* Adds a key to a hash table of 2^bits slots, in which -1 marks an empty one. False if the key was in it. */
static bool insert_new(int64_t *slot, int bits, int64_t key)
{
    size_t mask = ((size_t)1 << bits) - 1;
    size_t at = (size_t)(((uint64_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - bits));
    while (slot[at] >= 0) {
        if (slot[at] == key) {
            return false;
        }
        at = (at + 1) & mask;
    }
    slot[at] = key;
    return true;
}

/* An item drawn before is drawn again. R gives up after 100 repeats, of probability below 2^-100. */
static rrf_status sample_by_hash(rrf_rng *rng, int64_t n, int64_t size, int64_t *out)
{
    int bits = 4;
    while (((int64_t)1 << bits) < 2 * size) {
        bits++;
    }
    int64_t *slot = malloc(((size_t)1 << bits) * sizeof *slot);
    if (!slot) {
        return RRF_ERR_MEMORY;
    }
    memset(slot, 0xff, ((size_t)1 << bits) * sizeof *slot);
    for (int64_t i = 0; i < size; i++) {
        do {
            out[i] = (int64_t)rrf_rng_index(rng, (double)n);
        } while (!insert_new(slot, bits, out[i]));
    }
    free(slot);
    return RRF_OK;
}

/* ---- Items in R's order by weight ----------------------------------------------------------------------------------- */

typedef struct weighted {
    double weight;
    int64_t item;
} weighted;

/* Sifts `moving` down below `root` in a heap with the lightest item on top. */
static void sift_down(weighted *heap, int64_t root, int64_t count, weighted moving)
{
    for (int64_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && heap[child].weight > heap[child + 1].weight) {
            child++;
        }
        if (!(moving.weight > heap[child].weight)) {
            break;
        }
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = moving;
}

/* Sorts in descending order by heapsort, as R's revsort: the heap determines the order among equal weights. */
static void sort_descending(weighted *items, int64_t n)
{
    for (int64_t root = n / 2 - 1; root >= 0; root--) {
        sift_down(items, root, n, items[root]);
    }
    for (int64_t last = n - 1; last > 0; last--) {
        weighted moving = items[last];
        items[last] = items[0];
        sift_down(items, 0, last, moving);
    }
}

/* ---- Given weights ------------------------------------------------------------------------------------------------ */

static void sample_by_scan(rrf_rng *rng, weighted *items, int64_t n, int64_t size, int64_t *out)
{
    sort_descending(items, n);
    for (int64_t i = 1; i < n; i++) {
        items[i].weight += items[i - 1].weight;
    }
    for (int64_t i = 0; i < size; i++) {
        double u = rng_uniform(rng);
        int64_t at = 0;
        while (at < n - 1 && u > items[at].weight) {
            at++;
        }
        out[i] = items[at].item;
    }
}

static void sample_by_removal(rrf_rng *rng, weighted *items, int64_t n, int64_t size, int64_t *out)
{
    sort_descending(items, n);
    double total = 1.0;
    for (int64_t i = 0; i < size; i++, n--) {
        double target = total * rng_uniform(rng), mass = 0.0;
        int64_t at = 0;
        for (; at < n - 1; at++) {
            mass += items[at].weight;
            if (target <= mass) {
                break;
            }
        }
        out[i] = items[at].item;
        total -= items[at].weight;
        memmove(items + at, items + at + 1, (size_t)(n - 1 - at) * sizeof *items);
    }
}

/* Walker's alias table. Slot i keeps the item i with probability own[i] - i and passes to alias[i] otherwise. R compares
 * with i added on both sides, which rounds the probability to the last places of i. */
typedef struct alias_table {
    double *own;
    int64_t *alias;
    int64_t *order; /* work: items lighter than a slot from the left, the others from the right */
} alias_table;

static void fill_alias_table(alias_table t, const weighted *items, int64_t n)
{
    int64_t light = 0, heavy = n;
    for (int64_t i = 0; i < n; i++) {
        t.alias[i] = i;
        t.own[i] = items[i].weight * (double)n;
        t.order[t.own[i] < 1.0 ? light++ : --heavy] = i;
    }
    /* A heavy item that has become light keeps its position: `heavy` moves past it, so it is the next light one. */
    for (int64_t k = 0; light > 0 && heavy < n && k < n - 1; k++) {
        int64_t filled = t.order[k], giver = t.order[heavy];
        t.alias[filled] = giver;
        t.own[giver] += t.own[filled] - 1.0;
        heavy += t.own[giver] < 1.0;
    }
    for (int64_t i = 0; i < n; i++) {
        t.own[i] += (double)i;
    }
}

static rrf_status sample_by_alias(rrf_rng *rng, const weighted *items, int64_t n, int64_t size, int64_t *out)
{
    arena memory = {0};
    alias_table t;
    TAKE(&memory, t.own, n);
    TAKE(&memory, t.alias, n);
    TAKE(&memory, t.order, n);
    rrf_status status = arena_status(&memory);
    if (status == RRF_OK) {
        fill_alias_table(t, items, n);
        for (int64_t i = 0; i < size; i++) {
            /* With "Rounding" one uniform number determines both the slot and the level in it. */
            double level = rng->rounding ? rng_uniform(rng) * (double)n : rrf_rng_index(rng, (double)n);
            int64_t at = (int64_t)level;
            level += rng->rounding ? 0.0 : rng_uniform(rng);
            out[i] = level < t.own[at] ? at : t.alias[at];
        }
    }
    arena_free(&memory);
    return status;
}

/* Scales weights to a sum of 1, added from the left as in R. False: they are not valid, or too few are positive. */
static bool normalise(const double *prob, int64_t n, int64_t needed, weighted *items)
{
    int64_t positive = 0;
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(prob[i]) || prob[i] < 0.0) {
            return false;
        }
        positive += prob[i] > 0.0;
        sum += prob[i];
    }
    for (int64_t i = 0; i < n; i++) {
        items[i] = (weighted){prob[i] / sum, i};
    }
    return positive > 0 && positive >= needed;
}

static int64_t count_relevant(const weighted *items, int64_t n)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        count += (double)n * items[i].weight > 0.1;
    }
    return count;
}

static rrf_status sample_weighted(rrf_rng *rng, int64_t n, int64_t size, bool replace, const double *prob, int64_t *out)
{
    weighted *items = malloc((size_t)n * sizeof *items);
    if (!items) {
        return RRF_ERR_MEMORY;
    }
    rrf_status status = RRF_OK;
    if (!normalise(prob, n, replace ? 1 : size, items)) {
        status = RRF_ERR_ARGUMENT;
    } else if (!replace) {
        sample_by_removal(rng, items, n, size, out);
    } else if (count_relevant(items, n) > ALIAS_ABOVE) {
        status = sample_by_alias(rng, items, n, size, out);
    } else {
        sample_by_scan(rng, items, n, size, out);
    }
    free(items);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------------- */

rrf_status rrf_sample(rrf_rng *rng, int64_t n, int64_t size, int replace, const double *prob, int64_t *out)
{
    const double largest = 4.5e15; /* R's bound */
    if (n < 0 || (double)n > largest || size < 0 || (size > 0 && n == 0) || (size > n && !replace)) {
        return RRF_ERR_ARGUMENT;
    }
    if (prob && n > INT_MAX) {
        return RRF_ERR_ARGUMENT;
    }
    if (size == 0) {
        return RRF_OK;
    }
    if (prob) {
        return sample_weighted(rng, n, size, replace, prob, out);
    }
    if (replace || size < 2) {
        sample_with_replacement(rng, n, size, out);
        return RRF_OK;
    }
    bool hashed = (double)n > HASH_ABOVE && (double)size <= (double)n / 2;
    return hashed ? sample_by_hash(rng, n, size, out) : sample_by_table(rng, n, size, out);
}

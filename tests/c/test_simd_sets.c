/* The loops of random numbers and of random sets of levels, plain and the fastest that this processor can run.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "check.h"
#include "loops.h"

enum { ROUNDS = 3000 };

/* ---- the generator --------------------------------------------------------------------------------------------------- */

static void check_flips(const rrf_rng *rng, int block)
{
    for (int i = 0; i < COUNT(sets); ++i) {
        uint8_t flips[RRF_MT_WORDS / 8];
        set_at(i)->flip(rng->state, flips);
        for (int at = 0; at < RRF_MT_WORDS; ++at) {
            int expected = word_to_uniform(rng->word[at]) > 0.5;
            CHECK((flips[at / 8] >> at % 8 & 1) == expected, "%s, block %d, word %d", sets[i].name, block, at);
        }
    }
}

static void test_generator(void)
{
    rrf_rng plain, best;
    rrf_rng_seed(&plain, 6);
    rrf_rng_seed(&best, 6);
    for (int block = 0; block < 5; ++block) {
        simd_plain.twist(plain.state);
        simd_best()->twist(best.state);
        CHECK(!memcmp(plain.state, best.state, sizeof plain.state), "block %d: state", block);
        simd_plain.temper(plain.state, plain.word);
        simd_best()->temper(best.state, best.word);
        CHECK(!memcmp(plain.word, best.word, sizeof plain.word), "block %d: words", block);
        check_flips(&plain, block);
    }
}

/* ---- sets of levels -------------------------------------------------------------------------------------------------- */

enum { THINGS = 32, N_SETS = 2 * SETS_AT_A_TIME };

typedef struct sums_by_set {
    int32_t inside[N_SETS], inside_squares[N_SETS], outside_squares[N_SETS];
} sums_by_set;

static set_sums set_sums_in(sums_by_set *s)
{
    return (set_sums){s->inside, s->inside_squares, s->outside_squares};
}

static void naive_add(const uint32_t *set, const uint32_t *payload, int n_things, sums_by_set *s)
{
    for (int i = 0; i < N_SETS; ++i) {
        for (int shift = 0; shift <= 16; shift += 16) {
            int32_t inside = 0, outside = 0;
            for (int j = 0; j < n_things; ++j) {
                *(set[i] >> j & 1 ? &inside : &outside) += (int32_t)(payload[j] >> shift & 0xffff);
            }
            s->inside[i] += inside;
            s->inside_squares[i] += inside * inside;
            s->outside_squares[i] += outside * outside;
        }
    }
}

/* In double precision, where single may err either way next to the threshold. */
static double criterion_of(const sums_by_set *s, int i, int32_t all)
{
    double inside = s->inside[i], outside = all - inside;
    return inside > 0 && outside > 0 ? s->inside_squares[i] / inside + s->outside_squares[i] / outside : -INFINITY;
}

static void check_promising_sets(const simd *k, const char *name, sums_by_set *s, int32_t all, double threshold)
{
    set_sums sums = set_sums_in(s);
    for (int from = 0; from < N_SETS; from += SIMD_BLOCK) {
        int found = k->find_promising_set(&sums, from, N_SETS, all, (float)threshold);
        bool near = found == N_SETS;
        for (int i = from; i < found; ++i) {
            double crit = criterion_of(s, i, all);
            CHECK(crit == -INFINITY || crit < threshold * (1.0 + 1.0e-6), "%s: set %d is passed over", name, i);
        }
        for (int i = found; i < found + SIMD_BLOCK && !near; ++i) {
            double crit = criterion_of(s, i, all);
            near = crit > -INFINITY && crit >= threshold * (1.0 - 1.0e-6);
        }
        CHECK(near, "%s: nothing in block %d", name, found);
    }
}

/* Up to the largest node: all cases in one class, and the others' squares at most as large. */
static void test_sets_of_things(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 8);
    for (int round = 0; round < 300; ++round) {
        uint32_t set[N_SETS], payload[THINGS], total = 0;
        int n_things = draw(&rng, 2, THINGS), most = round % 3 ? 3 : MAX_PACKED / 2 / n_things;
        sums_by_set naive;
        memset(&naive, 0, sizeof naive);
        for (int j = 0; j < n_things; ++j) {
            payload[j] = (uint32_t)draw(&rng, 0, most) << 16 | (uint32_t)draw(&rng, 1, most);
            total += payload[j];
        }
        for (int i = 0; i < N_SETS; ++i) {
            set[i] = rng_word(&rng);
        }
        naive_add(set, payload, n_things, &naive);
        for (int i = 0; i < COUNT(sets); ++i) {
            sums_by_set own;
            memset(&own, 0, sizeof own);
            set_sums sums = set_sums_in(&own);
            set_at(i)->add_to_sets(set, N_SETS, payload, n_things, total, &sums);
            CHECK(!memcmp(&own, &naive, sizeof own), "%s, round %d: sums", sets[i].name, round);
            int32_t all = (int32_t)((total >> 16) + (total & 0xffff));
            check_promising_sets(set_at(i), sets[i].name, &naive, all, criterion_of(&naive, draw(&rng, 0, 9), all));
            check_promising_sets(set_at(i), sets[i].name, &naive, all, (double)all);
        }
    }
}

/* ---- the shuffle ----------------------------------------------------------------------------------------------------- */

static void test_pass_untagged(void)
{
    enum { FEATURES = 500 };
    rrf_rng rng;
    rrf_rng_seed(&rng, 6);
    for (int round = 0; round < ROUNDS; ++round) {
        uint8_t tag[FEATURES] = {0};
        uint32_t word[FEATURES];
        int remaining = draw(&rng, 1, FEATURES), draws = draw(&rng, 0, remaining), expected = 0;
        for (int i = draw(&rng, 0, 6); i > 0; --i) {
            tag[rng_below(&rng, FEATURES)] = 1;
        }
        for (int i = 0; i < FEATURES; ++i) {
            word[i] = rng_word(&rng);
        }
        while (expected < draws && !tag[word_to_index(word[expected], remaining - expected)] &&
               !tag[remaining - expected - 1]) {
            ++expected;
        }
        for (int i = 0; i < COUNT(sets); ++i) {
            int passed = set_at(i)->pass_untagged(tag, remaining, word, draws);
            CHECK(passed == expected, "%s, round %d: %d, not %d", sets[i].name, round, passed, expected);
        }
    }
}

int main(void)
{
    test_generator();
    test_sets_of_things();
    test_pass_untagged();
    return 0;
}

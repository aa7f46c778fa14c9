/* The hot loops, plain and the fastest that this processor can run, against what simd.h says of them.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "check.h"
#include "loops.h"

enum { MAX_SIZE = 200, ROUNDS = 3000 };

/* ---- planes ---------------------------------------------------------------------------------------------------------- */

static void test_count_planes(void)
{
    enum { WORDS = 5, GROUPS = 4, PLANES = 3 };
    rrf_rng rng;
    rrf_rng_seed(&rng, 22);
    for (int round = 0; round < ROUNDS; ++round) {
        uint64_t plane[PLANES * WORDS], mask[GROUPS * WORDS], unit[GROUPS], expected[PLANES] = {0};
        int32_t size[GROUPS], word[GROUPS * WORDS];
        int n_planes = draw(&rng, 1, PLANES);
        for (int i = 0; i < PLANES * WORDS; ++i) {
            plane[i] = (uint64_t)rng_word(&rng) << 32 | rng_word(&rng);
        }
        for (int group = 0; group < GROUPS; ++group) {
            unit[group] = (uint64_t)1 << draw(&rng, 0, 40);
            size[group] = draw(&rng, 0, WORDS);
            for (int i = 0; i < size[group]; ++i) {
                int at = group * WORDS + i;
                word[at] = draw(&rng, 0, WORDS - 1);
                mask[at] = (uint64_t)rng_word(&rng) << 32 | rng_word(&rng);
                for (int v = 0; v < n_planes; ++v) {
                    for (int bit = 0; bit < 64; ++bit) {
                        expected[v] += (plane[v * WORDS + word[at]] & mask[at]) >> bit & 1 ? unit[group] : 0;
                    }
                }
            }
        }
        node_masks masks = {GROUPS, WORDS, size, unit, word, mask};
        for (int i = 0; i < COUNT(sets); ++i) {
            uint64_t sums[PLANES];
            set_at(i)->count_planes(plane, n_planes, WORDS, &masks, sums);
            for (int v = 0; v < n_planes; ++v) {
                CHECK(sums[v] == expected[v], "%s, round %d: plane %d of %d", sets[i].name, round, v, n_planes);
            }
        }
    }
}

/* ---- gathering ------------------------------------------------------------------------------------------------------- */

static void test_gather(void)
{
    enum { WORDS = 6, KEYS = 64 * WORDS };
    rrf_rng rng;
    rrf_rng_seed(&rng, 3);
    for (int round = 0; round < ROUNDS; ++round) {
        uint64_t drawn[WORDS];
        int words = draw(&rng, 1, WORDS), thinning = draw(&rng, 0, 6);
        for (int w = 0; w < words; ++w) {
            drawn[w] = ~UINT64_C(0);
            for (int i = 0; i < thinning; ++i) {
                drawn[w] &= (uint64_t)rng_word(&rng) << 32 | rng_word(&rng);
            }
        }
        for (int i = 0; i < COUNT(sets); ++i) {
            uint64_t mark[WORDS];
            uint32_t slot[KEYS] = {0}, keys[KEYS + SIMD_BLOCK], present[KEYS + SIMD_BLOCK];
            int expected = 0;
            memcpy(mark, drawn, sizeof mark);
            for (int key = 0; key < 64 * words; ++key) {
                slot[key] = drawn[key / 64] >> key % 64 & 1 ? 1000U + (uint32_t)key : 0;
            }
            int count = set_at(i)->gather(mark, words, slot, keys, present);
            for (int key = 0; key < 64 * words; ++key) {
                CHECK(slot[key] == 0 && mark[key / 64] == 0, "%s, round %d: key %d left", sets[i].name, round, key);
                if (drawn[key / 64] >> key % 64 & 1) {
                    bool here = keys[expected] == (uint32_t)key && present[expected] == 1000U + (uint32_t)key;
                    CHECK(here, "%s, round %d: key %d is not number %d", sets[i].name, round, key, expected);
                    ++expected;
                }
            }
            CHECK(count == expected, "%s, round %d: %d keys, not %d", sets[i].name, round, count, expected);
        }
    }
}

/* ---- parting --------------------------------------------------------------------------------------------------------- */

static void test_part(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 4);
    for (int round = 0; round < ROUNDS; ++round) {
        uint64_t drawn[MAX_SIZE], entries[MAX_SIZE], spare[MAX_SIZE + SIMD_BLOCK];
        uint8_t left[MAX_SIZE];
        int size = draw(&rng, 0, MAX_SIZE), bias = draw(&rng, 0, 4);
        for (int i = 0; i < size; ++i) {
            left[i] = (uint8_t)(draw(&rng, 0, 4) < bias);
            drawn[i] = (uint64_t)rng_word(&rng) << 32 | (uint32_t)((i * 7 + round) % size);
        }
        for (int i = 0; i < COUNT(sets); ++i) {
            int at_left = 0, at_right = 0;
            memcpy(entries, drawn, sizeof entries);
            int n_left = set_at(i)->part(entries, size, left, spare);
            for (int k = 0; k < size; ++k) {
                bool goes_left = left[(uint32_t)drawn[k]];
                uint64_t entry = goes_left ? entries[at_left++] : spare[at_right++];
                CHECK(entry == drawn[k], "%s, round %d: entry %d of %d", sets[i].name, round, k, size);
            }
            CHECK(n_left == at_left, "%s, round %d: %d go left, not %d", sets[i].name, round, n_left, at_left);
        }
    }
}

/* ---- the rest -------------------------------------------------------------------------------------------------------- */

static void test_count_smaller(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 5);
    for (int n = 1; n <= MAX_SIZE; ++n) {
        double x[MAX_SIZE];
        int32_t count[MAX_SIZE];
        for (int i = 0; i < n; ++i) {
            x[i] = n % 2 ? rng_uniform(&rng) : (draw(&rng, 0, 1) ? 1.0 : -1.0) * draw(&rng, 0, n / 2);
        }
        for (int i = 0; i < COUNT(sets); ++i) {
            set_at(i)->count_smaller(x, n, count);
            for (int at = 0; at < n; ++at) {
                int expected = 0;
                for (int other = 0; other < n; ++other) {
                    expected += x[other] < x[at];
                }
                CHECK(count[at] == expected, "%s, %d values, value %d", sets[i].name, n, at);
            }
        }
    }
}

/* Beyond the keys lie numbers that count for nothing. */
static void test_count_smaller_ranks(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 7);
    for (int n = 1; n <= MAX_SIZE; ++n) {
        int32_t key[MAX_SIZE + SIMD_BLOCK], count[MAX_SIZE + SIMD_BLOCK];
        for (int i = 0; i < n + SIMD_BLOCK; ++i) {
            key[i] = n % 2 ? (int32_t)rng_word(&rng) : draw(&rng, 0, n / 2);
        }
        for (int i = 0; i < COUNT(sets); ++i) {
            set_at(i)->count_smaller_ranks(key, n, count);
            for (int at = 0; at < n; ++at) {
                int expected = 0;
                for (int other = 0; other < n; ++other) {
                    expected += key[other] < key[at];
                }
                CHECK(count[at] == expected, "%s, %d keys, key %d", sets[i].name, n, at);
            }
        }
    }
}

/* ---- cuts of several classes ----------------------------------------------------------------------------------------- */

enum { CUT_CLASSES = 4, CUT_ROWS = 3 * CUT_LANES };

typedef struct cut_problem {
    int n_rows, n_cuts;
    uint32_t rank[CUT_ROWS], key[CUT_ROWS], weight[CUT_ROWS];
    int16_t cut[CUT_ROWS];
    int32_t end[CUT_CLASSES];
    float total[CUT_CLASSES], price[CUT_CLASSES];
    class_rows rows;
} cut_problem;

/* A cut after each row, or one after each rank. Small counts have loops of their own, and so have even prices. */
static void draw_cuts(rrf_rng *rng, cut_problem *p, int round)
{
    int most = round % 3 ? 3 : 600, n_ranks = draw(rng, 1, CUT_ROWS), first = round % 5 ? 0 : 65000;
    *p = (cut_problem){.n_rows = draw(rng, CUT_CLASSES, CUT_ROWS)};
    p->rows = (class_rows){CUT_CLASSES, p->end, p->total, p->price, p->weight, 0.0F, round % 2};
    for (int k = 0, i = 0; k < CUT_CLASSES; ++k) {
        p->end[k] = k == CUT_CLASSES - 1 ? p->n_rows : (k + 1) * p->n_rows / CUT_CLASSES;
        for (; i < p->end[k]; ++i) {
            uint32_t cases = (uint32_t)draw(rng, 1, most);
            p->rank[i] = (uint32_t)(first + draw(rng, 0, n_ranks - 1));
            p->key[i] = cut_key_twice(p->rank[i]);
            p->weight[i] = cases * 0x10001U;
            p->total[k] += (float)cases;
        }
        p->price[k] = p->rows.even ? 1.0F : 1.0F / p->total[k];
        p->rows.cases += p->total[k];
    }
    p->n_cuts = round % 4 ? p->n_rows : n_ranks;
    for (int i = 0; i < CUT_ROWS; ++i) {
        uint32_t rank = round % 4 ? p->rank[i < p->n_rows ? i : 0] : (uint32_t)(first + i);
        p->cut[i] = cut_key(rank < 65535 ? rank : 65535);
    }
}

/* Checks cut i; returns its worth. */
static double naive_worth(const cut_problem *p, int i, const uint16_t *right)
{
    double cases = 0.0, left_squares = 0.0, right_squares = 0.0, all = (double)p->rows.cases;
    for (int k = 0, row = 0; k < CUT_CLASSES; ++k) {
        double left = 0.0, there = 0.0;
        for (; row < p->end[k]; ++row) {
            bool is_left = cut_key(p->rank[row]) <= p->cut[i];
            *(is_left ? &left : &there) += (double)(p->weight[row] & 0xffff);
        }
        uint16_t counted = right[i / CUT_LANES * CUT_LANES * CUT_CLASSES + k * CUT_LANES + i % CUT_LANES];
        CHECK((double)counted == there, "cut %d, class %d: %d on the right", i, k, counted);
        cases += left;
        left_squares += (double)p->price[k] * left * left;
        right_squares += (double)p->price[k] * there * there;
    }
    return cases > 0.0 && cases < all ? left_squares / cases + right_squares / (all - cases) : 0.0;
}

static void test_class_cuts(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 11);
    for (int round = 0; round < ROUNDS; ++round) {
        static cut_problem p;
        float worth[COUNT(sets)][CUT_ROWS];
        draw_cuts(&rng, &p, round);
        for (int set = 0; set < COUNT(sets); ++set) {
            uint16_t right[CUT_ROWS * CUT_CLASSES];
            float most = set_at(set)->class_cuts_worth(p.key, p.cut, p.n_cuts, &p.rows, right, worth[set]);
            for (int i = 0; i < p.n_cuts; ++i) {
                double expected = naive_worth(&p, i, right), found = (double)worth[set][i];
                CHECK(fabs(found - expected) <= 1e-6 * expected, "%s: %g, not %g", sets[set].name, found, expected);
                CHECK(worth[set][i] <= most, "%s: the most is %g", sets[set].name, (double)most);
                CHECK(worth[set][i] == worth[0][i], "%s, cut %d differs", sets[set].name, i);
            }
        }
    }
}

enum { LANE_STRIDE = 2 * CUT_LANES };

/* The ranks of the problem's rows in a matrix of other rows, too; each lane has an order of its own. */
static void draw_lanes(rrf_rng *rng, const cut_problem *p, int16_t *matrix, int32_t *row, int16_t *cut)
{
    for (int i = 0; i < p->n_rows; ++i) {
        row[i] = 2 * (p->n_rows - i);
        for (int lane = 0; lane < CUT_LANES; ++lane) {
            matrix[row[i] * LANE_STRIDE + lane] = (int16_t)(p->rank[draw(rng, 0, p->n_rows - 1)] & INT16_MAX);
        }
    }
    for (int i = 0; i < p->n_cuts * CUT_LANES; ++i) {
        cut[i] = (int16_t)(p->rank[draw(rng, 0, p->n_rows - 1)] & INT16_MAX);
    }
}

/* Cut i of a lane, as class_cuts_worth() has it for one feature. */
static void check_lane(const cut_problem *p, const lane_rows *lanes, const int16_t *cut, int lane,
                       const uint16_t *right, const float *worth, float best)
{
    uint32_t key[CUT_ROWS];
    int16_t own[CUT_ROWS] = {0};
    uint16_t expected[CUT_ROWS * CUT_CLASSES];
    float of_cut[CUT_ROWS];
    for (int i = 0; i < p->n_rows; ++i) {
        key[i] = cut_key_twice((uint32_t)lanes->rank[(size_t)lanes->row[i] * lanes->stride + (size_t)lane]);
    }
    for (int i = 0; i < p->n_cuts; ++i) {
        own[i] = cut_key((uint32_t)cut[i * CUT_LANES + lane]);
    }
    simd_plain.class_cuts_worth(key, own, p->n_cuts, &p->rows, expected, of_cut);
    float most = 0.0F;
    for (int i = 0; i < p->n_cuts; ++i) {
        const uint16_t *there = expected + i / CUT_LANES * CUT_LANES * CUT_CLASSES + i % CUT_LANES;
        for (int k = 0; k < CUT_CLASSES; ++k) {
            int counted = right[(i * CUT_CLASSES + k) * CUT_LANES + lane];
            CHECK(counted == there[k * CUT_LANES], "lane %d, cut %d, class %d: %d on the right", lane, i, k, counted);
        }
        CHECK(worth[i * CUT_LANES + lane] == of_cut[i], "lane %d, cut %d differs", lane, i);
        most = of_cut[i] > most ? of_cut[i] : most;
    }
    CHECK(best == most, "lane %d: the best is %g, not %g", lane, (double)best, (double)most);
}

static void test_class_lanes(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 13);
    for (int round = 0; round < ROUNDS; ++round) {
        static cut_problem p;
        static int16_t matrix[(2 * CUT_ROWS + 1) * LANE_STRIDE], cut[CUT_ROWS * CUT_LANES];
        int32_t row[CUT_ROWS];
        draw_cuts(&rng, &p, round);
        p.n_cuts = draw(&rng, 1, p.n_cuts);
        draw_lanes(&rng, &p, matrix, row, cut);
        lane_rows lanes = {matrix, LANE_STRIDE, row};
        for (int set = 0; set < COUNT(sets); ++set) {
            static uint16_t right[CUT_ROWS * CUT_CLASSES * CUT_LANES];
            static float worth[CUT_ROWS * CUT_LANES];
            float best[CUT_LANES];
            set_at(set)->class_lanes_worth(cut, p.n_cuts, &lanes, &p.rows, right, worth, best);
            for (int lane = 0; lane < CUT_LANES; ++lane) {
                check_lane(&p, &lanes, cut, lane, right, worth, best[lane]);
            }
        }
    }
}

int main(void)
{
    test_count_planes();
    test_gather();
    test_part();
    test_count_smaller();
    test_count_smaller_ranks();
    test_class_cuts();
    test_class_lanes();
    return 0;
}

/* The two-class filter of the hot loops, plain and the fastest that this processor can run, against what simd.h says of it.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "check.h"
#include "loops.h"

enum { MAX_SIZE = 200, ROUNDS = 3000 };

/* Cases at `size` places that sum up to `total`, packed; some places are empty when `gaps`. Returns class 0's share. */
static int draw_payload(rrf_rng *rng, uint32_t *payload, int size, int total, bool gaps)
{
    int class0 = 0;
    memset(payload, 0, (size_t)size * sizeof *payload);
    for (int i = 0; i < size; ++i) {
        int left = total - (size - 1 - i), count = i == size - 1 ? total : draw(rng, 1, left < 3 ? left : 3);
        if (gaps && i < size - 1 && draw(rng, 0, 1)) {
            continue;
        }
        bool first = draw(rng, 0, 2) == 0;
        payload[i] = first ? (uint32_t)count << 16 | (uint32_t)count : (uint32_t)count;
        class0 += first ? count : 0;
        total -= count;
    }
    return class0;
}

static two_class_filter draw_filter(rrf_rng *rng, int total, int class0)
{
    static const float share[] = {-INFINITY, -1.0F, 0.0F, 1e-4F, 1e-3F, 1e-2F, 0.1F, 0.5F, INFINITY};
    float scale = (float)total * (float)total;
    return (two_class_filter){.total = total, .class0 = class0, .threshold = share[draw(rng, 0, 8)] * scale};
}

/* The block in which the first promising boundary lies, and the sum before it. */
static int naive_find(const uint32_t *payload, int from, int size, bool skip_empty, uint32_t *sum,
                      const two_class_filter *filter)
{
    uint32_t running = *sum;
    for (int i = from; i < size; ++i) {
        if ((i - from) % SIMD_BLOCK == 0) {
            *sum = running;
        }
        running += payload[i];
        if ((payload[i] || !skip_empty) && two_class_promises(running, filter)) {
            return i - (i - from) % SIMD_BLOCK;
        }
    }
    *sum = running;
    return size;
}

static void test_find_promising(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 1);
    for (int round = 0; round < ROUNDS; ++round) {
        uint32_t payload[MAX_SIZE];
        int size = SIMD_BLOCK * draw(&rng, 1, MAX_SIZE / SIMD_BLOCK);
        int total = round % 5 == 0 ? MAX_PACKED : draw(&rng, size, 4 * size);
        two_class_filter filter = draw_filter(&rng, total, draw_payload(&rng, payload, size, total, true));
        int from = round % 2 ? 0 : SIMD_BLOCK * draw(&rng, 0, size / SIMD_BLOCK);
        uint32_t before = 0;
        for (int i = 0; i < from; ++i) {
            before += payload[i];
        }
        for (int i = 0; i < COUNT(sets); ++i) {
            uint32_t sum = before, naive_sum = before;
            int block = set_at(i)->find_promising(payload, from, size, &sum, &filter);
            int naive = naive_find(payload, from, size, true, &naive_sum, &filter);
            CHECK(block == naive, "%s, round %d: block %d, not %d", sets[i].name, round, block, naive);
            CHECK(sum == naive_sum, "%s, round %d: sum %x, not %x", sets[i].name, round, sum, naive_sum);
        }
    }
}

static void test_find_promising_entry(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 2);
    for (int round = 0; round < ROUNDS; ++round) {
        uint32_t payload[MAX_SIZE];
        uint64_t entries[MAX_SIZE + SIMD_BLOCK];
        int size = draw(&rng, 1, MAX_SIZE), total = round % 5 == 0 ? MAX_PACKED : draw(&rng, size, 4 * size);
        two_class_filter filter = draw_filter(&rng, total, draw_payload(&rng, payload, size, total, false));
        for (int i = 0; i < size + SIMD_BLOCK; ++i) {
            /* Behind the end stand cases of another node. */
            uint64_t upper = i < size ? payload[i] : 0x00030003U;
            entries[i] = upper << 32 | rng_word(&rng);
        }
        for (int i = 0; i < COUNT(sets); ++i) {
            uint32_t sum = 0, naive_sum = 0;
            int block = set_at(i)->find_promising_entry(entries, 0, size, &sum, &filter);
            int naive = naive_find(payload, 0, size, false, &naive_sum, &filter);
            CHECK(block == naive, "%s, round %d: block %d, not %d", sets[i].name, round, block, naive);
            CHECK(block == size || sum == naive_sum, "%s, round %d: sum %x", sets[i].name, round, sum);
        }
    }
}

/* Payloads of up to `most` cases a row, as large as eight in a row may be. */
static void test_find_promising_wide(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 21);
    for (int round = 0; round < ROUNDS; ++round) {
        uint64_t entries[MAX_SIZE + SIMD_BLOCK], total = 0, naive_sum = 0;
        int size = draw(&rng, 1, MAX_SIZE), most = round % 3 ? 3 : UINT16_MAX / SIMD_BLOCK, naive = size;
        for (int i = 0; i < size + SIMD_BLOCK; ++i) {
            uint32_t count = (uint32_t)draw(&rng, 1, most);
            uint32_t own = draw(&rng, 0, 1) ? count << 16 | count : count;
            entries[i] = (uint64_t)own << 32 | rng_word(&rng);
            total += i < size ? widen(own) : 0;
        }
        uint64_t before = (uint64_t)draw(&rng, 0, 9000) << 32 | 30000;
        total += before + 5;
        two_class_filter filter = draw_filter(&rng, (int)(uint32_t)total, (int)(total >> 32));
        naive_sum = before;
        for (int block = 0; block < size && naive == size; block += SIMD_BLOCK) {
            uint64_t running = naive_sum;
            for (int i = block; i < size && i < block + SIMD_BLOCK; ++i) {
                running += widen((uint32_t)(entries[i] >> 32));
                naive = two_class_promises_wide(running, &filter) ? block : naive;
            }
            naive_sum = naive == size ? running : naive_sum;
        }
        for (int i = 0; i < COUNT(sets); ++i) {
            uint64_t sum = before;
            int block = set_at(i)->find_promising_wide(entries, 0, size, &sum, &filter);
            CHECK(block == naive, "%s, round %d: block %d, not %d", sets[i].name, round, block, naive);
            CHECK(block == size || sum == naive_sum, "%s, round %d: sum", sets[i].name, round);
        }
    }
}

int main(void)
{
    test_find_promising();
    test_find_promising_entry();
    test_find_promising_wide();
    return 0;
}

/* Blocks of an arena: zeros, sizes that no block can have, failures, and arrays that grow. SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>

#include "alloc.h"
#include "arena.h"
#include "check.h"

enum { SIZE = 100, GROWN = 100000 };

static void test_blocks(void)
{
    long before = alloc_live();
    arena memory = {0};
    double *values;
    uint8_t *zeros;
    TAKE(&memory, values, SIZE);
    TAKE_ZEROS(&memory, zeros, SIZE);
    CHECK(values && zeros && arena_status(&memory) == RRF_OK, "no memory");
    CHECK((uintptr_t)zeros % _Alignof(max_align_t) == 0, "not aligned");
    for (int i = 0; i < SIZE; ++i) {
        CHECK(zeros[i] == 0, "byte %d is %d", i, zeros[i]);
    }
    arena_free(&memory);
    CHECK(alloc_live() == before, "%ld blocks left", alloc_live() - before);
}

/* What was not to be had is remembered, whatever is taken later, until the arena is freed. */
static void test_failures(void)
{
    arena memory = {0};
    double *values;
    int32_t *others;
    TAKE(&memory, values, SIZE_MAX / sizeof *values);
    CHECK(!values && arena_status(&memory) == RRF_ERR_MEMORY, "a block larger than all memory");
    TAKE_ZEROS(&memory, others, SIZE);
    CHECK(others && arena_status(&memory) == RRF_ERR_MEMORY, "the failure is forgotten");
    arena_free(&memory);
    CHECK(arena_status(&memory) == RRF_OK, "an empty arena has failed");
}

/* Growing blocks stay in their chain, wherever in it they are. */
static void test_growth(void)
{
    long before = alloc_live();
    arena memory = {0};
    int32_t *array[3] = {NULL};
    for (int size = SIZE; size <= GROWN; size *= 10) {
        for (int i = 0; i < 3; ++i) {
            CHECK(GROW(&memory, array[i], size) == RRF_OK, "no memory");
            CHECK(size == SIZE || array[i][0] == i, "array %d begins with %d", i, array[i][0]);
            array[i][0] = array[i][size - 1] = i;
        }
    }
    int32_t *first = array[0];
    CHECK(GROW(&memory, array[0], SIZE_MAX / 2) == RRF_ERR_MEMORY, "a block larger than all memory");
    alloc_fail_at(1, 0);
    CHECK(GROW(&memory, array[0], 2 * GROWN) == RRF_ERR_MEMORY, "memory that was refused");
    alloc_fail_at(0, 0);
    CHECK(array[0] == first && first[GROWN - 1] == 0 && arena_status(&memory) == RRF_OK, "the array is lost");
    arena_free(&memory);
    CHECK(alloc_live() == before, "%ld blocks left", alloc_live() - before);
}

static void test_renewal(void)
{
    long before = alloc_live();
    arena memory = {0};
    int32_t *array[3] = {NULL};
    for (int i = 0; i < 6; ++i) {
        CHECK(RENEW(&memory, array[i % 3], SIZE * (i + 1)) == RRF_OK, "no memory");
        array[i % 3][SIZE * (i + 1) - 1] = i;
    }
    CHECK(alloc_live() == before + 3, "%ld blocks", alloc_live() - before);
    CHECK(RENEW(&memory, array[1], SIZE_MAX / 2) == RRF_ERR_MEMORY && !array[1], "a block larger than all memory");
    CHECK(alloc_live() == before + 2 && arena_status(&memory) == RRF_OK, "%ld blocks", alloc_live() - before);
    arena_free(&memory);
    CHECK(alloc_live() == before, "%ld blocks left", alloc_live() - before);
}

int main(void)
{
    test_blocks();
    test_failures();
    test_growth();
    test_renewal();
    return 0;
}

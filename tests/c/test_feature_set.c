/* Who pays coefReg, F, and rows parted in two. SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "check.h"
#include "data/partition.h"
#include "tree/feature_set.h"
#include "tree/penalty.h"

/* In a regularized forest those outside F, in a guided one everybody. */
static void test_who_pays(void)
{
    CHECK(is_penalized(true, false), "a feature outside F is exempt");
    CHECK(!is_penalized(true, true), "a member pays");
    CHECK(is_penalized(false, true) && is_penalized(false, false), "somebody is exempt from a weight");
    CHECK(penalized(0.25, 8.0) == 2.0 && penalized(-0.5, 8.0) == -4.0, "%g, %g", penalized(0.25, 8.0),
          penalized(-0.5, 8.0));
}

/* The features with a number in `members`, and no others, are in F. */
static void check_members(const feature_set *f, const int32_t *members, int size)
{
    int n_has = 0;
    CHECK(f->size == size, "%d members rather than %d", f->size, size);
    for (int feature = 0; feature < f->p; ++feature) {
        n_has += f->has[feature];
    }
    CHECK(n_has == size, "%d features are marked rather than %d", n_has, size);
    for (int i = 0; i < size; ++i) {
        CHECK(f->members[i] == members[i] && f->has[members[i]], "member %d is %d", i, (int)f->members[i]);
    }
}

static void test_set(void)
{
    static const int32_t used[] = {0, 1, 0, 1, 0}, all[] = {1, 3, 4, 0}, again[] = {1, 3, 0, 2},
                         expected[] = {1, 1, 1, 1, 0};
    int32_t written[COUNT(used)];
    arena memory = {0};
    feature_set f;
    CHECK(feature_set_init(&f, COUNT(used), NULL, &memory) == RRF_OK, "memory");
    check_members(&f, NULL, 0);
    feature_set_take(&f, used);
    CHECK(feature_set_add(&f, 4) && feature_set_add(&f, 0), "a new feature is no news");
    CHECK(!feature_set_add(&f, 3), "a member enters again");
    check_members(&f, all, 4);
    feature_set_cut(&f, 4);
    check_members(&f, all, 4);
    /* Those that were removed are new when they come back. */
    feature_set_cut(&f, 2);
    check_members(&f, all, 2);
    CHECK(feature_set_add(&f, 0) && feature_set_add(&f, 2), "a feature that was removed is no news");
    check_members(&f, again, 4);
    feature_set_write(&f, written);
    CHECK(memcmp(written, expected, sizeof expected) == 0, "written otherwise");
    arena_free(&memory);
}

static void test_groups(void)
{
    static const int32_t group[] = {6, 2, 6, 0, 2, 6, 1}, used[COUNT(group)] = {[4] = 1}, of_two[] = {4, 1},
                         of_six[] = {4, 1, 2, 5, 0}, alone[] = {4, 1, 2, 5, 0, 3};
    arena memory = {0};
    feature_set f;
    CHECK(feature_set_init(&f, COUNT(group), group, &memory) == RRF_OK, "memory");
    CHECK(feature_set_next(&f, 0) == 2 && feature_set_next(&f, 2) == 5 && feature_set_next(&f, 5) == 0, "no ring");
    CHECK(feature_set_next(&f, 3) == 3 && feature_set_next(&f, 6) == 6, "a feature alone has others");
    feature_set_take(&f, used);
    check_members(&f, of_two, 2);
    feature_set_enter(&f, 2);
    check_members(&f, of_six, 5);
    feature_set_enter(&f, 1);
    check_members(&f, of_six, 5);
    feature_set_enter(&f, 3);
    check_members(&f, alone, 6);
    /* What was removed comes back as a whole. */
    feature_set_cut(&f, 2);
    feature_set_enter(&f, 2);
    check_members(&f, of_six, 5);
    arena_free(&memory);
}

/* Both sides keep their order, whatever their sizes. */
static void test_partition(void)
{
    static const int32_t rows[] = {5, 0, 3, 1, 4, 2};
    for (unsigned sides = 0; sides < 64; ++sides) {
        int32_t parted[COUNT(rows)], spare[COUNT(rows)], expected[COUNT(rows)];
        uint8_t left[COUNT(rows)];
        int n = 0, n_left = 0;
        for (int row = 0; row < COUNT(rows); ++row) {
            left[row] = sides >> row & 1;
            n_left += left[row];
        }
        for (int side = 1; side >= 0; --side) {
            for (int i = 0; i < COUNT(rows); ++i) {
                if (left[rows[i]] == side) {
                    expected[n++] = rows[i];
                }
            }
        }
        memcpy(parted, rows, sizeof rows);
        CHECK(partition_rows(parted, COUNT(rows), left, spare) == n_left, "sides %u: another number", sides);
        CHECK(memcmp(parted, expected, sizeof expected) == 0, "sides %u: another order", sides);
    }
}

int main(void)
{
    test_who_pays();
    test_set();
    test_groups();
    test_partition();
    return 0;
}

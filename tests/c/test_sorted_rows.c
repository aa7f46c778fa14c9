/* Sorted lists of a tree's rows against sorting anew: filled, parted, and filled again for a node.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "check.h"
#include "data/make_ranks.h"
#include "filters/columns/sorted_rows.h"
#include "random/splitmix.h"

enum { ROWS = 900, COLUMNS = 5 };
enum { DIFFERENT, TIED, FACTOR, MISSING, LAST };

typedef struct problem_of_lists {
    arena memory;
    double x[ROWS * COLUMNS];
    int32_t ncat[COLUMNS];
    uint32_t payload[ROWS], zeros[ROWS];
    int32_t rows[ROWS]; /* those with a payload, ascending */
    int n_rows;
    rrf_data data;
    rrf_ranks ranks;
    sorted_rows sorted;
} problem_of_lists;

static uint32_t draw(uint64_t key, int i, uint32_t n)
{
    return (uint32_t)(splitmix_word(key, (uint64_t)i) % n);
}

/* One row in `out` of the draw is out of bag. */
static void make_problem(problem_of_lists *p, int n, uint32_t out)
{
    static const int32_t features[COLUMNS] = {DIFFERENT, TIED, FACTOR, MISSING, LAST};
    memset(p, 0, sizeof *p);
    p->data = (rrf_data){.x = p->x, .n = n, .p = COLUMNS, .ncat = p->ncat};
    for (int feature = 0; feature < COLUMNS; ++feature) {
        p->ncat[feature] = feature == FACTOR ? 4 : 1;
        for (int row = 0; row < n; ++row) {
            uint32_t value = draw((uint64_t)feature, row, 1U << 30);
            p->x[feature * n + row] = feature == TIED                        ? value % 7
                                      : feature == FACTOR                    ? 1 + value % 4
                                      : feature == MISSING && value % 5 == 0 ? NAN
                                                                             : value;
        }
    }
    for (int row = 0; row < n; ++row) {
        p->payload[row] = draw(77, row, out) ? 1 + draw(78, row, 3) : 0;
        if (p->payload[row]) {
            p->rows[p->n_rows++] = row;
        }
    }
    watch watch = {0};
    ranks_kind kind = {.ties = TIES_BY_ROW, .may_miss = true};
    CHECK(ranks_alloc(&p->ranks, &p->data, kind) == RRF_OK, "ranks");
    CHECK(ranks_make(&p->ranks, &p->data, NULL) == RRF_OK, "ranks");
    CHECK(sorted_rows_init(&p->sorted, &p->ranks, NULL, simd_best(), &p->memory) == RRF_OK, "lists");
    CHECK(sorted_rows_begin(&p->sorted, features, COLUMNS, p->n_rows, &watch) == RRF_OK, "begin");
}

static void free_problem(problem_of_lists *p)
{
    arena_free(&p->memory);
    ranks_clear(&p->ranks);
}

/* The list of a node's rows, in any order, has to be those rows by rank, with their payloads. */
static void check_list(const problem_of_lists *p, int feature, const int32_t *rows, int start, int size,
                       const char *when)
{
    const uint64_t *entries = sorted_rows_range(&p->sorted, feature, start);
    bool has_list = feature != FACTOR && feature != MISSING;
    CHECK(!entries == !has_list, "%s: list of feature %d", when, feature);
    for (int i = 0; entries && i < size; ++i) {
        int place = 0;
        for (int j = 0; j < size; ++j) {
            place += rank_of(&p->ranks, feature, rows[j]) < rank_of(&p->ranks, feature, rows[i]);
        }
        uint64_t expected = (uint64_t)p->payload[rows[i]] << 32 | (uint32_t)rows[i];
        CHECK(entries[place] == expected, "%s: feature %d, place %d", when, feature, place);
    }
}

static void check_lists(const problem_of_lists *p, const int32_t *rows, int start, int size, const char *when)
{
    for (int feature = 0; feature < COLUMNS; ++feature) {
        check_list(p, feature, rows, start, size, when);
    }
}

static void check_zeros(const problem_of_lists *p, const char *when)
{
    for (int row = 0; row < p->data.n; ++row) {
        CHECK(p->zeros[row] == 0, "%s: what is to be zero again is %u in row %d", when, (unsigned)p->zeros[row], row);
    }
}

/* The rows of the tree, those of the left daughter first. */
static int part(const problem_of_lists *p, const uint8_t *left, int32_t *parted)
{
    int n = 0, n_left = 0;
    for (int side = 1; side >= 0; --side) {
        for (int i = 0; i < p->n_rows; ++i) {
            if (left[p->rows[i]] == side) {
                parted[n++] = p->rows[i];
            }
        }
        n_left = side ? n : n_left;
    }
    return n_left;
}

static void test_tree(void)
{
    static problem_of_lists p;
    static uint8_t left[ROWS];
    static int32_t parted[ROWS];
    static uint64_t spare[ROWS + SIMD_BLOCK];
    make_problem(&p, ROWS, 4);
    CHECK(sorted_rows_fill(&p.sorted, p.payload), "no lists");
    check_lists(&p, p.rows, 0, p.n_rows, "filled");
    for (int row = 0; row < ROWS; ++row) {
        left[row] = draw(79, row, 3) != 0;
    }
    int n_left = part(&p, left, parted);
    sorted_rows_part(&p.sorted, 0, p.n_rows, left, true, spare);
    check_lists(&p, parted, 0, n_left, "left daughter");
    check_lists(&p, parted + n_left, n_left, p.n_rows - n_left, "right daughter");
    sorted_rows_end(&p.sorted);
    CHECK(!sorted_rows_range(&p.sorted, DIFFERENT, 0), "a list after the end");
    free_problem(&p);
}

/* Two nodes are filled one after the other: the second must not find what the first has left, nor touch its range. */
static void test_nodes(void)
{
    static problem_of_lists p;
    static uint8_t left[ROWS];
    static int32_t parted[ROWS];
    make_problem(&p, ROWS, 4);
    for (int row = 0; row < ROWS; ++row) {
        left[row] = row % 2;
    }
    int n_left = part(&p, left, parted), n_right = p.n_rows - n_left;
    CHECK(sorted_rows_fill_node(&p.sorted, parted, 0, n_left, p.payload, p.zeros), "left");
    check_zeros(&p, "after the left node");
    CHECK(sorted_rows_fill_node(&p.sorted, parted + n_left, n_left, n_right, p.payload, p.zeros), "right");
    check_zeros(&p, "after the right node");
    check_lists(&p, parted, 0, n_left, "left node");
    check_lists(&p, parted + n_left, n_left, n_right, "right node");
    CHECK(!sorted_rows_fill_node(&p.sorted, parted, 0, 255, p.payload, p.zeros), "a small node has lists");
    check_zeros(&p, "after a small node");
    free_problem(&p);
}

static void test_small_tree(void)
{
    static problem_of_lists p;
    make_problem(&p, 200, 4);
    CHECK(!sorted_rows_fill(&p.sorted, p.payload), "a small tree has lists");
    CHECK(!sorted_rows_range(&p.sorted, DIFFERENT, 0), "a small tree has a list");
    free_problem(&p);
}

int main(void)
{
    test_tree();
    test_nodes();
    test_small_tree();
    return 0;
}

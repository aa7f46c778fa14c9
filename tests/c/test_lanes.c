/* Features side by side in lanes: their ranks row by row, and the loops over them, against one feature at a time.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "alloc.h"
#include "check.h"
#include "data/make_ranks.h"
#include "filters/columns/member_ranks.h"
#include "loops.h"

/* ---- the matrix ------------------------------------------------------------------------------------------------------ */

enum { ROWS = 70, COLUMNS = 40, FACTOR = 5, MISSING = 9 };

typedef struct columns {
    double x[ROWS * COLUMNS];
    int32_t ncat[COLUMNS];
    rrf_data data;
    rrf_ranks ranks;
} columns;

static void columns_make(columns *c)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 1);
    c->data = (rrf_data){.x = c->x, .n = ROWS, .p = COLUMNS, .ncat = c->ncat};
    for (int feature = 0; feature < COLUMNS; ++feature) {
        c->ncat[feature] = feature == FACTOR ? 3 : 1;
        for (int row = 0; row < ROWS; ++row) {
            int value = draw(&rng, 1, feature == FACTOR ? 3 : 1 + 3 * feature);
            c->x[feature * ROWS + row] = feature == MISSING && row % 7 == 0 ? NAN : value;
        }
    }
    ranks_kind kind = {.ties = TIES_MERGED, .may_miss = true, .counts = true};
    CHECK(ranks_alloc(&c->ranks, &c->data, kind) == RRF_OK, "ranks");
    CHECK(ranks_make(&c->ranks, &c->data, NULL) == RRF_OK, "ranks");
}

/* Every lane in use, in some rows. */
static void check_lanes(const columns *c, const member_ranks *m)
{
    static const int32_t rows[] = {3, 3, 0, ROWS - 1, 40};
    int16_t out[COUNT(rows) * RANK_LANES];
    for (int lane = 0; lane < m->n_lanes; ++lane) {
        int feature = m->feature[lane];
        CHECK(m->lane[feature] == lane, "lane %d of feature %d", lane, feature);
        member_ranks_gather(m, rows, COUNT(rows), lane / RANK_LANES, out);
        for (int i = 0; i < COUNT(rows); ++i) {
            int rank = out[i * RANK_LANES + lane % RANK_LANES];
            CHECK(rank == (int)rank_of(&c->ranks, feature, rows[i]), "feature %d, row %d", feature, rows[i]);
        }
    }
}

static void test_matrix(void)
{
    static columns c;
    arena memory = {0};
    member_ranks m;
    columns_make(&c);
    CHECK(member_ranks_init(&m, &c.data, &c.ranks, 1 << 20, &memory) == RRF_OK, "init");
    member_ranks_add(&m, 1);
    CHECK(m.n_lanes == 0, "there is no room yet");
    CHECK(member_ranks_reserve(&m, 1) == RRF_OK && m.stride >= RANK_LANES, "reserve");
    for (int feature = COLUMNS - 1; feature >= 0; --feature) {
        member_ranks_add(&m, feature);
        member_ranks_add(&m, feature);
        bool may = feature != FACTOR && feature != MISSING && m.n_lanes <= m.stride;
        CHECK((m.lane[feature] >= 0) == may || m.n_lanes == m.stride, "feature %d", feature);
        check_lanes(&c, &m);
    }
    CHECK(m.n_lanes == m.stride, "room for %d, used for %d", m.stride, m.n_lanes);
    CHECK(member_ranks_reserve(&m, COLUMNS) == RRF_OK && m.stride >= COLUMNS, "stride %d", m.stride);
    check_lanes(&c, &m);
    for (int feature = 0; feature < COLUMNS; ++feature) {
        member_ranks_add(&m, feature);
    }
    CHECK(m.n_lanes == COLUMNS - 2 && m.lane[FACTOR] < 0 && m.lane[MISSING] < 0, "%d lanes", m.n_lanes);
    check_lanes(&c, &m);
    member_ranks_clear(&m);
    CHECK(m.n_lanes == 0 && m.lane[1] < 0 && m.lane[COLUMNS - 1] < 0, "cleared");
    member_ranks_add(&m, 7);
    CHECK(m.n_lanes == 1, "after the clearing");
    check_lanes(&c, &m);
    arena_free(&memory);
    ranks_clear(&c.ranks);
}

static void test_matrix_of_bounded_size(void)
{
    static columns c;
    arena memory = {0};
    member_ranks m;
    columns_make(&c);
    CHECK(member_ranks_init(&m, &c.data, &c.ranks, ROWS * RANK_LANES * sizeof(int16_t), &memory) == RRF_OK, "init");
    CHECK(member_ranks_reserve(&m, COLUMNS) == RRF_OK && m.stride == RANK_LANES, "stride %d", m.stride);
    int16_t *matrix = m.rank;
    CHECK(member_ranks_reserve(&m, COLUMNS) == RRF_OK && m.rank == matrix, "the matrix is made once");
    arena_free(&memory);
    CHECK(member_ranks_init(&m, &c.data, &c.ranks, ROWS * RANK_LANES, &memory) == RRF_OK, "init");
    CHECK(member_ranks_reserve(&m, COLUMNS) == RRF_OK && !m.rank && m.stride == 0, "no room at all");
    member_ranks_add(&m, 1);
    CHECK(m.n_lanes == 0, "no lane");
    arena_free(&memory);
    ranks_clear(&c.ranks);
}

static void test_matrix_without_memory(void)
{
    static columns c;
    arena memory = {0};
    member_ranks m;
    columns_make(&c);
    for (int fails = 1; fails <= 2; ++fails) {
        alloc_fail_at(fails, 0);
        CHECK(member_ranks_init(&m, &c.data, &c.ranks, 1 << 20, &memory) == RRF_ERR_MEMORY, "allocation %d", fails);
        alloc_fail_at(0, 0);
        arena_free(&memory);
    }
    CHECK(member_ranks_init(&m, &c.data, &c.ranks, 1 << 20, &memory) == RRF_OK, "init");
    CHECK(member_ranks_reserve(&m, 2) == RRF_OK, "reserve");
    member_ranks_add(&m, 2);
    int stride = m.stride;
    alloc_fail_at(1, 0);
    CHECK(member_ranks_reserve(&m, COLUMNS) == RRF_ERR_MEMORY && m.stride == stride, "short of memory");
    alloc_fail_at(0, 0);
    check_lanes(&c, &m);
    arena_free(&memory);
    ranks_clear(&c.ranks);
}

/* ---- the loops ------------------------------------------------------------------------------------------------------- */

enum { MAX_CUTS = 40, MAX_ROWS = 50, ROUNDS = 400, NO_COUNT = 0xabcd };

static void draw_ranks(rrf_rng *rng, int n, int most, int16_t *rank)
{
    for (int i = 0; i < n; ++i) {
        rank[i] = (int16_t)draw(rng, 0, most);
    }
}

static void test_count_at_most(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 2);
    for (int round = 0; round < ROUNDS; ++round) {
        int16_t cut[MAX_CUTS * RANK_LANES], rank[MAX_ROWS * RANK_LANES];
        uint16_t payload[MAX_ROWS], left[(MAX_CUTS + 1) * RANK_LANES];
        int n_cuts = draw(&rng, 1, MAX_CUTS), n = draw(&rng, 1, MAX_ROWS), most = round % 2 ? 5 : INT16_MAX;
        draw_ranks(&rng, COUNT(cut), most, cut);
        draw_ranks(&rng, COUNT(rank), most, rank);
        for (int row = 0; row < n; ++row) {
            payload[row] = (uint16_t)draw(&rng, 0, UINT16_MAX / MAX_ROWS);
        }
        for (int i = 0; i < COUNT(sets); ++i) {
            left[n_cuts * RANK_LANES] = NO_COUNT;
            set_at(i)->count_at_most(cut, n_cuts, rank, n, payload, left);
            CHECK(left[n_cuts * RANK_LANES] == NO_COUNT, "%s, %d cuts: too far", sets[i].name, n_cuts);
            for (int at = 0; at < n_cuts * RANK_LANES; ++at) {
                int sum = 0;
                for (int row = 0; row < n; ++row) {
                    sum += rank[row * RANK_LANES + at % RANK_LANES] <= cut[at] ? payload[row] : 0;
                }
                CHECK(left[at] == sum, "%s, round %d: cut %d", sets[i].name, round, at);
            }
        }
    }
}

static void test_add_counts(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 4);
    for (int n = 0; n < MAX_CUTS; ++n) {
        uint16_t counts[MAX_CUTS];
        for (int i = 0; i < MAX_CUTS; ++i) {
            counts[i] = (uint16_t)rng_word(&rng);
        }
        for (int set = 0; set < COUNT(sets); ++set) {
            uint32_t sums[MAX_CUTS];
            for (int i = 0; i < MAX_CUTS; ++i) {
                sums[i] = 0x01230456U + (uint32_t)i;
            }
            set_at(set)->add_counts(counts, n, sums);
            for (int i = 0; i < MAX_CUTS; ++i) {
                uint32_t added = i < n ? (uint32_t)(counts[i] / 256) << 16 | counts[i] % 256 : 0;
                CHECK(sums[i] == 0x01230456U + (uint32_t)i + added, "%s, %d of %d", sets[set].name, i, n);
            }
        }
    }
}

/* l cases, a of them in class 0, of N and A. */
static float gain_of(int l, int a, const two_class_filter *node)
{
    float d = (float)(a * node->total - l * node->class0);
    return l == 0 || l == node->total ? -INFINITY : d * d / (float)(l * (node->total - l));
}

static void test_best_of_two_classes(void)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 3);
    for (int round = 0; round < ROUNDS; ++round) {
        uint32_t left[MAX_CUTS * RANK_LANES];
        int n = draw(&rng, 1, MAX_CUTS), total = round % 4 ? draw(&rng, 2, 300) : MAX_PACKED;
        two_class_filter node = {.total = total, .class0 = draw(&rng, 1, total - 1)};
        float expected[RANK_LANES], best[RANK_LANES];
        for (int lane = 0; lane < RANK_LANES; ++lane) {
            expected[lane] = -INFINITY;
        }
        for (int at = 0; at < n * RANK_LANES; ++at) {
            int l = draw(&rng, 0, 3) && at % RANK_LANES ? draw(&rng, 0, total) : total, least = l + node.class0 - total;
            int a = draw(&rng, least > 0 ? least : 0, l < node.class0 ? l : node.class0);
            float gain = gain_of(l, a, &node), *most = expected + at % RANK_LANES;
            left[at] = (uint32_t)a << 16 | (uint32_t)l;
            *most = gain > *most ? gain : *most;
        }
        for (int i = 0; i < COUNT(sets); ++i) {
            set_at(i)->best_of_two_classes(left, n, &node, best);
            for (int lane = 0; lane < RANK_LANES; ++lane) {
                CHECK(best[lane] == expected[lane], "%s, round %d: %g, not %g", sets[i].name, round, (double)best[lane],
                      (double)expected[lane]);
            }
        }
    }
}

int main(void)
{
    test_matrix();
    test_matrix_of_bounded_size();
    test_matrix_without_memory();
    test_count_at_most();
    test_add_counts();
    test_best_of_two_classes();
    return 0;
}

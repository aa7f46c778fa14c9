/* Packed columns: the rows of ranks, and rows partitioned as by their ranks. SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "check.h"
#include "data/make_ranks.h"
#include "filters/columns/few_values.h"
#include "loops.h"

enum { ROUNDS = 2000, MAX_ROWS = 400 };

static void check_ranks(const rrf_ranks *ranks, int round)
{
    uint32_t n_ranks = (uint32_t)ranks->n_ranks[0];
    for (uint32_t rank = 0; rank < n_ranks; ++rank) {
        uint32_t found = rank_of(ranks, 0, row_of_rank(ranks, 0, rank));
        CHECK(found == rank, "round %d: a row of rank %u has rank %u", round, rank, found);
    }
    for (int row = 0; row < ranks->n; ++row) {
        for (uint32_t rank = 0; rank + 1 < n_ranks; ++rank) {
            bool expected = rank_of(ranks, 0, row) <= rank;
            CHECK(rank_at_most(ranks, 0, rank, row) == expected, "round %d: row %d, rank %u", round, row, rank);
        }
    }
}

static int choose_rows(rrf_rng *rng, const rrf_ranks *ranks, int32_t *rows, uint32_t *low, uint32_t *high)
{
    int size = 0;
    *low = UINT32_MAX;
    *high = 0;
    for (int row = 0; row < ranks->n; ++row) {
        if (rng_below(rng, 3) > 0) {
            uint32_t rank = rank_of(ranks, 0, row);
            *low = rank < *low ? rank : *low;
            *high = rank > *high ? rank : *high;
            rows[size++] = row;
        }
    }
    return size;
}

static void check_parts(rrf_rng *rng, const rrf_ranks *ranks, int round)
{
    int32_t by_rank[MAX_ROWS], packed[MAX_ROWS], spare[MAX_ROWS];
    uint32_t low, high;
    int size = choose_rows(rng, ranks, by_rank, &low, &high);
    if (size == 0 || low == high) {
        return;
    }
    uint32_t cut = rank_of(ranks, 0, by_rank[rng_below(rng, size)]);
    cut = cut == high ? low : cut;
    memcpy(packed, by_rank, sizeof packed);
    beside_cut expected =
        partition_by_rank(ranks->rank, sizeof(uint16_t), (rank_cut){cut, UINT32_MAX}, by_rank, size, spare);
    beside_cut found = partition_packed(ranks, 0, cut, packed, size, spare);
    CHECK(found.n_left == expected.n_left, "round %d: %d go left", round, found.n_left);
    CHECK(!memcmp(packed, by_rank, (size_t)size * sizeof *packed), "round %d: another order", round);
    bool same = rank_of(ranks, 0, found.last_left) == rank_of(ranks, 0, expected.last_left) &&
                rank_of(ranks, 0, found.first_right) == rank_of(ranks, 0, expected.first_right);
    CHECK(same, "round %d: other ranks beside the cut", round);
}

int main(void)
{
    double x[MAX_ROWS];
    int32_t ncat = 1;
    rrf_rng rng;
    rrf_rng_seed(&rng, 7);
    for (int round = 0; round < ROUNDS; ++round) {
        int n = draw(&rng, 2, MAX_ROWS), values = draw(&rng, 1, round % 2 ? 6 : MAX_BYTE_RANKS);
        for (int row = 0; row < n; ++row) {
            x[row] = rng_below(&rng, values) / 4.0;
        }
        rrf_data data = {.n = n, .p = 1, .x = x, .ncat = &ncat};
        rrf_ranks ranks;
        CHECK(!ranks_alloc(&ranks, &data, (ranks_kind){TIES_MERGED, true, false, true}), "round %d", round);
        CHECK(!ranks_make(&ranks, &data, NULL), "round %d", round);
        if (ranks_are_few(&ranks, 0)) {
            check_ranks(&ranks, round);
            check_parts(&rng, &ranks, round);
        }
        ranks_clear(&ranks);
    }
    return 0;
}

/* Columns in bins: the bounds hold for every cut, both sets of loops agree, and rows are read and parted as by their ranks.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "check.h"
#include "filters/columns/coarse_ranks.h"
#include "data/make_ranks.h"
#include "loops.h"

enum { ROUNDS = 2000, MAX_ROWS = 400 };

/* Rows in ascending order of some feature; those of a bin stand together. */
typedef struct rows {
    int n;
    uint8_t bin[MAX_ROWS];
    int class0[MAX_ROWS], cases[MAX_ROWS];
    double y[MAX_ROWS];
} rows;

static void draw_rows(rrf_rng *rng, rows *r)
{
    int bin = rng_below(rng, 3), share = draw(rng, 0, 10);
    r->n = draw(rng, 2, MAX_ROWS);
    for (int i = 0; i < r->n; ++i) {
        bin += bin < MAX_BINS - 1 && rng_below(rng, 10) < share ? draw(rng, 1, 3) : 0;
        bin = bin < MAX_BINS ? bin : MAX_BINS - 1;
        r->bin[i] = (uint8_t)bin;
        r->cases[i] = draw(rng, 1, 4);
        r->class0[i] = rng_below(rng, 2) ? r->cases[i] : 0;
        r->y[i] = rng_uniform(rng) - 0.5 + 0.3 * r->class0[i];
    }
}

/* ---- two classes ----------------------------------------------------------------------------------------------------- */

static double strength_of(double d, double left, double total)
{
    return left > 0.0 && left < total ? d * d / (left * (total - left)) : 0.0;
}

static int list_cases(const rows *r, bin_cases *cases, int *first)
{
    double left0 = 0.0, left = 0.0;
    int n = 0;
    memset(cases, 0, sizeof *cases);
    for (int i = 0; i < r->n; ++i) {
        if (i == 0 || r->bin[i] != r->bin[i - 1]) {
            first[n] = i;
            cases->left0[n] = left0;
            cases->left[n++] = left;
        }
        cases->own0[n - 1] += r->class0[i];
        cases->own1[n - 1] += r->cases[i] - r->class0[i];
        left0 += r->class0[i];
        left += r->cases[i];
    }
    first[n] = r->n;
    return n;
}

static void check_strengths(const rows *r, int round)
{
    bin_cases cases;
    int first[MAX_BINS + 1], n = list_cases(r, &cases, first);
    double total = cases.left[n - 1] + cases.own0[n - 1] + cases.own1[n - 1];
    double class0 = cases.left0[n - 1] + cases.own0[n - 1], strength[MAX_BINS], between, of_plain[MAX_BINS];
    double most = simd_plain.bin_strengths(&cases, n, total, class0, of_plain);
    between = simd_best()->bin_strengths(&cases, n, total, class0, strength);
    CHECK(between == most && !memcmp(strength, of_plain, (size_t)n * sizeof *strength), "round %d: the sets", round);
    double strongest = 0.0;
    for (int bin = 0; bin < n; ++bin) {
        double left0 = cases.left0[bin], left = cases.left[bin];
        strongest = fmax(strongest, strength_of(left0 * total - left * class0, left, total));
        for (int i = first[bin]; i < first[bin + 1]; ++i) {
            left0 += r->class0[i];
            left += r->cases[i];
            double own = strength_of(left0 * total - left * class0, left, total);
            CHECK(own <= strength[bin] * (1.0 + 1e-12), "round %d, row %d: %g above %g", round, i, own, strength[bin]);
        }
    }
    CHECK(fabs(strongest - between) <= 1e-12 * strongest, "round %d: %g, not %g", round, between, strongest);
}

/* ---- numbers --------------------------------------------------------------------------------------------------------- */

typedef struct centred {
    float values[BIN_SUMS * MAX_ROWS];
    double total;
} centred;

static void centre_rows(const rows *r, centred *c)
{
    double sum = 0.0;
    c->total = 0.0;
    for (int i = 0; i < r->n; ++i) {
        sum += r->cases[i] * r->y[i];
        c->total += r->cases[i];
    }
    for (int i = 0; i < r->n; ++i) {
        double distance = r->y[i] - sum / c->total, part = r->cases[i] * distance;
        float *values = c->values + BIN_SUMS * i;
        values[0] = (float)r->cases[i];
        values[1] = (float)part;
        values[2] = (float)fabs(part);
        values[3] = (float)(part * distance);
    }
}

static void add_bins(const rows *r, const centred *c, double *sums, int round)
{
    static double plain[BIN_SUMS * MAX_BINS];
    uint64_t used[BIN_WORDS], of_plain[BIN_WORDS];
    memset(plain, 0, sizeof plain);
    memset(sums, 0, sizeof plain);
    simd_plain.add_to_bins(r->bin, r->n, c->values, plain, of_plain);
    simd_best()->add_to_bins(r->bin, r->n, c->values, sums, used);
    CHECK(!memcmp(sums, plain, sizeof plain) && !memcmp(used, of_plain, sizeof used), "round %d: the sets", round);
    for (int i = 0; i < r->n; ++i) {
        CHECK(used[r->bin[i] >> 6] >> (r->bin[i] & 63) & 1, "round %d, row %d: no mark", round, i);
    }
}

/* As value_bins.c lists them; the gains of cuts in the first and the last bin are bounded there. */
static int list_values(const double *sums, response_bins *list, int *bins)
{
    double weight = 0.0, sum = 0.0;
    int n = 0;
    memset(list, 0, sizeof *list);
    for (int bin = 0; bin < MAX_BINS; ++bin) {
        const double *own = sums + BIN_SUMS * bin;
        if (own[0] > 0.0) {
            bins[n] = bin;
            list->before[n] = weight;
            list->sum[n] = sum;
            list->high[n] = sum + 0.5 * (own[2] + own[1]);
            list->low[n++] = sum - 0.5 * (own[2] - own[1]);
            weight += own[0];
            sum += own[1];
        }
    }
    for (int i = n - 1; i < n - 1 + BIN_BLOCK; ++i) {
        list->high[i] = list->low[i] = list->sum[i + 1] = 0.0;
        list->before[i + 1] = list->before[n - 1];
    }
    return n;
}

static void check_gains(const rows *r, int round)
{
    static double sums[BIN_SUMS * MAX_BINS];
    static response_bins list;
    static centred c;
    int bins[MAX_BINS];
    double least, most, of_plain[2], best = 0.0, between = 0.0, weight = 0.0, sum = 0.0;
    centre_rows(r, &c);
    add_bins(r, &c, sums, round);
    int n = list_values(sums, &list, bins);
    simd_plain.bound_bins(&list, n, c.total, 1e-9, of_plain, of_plain + 1);
    simd_best()->bound_bins(&list, n, c.total, 1e-9, &least, &most);
    CHECK(least == of_plain[0] && most == of_plain[1], "round %d: the sets", round);
    for (int i = 0; i + 1 < r->n; ++i) {
        weight += r->cases[i];
        sum += (double)c.values[BIN_SUMS * i + 1];
        double gain = sum * sum * c.total / (weight * (c.total - weight));
        bool inside = r->bin[i] != bins[0] && r->bin[i] != bins[n - 1];
        best = inside && gain > best ? gain : best;
        between = r->bin[i] != r->bin[i + 1] && gain > between ? gain : between;
    }
    CHECK(best <= most * (1.0 + 1e-12), "round %d: a gain of %g above %g", round, best, most);
    CHECK(least <= between && between - least < 1e-6 * (1.0 + between), "round %d: %g, not %g", round, least, between);
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* Ranks a column of random values that has bins; returns the number of its rows. */
static int rank_draws(rrf_rng *rng, rrf_ranks *ranks, int round)
{
    double x[MAX_ROWS];
    int32_t ncat = 1;
    int n = draw(rng, 3 * COARSE_BINS, MAX_ROWS), values = draw(rng, 2 * COARSE_BINS, 2 * MAX_ROWS);
    for (int row = 0; row < n; ++row) {
        x[row] = row <= COARSE_BINS ? -row : rng_below(rng, values);
    }
    rrf_data data = {.n = n, .p = 1, .x = x, .ncat = &ncat};
    CHECK(!ranks_alloc(ranks, &data, (ranks_kind){TIES_MERGED, true, false, false}), "round %d", round);
    CHECK(!ranks_make(ranks, &data, NULL) && coarse_column(ranks, 0), "round %d: no bins", round);
    return n;
}

/* Of few rows and of many, which are read in two ways. */
static void check_bins(rrf_rng *rng, int round)
{
    int32_t rows[MAX_ROWS];
    uint8_t bin[MAX_ROWS];
    rrf_ranks ranks;
    int n = rank_draws(rng, &ranks, round), size = 0;
    for (int row = 0; row < n; ++row) {
        rows[size] = row;
        size += rng_below(rng, round % 2 ? 3 : 40) > 0 ? round % 2 : 1 - round % 2;
    }
    coarse_ranks_read(&ranks, 0, rows, size, bin);
    for (int i = 0; i < size; ++i) {
        uint32_t expected = coarse_bin(rank_of(&ranks, 0, rows[i]), coarse_scale(ranks.n_ranks[0]));
        CHECK(bin[i] == expected, "round %d: row %d is in bin %d", round, rows[i], bin[i]);
    }
    ranks_clear(&ranks);
}

static void check_parts(rrf_rng *rng, int round)
{
    int32_t by_rank[MAX_ROWS], by_bin[MAX_ROWS], spare[MAX_ROWS];
    rrf_ranks ranks;
    int n = rank_draws(rng, &ranks, round), size = 0;
    for (int row = 0; row < n; ++row) {
        by_rank[size] = by_bin[size] = row;
        size += rng_below(rng, 3) > 0;
    }
    uint32_t high = rank_of(&ranks, 0, by_rank[0]), low = high;
    for (int i = 1; i < size; ++i) {
        uint32_t rank = rank_of(&ranks, 0, by_rank[i]);
        high = rank > high ? rank : high;
        low = rank < low ? rank : low;
    }
    uint32_t cut = rank_of(&ranks, 0, by_rank[rng_below(rng, size)]);
    cut = cut == high ? low : cut;
    rank_cut parted = {cut, UINT32_MAX};
    beside_cut expected = partition_by_rank(ranks.rank, sizeof(uint16_t), parted, by_rank, size, spare);
    beside_cut found = partition_by_bin(&ranks, 0, cut, by_bin, size, spare);
    bool same = found.n_left == expected.n_left && found.last_left == expected.last_left &&
                found.first_right == expected.first_right;
    CHECK(same, "round %d: other rows beside the cut", round);
    CHECK(!memcmp(by_bin, by_rank, (size_t)size * sizeof *by_rank), "round %d: another order", round);
    ranks_clear(&ranks);
}

int main(void)
{
    static rows r;
    rrf_rng rng;
    rrf_rng_seed(&rng, 4);
    for (int round = 0; round < ROUNDS; ++round) {
        draw_rows(&rng, &r);
        check_strengths(&r, round);
        check_gains(&r, round);
        check_bins(&rng, round);
        check_parts(&rng, round);
    }
    return 0;
}

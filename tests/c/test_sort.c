/* sort_like_r against R 4.2.2. Each expected order is sort(x, method = "quick", index.return = TRUE)$ix - 1.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "data/sort_like_r.h"
#include "random/mersenne.h"

int check_failures;

#define MAX_N 3000

typedef double (*pattern)(int i, int n, int m);

static double squares(int i, int n, int m)
{
    (void)n;
    return (i * i * 7 + i) % m;
}

static double saw(int i, int n, int m)
{
    (void)n;
    return i % m;
}

static double down(int i, int n, int m)
{
    return m - i * m / n;
}

static double flat(int i, int n, int m)
{
    (void)i, (void)n, (void)m;
    return 1.0;
}

/* Moves the pivot's place as often as can be. */
static double six_moves(int i, int n, int m)
{
    static const double value[] = {11, 4, 6, 8, 11, 5, 0, 7, 1, 2, 9, 10};
    (void)n, (void)m;
    return value[i];
}

/* Orders pattern(0 .. n - 1) and checks what holds for any sort. */
static void sort_pattern(pattern make, int n, int m, int32_t *index)
{
    double value[MAX_N];
    int seen[MAX_N] = {0};
    for (int i = 0; i < n; i++) {
        value[i] = make(i, n, m);
        index[i] = i;
    }
    sort_like_r(value, index, n);
    for (int i = 0; i < n; i++) {
        CHECK(i == 0 || value[i - 1] <= value[i], "n = %d, m = %d: place %d descends", n, m, i);
        bool fresh = index[i] >= 0 && index[i] < n && !seen[index[i]]++;
        CHECK(fresh, "n = %d, m = %d: not a permutation", n, m);
        CHECK(value[i] == make(index[i], n, m), "n = %d, m = %d: index %d lost its value", n, m, i);
    }
}

static const struct {
    pattern make;
    int n;
    int32_t order[24];
} short_case[] = {
    {squares, 1, {0}},
    {squares, 2, {0, 1}},
    {squares, 11, {0, 8, 9, 5, 4, 1, 3, 6, 7, 2, 10}},
    {squares, 12, {0, 8, 9, 5, 4, 1, 3, 6, 7, 2, 10, 11}},
    {six_moves, 12, {6, 8, 9, 1, 5, 2, 7, 3, 10, 11, 0, 4}},
    {squares, 24, {0, 13, 12, 16, 17, 20, 21, 9, 8, 4, 1, 5, 22, 2, 19, 18, 3, 7, 15, 14, 6, 11, 10, 23}},
    {flat, 24, {0, 16, 15, 14, 13, 17, 18, 19, 20, 21, 22, 12, 11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 23}},
};

static void test_short_orders(void)
{
    for (int c = 0; c < COUNT(short_case); c++) {
        int32_t index[MAX_N];
        sort_pattern(short_case[c].make, short_case[c].n, 4, index);
        for (int i = 0; i < short_case[c].n; i++) {
            CHECK(index[i] == short_case[c].order[i], "case %d, place %d: %d, R has %d", c, i, (int)index[i],
                  (int)short_case[c].order[i]);
        }
    }
}

/* fold: h = 0; for (v in ix - 1) h <- (h * 31 + v) %% 1000003 */
static const struct {
    const char *name;
    pattern make;
    int n, m;
    int64_t fold;
} long_case[] = {
    {"squares", squares, 100, 3, 535195},   {"squares", squares, 100, 5, 403214},
    {"squares", squares, 100, 23, 345514},  {"squares", squares, 1000, 3, 792339},
    {"squares", squares, 1000, 5, 478751},  {"squares", squares, 1000, 23, 840056},
    {"squares", squares, 3000, 3, 471463},  {"squares", squares, 3000, 5, 657478},
    {"squares", squares, 3000, 23, 599291}, {"saw", saw, 100, 3, 257179},
    {"saw", saw, 100, 5, 120639},           {"saw", saw, 100, 23, 213214},
    {"saw", saw, 1000, 3, 874628},          {"saw", saw, 1000, 5, 129020},
    {"saw", saw, 1000, 23, 685228},         {"saw", saw, 3000, 3, 492868},
    {"saw", saw, 3000, 5, 203751},          {"saw", saw, 3000, 23, 975431},
    {"down", down, 100, 3, 700900},         {"down", down, 100, 5, 312549},
    {"down", down, 100, 23, 114784},        {"down", down, 1000, 3, 674727},
    {"down", down, 1000, 5, 290414},        {"down", down, 1000, 23, 470896},
    {"down", down, 3000, 3, 519825},        {"down", down, 3000, 5, 805035},
    {"down", down, 3000, 23, 421731},       {"flat", flat, 100, 3, 463073},
    {"flat", flat, 1000, 3, 498228},        {"flat", flat, 3000, 3, 948945},
};

static void test_long_orders(void)
{
    for (int c = 0; c < COUNT(long_case); c++) {
        int32_t index[MAX_N];
        int64_t fold = 0;
        sort_pattern(long_case[c].make, long_case[c].n, long_case[c].m, index);
        for (int i = 0; i < long_case[c].n; i++) {
            fold = (fold * 31 + index[i]) % 1000003;
        }
        CHECK(fold == long_case[c].fold, "%s, n = %d, m = %d: order differs from R's", long_case[c].name,
              long_case[c].n, long_case[c].m);
    }
}

static void test_nothing_to_sort(void)
{
    double value[1] = {5.0};
    int32_t index[1] = {7};
    sort_like_r(value, index, 0);
    CHECK(value[0] == 5.0 && index[0] == 7, "n = 0 touched the arrays");
}

/* ---- keys ------------------------------------------------------------------------------------------------------------ */

/* What drawn keys look like. */
enum shape { ANY_ORDER, ASCENDING, DESCENDING, HILL, ALL_EQUAL, NEARLY_SORTED, N_SHAPES };

static double draw_key(rrf_rng *rng, int shape, int i, int n, int n_keys)
{
    int64_t rising = (int64_t)i * n_keys / n;
    switch (shape) {
    case ASCENDING:
        return (double)rising;
    case DESCENDING:
        return (double)(n_keys - 1 - rising);
    case HILL:
        return (double)(2 * rising < n_keys ? rising : n_keys - 1 - rising);
    case ALL_EQUAL:
        return 3.0;
    case NEARLY_SORTED:
        return rng_below(rng, 10) ? (double)rising : rng_below(rng, n_keys);
    default:
        return rng_below(rng, n_keys);
    }
}

/* Marks places at random; returns how many. Among equal keys either all places or none are marked. */
static uint32_t draw_needed(rrf_rng *rng, const double *value, int n, uint32_t *needed)
{
    int one_in = 1 + rng_below(rng, 1 + rng_below(rng, 2 * n)), limit = rng_below(rng, 2) ? n : rng_below(rng, n + 1);
    bool marked = false;
    needed[0] = 0;
    for (int i = 0; i < n; i++) {
        marked = i > 0 && value[i] == value[i - 1] ? marked : i < limit && rng_below(rng, one_in) == 0;
        needed[i + 1] = needed[i] + marked;
    }
    return needed[n];
}

static void compare_keys(rrf_rng *rng, int n, int n_keys, int shape, uint64_t *items)
{
    double value[MAX_N];
    int32_t index[MAX_N];
    uint32_t needed[MAX_N + 1];
    for (int i = 0; i < n; i++) {
        value[i] = draw_key(rng, shape, i, n, n_keys);
        index[i] = i;
        items[i] = (uint64_t)value[i] << 32 | (uint32_t)i;
    }
    sort_like_r(value, index, n);
    uint32_t n_needed = draw_needed(rng, value, n, needed), right = 0;
    sort_keys_like_r(items, n, needed);
    for (int i = 0; i < n; i++) {
        bool same = items[i] == ((uint64_t)value[i] << 32 | (uint32_t)index[i]);
        CHECK(same || needed[i] == needed[i + 1], "n = %d, %d keys, shape %d: place %d", n, n_keys, shape, i);
        right += same && needed[i] < needed[i + 1];
    }
    CHECK(right == n_needed, "n = %d, %d keys, shape %d", n, n_keys, shape);
}

/* Keys end where sort_like_r puts numbers: every size up to 300 with few and many keys, and longer ones. The heap holds
 * the items, so that a place outside is noticed. */
static void test_keys(int rounds)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 1);
    for (int round = 0; round < rounds; round++) {
        int n = round < 900 ? 1 + round % 300 : 1 + rng_below(&rng, rng_below(&rng, 8) ? 200 : MAX_N);
        int n_keys = 1 + rng_below(&rng, rng_below(&rng, 2) ? 4 : 2 * n);
        int shape = rng_below(&rng, 2) ? ANY_ORDER : rng_below(&rng, N_SHAPES);
        uint64_t *items = malloc((size_t)n * sizeof *items);
        CHECK(items, "no memory");
        compare_keys(&rng, n, n_keys, shape, items);
        free(items);
    }
}

/* Usage: test_sort [rounds]: a longer comparison of keys and numbers. */
int main(int argc, char **argv)
{
    test_keys(argc == 2 ? atoi(argv[1]) : 6000);
    test_nothing_to_sort();
    test_short_orders();
    test_long_orders();
    return check_failures != 0;
}

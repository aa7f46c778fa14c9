/* rrf_sample against R 4.2.2: set.seed(21); x <- sample.int(n, size, replace, prob) - 1; runif(1).
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "random/mersenne.h"

int check_failures;

/* A table that cannot be had must come back as NULL, as without the sanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* Weights: none, 1 3 0 3 2 3, the repeated 1 8 5 2 9 6 3 10 7 4, or 150 ones and then hundredths. */
typedef enum weights { EQUAL, FEW, MANY, LIGHT } weights;

static const double *make_weights(weights kind, int64_t n, double *prob)
{
    static const double few[] = {1, 3, 0, 3, 2, 3};
    for (int64_t i = 0; kind != EQUAL && i < n; i++) {
        prob[i] = kind == FEW ? few[i] : kind == MANY ? (double)(i * 7 % 10 + 1) : i < 150 ? 1.0 : 0.01;
    }
    return kind == EQUAL ? NULL : prob;
}

static const struct {
    const char *path;
    int64_t n;
    int size;
    bool replace;
    weights kind;
    int64_t chosen[10];
    double next;
} sample_case[] = {
    {"table", 10, 10, false, EQUAL, {0, 2, 9, 1, 4, 8, 5, 6, 3, 7}, 0x1.663ba6cp-3},
    {"one", 5, 1, false, EQUAL, {0}, 0x1.660465dep-1},
    {"replacement", 7, 8, true, EQUAL, {6, 0, 2, 0, 1, 6, 4, 2}, 0x1.b2e40b86p-1},
    {"hash",
     20000000,
     8,
     false,
     EQUAL,
     {16920376, 994324, 7002482, 14937961, 15048285, 13044133, 8013885, 15440796},
     0x1.8d1b402cp-1},
    {"hash, 40 bits",
     1000000000000,
     8,
     false,
     EQUAL,
     {267372245762, 244639722286, 65164082282, 492493336425, 986204417223, 710925764669, 831650923243, 673346088073},
     0x1.2ab52b74p-2},
    {"scan", 6, 8, true, FEW, {4, 5, 3, 1, 0, 0, 1, 1}, 0x1.f8d5794ep-1},
    {"removal", 6, 5, false, FEW, {4, 1, 3, 5, 0}, 0x1.d65dabaap-1},
    {"removal of one", 6, 1, false, FEW, {4}, 0x1.02811924p-2},
    {"removal, many", 300, 8, false, MANY, {82, 4, 145, 184, 23, 176, 197, 297}, 0x1.f8d5794ep-1},
    {"removal of one of many", 300, 1, false, MANY, {82}, 0x1.02811924p-2},
    {"scan, light items", 300, 8, true, LIGHT, {82, 60, 46, 83, 147, 68, 17, 86}, 0x1.f8d5794ep-1},
    {"scan, largest", 200, 8, true, MANY, {42, 194, 145, 4, 93, 176, 127, 147}, 0x1.f8d5794ep-1},
    {"alias, smallest", 201, 8, true, MANY, {62, 2, 114, 15, 144, 105, 93, 77}, 0x1.20f4e874p-2},
    {"alias", 300, 8, true, MANY, {217, 15, 244, 111, 229, 199, 122, 66}, 0x1.3738f9b2p-1},
};

static void test_recorded_samples(void)
{
    for (int c = 0; c < COUNT(sample_case); c++) {
        double prob[300];
        int64_t out[10], n = sample_case[c].n;
        rrf_rng rng;
        rrf_rng_seed(&rng, 21);
        const double *weight = make_weights(sample_case[c].kind, n, prob);
        rrf_status status = rrf_sample(&rng, n, sample_case[c].size, sample_case[c].replace, weight, out);
        CHECK(status == RRF_OK, "%s: status %d", sample_case[c].path, (int)status);
        for (int i = 0; i < sample_case[c].size; i++) {
            CHECK(out[i] == sample_case[c].chosen[i], "%s, draw %d: %lld", sample_case[c].path, i, (long long)out[i]);
        }
        CHECK(rrf_rng_uniform(&rng) == sample_case[c].next, "%s: stream left elsewhere", sample_case[c].path);
    }
}

/* Without replacement: hashing above 1e7 items when at most half of them are drawn, else a table. Many draws, so that
 * repeats occur. fold: h = 0; for (v in x) h <- (h * 31 + v) %% 1000003 */
static const struct {
    int64_t n, size, fold;
    double next;
} large_case[] = {
    {50000, 50000, 983091, 0x1.c6ed7f4ep-1},     {10000000, 30000, 61163, 0x1.c9dca2d6p-1},
    {10000001, 30000, 535758, 0x1.ef2a136cp-1},  {10000002, 5000001, 581844, 0x1.7be42524p-2},
    {10000001, 5000001, 539002, 0x1.f12e59fp-3},
};

static void test_large_samples(void)
{
    for (int c = 0; c < COUNT(large_case); c++) {
        int64_t *out = malloc((size_t)large_case[c].size * sizeof *out), fold = 0;
        rrf_rng rng;
        rrf_rng_seed(&rng, 21);
        rrf_status status =
            out ? rrf_sample(&rng, large_case[c].n, large_case[c].size, false, NULL, out) : RRF_ERR_MEMORY;
        CHECK(status == RRF_OK, "case %d: status %d", c, (int)status);
        for (int64_t i = 0; status == RRF_OK && i < large_case[c].size; i++) {
            fold = (fold * 31 + out[i]) % 1000003;
        }
        CHECK(fold == large_case[c].fold, "case %d: sample differs from R's", c);
        CHECK(rrf_rng_uniform(&rng) == large_case[c].next, "case %d: stream left elsewhere", c);
        free(out);
    }
}

/* R compares the slot's number plus a uniform with the slot's number plus its share, both in double. An excess of 2^-50
 * over the uniform is lost in that sum, one of 2^-40 is not. Seed 1 draws slot 248 and then the uniform u. */
static void test_alias_rounding(void)
{
    const double u = 0x1.7d0e0c2cp-2, excess[] = {0x1p-50, 0x1p-40};
    static const int64_t expected[] = {255, 248};
    for (int c = 0; c < COUNT(excess); c++) {
        double prob[256];
        int64_t out;
        rrf_rng rng;
        for (int i = 0; i < 256; i++) {
            prob[i] = 1.0;
        }
        prob[248] = u + excess[c];
        prob[0] = 2.0 - u;
        rrf_rng_seed(&rng, 1);
        rrf_status status = rrf_sample(&rng, 256, 1, true, prob, &out);
        CHECK(status == RRF_OK && out == expected[c], "excess %g: %lld", excess[c], (long long)out);
    }
}

/* A uniform equal to a cumulative weight takes the item before it. R: sample.int(2, 1, replace, c(1, 1)) - 1 with
 * .Random.seed set so that the uniform is 0.5. */
static void test_uniform_on_a_boundary(void)
{
    const double prob[] = {1.0, 1.0};
    for (int replace = 0; replace < 2; replace++) {
        int64_t out = -1;
        rrf_rng rng;
        rrf_rng_seed(&rng, 1);
        rng.word[0] = 0x80000000u;
        rng.position = 0;
        rrf_status status = rrf_sample(&rng, 2, 1, replace, prob, &out);
        CHECK(status == RRF_OK && out == 1, "replace = %d: %lld", replace, (long long)out);
    }
}

static const struct {
    const char *what;
    int64_t n, size;
    bool replace;
    double prob[3];
} wrong_case[] = {
    {"negative n", -1, 0, false, {1, 1, 1}},
    {"negative size", 3, -1, false, {1, 1, 1}},
    {"no items", 0, 1, true, {1, 1, 1}},
    {"size above n", 3, 4, false, {1, 1, 1}},
    {"n above R's bound", 4500000000000001, 1, true, {1, 1, 1}},
    {"negative weight", 3, 1, true, {1, -1, 1}},
    {"NaN weight", 3, 1, true, {1, 0.0 / 0.0, 1}},
    {"infinite weight", 3, 1, true, {1, 1.0 / 0.0, 1}},
    {"no positive weight", 3, 1, true, {0, 0, 0}},
    {"too few positive weights", 3, 3, false, {1, 0, 1}},
};

static void test_wrong_arguments(void)
{
    for (int c = 0; c < COUNT(wrong_case); c++) {
        int64_t out[4];
        rrf_rng rng, before;
        rrf_rng_seed(&rng, 1);
        before = rng;
        rrf_status status =
            rrf_sample(&rng, wrong_case[c].n, wrong_case[c].size, wrong_case[c].replace, wrong_case[c].prob, out);
        CHECK(status == RRF_ERR_ARGUMENT, "%s: status %d", wrong_case[c].what, (int)status);
        CHECK(rng.position == before.position, "%s: the stream moved", wrong_case[c].what);
    }
}

static void test_no_memory(void)
{
    const int64_t n = 4000000000000000;
    int64_t out[1];
    rrf_rng rng;
    rrf_rng_seed(&rng, 1);
    rrf_status status = rrf_sample(&rng, n, n, false, NULL, out);
    CHECK(status == RRF_ERR_MEMORY, "a table of 2^55 bytes: status %d", (int)status);
}

static void test_size_zero(void)
{
    int64_t out[1] = {-5};
    rrf_rng rng;
    rrf_rng_seed(&rng, 1);
    CHECK(rrf_sample(&rng, 3, 0, false, NULL, out) == RRF_OK && out[0] == -5, "wrote an item");
    CHECK(rng.position == RRF_MT_WORDS, "the stream moved");
}

int main(void)
{
    test_recorded_samples();
    test_large_samples();
    test_alias_rounding();
    test_uniform_on_a_boundary();
    test_wrong_arguments();
    test_no_memory();
    test_size_zero();
    return check_failures != 0;
}

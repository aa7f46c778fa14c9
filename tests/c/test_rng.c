/* The generator and its draws against R 4.2.2 (numbers printed by sprintf("%a")) and against a naive MT19937.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "check.h"
#include "random/drawn_sets.h"
#include "random/mersenne.h"
#include "random/splitmix.h"

int check_failures;

/* set.seed(seed); u <- runif(2000); u[c(1, 2, 624, 625, 1248, 2000)] */
static const int uniform_at[] = {1, 2, 624, 625, 1248, 2000};
static const struct {
    int seed;
    double value[6];
} uniform_case[] = {
    {0, {0x1.cb1be53ap-1, 0x1.0fe180c4p-2, 0x1.8957dbb8p-1, 0x1.1786cdb8p-3, 0x1.ec1530fep-1, 0x1.f1421708p-3}},
    {1, {0x1.0fe180c4p-2, 0x1.7d0e0c2cp-2, 0x1.1786cdb8p-3, 0x1.4ca97288p-2, 0x1.95cf0f4p-1, 0x1.8c6758fp-2}},
    {-1, {0x1.f258e194p-2, 0x1.87ea81c8p-3, 0x1.33adecp-1, 0x1.ebbc0b92p-1, 0x1.dcf4b71p-2, 0x1.f4388f98p-3}},
    {2147483647, {0x1.611c16c6p-1, 0x1.f9cac67ep-1, 0x1.d72b341cp-2, 0x1.9c23ecep-4, 0x1.dc5e17p-1, 0x1.ea7803d4p-2}},
    {-2147483647, {0x1.1fc0a66ep-1, 0x1.26b7601ap-1, 0x1.9dd9c56p-1, 0x1.7e6ccf4ap-1, 0x1.4fd6879p-2, 0x1.380639dp-3}},
};

static void test_uniform_after_seed(void)
{
    for (int c = 0; c < COUNT(uniform_case); c++) {
        rrf_rng rng;
        rrf_rng_seed(&rng, (uint32_t)uniform_case[c].seed);
        CHECK(rng.position == RRF_MT_WORDS, "seed %d", uniform_case[c].seed);
        for (int draw = 1, next = 0; next < COUNT(uniform_at); draw++) {
            double u = rrf_rng_uniform(&rng);
            if (draw == uniform_at[next]) {
                CHECK(u == uniform_case[c].value[next], "seed %d, draw %d: %a", uniform_case[c].seed, draw, u);
                next++;
            }
        }
    }
}

/* set.seed(1); z <- rnorm(1000); z[c(1, 2, 3, 495, 1000)]; runif(1) */
static void test_normal_after_seed(void)
{
    static const int at[] = {1, 2, 3, 495, 1000};
    static const double value[] = {-0x1.40be8dcb2f8f7p-1, 0x1.7819fdbd4cf06p-3, -0x1.abd78373ce57ap-1,
                                   0x1.e7b725722e8f1p+1, -0x1.6506e41aa8836p-1};
    rrf_rng rng;
    rrf_rng_seed(&rng, 1);
    for (int draw = 1, next = 0; next < COUNT(at); draw++) {
        double z = rrf_rng_normal(&rng);
        if (draw == at[next]) {
            CHECK(z == value[next], "draw %d: %a", draw, z);
            next++;
        }
    }
    CHECK(rrf_rng_uniform(&rng) == 0x1.be5d3a4cp-1, "a normal took another number of uniforms");
}

/* Each piece of the quantile function: rnorm(1) with .Random.seed set so that these two words come next. */
static const struct {
    uint32_t word[2];
    double value;
} normal_case[] = {
    {{0x80000000u, 0}, 0.0},
    {{0x80000000u, 0x80000000u}, 0x1.40d931ff62707p-27},
    {{0xecccccc0u, 0}, 0x1.70852212d1ca8p+0},
    {{0xebc6bdc0u, 5}, 0x1.696e464d1df1cp+0},
    {{0xf0000000u, 7}, 0x1.88bc1fbe1dabcp+0},
    {{0, 0xffffffffu}, -0x1.6a69a34493012p+2},
    {{0, 0x139080fu}, -0x1.a12987f7b7a2dp+2},
    {{0, 0}, -0x1.18bf0c094549dp+3},
    {{0xffffffffu, 0xffc00000u}, 0x1.b025b0b56a3a8p+2},
    {{0xffffffffu, 0xffffffffu}, INFINITY},
};

static void test_normal_pieces(void)
{
    for (int c = 0; c < COUNT(normal_case); c++) {
        rrf_rng rng;
        rrf_rng_seed(&rng, 1);
        memcpy(rng.word, normal_case[c].word, sizeof normal_case[c].word);
        rng.position = 0;
        double z = rrf_rng_normal(&rng);
        CHECK(z == normal_case[c].value, "case %d: %a", c, z);
    }
}

/* The ends of the open interval: runif(1) with .Random.seed set so that this word comes next. */
static void test_uniform_ends(void)
{
    CHECK(word_to_uniform(0) == 0x1.00000000fffffp-33, "%a", word_to_uniform(0));
    CHECK(word_to_uniform(0xffffffffu) == 0x1.fffffffep-1, "%a", word_to_uniform(0xffffffffu));
}

/* set.seed(11); sample.int(n, 5, TRUE) - 1; runif(1) */
static const struct {
    double n, value[5], next;
} index_case[] = {
    {1, {0, 0, 0, 0, 0}, 0x1.e8e1ff68p-1},
    {2, {1, 1, 1, 0, 1}, 0x1.e8e1ff68p-1},
    {3, {1, 1, 0, 0, 0}, 0x1.28ef3574p-2},
    {6, {1, 1, 0, 0, 4}, 0x1.28ef3574p-2},
    {1000, {761, 33, 695, 920, 143}, 0x1.e8e1ff68p-1},
    {65536, {33, 920, 62576, 19003, 8075}, 0x1.66a19aap-3},
    {65537, {19003, 28885, 37597, 21666, 31466}, 0x1.a13411ap-3},
    {1000000, {589857, 459672, 281147, 335755, 291029}, 0x1.d07a4966p-1},
    {2147483647, {1190723617, 45548440, 277869680, 371477051, 1635065739}, 0x1.66a19aap-3},
    {4294967296, {2196151, 277869680, 1245438325, 752120021, 3655187430}, 0x1.25ba2288p-1},
    {1099511627779, {1069449052855, 155864260981, 265648192486, 951256896674, 397199160358}, 0x1.5c591d3ep-1},
};

static void test_index(void)
{
    for (int c = 0; c < COUNT(index_case); c++) {
        rrf_rng rng;
        rrf_rng_seed(&rng, 11);
        for (int i = 0; i < 5; i++) {
            double value = rrf_rng_index(&rng, index_case[c].n);
            CHECK(value == index_case[c].value[i], "n = %.0f, draw %d: %.0f", index_case[c].n, i, value);
        }
        CHECK(rrf_rng_uniform(&rng) == index_case[c].next, "n = %.0f: another number of words", index_case[c].n);
    }
}

/* The shift that word_to_index takes for n below 2^21 gives (int)(n * u). */
static void test_word_to_index(void)
{
    static const int n[] = {1, 2, 3, 1000, 65535, (1 << 21) - 1, 1 << 21, 2147483647};
    rrf_rng rng;
    rrf_rng_seed(&rng, 5);
    for (int c = 0; c < COUNT(n); c++) {
        for (int i = 0; i < 10000; i++) {
            uint32_t word = i == 0 ? 0 : i == 1 ? UINT32_MAX : rng_word(&rng);
            int expected = (int)(word_to_uniform(word) * n[c]);
            CHECK(word_to_index(word, n[c]) == expected, "n = %d, word %#x", n[c], (unsigned)word);
        }
    }
}

/* ---- Random sets ------------------------------------------------------------------------------------------------- */

/* A state whose first words are 2^31 tempered, which is not above .5, and its neighbours. */
static void restore_halves(rrf_rng *rng, int position)
{
    static const uint32_t half[] = {0x80102204u, 0x80102205u, 0x00102204u};
    uint32_t state[RRF_MT_WORDS];
    for (int i = 0; i < RRF_MT_WORDS; ++i) {
        state[i] = half[i % 3];
    }
    rrf_rng_restore(rng, position, state);
    CHECK(rng->word[0] == 0x80000000u, "%#x", (unsigned)rng->word[0]);
}

static void compare_sets(const rrf_rng *start, int n_sets, int n_items)
{
    rrf_rng drawn = *start, wide = *start, skipped = *start, naive = *start;
    uint32_t sets[MAX_DRAWN_SETS];
    uint64_t wide_sets[MAX_DRAWN_SETS];
    bool fits = n_items <= 32;
    rng_draw_wide_sets(&wide, n_sets, n_items, wide_sets);
    if (fits) {
        rng_draw_sets(&drawn, n_sets, n_items, sets);
    } else {
        drawn = wide;
    }
    rng_draw_sets(&skipped, n_sets, n_items, NULL);
    for (int i = 0; i < n_sets; ++i) {
        uint64_t expected = 0;
        for (int item = 0; item < n_items; ++item) {
            expected |= (uint64_t)(rrf_rng_uniform(&naive) > 0.5) << item;
        }
        CHECK(wide_sets[i] == expected && (!fits || sets[i] == expected), "%d of %d: set %d is %llx, not %llx", n_sets,
              n_items, i, (unsigned long long)wide_sets[i], (unsigned long long)expected);
    }
    double next = rrf_rng_uniform(&naive);
    CHECK(rrf_rng_uniform(&drawn) == next, "%d of %d: the draw after them", n_sets, n_items);
    CHECK(rrf_rng_uniform(&wide) == next, "%d of %d: the draw after the wide ones", n_sets, n_items);
    CHECK(rrf_rng_uniform(&skipped) == next, "%d of %d: the draw after those passed over", n_sets, n_items);
}

static void test_drawn_sets(void)
{
    static const int n_sets[] = {1, 2, 19, 20, 26, 39, 511, MAX_DRAWN_SETS},
                     n_items[] = {1, 11, 24, 25, 31, 32, 33, 50, MAX_DRAWN_ITEMS};
    static const int position[] = {0, 1, 7, 8, 100, 617, 623, 624};
    for (int a = 0; a < COUNT(n_sets) * COUNT(n_items); ++a) {
        for (int c = 0; c < COUNT(position); ++c) {
            rrf_rng rng;
            restore_halves(&rng, position[c]);
            compare_sets(&rng, n_sets[a % COUNT(n_sets)], n_items[a / COUNT(n_sets)]);
            rrf_rng_splitmix(&rng, 3, (uint64_t)a);
            rrf_rng_uniform(&rng);
            rng.position = position[c];
            compare_sets(&rng, n_sets[a % COUNT(n_sets)], n_items[a / COUNT(n_sets)]);
        }
    }
}

/* ---- A naive MT19937, one word at a time ------------------------------------------------------------------------- */

static uint32_t naive_word(uint32_t state[RRF_MT_WORDS], int *at)
{
    int i = *at % RRF_MT_WORDS;
    uint32_t y = (state[i] & 0x80000000u) | (state[(i + 1) % RRF_MT_WORDS] & 0x7fffffffu);
    state[i] = state[(i + 397) % RRF_MT_WORDS] ^ (y >> 1) ^ (y % 2 ? 0x9908b0dfu : 0u);
    *at = i + 1;
    y = state[i];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

static void test_words_against_naive(void)
{
    rrf_rng rng;
    uint32_t state[RRF_MT_WORDS];
    int at = RRF_MT_WORDS;
    rrf_rng_seed(&rng, 20240229);
    memcpy(state, rng.state, sizeof state);
    for (int i = 0; i < 20 * RRF_MT_WORDS; i++) {
        CHECK(rng_word(&rng) == naive_word(state, &at), "word %d", i);
    }
}

/* ---- Position and state ------------------------------------------------------------------------------------------ */

static void check_same(const rrf_rng *a, const rrf_rng *b, int start, int count)
{
    CHECK(a->position == b->position, "from %d by %d: position %d, not %d", start, count, a->position, b->position);
    CHECK(memcmp(a->state, b->state, sizeof a->state) == 0, "from %d by %d: state", start, count);
    int left = RRF_MT_WORDS - a->position;
    CHECK(memcmp(a->word + a->position, b->word + b->position, (size_t)left * sizeof *a->word) == 0,
          "from %d by %d: words left", start, count);
}

static void test_skip_equals_drawing(void)
{
    static const int start[] = {0, 1, 300, 623, 624}, count[] = {0, 1, 324, 623, 624, 625, 1247, 1248, 1249, 10000};
    for (int s = 0; s < COUNT(start); s++) {
        for (int c = 0; c < COUNT(count); c++) {
            rrf_rng skipped, drawn;
            rrf_rng_seed(&skipped, 8);
            rng_skip(&skipped, start[s]);
            drawn = skipped;
            rng_skip(&skipped, count[c]);
            for (int i = 0; i < count[c]; i++) {
                rng_word(&drawn);
            }
            check_same(&skipped, &drawn, start[s], count[c]);
        }
    }
}

static void test_restore_continues(void)
{
    static const int drawn[] = {1, 2, 623, 624, 625};
    for (int c = 0; c < COUNT(drawn); c++) {
        rrf_rng rng, restored;
        rrf_rng_seed(&rng, 77);
        rng_skip(&rng, drawn[c]);
        rrf_rng_restore(&restored, rng.position, rng.state);
        for (int i = 0; i < 2000; i++) {
            CHECK(rng_word(&restored) == rng_word(&rng), "after %d draws, word %d", drawn[c], i);
        }
    }
}

/* set.seed(1); .Random.seed[2] <- 0L; runif(1); .Random.seed[2] */
static void test_restore_position_below_one(void)
{
    rrf_rng rng, restored;
    rrf_rng_seed(&rng, 1);
    rrf_rng_restore(&restored, 0, rng.state);
    double u = rrf_rng_uniform(&restored);
    CHECK(u == 0x1.0fe180c4p-2 && restored.position == 1, "%a, position %d", u, restored.position);
}

int main(void)
{
    test_uniform_after_seed();
    test_uniform_ends();
    test_normal_after_seed();
    test_normal_pieces();
    test_index();
    test_word_to_index();
    test_words_against_naive();
    test_skip_equals_drawing();
    test_restore_continues();
    test_restore_position_below_one();
    test_drawn_sets();
    return check_failures != 0;
}

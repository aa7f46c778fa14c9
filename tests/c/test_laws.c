/* rrf_draw and rrf_multinomial against R 4.2.2: set.seed(77); three draws; runif(1).
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "random/mersenne.h"

#include <math.h>

int check_failures;

static const struct {
    const char *path;
    rrf_law law;
    double a, b, drawn[3], next;
} law_case[] = {
    {"exponential",
     RRF_EXPONENTIAL,
     3,
     0,
     {0x1.49949b81bab73p+1, 0x1.4e084eeap+0, 0x1.895009fa45d5fp+0},
     0x1.d472f9f8p-2},
    {"gamma GS", RRF_GAMMA, 0.5, 2, {0x1.e7234d3e25f7ap-3, 0x1.1f0903bfa7dap+1, 0x1.0b70b3229ed46p+1}, 0x1.227f66ep-1},
    {"gamma GD", RRF_GAMMA, 3, 2, {0x1.b4db50dcbcb24p+1, 0x1.71d8cded0fe4bp+3, 0x1.2abf8cad20797p+2}, 0x1.227f66ep-1},
    {"large", RRF_GAMMA, 50, 2, {0x1.6daaf7398fae8p+6, 0x1.ee09721fb19b3p+6, 0x1.8602d1f258b45p+6}, 0x1.227f66ep-1},
    {"beta BC", RRF_BETA, 0.5, 0.7, {0x1.9e1320463c9ep-1, 0x1.4f97d09ca3a9bp-4, 0x1.2c78291f725a8p-2}, 0x1.beaaf604p-1},
    {"beta BB", RRF_BETA, 2, 3, {0x1.15e8a5bfaba58p-2, 0x1.2305f30e4676fp-1, 0x1.5a564872550b6p-1}, 0x1.227f66ep-1},
    {"poisson", RRF_POISSON, 4, 0, {3, 5, 6}, 0x1.e6701f58p-1},
    {"poisson PD", RRF_POISSON, 400, 0, {389, 432, 397}, 0x1.227f66ep-1},
    {"binomial", RRF_BINOMIAL, 20, 0.3, {5, 7, 8}, 0x1.e6701f58p-1},
    {"binomial BTPEC", RRF_BINOMIAL, 1e6, 0.7, {0x1.55f5ap+19, 0x1.558acp+19, 0x1.55a72p+19}, 0x1.beaaf604p-1},
    {"negative binomial", RRF_NEGATIVE_BINOMIAL, 3, 0.25, {9, 14, 12}, 0x1.f9f4b6b6p-1},
    {"student",
     RRF_STUDENT,
     3,
     0,
     {-0x1.be02daf8f78a5p-2, 0x1.07b6ca5f37a89p-1, 0x1.0f501b4db219ep-3},
     0x1.53bb9048p-3},
    {"chi-squared",
     RRF_SHIFTED_CHI_SQUARED,
     3,
     2,
     {0x1.a878c8e5eada3p+1, 0x1.7b6803251e798p+3, 0x1.61f779795dd9cp+0},
     0x1.7578065cp-2},
    {"weibull", RRF_WEIBULL, 2, 3, {0x1.aa798448f95abp+1, 0x1.ba88c6e5083cap+0, 0x1.278517dd175bdp+0}, 0x1.e6701f58p-1},
};

static void test_recorded_draws(void)
{
    for (int c = 0; c < COUNT(law_case); c++) {
        double out[3];
        rrf_rng rng;
        rrf_rng_seed(&rng, 77);
        rrf_parameter a = {&law_case[c].a, 1}, b = {&law_case[c].b, 1};
        rrf_status status = rrf_draw(&rng, law_case[c].law, a, b, 3, out);
        CHECK(status == RRF_OK, "%s: status %d", law_case[c].path, (int)status);
        for (int i = 0; i < 3; i++) {
            CHECK(out[i] == law_case[c].drawn[i], "%s, draw %d: %a", law_case[c].path, i, out[i]);
        }
        CHECK(rrf_rng_uniform(&rng) == law_case[c].next, "%s: stream left elsewhere", law_case[c].path);
    }
}

/* Each law with each pair of these: nothing overflows, and nothing is drawn where there is no distribution. */
static void test_odd_parameters(void)
{
    static const double odd[] = {-INFINITY, -1.0, -0.0, 0.0, 1e-300, 0.3, 1.0, 2.5, 30.0, 1e9, 1e300, INFINITY, NAN};
    for (int law = RRF_UNIFORM; law <= RRF_NEGATIVE_BINOMIAL_OF_MEAN; law++) {
        for (int i = 0; i < COUNT(odd) * COUNT(odd); i++) {
            double out;
            rrf_rng rng;
            rrf_rng_seed(&rng, 1);
            rrf_parameter a = {&odd[i % COUNT(odd)], 1}, b = {&odd[i / COUNT(odd)], 1};
            rrf_status status = rrf_draw(&rng, (rrf_law)law, a, b, 1, &out);
            bool refused = law == RRF_BINOMIAL && isfinite(*a.value) && *a.value >= 2147483647.0;
            CHECK(status == (refused ? RRF_ERR_ARGUMENT : RRF_OK), "law %d: status %d", law, (int)status);
            bool is_compound = law > RRF_BETA;
            CHECK(refused || is_compound || !isnan(out) || rng.position == RRF_MT_WORDS,
                  "law %d of %g and %g drew for NaN", law, *a.value, *b.value);
        }
    }
}

static void test_parameters_are_recycled(void)
{
    double means[] = {4, 400}, out[3];
    rrf_rng rng;
    rrf_rng_seed(&rng, 77);
    rrf_status status = rrf_draw(&rng, RRF_POISSON, (rrf_parameter){means, 2}, (rrf_parameter){means, 1}, 3, out);
    CHECK(status == RRF_OK && out[0] == 3 && out[1] > 300 && out[2] < 30, "%g %g %g", out[0], out[1], out[2]);
    status = rrf_draw(&rng, RRF_POISSON, (rrf_parameter){means, 0}, (rrf_parameter){means, 1}, 3, out);
    CHECK(status == RRF_ERR_ARGUMENT, "no parameter: status %d", (int)status);
    status = rrf_draw(&rng, (rrf_law)99, (rrf_parameter){means, 1}, (rrf_parameter){means, 1}, 3, out);
    CHECK(status == RRF_ERR_ARGUMENT, "no law: status %d", (int)status);
}

static void test_multinomial(void)
{
    static const double prob[] = {0.2, 0.5, 0.3}, half[] = {0.2, 0.3}, negative[] = {-0.5, 1.5};
    int32_t out[3];
    rrf_rng rng;
    rrf_rng_seed(&rng, 77);
    rrf_status status = rrf_multinomial(&rng, 100, prob, 3, out);
    CHECK(status == RRF_OK && out[0] == 18 && out[1] == 44 && out[2] == 38, "%d %d %d", out[0], out[1], out[2]);
    CHECK(rrf_multinomial(&rng, 5, half, 2, out) == RRF_ERR_ARGUMENT, "sum of 0.5");
    CHECK(rrf_multinomial(&rng, 5, negative, 2, out) == RRF_ERR_ARGUMENT, "negative chance");
    CHECK(rrf_multinomial(&rng, -1, prob, 3, out) == RRF_ERR_ARGUMENT, "negative size");
}

/* set.seed(77, sample.kind = "Rounding"); sample.int(10, 5) - 1; sample.int(5e9, 2) - 1; runif(1) */
static void test_rounding(void)
{
    int64_t out[5];
    rrf_rng rng;
    rrf_rng_seed(&rng, 77);
    rng.rounding = 1;
    rrf_status status = rrf_sample(&rng, 10, 5, 0, NULL, out);
    static const int64_t few[] = {2, 6, 8, 7, 4}, far[] = {2287349231, 4232573444};
    for (int i = 0; i < 5; i++) {
        CHECK(status == RRF_OK && out[i] == few[i], "draw %d: %lld", i, (long long)out[i]);
    }
    status = rrf_sample(&rng, 5000000000, 2, 1, NULL, out);
    CHECK(status == RRF_OK && out[0] == far[0] && out[1] == far[1], "%lld %lld", (long long)out[0], (long long)out[1]);
    CHECK(rrf_rng_uniform(&rng) == 0x1.d3dfdfe4p-2, "stream left elsewhere");
}

int main(void)
{
    test_recorded_draws();
    test_odd_parameters();
    test_parameters_are_recycled();
    test_multinomial();
    test_rounding();
    return check_failures != 0;
}

/* Random streams, a block of 624 words at a time: R's Mersenne-Twister MT19937 (Matsumoto and Nishimura 1998), or SplitMix64
 * (Steele, Lea and Flood 2014). Then what R 3.6 and later make of the words. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "random/mersenne.h"
#include "filters.h"
#include "random/splitmix.h"

/* ---- The generator ------------------------------------------------------------------------------------------------ */

void rrf_rng_splitmix(rrf_rng *rng, uint64_t seed, uint64_t stream)
{
    rng->key = splitmix_word(splitmix_word(seed, 0), stream) | 1;
    rng->block = 0;
    rng->rounding = 0;
    rng->position = RRF_MT_WORDS;
}

/* SplitMix64: two words from each number of a counter. */
static void refill_splitmix(rrf_rng *rng)
{
    uint64_t counter = rng->key + rng->block * (RRF_MT_WORDS / 2) * SPLITMIX_STEP;
    for (int i = 0; i < RRF_MT_WORDS; i += 2) {
        counter += SPLITMIX_STEP;
        uint64_t word = splitmix_mix(counter);
        rng->word[i] = (uint32_t)word;
        rng->word[i + 1] = (uint32_t)(word >> 32);
    }
    ++rng->block;
    rng->position = 0;
}

enum { SHIFT = 397 };

/* Computes the next block of the state, but not the tempered words. */
static void twist(uint32_t *state)
{
    if (ASK(twist, false, state)) {
        return;
    }
    for (int i = 0; i < RRF_MT_WORDS; ++i) {
        uint32_t mixed = (state[i] & 0x80000000U) | (state[(i + 1) % RRF_MT_WORDS] & 0x7fffffffU);
        state[i] = state[(i + SHIFT) % RRF_MT_WORDS] ^ (mixed >> 1) ^ (-(mixed & 1U) & 0x9908b0dfU);
    }
}

static void temper(const uint32_t *state, uint32_t *word)
{
    if (ASK(temper, false, state, word)) {
        return;
    }
    for (int i = 0; i < RRF_MT_WORDS; ++i) {
        uint32_t y = state[i];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680U;
        y ^= (y << 15) & 0xefc60000U;
        word[i] = y ^ (y >> 18);
    }
}

void rng_refill(rrf_rng *rng)
{
    if (rng->key) {
        refill_splitmix(rng);
        return;
    }
    twist(rng->state);
    temper(rng->state, rng->word);
    rng->position = 0;
}

/* A block that is skipped as a whole is not tempered. The position stays at 624, not 0, at the end of a block, as
 * .Random.seed shows it. */
void rng_skip(rrf_rng *rng, int64_t count)
{
    int64_t left = RRF_MT_WORDS - rng->position;
    if (count <= left) {
        rng->position += (int)count;
        return;
    }
    for (count -= left; count > RRF_MT_WORDS; count -= RRF_MT_WORDS) {
        if (rng->key) {
            ++rng->block;
        } else {
            twist(rng->state);
        }
    }
    rng_refill(rng);
    rng->position = (int)count;
}

/* ---- Seeding ------------------------------------------------------------------------------------------------------ */

static uint32_t congruential(uint32_t seed)
{
    return 69069u * seed + 1u;
}

/* set.seed fills .Random.seed[2:626] from a congruential generator after 50 steps of it. The first value becomes the
 * position and is overwritten by 624, hence 51 steps before the first word. */
void rrf_rng_seed(rrf_rng *rng, uint32_t seed)
{
    for (int i = 0; i < 51; i++) {
        seed = congruential(seed);
    }
    for (int i = 0; i < RRF_MT_WORDS; i++) {
        seed = congruential(seed);
        rng->state[i] = seed;
    }
    temper(rng->state, rng->word);
    rng->rounding = 0;
    rng->key = 0;
    rng->position = RRF_MT_WORDS;
}

/* R reads a position below 1 as the end of the block. */
void rrf_rng_restore(rrf_rng *rng, int position, const uint32_t state[RRF_MT_WORDS])
{
    memcpy(rng->state, state, sizeof rng->state);
    temper(rng->state, rng->word);
    rng->rounding = 0;
    rng->key = 0;
    rng->position = position > 0 && position <= RRF_MT_WORDS ? position : RRF_MT_WORDS;
}

/* ---- Draws -------------------------------------------------------------------------------------------------------- */

double rrf_rng_uniform(rrf_rng *rng)
{
    return rng_uniform(rng);
}

/* `bits` random bits. R takes 16 from each word, and one chunk more than needed when bits is a multiple of 16. */
static uint64_t random_bits(rrf_rng *rng, int bits)
{
    uint64_t value = 0;
    for (int have = 0; have <= bits; have += 16) {
        value = (value << 16) | (rng_word(rng) >> 16);
    }
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

/* Sampling "Rounding": a uniform number times n. Beyond 2^31 - 1 it gets 25 bits from a first one. */
static double rounded_index(rrf_rng *rng, double n)
{
    const double large = 33554432.0; /* 2^25 */
    double u = rng_uniform(rng);
    if (n > 2147483647.0) {
        u = (floor(large * u) + rng_uniform(rng)) / large;
    }
    return floor(n * u);
}

/* Sampling "Rejection": numbers below the next power of two until one is below n. */
double rrf_rng_index(rrf_rng *rng, double n)
{
    if (rng->rounding) {
        return rounded_index(rng, n);
    }
    if (!(n > 0.0)) {
        return 0.0;
    }
    int bits = (int)ceil(log2(n));
    double value;
    do {
        value = (double)random_bits(rng, bits);
    } while (value >= n);
    return value;
}

/* ---- Normal quantile: algorithm AS 241, PPND16 (Wichura 1988) ------------------------------------------------------- */

/* Numerator and denominator of a rational function of degree 7, lowest power first. */
typedef struct rational {
    double top[8], bottom[8];
} rational;

static const rational central = {
    {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
     4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3, 2.1213794301586595867e+4,
     3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3},
};

static const rational middle = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
     1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9},
};

static const rational tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
     1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15},
};

/* Horner's rule from the highest power, the order of operations that R's answers were rounded in. */
static double polynomial(const double coefficient[8], double x)
{
    double sum = coefficient[7];
    for (int k = 6; k >= 0; k--) {
        sum = sum * x + coefficient[k];
    }
    return sum;
}

/* Quantile of the standard normal for 0 < p <= 1. p is 1 when the two uniforms of a draw round up to it. */
static double normal_quantile(double p)
{
    if (p >= 1.0) {
        return INFINITY;
    }
    double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        double r = 0.180625 - q * q;
        return q * polynomial(central.top, r) / polynomial(central.bottom, r);
    }
    double r = sqrt(-log(q < 0.0 ? p : 1.0 - p));
    const rational *piece = r <= 5.0 ? &middle : &tail;
    r -= r <= 5.0 ? 1.6 : 5.0;
    double quantile = polynomial(piece->top, r) / polynomial(piece->bottom, r);
    return q < 0.0 ? -quantile : quantile;
}

/* Inversion: one uniform has 32 bits, so R takes 27 bits from the first and the rest from a second. */
double rrf_rng_normal(rrf_rng *rng)
{
    const double big = 134217728.0; /* 2^27 */
    double high = (double)(int)(big * rng_uniform(rng));
    return normal_quantile((high + rng_uniform(rng)) / big);
}

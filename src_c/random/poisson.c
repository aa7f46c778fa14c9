/* Poisson distribution: inversion for small means, algorithm PD (Ahrens and Dieter 1982) from 10 on.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "random/laws.h"
#include "random/mersenne.h"

#define SQRT_2PI_INVERSE 0.398942280401432677939946059934

/* ---- Means below 10 ------------------------------------------------------------------------------------------------- */

/* A number beyond the sum of the first 36 probabilities is drawn again, as in R. */
static double poisson_by_inversion(rrf_rng *rng, double mean)
{
    double none = exp(-mean);
    for (;;) {
        double u = rng_uniform(rng), p = none, upto = none;
        if (u <= none) {
            return 0.0;
        }
        for (int k = 1; k <= 35; k++) {
            p *= mean / k;
            upto += p;
            if (u <= upto) {
                return k;
            }
        }
    }
}

/* ---- Means of 10 or more ------------------------------------------------------------------------------------------- */

typedef struct hat {
    double mean, s;        /* the mean and its root */
    double omega, c;       /* of the discrete normal probabilities, and of the hat above them */
    double c0, c1, c2, c3; /* their Hermite polynomial */
} hat;

static hat prepare_hat(double mean)
{
    hat h = {.mean = mean, .s = sqrt(mean)};
    double b1 = 0.0416666666666666667 / mean;
    double b2 = 0.3 * b1 * b1;
    h.omega = SQRT_2PI_INVERSE / h.s;
    h.c3 = 0.1428571428571428571 * b1 * b2;
    h.c2 = b2 - 15.0 * h.c3;
    h.c1 = b1 - 6.0 * b2 + 45.0 * h.c3;
    h.c0 = 1.0 - b1 + 3.0 * b2 - 15.0 * h.c3;
    h.c = 0.1069 / mean;
    return h;
}

/* A probability as weight * exp(power). */
typedef struct chance {
    double weight, power;
} chance;

static chance poisson_chance(const hat *h, double k)
{
    static const double factorial[10] = {1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0, 5040.0, 40320.0, 362880.0};
    static const double lower[7] = {-0.1384794, 0.1421878, -0.1661269, 0.2000118, -0.2500068, 0.3333333, -0.5};
    if (k < 10.0) {
        return (chance){pow(h->mean, k) / factorial[(int)k], -h->mean};
    }
    double del = 0.0833333333333333333 / k;
    del = del * (1.0 - 4.8 * del * del);
    double distance = h->mean - k, v = distance / k;
    double weight = SQRT_2PI_INVERSE / sqrt(k);
    if (fabs(v) > 0.25) {
        return (chance){weight, k * log(1.0 + v) - distance - del};
    }
    double sum = 0.1250060;
    for (int i = 0; i < 7; i++) {
        sum = sum * v + lower[i];
    }
    return (chance){weight, k * v * v * sum - del};
}

static chance normal_chance(const hat *h, double k)
{
    double x = (0.5 - (h->mean - k)) / h->s;
    x *= x;
    return (chance){h->omega * (((h->c3 * x + h->c2) * x + h->c1) * x + h->c0), -0.5 * x};
}

/* Accepts a double exponential deviate under the hat. */
static double poisson_by_hat(rrf_rng *rng, const hat *h)
{
    for (;;) {
        double e = law_exponential(rng);
        double u = 2.0 * rng_uniform(rng) - 1.0;
        double t = 1.8 + (u >= 0.0 ? e : -e);
        if (!(t > -0.6744)) {
            continue;
        }
        double k = floor(h->mean + h->s * t);
        chance p = poisson_chance(h, k), f = normal_chance(h, k);
        if (h->c * fabs(u) <= p.weight * exp(p.power + e) - f.weight * exp(f.power + e)) {
            return k;
        }
    }
}

static double poisson_by_normal(rrf_rng *rng, double mean)
{
    double normal = mean + sqrt(mean) * rrf_rng_normal(rng);
    if (normal < 0.0) {
        hat h = prepare_hat(mean);
        return poisson_by_hat(rng, &h);
    }
    double k = floor(normal), distance = mean - k;
    if (k >= floor(mean - 1.1484)) {
        return k;
    }
    double u = rng_uniform(rng);
    if (6.0 * mean * mean * u >= distance * distance * distance) {
        return k;
    }
    hat h = prepare_hat(mean);
    chance p = poisson_chance(&h, k), f = normal_chance(&h, k);
    return f.weight - u * f.weight <= p.weight * exp(p.power - f.power) ? k : poisson_by_hat(rng, &h);
}

double law_poisson(rrf_rng *rng, double mean)
{
    if (!isfinite(mean) || mean < 0.0) {
        return NAN;
    }
    if (mean == 0.0) {
        return 0.0;
    }
    return mean < 10.0 ? poisson_by_inversion(rng, mean) : poisson_by_normal(rng, mean);
}

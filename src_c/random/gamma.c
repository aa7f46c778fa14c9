/* Exponential and gamma distributions. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "random/laws.h"
#include "random/mersenne.h"

/* ---- Exponential: algorithm SA (Ahrens and Dieter 1972) ------------------------------------------------------------ */

/* Sums of log(2)^i / i! from i = 1 to k + 1. */
static const double log2_sum[16] = {
    0.6931471805599453, 0.9333736875190459, 0.9888777961838675, 0.9984959252914960,
    0.9998292811061389, 0.9999833164100727, 0.9999985691438767, 0.9999998906925558,
    0.9999999924734159, 0.9999999995283275, 0.9999999999728814, 0.9999999999985598,
    0.9999999999999289, 0.9999999999999968, 0.9999999999999999, 1.0000000000000000,
};

/* Leading zero bits of the uniform number are multiples of log(2); the rest is the minimum of some uniform numbers. */
double law_exponential(rrf_rng *rng)
{
    double whole = 0.0, u = 2.0 * rng_uniform(rng);
    for (; u <= 1.0; u += u) {
        whole += log2_sum[0];
    }
    u -= 1.0;
    if (u <= log2_sum[0]) {
        return whole + u;
    }
    double least = rng_uniform(rng);
    int k = 0;
    do {
        least = fmin(least, rng_uniform(rng));
        k++;
    } while (u > log2_sum[k]);
    return whole + least * log2_sum[0];
}

/* ---- Gamma, shape below 1: algorithm GS (Ahrens and Dieter 1974) ---------------------------------------------------- */

static double gamma_small(rrf_rng *rng, double a)
{
    double bound = 1.0 + 0.36787944117144232159 * a; /* 1 + a / e */
    for (;;) {
        double p = bound * rng_uniform(rng);
        bool above = p >= 1.0;
        double x = above ? -log((bound - p) / a) : exp(log(p) / a);
        if (law_exponential(rng) >= (above ? (1.0 - a) * log(x) : x)) {
            return x;
        }
    }
}

/* ---- Gamma, shape of 1 or more: algorithm GD (Ahrens and Dieter 1982) ----------------------------------------------- */

typedef struct shape {
    double a, s2, s;     /* the shape, a - 1/2 and its root */
    double q0, b, si, c; /* of the quotient and of the double exponential hat */
} shape;

static void prepare_hat(shape *g)
{
    double r = 1.0 / g->a;
    g->q0 = ((((((2.424e-4 * r + 2.4511e-4) * r - 7.388e-5) * r + 0.00144121) * r + 0.00801191) * r + 0.02083148) * r +
             0.04166669) *
            r;
    if (g->a <= 3.686) {
        g->b = 0.463 + g->s + 0.178 * g->s2;
        g->si = 1.235;
        g->c = 0.195 / g->s - 0.079 + 0.16 * g->s;
    } else if (g->a <= 13.022) {
        g->b = 1.654 + 0.0076 * g->s2;
        g->si = 1.68 / g->s + 0.275;
        g->c = 0.062 / g->s + 0.024;
    } else {
        g->b = 1.77;
        g->si = 0.75;
        g->c = 0.1515 / g->s;
    }
}

/* The logarithm of the quotient of the gamma density and the normal one at t. */
static double quotient(const shape *g, double t)
{
    double v = t / (g->s + g->s);
    if (fabs(v) > 0.25) {
        return g->q0 - g->s * t + 0.25 * t * t + (g->s2 + g->s2) * log(1.0 + v);
    }
    double sum = 0.1233795;
    static const double lower[6] = {-0.1367177, 0.1423657, -0.1662921, 0.2000062, -0.250003, 0.3333333};
    for (int k = 0; k < 6; k++) {
        sum = sum * v + lower[k];
    }
    return g->q0 + 0.5 * t * t * sum * v;
}

/* Accepts a double exponential deviate under the hat. */
static double gamma_by_hat(rrf_rng *rng, const shape *g)
{
    for (;;) {
        double e = law_exponential(rng);
        double u = rng_uniform(rng);
        u = u + u - 1.0;
        double t = u < 0.0 ? g->b - g->si * e : g->b + g->si * e;
        if (t < -0.71874483771719) {
            continue;
        }
        double q = quotient(g, t);
        if (q > 0.0 && g->c * fabs(u) <= expm1(q) * exp(e - 0.5 * t * t)) {
            return g->s + 0.5 * t;
        }
    }
}

static double gamma_large(rrf_rng *rng, double a, double scale)
{
    shape g = {.a = a, .s2 = a - 0.5, .s = sqrt(a - 0.5)};
    double t = rrf_rng_normal(rng);
    double x = g.s + 0.5 * t;
    if (t >= 0.0) {
        return scale * (x * x);
    }
    double u = rng_uniform(rng);
    if ((5.656854 - g.s * 12.0) * u <= t * t * t) {
        return scale * (x * x);
    }
    prepare_hat(&g);
    if (x > 0.0 && log(1.0 - u) <= quotient(&g, t)) {
        return scale * (x * x);
    }
    x = gamma_by_hat(rng, &g);
    return scale * x * x;
}

double law_gamma(rrf_rng *rng, double shape, double scale)
{
    if (isnan(shape) || isnan(scale) || ((shape < 0.0 || scale < 0.0) && shape != 0.0 && scale != 0.0)) {
        return NAN;
    }
    if (shape == 0.0 || scale == 0.0) {
        return 0.0;
    }
    if (isinf(shape) || isinf(scale)) {
        return INFINITY;
    }
    return shape < 1.0 ? scale * gamma_small(rng, shape) : gamma_large(rng, shape, scale);
}

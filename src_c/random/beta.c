/* Beta distribution: algorithms BB and BC (Cheng 1978). SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "random/laws.h"
#include "random/mersenne.h"

#define LOG_MAX (DBL_MAX_EXP * 0.693147180559945309417232121458)
#define LOG_4 1.3862944

/* v = beta * logit(u) and w = factor * exp(v), at most the largest double. */
typedef struct logit {
    double v, w;
} logit;

static logit scaled_logit(double u, double beta, double factor)
{
    double v = beta * log(u / (1.0 - u));
    double w = v <= LOG_MAX ? factor * exp(v) : DBL_MAX;
    return (logit){v, isfinite(w) ? w : DBL_MAX};
}

/* BB, for a above 1: the larger shape's share is of b + w. */
static double draw_bb(rrf_rng *rng, double a, double b)
{
    double alpha = a + b;
    double beta = sqrt((alpha - 2.0) / (2.0 * a * b - alpha));
    double gamma = a + 1.0 / beta;
    for (;;) {
        double u1 = rng_uniform(rng), u2 = rng_uniform(rng);
        logit l = scaled_logit(u1, beta, a);
        double z = u1 * u1 * u2;
        double r = gamma * l.v - LOG_4;
        double s = a + r - l.w;
        if (s + 2.609438 >= 5.0 * z) {
            return l.w;
        }
        double t = log(z);
        if (s > t || !(r + alpha * log(alpha / (b + l.w)) < t)) {
            return l.w;
        }
    }
}

/* BC, for a up to 1: the smaller shape's share is of a + w. */
static double draw_bc(rrf_rng *rng, double a, double b)
{
    double alpha = a + b, beta = 1.0 / a, delta = 1.0 + b - a;
    double k1 = delta * (0.0138889 + 0.0416667 * a) / (b * beta - 0.777778);
    double k2 = 0.25 + (0.5 + 0.25 / delta) * a;
    for (;;) {
        double u1 = rng_uniform(rng), u2 = rng_uniform(rng), z;
        if (u1 < 0.5) {
            double y = u1 * u2;
            z = u1 * y;
            if (0.25 * u2 + z - y >= k1) {
                continue;
            }
        } else {
            z = u1 * u1 * u2;
            if (z <= 0.25) {
                return scaled_logit(u1, beta, b).w;
            }
            if (z >= k2) {
                continue;
            }
        }
        logit l = scaled_logit(u1, beta, b);
        if (alpha * (log(alpha / (a + l.w)) + l.v) - LOG_4 >= log(z)) {
            return l.w;
        }
    }
}

double law_beta(rrf_rng *rng, double shape1, double shape2)
{
    if (!(shape1 >= 0.0 && shape2 >= 0.0)) {
        return NAN;
    }
    if (isinf(shape1) && isinf(shape2)) {
        return 0.5;
    }
    if (shape1 == 0.0 && shape2 == 0.0) {
        return rng_uniform(rng) < 0.5 ? 0.0 : 1.0;
    }
    if (isinf(shape1) || shape2 == 0.0) {
        return 1.0;
    }
    if (isinf(shape2) || shape1 == 0.0) {
        return 0.0;
    }
    double a = fmin(shape1, shape2), b = fmax(shape1, shape2);
    if (a <= 1.0) {
        double w = draw_bc(rng, a, b);
        return shape1 == a ? a / (a + w) : w / (a + w);
    }
    double w = draw_bb(rng, a, b);
    return shape1 != a ? b / (b + w) : w / (b + w);
}

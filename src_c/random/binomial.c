/* Binomial and multinomial distributions: inversion for small means, algorithm BTPEC (Kachitvichyanukul and Schmeiser
 * 1988) from 30 on. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "random/laws.h"
#include "random/mersenne.h"

/* n trials of a chance p of at most 1/2; the ratio of neighbouring probabilities is g / k - r. */
typedef struct trials {
    int n;
    double p, q, r, g;
} trials;

/* ---- Means below 30 ------------------------------------------------------------------------------------------------- */

/* x^n by squaring, in R's order. */
static double whole_power(double x, int n)
{
    double power = 1.0;
    for (; n > 0; n >>= 1, x *= x) {
        if (n & 1) {
            power *= x;
        }
    }
    return power;
}

/* Beyond 111 R draws again. */
static int binomial_by_inversion(rrf_rng *rng, const trials *t)
{
    double none = whole_power(t->q, t->n);
    for (;;) {
        double f = none, u = rng_uniform(rng);
        for (int k = 0; k <= 111; k++) {
            if (k > 0) {
                u -= f;
                f *= t->g / k - t->r;
            }
            if (u < f) {
                return k;
            }
        }
    }
}

/* ---- Means of 30 or more: a triangle, two parallelograms and two exponential tails ---------------------------------- */

typedef struct regions {
    int m;                   /* the mode */
    double npq, c, xm;       /* the variance; the height of the parallelograms; the middle of the triangle */
    double xl, xr, xll, xlr; /* where the tails begin; their rates */
    double p1, p2, p3, p4;   /* areas up to each region */
} regions;

static regions prepare_regions(const trials *t)
{
    double ffm = t->n * t->p + t->p;
    regions r = {.m = (int)ffm, .npq = t->n * t->p * t->q};
    double fm = r.m;
    r.p1 = (int)(2.195 * sqrt(r.npq) - 4.6 * t->q) + 0.5;
    r.xm = fm + 0.5;
    r.xl = r.xm - r.p1;
    r.xr = r.xm + r.p1;
    r.c = 0.134 + 20.5 / (15.3 + fm);
    double left = (ffm - r.xl) / (ffm - r.xl * t->p);
    r.xll = left * (1.0 + 0.5 * left);
    double right = (r.xr - ffm) / (r.xr * t->q);
    r.xlr = right * (1.0 + 0.5 * right);
    r.p2 = r.p1 * (1.0 + r.c + r.c);
    r.p3 = r.p2 + r.c / r.xll;
    r.p4 = r.p3 + r.c / r.xlr;
    return r;
}

/* Stirling's correction. */
static double stirling(double x)
{
    double x2 = x * x;
    return (13860.0 - (462.0 - (132.0 - (99.0 - 140.0 / x2) / x2) / x2) / x2) / x / 166320.0;
}

/* The ratio of the probabilities of k and of the mode, factor by factor. */
static double ratio_to_mode(const trials *t, int m, int k)
{
    double f = 1.0;
    for (int i = m + 1; i <= k; i++) {
        f *= t->g / i - t->r;
    }
    for (int i = k + 1; i <= m; i++) {
        f /= t->g / i - t->r;
    }
    return f;
}

/* Whether log(v) is below the logarithm of that ratio: by bounds, then by Stirling's formula. In R the square of the
 * distance is a product of two ints, which wraps around beyond 46340. */
static bool accept_by_bounds(const trials *t, const regions *r, int k, int distance, double v)
{
    double square = (int32_t)(0u - (uint32_t)distance * (uint32_t)distance);
    double bound = (distance / r->npq) * ((distance * (distance / 3.0 + 0.625) + 0.1666666666666) / r->npq + 0.5);
    double normal = square / (2.0 * r->npq), log_v = log(v);
    if (log_v < normal - bound) {
        return true;
    }
    if (log_v > normal + bound) {
        return false;
    }
    double x1 = k + 1, f1 = r->m + 1.0, z = t->n + 1 - (double)r->m, w = t->n - k + 1.0;
    return log_v <= r->xm * log(f1 / x1) + (t->n - r->m + 0.5) * log(z / w) + (k - r->m) * log(w * t->p / (x1 * t->q)) +
                        stirling(f1) + stirling(z) + stirling(x1) + stirling(w);
}

/* A point of the regions; false if it is outside the distribution. *v: its height, of which the ratio decides, or 0 if it
 * is accepted without. */
static bool draw_point(rrf_rng *rng, const trials *t, const regions *r, int *k, double *v)
{
    double u = rng_uniform(rng) * r->p4;
    *v = rng_uniform(rng);
    if (u <= r->p1) {
        *k = (int)(r->xm - r->p1 * *v + u);
        *v = 0.0;
        return true;
    }
    if (u <= r->p2) {
        double x = r->xl + (u - r->p1) / r->c;
        *v = *v * r->c + 1.0 - fabs(r->xm - x) / r->p1;
        *k = (int)x;
        return *v <= 1.0 && *v > 0.0;
    }
    if (u > r->p3) {
        *k = (int)(r->xr - log(*v) / r->xlr);
        *v = *v * (u - r->p3) * r->xlr;
        return *k <= t->n;
    }
    *k = (int)(r->xl + log(*v) / r->xll);
    *v = *v * (u - r->p2) * r->xll;
    return *k >= 0;
}

static int binomial_by_regions(rrf_rng *rng, const trials *t)
{
    regions r = prepare_regions(t);
    for (;;) {
        int k;
        double v;
        if (!draw_point(rng, t, &r, &k, &v)) {
            continue;
        }
        if (v == 0.0) {
            return k;
        }
        int distance = abs(k - r.m);
        bool counted = distance <= 20 || distance >= r.npq / 2 - 1;
        if (counted ? v <= ratio_to_mode(t, r.m, k) : accept_by_bounds(t, &r, k, distance, v)) {
            return k;
        }
    }
}

double law_binomial(rrf_rng *rng, double count, double chance)
{
    if (!isfinite(count) || nearbyint(count) != count || count < 0.0 || !(chance >= 0.0 && chance <= 1.0)) {
        return NAN;
    }
    if (count == 0.0 || chance == 0.0) {
        return 0.0;
    }
    if (chance == 1.0) {
        return count;
    }
    trials t = {.n = (int)count, .p = fmin(chance, 1.0 - chance)};
    t.q = 1.0 - t.p;
    t.r = t.p / t.q;
    t.g = t.r * (t.n + 1);
    int k = t.n * t.p < 30.0 ? binomial_by_inversion(rng, &t) : binomial_by_regions(rng, &t);
    return chance > 0.5 ? t.n - k : k;
}

/* ---- Multinomial ------------------------------------------------------------------------------------------------------ */

/* Each class is binomial among what the classes before it have left. */
rrf_status rrf_multinomial(rrf_rng *rng, int size, const double *prob, int k, int32_t *out)
{
    long double left = 0.0L;
    for (int i = 0; i < k; i++) {
        if (!(prob[i] >= 0.0 && prob[i] <= 1.0)) {
            return RRF_ERR_ARGUMENT;
        }
        left += prob[i];
        out[i] = 0;
    }
    if (k < 1 || size < 0 || (double)size >= LAW_MAX_TRIALS || fabs((double)(left - 1.0L)) > 1e-7) {
        return RRF_ERR_ARGUMENT;
    }
    for (int i = 0; i < k - 1 && size > 0; i++) {
        if (prob[i] != 0.0) {
            double chance = (double)(prob[i] / left);
            out[i] = chance < 1.0 ? (int32_t)law_binomial(rng, size, chance) : size;
            size -= out[i];
        }
        left -= prob[i];
    }
    out[k - 1] += size;
    return RRF_OK;
}

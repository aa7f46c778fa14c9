/* The table of distributions, and those that are computed from others. SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "random/laws.h"
#include "random/mersenne.h"

static double uniform(rrf_rng *rng, double min, double max)
{
    if (!isfinite(min) || !isfinite(max) || max < min) {
        return NAN;
    }
    return min == max ? min : min + (max - min) * rng_uniform(rng);
}

static double normal(rrf_rng *rng, double mean, double sd)
{
    if (isnan(mean) || !isfinite(sd) || sd < 0.0) {
        return NAN;
    }
    return sd == 0.0 || isinf(mean) ? mean : mean + sd * rrf_rng_normal(rng);
}

static double log_normal(rrf_rng *rng, double mean, double sd)
{
    return exp(normal(rng, mean, sd));
}

static double exponential(rrf_rng *rng, double scale, double unused)
{
    (void)unused;
    if (scale == 0.0) {
        return 0.0;
    }
    return !isfinite(scale) || scale < 0.0 ? NAN : scale * law_exponential(rng);
}

static double logistic(rrf_rng *rng, double location, double scale)
{
    if (isnan(location) || !isfinite(scale)) {
        return NAN;
    }
    if (scale == 0.0 || isinf(location)) {
        return location;
    }
    double u = rng_uniform(rng);
    return location + scale * log(u / (1.0 - u));
}

static double cauchy(rrf_rng *rng, double location, double scale)
{
    if (isnan(location) || !isfinite(scale) || scale < 0.0) {
        return NAN;
    }
    return scale == 0.0 || isinf(location)
               ? location
               : location + scale * tan(3.141592653589793238462643383280 * rng_uniform(rng));
}

static double weibull(rrf_rng *rng, double shape, double scale)
{
    if (scale == 0.0) {
        return 0.0;
    }
    if (!isfinite(shape) || !isfinite(scale) || shape <= 0.0 || scale < 0.0) {
        return NAN;
    }
    return scale * pow(-log(rng_uniform(rng)), 1.0 / shape);
}

static double chi_squared(rrf_rng *rng, double df, double unused)
{
    (void)unused;
    return !isfinite(df) || df < 0.0 ? NAN : law_gamma(rng, df / 2.0, 2.0);
}

static double shifted_chi_squared(rrf_rng *rng, double df, double ncp)
{
    if (isnan(df) || !isfinite(ncp) || df < 0.0 || ncp < 0.0) {
        return NAN;
    }
    if (ncp == 0.0) {
        return df == 0.0 ? 0.0 : law_gamma(rng, df / 2.0, 2.0);
    }
    double r = law_poisson(rng, ncp / 2.0);
    if (r > 0.0) {
        r = chi_squared(rng, 2.0 * r, 0.0);
    }
    return df > 0.0 ? r + law_gamma(rng, df / 2.0, 2.0) : r;
}

static double student(rrf_rng *rng, double df, double unused)
{
    if (!(df > 0.0)) {
        return NAN;
    }
    double top = rrf_rng_normal(rng);
    return isinf(df) ? top : top / sqrt(chi_squared(rng, df, unused) / df);
}

static double fisher(rrf_rng *rng, double df1, double df2)
{
    if (!(df1 > 0.0) || !(df2 > 0.0)) {
        return NAN;
    }
    double top = isinf(df1) ? 1.0 : chi_squared(rng, df1, 0.0) / df1;
    return top / (isinf(df2) ? 1.0 : chi_squared(rng, df2, 0.0) / df2);
}

static double poisson(rrf_rng *rng, double mean, double unused)
{
    (void)unused;
    return law_poisson(rng, mean);
}

/* Geometric and negative binomial numbers are Poisson numbers of a random mean. */
static double geometric(rrf_rng *rng, double chance, double unused)
{
    (void)unused;
    if (!(chance > 0.0 && chance <= 1.0)) {
        return NAN;
    }
    return law_poisson(rng, law_exponential(rng) * ((1.0 - chance) / chance));
}

/* R takes half the largest double for an infinite size, so that the gamma number stays finite. */
static double negative_binomial(rrf_rng *rng, double size, double chance)
{
    if (!(size > 0.0) || !(chance > 0.0 && chance <= 1.0)) {
        return NAN;
    }
    size = isinf(size) ? DBL_MAX / 2.0 : size;
    return chance == 1.0 ? 0.0 : law_poisson(rng, law_gamma(rng, size, (1.0 - chance) / chance));
}

static double negative_binomial_of_mean(rrf_rng *rng, double size, double mean)
{
    if (!(size > 0.0) || !isfinite(mean) || mean < 0.0) {
        return NAN;
    }
    size = isinf(size) ? DBL_MAX / 2.0 : size;
    return mean == 0.0 ? 0.0 : law_poisson(rng, law_gamma(rng, size, mean / size));
}

/* ------------------------------------------------------------------------------------------------------------------- */

static double (*const draw[])(rrf_rng *, double, double) = {
    [RRF_UNIFORM] = uniform,
    [RRF_NORMAL] = normal,
    [RRF_LOG_NORMAL] = log_normal,
    [RRF_EXPONENTIAL] = exponential,
    [RRF_LOGISTIC] = logistic,
    [RRF_CAUCHY] = cauchy,
    [RRF_WEIBULL] = weibull,
    [RRF_GAMMA] = law_gamma,
    [RRF_BETA] = law_beta,
    [RRF_CHI_SQUARED] = chi_squared,
    [RRF_SHIFTED_CHI_SQUARED] = shifted_chi_squared,
    [RRF_STUDENT] = student,
    [RRF_FISHER] = fisher,
    [RRF_BINOMIAL] = law_binomial,
    [RRF_POISSON] = poisson,
    [RRF_GEOMETRIC] = geometric,
    [RRF_NEGATIVE_BINOMIAL] = negative_binomial,
    [RRF_NEGATIVE_BINOMIAL_OF_MEAN] = negative_binomial_of_mean,
};

static bool too_many_trials(rrf_parameter a)
{
    for (int64_t i = 0; i < a.count; i++) {
        if (isfinite(a.value[i]) && a.value[i] >= LAW_MAX_TRIALS) {
            return true;
        }
    }
    return false;
}

rrf_status rrf_draw(rrf_rng *rng, rrf_law law, rrf_parameter a, rrf_parameter b, int64_t n, double *out)
{
    if ((int)law < 0 || law > RRF_NEGATIVE_BINOMIAL_OF_MEAN || n < 0 || a.count < 1 || b.count < 1) {
        return RRF_ERR_ARGUMENT;
    }
    if (law == RRF_BINOMIAL && too_many_trials(a)) {
        return RRF_ERR_ARGUMENT;
    }
    for (int64_t i = 0; i < n; i++) {
        out[i] = draw[law](rng, a.value[i % a.count], b.value[i % b.count]);
    }
    return RRF_OK;
}

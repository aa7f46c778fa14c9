/* Ranking of a short column by counting. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/rank_column.h"
#include "filters/columns/columns.h"
#include "filters/simd/simd.h"
#include "filters/switches.h"

/* Returns the first half of a value as a number of the same order; both zeros give the same. */
static inline int32_t prefix_of(double value)
{
    uint64_t bits;
    value += 0.0; /* -0.0 becomes 0.0 */
    memcpy(&bits, &value, sizeof bits);
    uint32_t first = (uint32_t)(bits >> 32);
    return (int32_t)(bits >> 63 ? ~first ^ UINT32_C(1) << 31 : first);
}

/* Returns whether values with the same count of smaller prefixes are equal. */
static bool prefixes_suffice(const double *x, int n, const int32_t *count)
{
    double first[SHORT_COLUMN];
    bool suffice = true;
    for (int row = 0; row < n; ++row) {
        first[count[row]] = x[row];
    }
    for (int row = 0; row < n; ++row) {
        suffice = suffice && first[count[row]] == x[row];
    }
    return suffice;
}

static int sum_of(const int32_t *count, int n)
{
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += count[i];
    }
    return sum;
}

/* Copies the values of a short column; missing ones become infinite, so that they come last. Returns their number, or
 * -1 if a value is infinite. */
static int copy_short(const double *x, int n, double *copy)
{
    int n_missing = 0;
    bool infinite = false;
    for (int row = 0; row < n; ++row) {
        n_missing += isnan(x[row]) != 0;
        infinite = infinite || isinf(x[row]);
        copy[row] = isnan(x[row]) ? INFINITY : x[row];
    }
    return infinite ? -1 : n_missing;
}

/* A rank is the number of smaller values. All comparisons are made, without a branch: of the first halves of the
 * values, which are shorter, and only if these do not separate different values, of the values themselves. */
bool rank_short(rrf_ranks *ranks, int feature, const double *values, rrf_status *status)
{
    double x[SHORT_COLUMN];
    int32_t prefix[SHORT_COLUMN + SIMD_BLOCK] = {0}, count[SHORT_COLUMN + SIMD_BLOCK];
    int n = ranks->n, all_pairs = n * (n - 1) / 2, n_missing = copy_short(values, n, x);
    *status = n_missing < 0 || (n_missing && !ranks->kind.may_miss) ? RRF_ERR_ARGUMENT : RRF_OK;
    if (!FILTER_SIMD || *status) {
        return *status != RRF_OK;
    }
    for (int row = 0; row < n; ++row) {
        prefix[row] = prefix_of(x[row]);
    }
    simd_best()->count_smaller_ranks(prefix, n, count);
    if (sum_of(count, n) < all_pairs && !prefixes_suffice(x, n, count)) {
        simd_best()->count_smaller(x, n, count);
    }
    bool ties = sum_of(count, n) < all_pairs;
    if (ties && ranks->kind.ties == TIES_BY_ROW) {
        return false;
    }
    uint16_t *rank = (uint16_t *)ranks->rank + (size_t)feature * (size_t)n;
    for (int row = 0; row < n; ++row) {
        rank[row] = (uint16_t)count[row];
    }
    ranks->n_ranks[feature] = n;
    ranks->n_present[feature] = n - n_missing;
    ranks->has_ties[feature] = ties;
    return true;
}

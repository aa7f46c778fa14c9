/* How much a split of a factor's levels can gain. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tree/level_bound.h"

/* A split gains at most the largest eigenvalue of C = sum_i w_i d_i d_i', d_i the deviations of level i. For daughters are
 * sums of levels: with z_i = sqrt(w_i) times a number for each side, of length 1 and at a right angle to sqrt(w), the gain is
 * z' D D' z, where D D' and C share their eigenvalues. C has rank K - 1 at most. Of its eigenvalues the sum t and the sum of
 * squares f are known: the others of the largest one have at least (t - largest)^2 / (K - 2) of f. */
double bound_gain(const level_mean *levels, int n_levels, const double *deviation, size_t stride, int nclass)
{
    double trace = 0.0, squares = 0.0, others = nclass - 2;
    for (int a = 0; a < nclass; ++a) {
        const double *row = deviation + (size_t)a * stride;
        for (int b = 0; b <= a; ++b) {
            const double *column = deviation + (size_t)b * stride;
            double sum = 0.0;
            for (int i = 0; i < n_levels; ++i) {
                sum += levels[i].weight * row[i] * column[i];
            }
            trace += a == b ? sum : 0.0;
            squares += a == b ? sum * sum : 2.0 * sum * sum;
        }
    }
    double rest = (others + 1.0) * squares - trace * trace;
    return (trace + sqrt(others * (rest > 0.0 ? rest : 0.0))) / (others + 1.0);
}

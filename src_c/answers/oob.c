/* Out-of-bag rows. SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/oob.h"
#include "numbers.h"

rrf_status oob_init(oob_sample *oob, int n, arena *memory)
{
    *oob = (oob_sample){0};
    TAKE(memory, oob->rows, n);
    TAKE(memory, oob->predicted, n);
    return arena_status(memory);
}

void oob_predict(oob_sample *oob, const tree *t, const int32_t *leaves)
{
    for (int i = 0; i < oob->size; ++i) {
        oob->predicted[i] = t->prediction[leaves[i]];
    }
}

int oob_list(const int32_t *count, int n, int32_t *rows)
{
    int size = 0;
    for (int row = 0; row < n; ++row) {
        rows[size] = row;
        size += count[row] == 0;
    }
    return size;
}

void oob_tell_inbag(const int32_t *count, int n, bool times, int32_t *inbag)
{
    for (int row = 0; row < n; ++row) {
        inbag[row] = times ? count[row] : count[row] > 0;
    }
}

void oob_error_rates(double *wrong, const int32_t *cases, int nclass)
{
    double all_cases = 0.0;
    wrong[0] = 0.0;
    for (int k = 0; k < nclass; ++k) {
        wrong[0] += wrong[k + 1];
        all_cases += cases[k];
        wrong[k + 1] = one_nan(wrong[k + 1] / cases[k]);
    }
    wrong[0] = one_nan(wrong[0] / all_cases);
}

double oob_mean_square(const double *y, const double *predicted, const int32_t *oob_times, int n)
{
    double sum = 0.0;
    int seen = 0;
    for (int row = 0; row < n; ++row) {
        if (oob_times[row] > 0) {
            double residual = y[row] - predicted[row];
            sum += residual * residual;
            ++seen;
        }
    }
    return one_nan(sum / seen);
}

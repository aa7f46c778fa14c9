/* Centres a response. SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "data/centre.h"

static inline double middle_of(double a, double b, double c)
{
    double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Returns the number with rank `place` (from 0): Hoare's FIND, which reorders the numbers. */
static double find_place(double *y, int n, int place)
{
    int first = 0, last = n - 1;
    while (first < last) {
        double pivot = middle_of(y[first], y[first + (last - first) / 2], y[last]);
        int i = first, j = last;
        while (i <= j) {
            while (y[i] < pivot) {
                ++i;
            }
            while (y[j] > pivot) {
                --j;
            }
            if (i <= j) {
                double swap = y[i];
                y[i++] = y[j];
                y[j--] = swap;
            }
        }
        first = place > j ? i : first;
        last = place < i ? j : last;
    }
    return y[place];
}

double centre(const double *y, int n, double *centred)
{
    memcpy(centred, y, (size_t)n * sizeof *y);
    double median = find_place(centred, n, (n - 1) / 2);
    for (int row = 0; row < n; ++row) {
        centred[row] = y[row] - median;
    }
    return median;
}

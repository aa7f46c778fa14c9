/* Responses far from 0 brought near it, because the sums of squares of a split would lose their digits.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CENTRE_H
#define RRF_CENTRE_H

/* Returns the lower median of n > 0 numbers and writes their differences from it. A median, because it moves exactly with
 * the numbers, and a few outliers do not move it far. */
double centre(const double *y, int n, double *centred);

#endif

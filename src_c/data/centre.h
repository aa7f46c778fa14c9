/* Centring of responses far from 0, because the sums of squares of a split would lose digits. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_CENTRE_H
#define RRF_CENTRE_H

/* Returns the lower median of n > 0 numbers and writes their differences from it. The median, because it is equivariant
 * to shifts without rounding, and robust to outliers. */
double centre(const double *y, int n, double *centred);

#endif

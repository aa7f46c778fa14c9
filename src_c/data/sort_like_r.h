/* R's order among equal values.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SORT_LIKE_R_H
#define RRF_SORT_LIKE_R_H

#include <stdbool.h>
#include <stdint.h>

/* R_qsort_I: sorts values ascending and carries index along, in the order that R leaves among equal values. */
void sort_like_r(double *values, int32_t *index, int n);

#endif

/* R's order among equal values, from its quicksort. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SORT_LIKE_R_H
#define RRF_SORT_LIKE_R_H

#include <stdbool.h>
#include <stdint.h>

/* R_qsort_I: sorts values ascending together with index, in R's order among equal values. */
void sort_like_r(double *values, int32_t *index, int n);

/* Sorts n items, each with a key in the upper half and the index in the lower half. needed[i]: the number of the first
 * i positions that must be exact, for i up to n; items of other positions may be exchanged among these. */
void sort_keys_like_r(uint64_t *items, int n, const uint32_t *needed);

#endif

/* The order that R's quicksort leaves among equal values.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SORT_LIKE_R_H
#define RRF_SORT_LIKE_R_H

#include <stdbool.h>
#include <stdint.h>

/* R_qsort_I: sorts values ascending and carries index along, in the order that R leaves among equal values. */
void sort_like_r(double *values, int32_t *index, int n);

/* The same for n items, each with a key in the upper half and the index in the lower half. needed[i]: how many of the first
 * i places have to be right, for i up to n; the items of other places may end in any place around them. */
void sort_keys_like_r(uint64_t *items, int n, const uint32_t *needed);

#endif

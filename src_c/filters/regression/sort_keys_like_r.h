/* R's order among equal values, for whole-number keys.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SORT_KEYS_LIKE_R_H
#define RRF_SORT_KEYS_LIKE_R_H

#include <stdint.h>

/* As sort_like_r(): n items, each with a key in the upper half and the index in the lower half. */
void sort_keys_like_r(uint64_t *items, int n);

#endif

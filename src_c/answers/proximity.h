/* How often two rows share a leaf.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PROXIMITY_H
#define RRF_PROXIMITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts of pairs in one terminal node; oob_pairs non-NULL: among the pairs of which exactly one is out of bag. */
void proximity_add(double *proximity, int32_t *oob_pairs, const int32_t *nodes, const int32_t *inbag, int n,
                   bool quirks);
/* Its part for the rows first to last - 1 and all rows before each. */
void proximity_add_rows(double *proximity, int32_t *oob_pairs, const int32_t *nodes, const int32_t *inbag, int n,
                        bool quirks, int first, int last);
void proximity_add_test(double *proximity, const int32_t *test_nodes, int n_test, const int32_t *nodes, int n);
void proximity_finish(double *proximity, const int32_t *oob_pairs, int n, int ntree);
void proximity_finish_test(double *proximity, int n_test, int n, int ntree);

#endif

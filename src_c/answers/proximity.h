/* Counts of the trees in which two rows share a leaf. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PROXIMITY_H
#define RRF_PROXIMITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Adds one tree. proximity[j * n + i], i < j, counts the trees in which rows i and j are in the same terminal node. nodes:
 * the terminal node of each row. With oob_pairs only some pairs of a tree count: those of two rows out of bag or, with
 * quirks, of exactly one. oob_pairs then counts these pairs, whatever their nodes. */
void proximity_add(double *proximity, int32_t *oob_pairs, const int32_t *nodes, const int32_t *inbag, int n,
                   bool quirks);
/* As above, for j from `first` to `last` - 1 only, so that threads can share the work. */
void proximity_add_rows(double *proximity, int32_t *oob_pairs, const int32_t *nodes, const int32_t *inbag, int n,
                        bool quirks, int first, int last);
/* Adds one tree for the rows of a test set: n_test rows compared with themselves, then with the n rows of the fit. */
void proximity_add_test(double *proximity, const int32_t *test_nodes, int n_test, const int32_t *nodes, int n);
/* Converts counts to shares of the trees (with oob_pairs: of the trees in which a pair counts) and fills in the other
 * triangle. */
void proximity_finish(double *proximity, const int32_t *oob_pairs, int n, int ntree);
void proximity_finish_test(double *proximity, int n_test, int n, int ntree);

#endif

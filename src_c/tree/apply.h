/* Rows sent down a tree.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_APPLY_H
#define RRF_APPLY_H

#include "data/matrix.h"
#include "tree/forest.h"

/* Row visits that sending a row down a tree counts for. */
enum { WORK_PER_DESCENT = 16 };

/* The terminal node, from 0, that each of the rows falls into; rows NULL: all of the data. column, if not NULL, stands in
 * for feature `replaced`. */
void tree_apply(const tree *t, const rrf_data *data, const int32_t *rows, int n_rows, int replaced,
                const double *column, int32_t *nodes);

#endif

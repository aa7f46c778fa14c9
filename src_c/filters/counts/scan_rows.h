/* Rows in the order of a feature, evaluated by R's sums. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SCAN_ROWS_H
#define RRF_SCAN_ROWS_H

#include "filters/state.h"

/* The hook of a criterion's scan. */
bool scan_rows(const search_input *in, const node_view *node, const column *c, const row_order *order, double *sums,
               bar *bar);

#endif

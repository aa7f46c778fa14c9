/* Sums by class, which all criteria of classes use. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CLASS_SUMS_H
#define RRF_CLASS_SUMS_H

#include "tree/search.h"

/* Each implements the field of the same name in criterion.h. */
void class_sum_bag(const bag *b, double *sums);
int class_sum_rows(const search_input *in, const int32_t *rows, int n_rows, double *sums);
bool class_is_pure(const double *sums, int nclass);
void class_sum_levels(const search_input *in, const node_view *node, int feature, level_mean *means);

/* Before a scan nothing is on the left, and the node's classes are on the right. */
static inline void begin_sides(const search_input *in, const node_view *node, double *sums)
{
    size_t bytes = (size_t)in->nclass * sizeof *sums;
    memset(sums, 0, bytes);
    memcpy(sums + in->nclass, node->sums, bytes);
}

/* Returns whether there may be a cut after row i of the order. */
static inline bool may_cut(const search_input *in, const column *c, const row_order *order, int i)
{
    return i >= order->first && values_differ(in, c->feature, order->rows[i], order->rows[i + 1]);
}

#endif

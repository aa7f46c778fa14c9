/* Sums by class, which every criterion of classes works with. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CLASS_SUMS_H
#define RRF_CLASS_SUMS_H

#include "tree/search.h"

/* Each implements the field of the same name in criterion.h. */
void class_sum_bag(const bag *b, double *sums);
int class_sum_rows(const search_input *in, const int32_t *rows, int n_rows, double *sums);
bool class_is_pure(const double *sums, int nclass);
void class_sum_levels(const search_input *in, const node_view *node, int feature, level_mean *means);
/* Whether it counts two classes in whole numbers. */
bool class_counts_levels(const search_input *in, const node_view *node, int feature);

#endif

/* The hooks of growing trees by criterion (filters.h): sorted lists, and bounds. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FILTERS_OF_TREES_H
#define RRF_FILTERS_OF_TREES_H

#include "data/partition.h"
#include "filters/state.h"
#include "tree/builder.h"
#include "tree/feature_set.h"

rrf_status filter_builder_init(builder *g, arena *memory);
bool part_rows_faster(builder *g, const node_view *node, beside_cut *beside);
bool apply_packed(const builder *g, const tree *t, const int32_t *rows, int n_rows, int32_t *nodes);
void part_lists(builder *g, const node_view *node, int left);
rrf_status list_node(splitter *s, const node_view *node, const int32_t *members, int n_members);
rrf_status sort_member(const rrf_ranks *ranks, int feature, int n_members);
rrf_status sort_members(const rrf_ranks *ranks, int n_jobs, const rrf_monitor *monitor);
double bytes_of_lists(int n_rows, int n_features);
rrf_status drop_hopeless(splitter *s, const node_view *node, const feature_set *f, int32_t *list, int *n_listed);

#endif

/* The hooks of the search for splits by criterion (filters.h). SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FILTERS_OF_SEARCH_H
#define RRF_FILTERS_OF_SEARCH_H

#include "filters/state.h"
#include "tree/builder.h"

bool merge_ties(const double *classwt, int nclass, const rrf_params *params);
rrf_status filter_input_init(search_input *in, arena *memory);
void filter_read_ranks(search_input *in);
rrf_status filter_begin_bag(search_input *in);
rrf_status filter_scratch_init(splitter *s);
rrf_status filter_begin_tree(splitter *s, const int32_t *members, int n_members);
void filter_begin_node(splitter *s, const node_view *node);
bool split_counted(splitter *s, const node_view *node, column *c);
bool try_member(splitter *s, const node_view *node, int feature);
void fetch_column(const splitter *s, const node_view *node, int feature);

#endif

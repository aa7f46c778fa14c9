/* The input of the search for splits: the data by ranks, the features' profiles, and the rows of a tree.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SEARCH_INPUT_H
#define RRF_SEARCH_INPUT_H

#include "tree/search.h"

typedef struct search_setup {
    const rrf_data *data;   /* the data that is searched */
    const rrf_ranks *ranks; /* its ranks */
    const criterion *criterion;
    const rule *rule; /* of the thread that grows the tree */
    const rrf_params *params;
    bool coef_by_depth;
} search_setup;

rrf_status search_input_init(search_input *in, const search_setup *setup, const bag *bag, arena *memory);
/* Called when the ranks have changed. */
void search_input_read_ranks(search_input *in);
/* Reads the bag of the next tree. RRF_ERR_ARGUMENT: a row is in it too often. */
rrf_status search_input_begin_tree(search_input *in);

#endif

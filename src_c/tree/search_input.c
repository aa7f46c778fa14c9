/* The input of the search for splits. SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>

#include "filters.h"
#include "tree/search_input.h"

static void make_profiles(search_input *in)
{
    for (int feature = 0; feature < in->data->p; ++feature) {
        double coef = in->params->random_forest ? 1.0 : in->params->coef_reg[feature];
        in->profile[feature] =
            (feature_profile){.coef = coef, .inverse = inverse_of(coef), .n_levels = in->data->ncat[feature]};
    }
    search_input_read_ranks(in);
}

void search_input_read_ranks(search_input *in)
{
    for (int feature = 0; feature < in->data->p; ++feature) {
        in->profile[feature].n_ranks = in->ranks->n_ranks[feature];
    }
    TELL(read_ranks, in);
}

static int least_ordered(const search_input *in)
{
    const rule *rule = in->rule;
    if (in->criterion->orders_levels || (rule->orders_two_classes && in->nclass == 2)) {
        return 2;
    }
    return rule->orders_many_levels ? MAX_EXHAUSTIVE_LEVELS + 1 : rule->draw_wide_sets ? INT_MAX : RRF_MAX_LEVELS + 1;
}

rrf_status search_input_init(search_input *in, const search_setup *setup, const bag *bag, arena *memory)
{
    *in = (search_input){.data = setup->data,
                         .ranks = setup->ranks,
                         .params = setup->params,
                         .bag = bag,
                         .nclass = bag->nclass,
                         .criterion = setup->criterion,
                         .rule = setup->rule,
                         .members_exempt = setup->params->flag_reg == 1,
                         .coef_by_depth = setup->coef_by_depth};
    in->least_ordered = least_ordered(in);
    TAKE(memory, in->profile, in->data->p);
    if (in->criterion->n_moments) {
        TAKE(memory, in->moments, (size_t)in->criterion->n_moments * (size_t)in->data->n);
    }
    rrf_status status = arena_status(memory);
    status = status ? status : ASK(input_init, RRF_OK, in, memory);
    if (!status) {
        make_profiles(in);
    }
    return status;
}

rrf_status search_input_begin_tree(search_input *in)
{
    if (in->criterion->begin_tree) {
        in->criterion->begin_tree(in->bag, in->moments);
    }
    return ASK(begin_bag, RRF_OK, in);
}

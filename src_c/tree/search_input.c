/* What the search for splits reads. SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>

#include "data/coarse_ranks.h"
#include "tree/class_counts.h"
#include "tree/search_input.h"

/* Larger counts are rare: nodes next to the root of a large tree. */
enum { MAX_TABULATED = 1 << 16 };

/* ---- features -------------------------------------------------------------------------------------------------------- */

static void make_profiles(search_input *in, const rrf_params *params)
{
    for (int feature = 0; feature < in->data->p; ++feature) {
        double coef = params->random_forest ? 1.0 : params->coef_reg[feature];
        in->profile[feature] =
            (feature_profile){.coef = coef, .inverse = inverse_of(coef), .n_levels = in->data->ncat[feature]};
    }
    search_input_read_ranks(in);
}

/* Whether R's sums depend on the order in which equal values, which share a rank, are added. */
static bool order_matters(const search_input *in, const rule *rule)
{
    return rule->leaves_sorted && !in->bag->exact && in->ranks->kind.ties == TIES_MERGED;
}

static rrf_status find_order(search_input *in, const rule *rule, arena *memory)
{
    if (!order_matters(in, rule)) {
        return RRF_OK;
    }
    TAKE(memory, in->like_r, 1);
    return in->like_r ? order_like_r_init(in->like_r, in->ranks, memory) : RRF_ERR_MEMORY;
}

void search_input_read_ranks(search_input *in)
{
    if (in->like_r) {
        order_like_r_forget(in->like_r);
    }
    for (int feature = 0; feature < in->data->p; ++feature) {
        in->profile[feature].n_ranks = in->ranks->n_ranks[feature];
        in->profile[feature].packed = in->ranks->packed ? in->ranks->packed[feature] : NULL;
        in->profile[feature].coarse = coarse_column(in->ranks, feature);
    }
}

static int least_ordered(const search_input *in, const rule *rule)
{
    if (in->criterion->orders_levels || (rule->orders_two_classes && in->nclass == 2)) {
        return 2;
    }
    return rule->orders_many_levels ? MAX_EXHAUSTIVE_LEVELS + 1 : rule->draw_wide_sets ? INT_MAX : RRF_MAX_LEVELS + 1;
}

/* ---- tables ---------------------------------------------------------------------------------------------------------- */

static void tabulate_counts(search_input *in, arena *memory)
{
    int size = in->data->n < MAX_TABULATED ? in->data->n + 1 : MAX_TABULATED;
    if (!in->packs || !in->criterion->impurity_of_count) {
        return;
    }
    TAKE(memory, in->impurity_of_count, size);
    in->n_counts = in->impurity_of_count ? size : 0;
    for (int i = 0; i < in->n_counts; ++i) {
        in->impurity_of_count[i] = in->criterion->impurity_of_count((double)i);
    }
}

static void tabulate_inverses(search_input *in, arena *memory)
{
    if (!in->criterion->n_moments) {
        return;
    }
    TAKE(memory, in->inverse, MAX_INVERSE + 1);
    for (int k = 0; in->inverse && k <= MAX_INVERSE; ++k) {
        in->inverse[k] = k ? 1.0 / k : 0.0;
    }
}

/* ---- made ------------------------------------------------------------------------------------------------------------ */

static void take_rows(search_input *in, arena *memory)
{
    size_t n = (size_t)in->data->n, n_moments = (size_t)in->criterion->n_moments;
    TAKE(memory, in->profile, in->data->p);
    TAKE(memory, in->payload, n);
    if (n_moments) {
        TAKE(memory, in->moments, n_moments * n);
    }
}

rrf_status search_input_init(search_input *in, const search_setup *setup, const bag *bag, arena *memory)
{
    *in = (search_input){.data = setup->data,
                         .ranks = setup->ranks,
                         .bag = bag,
                         .nclass = bag->nclass,
                         .criterion = setup->criterion,
                         .simd = simd_best(),
                         .members_exempt = setup->params->flag_reg == 1,
                         .coef_by_depth = setup->coef_by_depth,
                         .packs = setup->packs};
    in->least_ordered = least_ordered(in, setup->rule);
    take_rows(in, memory);
    tabulate_counts(in, memory);
    tabulate_inverses(in, memory);
    if (find_order(in, setup->rule, memory) || arena_status(memory)) {
        return RRF_ERR_MEMORY;
    }
    make_profiles(in, setup->params);
    return sorted_rows_init(&in->sorted_rows, in->data, in->ranks, in->like_r, in->simd, memory);
}

/* ---- the rows of a tree ---------------------------------------------------------------------------------------------- */

/* Packed counts, as data/simd.h describes them. */
static void pack_two_classes(search_input *in)
{
    const bag *b = in->bag;
    int32_t most = 1;
    for (int i = 0; i < b->size; ++i) {
        int32_t count = b->count[b->rows[i]];
        uint32_t cases = (uint32_t)count;
        in->payload[b->rows[i]] = b->y[b->rows[i]] == 0 ? cases << 16 | cases : cases;
        most = count > most ? count : most;
    }
    in->rows_pack = UINT16_MAX / most;
}

static rrf_status pack_classes(search_input *in)
{
    const bag *b = in->bag;
    bool fit = true;
    for (int i = 0; i < b->size; ++i) {
        int row = b->rows[i];
        fit = fit && b->count[row] <= MAX_DRAWS;
        in->payload[row] = (uint32_t)b->count[row] << CLASS_BITS | (uint32_t)b->y[row];
    }
    return fit ? RRF_OK : RRF_ERR_ARGUMENT;
}

/* Without packed counts the payload only says that a row is in the tree. */
static void mark_rows(search_input *in)
{
    for (int i = 0; i < in->bag->size; ++i) {
        in->payload[in->bag->rows[i]] = 1;
    }
}

rrf_status search_input_begin_tree(search_input *in)
{
    rrf_status status = RRF_OK;
    memset(in->payload, 0, (size_t)in->bag->n * sizeof *in->payload);
    if (counts_classes(in)) {
        status = pack_classes(in);
    } else if (in->packs) {
        pack_two_classes(in);
    } else {
        mark_rows(in);
    }
    if (in->criterion->begin_tree) {
        in->criterion->begin_tree(in->bag, in->moments);
    }
    return status;
}

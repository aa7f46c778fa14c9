/* The search for a node's best split. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tree/lanes.h"
#include "tree/split_classes.h"
#include "tree/split_levels.h"
#include "tree/split_two_class.h"
#include "tree/split_values.h"
#include "tree/splitter.h"

/* The inverse of a smaller coefficient could overflow. */
#define MIN_INVERTIBLE 1.0e-200

static double inverse_of(double factor)
{
    return factor > MIN_INVERTIBLE ? 1.0 / factor : 0.0;
}

static void make_profiles(splitter *s, const rrf_params *params)
{
    for (int feature = 0; feature < s->data->p; ++feature) {
        double coef = params->random_forest ? 1.0 : params->coef_reg[feature];
        s->profile[feature] =
            (feature_profile){.coef = coef, .inverse = inverse_of(coef), .n_levels = s->data->ncat[feature]};
    }
    splitter_read_ranks(s);
}

void splitter_read_ranks(splitter *s)
{
    for (int feature = 0; feature < s->data->p; ++feature) {
        s->profile[feature].n_ranks = s->ranks->n_ranks[feature];
        s->profile[feature].packed = s->ranks->packed ? s->ranks->packed[feature] : NULL;
    }
    lanes_forget(s);
}

/* What a search writes to; several threads cannot share it. */
static rrf_status scratch_alloc(splitter *s)
{
    size_t n = (size_t)s->data->n, nclass = (size_t)s->nclass;
    s->mark = calloc(n / 64 + 1, sizeof *s->mark);
    /* The SIMD loops read past the end: by a block, and in the slots to the end of a word of marks. */
    s->slot = calloc(n + 64, sizeof *s->slot);
    s->present = malloc((n + SIMD_BLOCK) * sizeof *s->present);
    s->present_rank = malloc((n + SIMD_BLOCK) * sizeof *s->present_rank);
    s->sorted = malloc(n * sizeof *s->sorted);
    s->packed = malloc(n * sizeof *s->packed);
    s->packed_spare = malloc(n * sizeof *s->packed_spare);
    s->left_total = malloc(nclass * sizeof *s->left_total);
    s->right_total = malloc(nclass * sizeof *s->right_total);
    s->level_total = malloc(nclass * RRF_MAX_PACKED * sizeof *s->level_total);
    bool ready = s->mark && s->slot && s->present && s->present_rank && s->sorted && s->packed && s->packed_spare &&
                 s->left_total && s->right_total && s->level_total;
    bool counts = s->packs && s->criterion->count_price && s->nclass > 2;
    rrf_status status = ready ? RRF_OK : RRF_ERR_MEMORY;
    status = status || !counts ? status : class_counts_init(s);
    return status || !s->criterion->n_moments ? status : values_init(&s->values, s->data->n);
}

static void scratch_free(splitter *s)
{
    node_rows_free(&s->node_rows);
    class_counts_free(s);
    free(s->mark);
    free(s->slot);
    free(s->present);
    free(s->present_rank);
    free(s->sorted);
    free(s->packed);
    free(s->packed_spare);
    free(s->wide_slot);
    free(s->left_total);
    free(s->right_total);
    free(s->level_total);
    values_free(&s->values);
}

static rrf_status splitter_alloc(splitter *s)
{
    size_t n = (size_t)s->data->n, p = (size_t)s->data->p, n_moments = (size_t)s->criterion->n_moments;
    s->profile = malloc(p * sizeof *s->profile);
    s->payload = malloc(n * sizeof *s->payload);
    s->row_itself = malloc(n * sizeof *s->row_itself);
    s->moments = n_moments ? malloc(n_moments * n * sizeof *s->moments) : NULL;
    bool ready = s->profile && s->payload && s->row_itself && (s->moments || !n_moments);
    return ready ? scratch_alloc(s) : RRF_ERR_MEMORY;
}

rrf_status splitter_init(splitter *s, const splitter_setup *setup, const bag *bag, watch *watch)
{
    const rule *rule = setup->rule;
    *s = (splitter){.data = setup->data,
                    .ranks = setup->ranks,
                    .bag = bag,
                    .nclass = bag->nclass,
                    .criterion = setup->criterion,
                    .rule = rule,
                    .rule_own = setup->rule_own,
                    .members_exempt = setup->params->flag_reg == 1,
                    .coef_by_depth = setup->coef_by_depth,
                    .packs = setup->packs,
                    .orders_levels = setup->criterion->orders_levels || (rule->orders_two_classes && bag->nclass == 2),
                    .watch = watch,
                    .simd = simd_best()};
    if (splitter_alloc(s)) {
        return RRF_ERR_MEMORY;
    }
    make_profiles(s, setup->params);
    if (class_counts_tabulate(s) || levels_init(s) || lanes_init(s, setup->lane_bytes)) {
        return RRF_ERR_MEMORY;
    }
    for (int row = 0; row < s->data->n; ++row) {
        s->row_itself[row] = (uint32_t)row;
    }
    return sorted_rows_init(&s->sorted_rows, s->data, s->ranks, s->simd);
}

void splitter_free(splitter *s)
{
    sorted_rows_free(&s->sorted_rows);
    scratch_free(s);
    levels_free(s);
    lanes_free(s);
    free(s->of_count);
    free(s->profile);
    free(s->payload);
    free(s->row_itself);
    free(s->moments);
    *s = (splitter){0};
}

/* ---- a second splitter for another thread ---------------------------------------------------------------------------- */

/* All but the scratch, the rule and the watch. */
static void take_over(splitter *fork, const splitter *s)
{
    splitter own = *fork;
    *fork = *s;
    fork->rule = own.rule;
    fork->rule_own = fork;
    fork->watch = NULL;
    fork->mark = own.mark;
    fork->slot = own.slot;
    fork->present = own.present;
    fork->present_rank = own.present_rank;
    fork->sorted = own.sorted;
    fork->packed = own.packed;
    fork->packed_spare = own.packed_spare;
    fork->wide_slot = own.wide_slot;
    fork->node_rows = own.node_rows;
    fork->left_total = own.left_total;
    fork->right_total = own.right_total;
    fork->level_total = own.level_total;
    fork->values = own.values;
    fork->class_counts = own.class_counts;
    fork->lanes = NULL;
}

rrf_status splitter_fork(splitter *fork, const splitter *s, const rule *rule)
{
    *fork = (splitter){.rule = rule};
    take_over(fork, s);
    return scratch_alloc(fork);
}

void splitter_free_fork(splitter *fork)
{
    scratch_free(fork);
    *fork = (splitter){0};
}

rrf_status splitter_follow(splitter *fork, const splitter *s)
{
    take_over(fork, s);
    class_counts_forget(fork);
    if (s->wide_slot && !fork->wide_slot) {
        fork->wide_slot = calloc((size_t)s->data->n, sizeof *fork->wide_slot);
        if (!fork->wide_slot) {
            return RRF_ERR_MEMORY;
        }
    }
    return node_rows_begin_tree(&fork->node_rows, fork->ranks, fork->bag);
}

/* Without packed counts the payload only says that a row is in the tree. */
static void mark_rows(splitter *s)
{
    memset(s->payload, 0, (size_t)s->bag->n * sizeof *s->payload);
    for (int i = 0; i < s->bag->size; ++i) {
        s->payload[s->bag->rows[i]] = 1;
    }
}

rrf_status splitter_begin_tree(splitter *s)
{
    rrf_status status = RRF_OK;
    if (s->class_counts) {
        status = class_counts_begin_tree(s);
    } else if (s->packs) {
        status = two_class_begin_tree(s);
    } else {
        mark_rows(s);
    }
    if (s->criterion->begin_tree) {
        s->criterion->begin_tree(s);
    }
    return status;
}

static void set_factor(splitter *s, const node_view *node, int feature, bool is_member)
{
    const feature_profile *profile = s->profile + feature;
    bool pays = pays_penalty(s->members_exempt, is_member);
    s->factor = pays ? profile->coef : 1.0;
    s->inverse = pays ? profile->inverse : 1.0;
    if (pays && s->coef_by_depth) {
        s->factor = pow(profile->coef, node->depth + 1);
        s->inverse = inverse_of(s->factor);
    }
}

static void split_feature(splitter *s, const node_view *node, int feature)
{
    if (s->profile[feature].n_levels == 1) {
        split_numeric(s, node, feature);
    } else {
        split_categorical(s, node, feature);
    }
}

void splitter_try(splitter *s, const node_view *node, int feature, bool is_member)
{
    if (is_member && lanes_try(s, node, feature)) {
        return;
    }
    set_factor(s, node, feature, is_member);
    split_feature(s, node, feature);
}

double splitter_gain(splitter *s, const node_view *node, int feature)
{
    split leader = s->best;
    s->factor = s->inverse = 1.0;
    splitter_begin_node(s, node);
    split_feature(s, node, feature);
    double gain = s->best.feature < 0 ? 0.0 : s->best.crit - (node->crit - node->offset);
    s->best = leader;
    return gain > 0.0 ? gain : 0.0;
}

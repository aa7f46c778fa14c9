/* Numeric features where two classes are counted in whole numbers: Gini's criterion, and entropy.
 *
 * SIMD loops without divisions find cuts that may equal the best split so far; only for these R's expressions are evaluated.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/few_values.h"
#include "params.h"
#include "tree/row_order.h"
#include "tree/split_classes.h"
#include "tree/split_coarse.h"
#include "tree/split_few_values.h"
#include "tree/split_two_class.h"
#include "tree/split_wide.h"
#include "tree/two_class.h"

/* Cases up to which sums of squares are whole numbers that a double holds. */
enum { MAX_EXACT = 1 << 26 };

/* ---- when it is possible --------------------------------------------------------------------------------------------- */

static int64_t total_draws(const rrf_params *params)
{
    int64_t draws = 0;
    for (int s = 0; s < (params->strata ? params->nstrata : 1); ++s) {
        draws += params->sampsize[s];
    }
    return draws;
}

bool counts_pack(const double *classwt, int nclass, const rrf_params *params)
{
    bool near = true;
    for (int k = 0; k < nclass; ++k) {
        near = near && is_near_one(classwt[k]);
    }
    int64_t draws = total_draws(params);
    return near && (nclass == 2 ? draws <= MAX_EXACT : class_counts_fit(nclass, draws));
}

bool ties_can_merge(const double *classwt, int nclass, const rrf_params *params)
{
    /* In unsupervised mode every value is tied, and the split point depends on which of the tied rows is next to the cut. */
    bool order_shows = params->add_class && has_slips_of_rrf(params);
    return counts_pack(classwt, nclass, params) && !order_shows;
}

bool parallel_ties_can_merge(const double *classwt, int nclass, const criterion *criterion, bool row_weights)
{
    bool fit = (nclass == 2 && criterion->sums_squares) || class_counts_fit(nclass, 0);
    return fit && weights_are_exact(classwt, nclass) && !row_weights;
}

/* ---- the cuts of a feature ------------------------------------------------------------------------------------------- */

static inline bool evaluate_packed(two_class *t, uint32_t sum, uint32_t cut_rank)
{
    return two_class_evaluate(t, sum >> 16, sum & 0xffff, cut_rank);
}

static inline int block_end(int block, int size)
{
    return block + SIMD_BLOCK < size ? block + SIMD_BLOCK : size;
}

/* payload: the sum at each of `size` ranks, in whole blocks, with zeros for absent ranks; ranks NULL: 0, 1, 2, ...
 * sum: the payload that always goes left. True as in two_class_evaluate(), here and below. */
static bool scan_payload(two_class *t, const uint32_t *payload, const uint32_t *ranks, int size, uint32_t sum)
{
    int whole = (size + SIMD_BLOCK - 1) / SIMD_BLOCK * SIMD_BLOCK;
    int block = t->s->in->simd->find_promising(payload, 0, whole, &sum, &t->filter);
    while (block < whole) {
        for (int i = block; i < block_end(block, size); ++i) {
            sum += payload[i];
            if (payload[i] && two_class_promises(sum, &t->filter) &&
                evaluate_packed(t, sum, ranks ? ranks[i] : (uint32_t)i)) {
                return true;
            }
        }
        block = t->s->in->simd->find_promising(payload, block + SIMD_BLOCK, whole, &sum, &t->filter);
    }
    return false;
}

/* The node's payload by rank. */
typedef struct payload_list {
    uint32_t *payload;
    const uint32_t *ranks; /* NULL: 0, 1, 2, ... */
    int size;
} payload_list;

/* With at most this many slots per row of the node, slots are scanned in place. */
enum { SLOTS_PER_ROW = 8 };

static void add_payload(splitter *s, const node_view *node, int feature)
{
    if (s->in->profile[feature].packed) {
        count_values(s, node, feature);
    } else {
        add_by_rank(s, node, feature, s->in->payload);
    }
}

static payload_list list_payload(splitter *s, const node_view *node, int feature)
{
    int n_ranks = s->in->profile[feature].n_ranks;
    if (n_ranks <= (int64_t)SLOTS_PER_ROW * node->size) {
        add_payload(s, node, feature);
        return (payload_list){s->scratch.slot, NULL, n_ranks};
    }
    int size = gather_ranks(s, node, feature, s->in->payload);
    memset(s->scratch.present + size, 0, SIMD_BLOCK * sizeof *s->scratch.present);
    return (payload_list){s->scratch.present, s->scratch.present_rank, size};
}

static void clear_payload(splitter *s, const payload_list *list)
{
    if (!list->ranks) {
        memset(s->scratch.slot, 0, (size_t)list->size * sizeof *s->scratch.slot);
    }
}

/* The payload at the rank of missing values; NULL if the node has none. */
static uint32_t *missing_payload(const splitter *s, const payload_list *list, int feature)
{
    uint32_t rank = (uint32_t)s->in->ranks->n_present[feature];
    int at = list->ranks ? list->size - 1 : (int)rank;
    bool present = !list->ranks || list->ranks[at] == rank;
    return ranks_have_missing(s->in->ranks, feature) && present && list->payload[at] ? list->payload + at : NULL;
}

static bool scan_slots(two_class *t)
{
    splitter *s = t->s;
    payload_list list = list_payload(s, t->node, t->feature);
    bool done = scan_payload(t, list.payload, list.ranks, list.size, 0);
    uint32_t *missing = missing_payload(s, &list, t->feature);
    if (missing) {
        uint32_t sum = *missing;
        *missing = 0;
        s->missing_left = true;
        done = scan_payload(t, list.payload, list.ranks, list.size, sum) || done;
        s->missing_left = false;
    }
    clear_payload(s, &list);
    return done;
}

static bool scan_sorted_rows(two_class *t, const uint64_t *entries)
{
    splitter *s = t->s;
    int size = t->node->size - 1, feature = t->feature;
    uint32_t sum = 0;
    int block = s->in->simd->find_promising_entry(entries, 0, size, &sum, &t->filter);
    while (block < size) {
        for (int i = block; i < block_end(block, size); ++i) {
            int row = (int)(uint32_t)entries[i];
            sum += (uint32_t)(entries[i] >> 32);
            if (two_class_promises(sum, &t->filter) && values_differ(s, feature, row, (int)(uint32_t)entries[i + 1]) &&
                evaluate_packed(t, sum, rank_of(s->in->ranks, feature, row))) {
                return true;
            }
        }
        block = s->in->simd->find_promising_entry(entries, block + SIMD_BLOCK, size, &sum, &t->filter);
    }
    return false;
}

static bool is_in_planes(const splitter *s, int feature)
{
    const feature_profile *profile = s->in->profile + feature;
    return profile->packed && profile->n_ranks <= MAX_PLANES + 1;
}

static bool scan_feature(splitter *s, const node_view *node, int feature, bool asks)
{
    const uint64_t *entries = node_list(s, node, feature);
    two_class t;
    two_class_begin(&t, s, node, feature);
    t.asks = asks;
    if (two_class_is_hopeless(&t)) {
        return false;
    }
    if (is_in_planes(s, feature)) {
        return planes_scan(&t);
    }
    if (!entries && !asks && coarse_can_scan(s, feature)) {
        coarse_scan(&t);
        return false;
    }
    if (node->weight > MAX_PACKED) {
        return wide_scan(&t, entries);
    }
    return entries ? scan_sorted_rows(&t, entries) : scan_slots(&t);
}

void two_class_split(splitter *s, const node_view *node, int feature)
{
    scan_feature(s, node, feature, false);
}

bool two_class_may_equal_best(splitter *s, const node_view *node, int feature)
{
    return scan_feature(s, node, feature, true);
}

/* ---- a bound ----------------------------------------------------------------------------------------------------------- */

static float best_of_list(two_class *t)
{
    splitter *s = t->s;
    payload_list list = list_payload(s, t->node, t->feature);
    int whole = (list.size + SIMD_BLOCK - 1) / SIMD_BLOCK * SIMD_BLOCK;
    float best = s->in->simd->best_cut(list.payload, whole, 0, &t->filter);
    uint32_t *missing = missing_payload(s, &list, t->feature);
    if (missing) {
        uint32_t sum = *missing;
        *missing = 0;
        best = fmaxf(best, s->in->simd->best_cut(list.payload, whole, sum, &t->filter));
    }
    clear_payload(s, &list);
    return best;
}

bool two_class_can_bound(const splitter *s, const node_view *node, int feature)
{
    bool counts = s->in->packs && s->in->nclass == 2 && s->in->criterion->sums_squares;
    bool number = s->in->profile[feature].n_levels == 1;
    /* Cuts between equal values would count; in a file sorted by class some of them part the classes well. */
    bool between_equals = s->in->like_r && s->in->ranks->has_ties[feature] && node_list(s, node, feature);
    return counts && number && !between_equals && !is_in_planes(s, feature) && node->weight <= MAX_PACKED;
}

/* The inverse of set_threshold(). */
double two_class_bound(splitter *s, const node_view *node, int feature)
{
    const uint64_t *entries = node_list(s, node, feature);
    two_class t;
    s->inverse = s->factor = 1.0;
    two_class_begin(&t, s, node, feature);
    float best = entries ? s->in->simd->best_cut_of_entries(entries, node->size, &t.filter) : best_of_list(&t);
    return (double)best * (1.0 + 2.0 * FILTER_SLACK) / t.scale + t.base + t.slack - node->offset;
}

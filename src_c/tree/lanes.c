/* F counted at once. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters.h"
#include "tree/class_cuts.h"
#include "tree/class_lanes.h"
#include "tree/lanes.h"

/* ---- room ------------------------------------------------------------------------------------------------------------ */

static bool is_useful(const splitter *s)
{
    const search_input *in = s->in;
    bool counts = counts_classes(in) || (in->packs && in->nclass == 2);
    return FILTER_LANES && counts && in->ranks->kind.ties == TIES_MERGED && in->members_exempt;
}

rrf_status lanes_init(splitter *s, size_t most_bytes)
{
    if (!is_useful(s)) {
        return RRF_OK;
    }
    TAKE_ZEROS(s->memory, s->lanes, 1);
    if (!s->lanes) {
        return RRF_ERR_MEMORY;
    }
    class_counts *counts = s->scratch.class_counts;
    rrf_status status = member_ranks_init(&s->lanes->members, s->in->data, s->in->ranks, most_bytes, s->memory);
    return status || !counts ? status : class_cuts_reserve(&counts->cuts, s->in->data->n, s->memory);
}

static rrf_status reserve_cuts(splitter *s, int vectors)
{
    node_lanes *l = s->lanes;
    if (vectors <= l->capacity) {
        return RRF_OK;
    }
    rrf_status status = GROW(s->memory, l->cuts, vectors);
    if (!status && counts_classes(s->in)) {
        status = class_lanes_reserve(&l->classes, s->in, vectors, s->memory);
    }
    l->capacity = status ? 0 : vectors;
    return status;
}

/* ---- a tree ---------------------------------------------------------------------------------------------------------- */

/* Lanes of features that are no longer in F cost time for nothing: a vector of them is too many. */
static void drop_former_members(member_ranks *m, const int32_t *members, int n_members)
{
    int n_known = 0;
    for (int i = 0; i < n_members; ++i) {
        n_known += m->lane[members[i]] >= 0;
    }
    if (m->n_lanes - n_known >= RANK_LANES) {
        member_ranks_clear(m);
    }
}

/* There is no cut after the last rank. Several classes: a lane of many ranks would be of use in nodes of few rows only, and
 * lengthen what its vector does for the others. */
static void add_lane(splitter *s, int feature)
{
    node_lanes *l = s->lanes;
    int lane = l->members.n_lanes, n_cuts = l->members.ranks->n_ranks[feature] - 1;
    if (counts_classes(s->in) && n_cuts > MAX_CLASS_RANK_CUTS && s->in->data->n > MAX_ROWS_OF_MANY_RANKS) {
        return;
    }
    member_ranks_add(&l->members, feature);
    if (l->members.n_lanes > lane) {
        lane_cuts *cuts = l->cuts + lane / RANK_LANES;
        int most = lane % RANK_LANES ? cuts->between_ranks : 1;
        cuts->between_ranks = n_cuts > most ? n_cuts : most;
        l->most_between = lane && l->most_between > n_cuts ? l->most_between : n_cuts;
    }
}

rrf_status lanes_begin_tree(splitter *s, const int32_t *members, int n_members)
{
    node_lanes *l = s->lanes;
    if (!l) {
        return RRF_OK;
    }
    l->node = -1;
    l->rows_fit = s->in->rows_pack > UINT8_MAX;
    drop_former_members(&l->members, members, n_members);
    rrf_status status = member_ranks_reserve(&l->members, n_members);
    status = status ? status : reserve_cuts(s, l->members.stride / RANK_LANES);
    for (int i = 0; !status && i < n_members; ++i) {
        add_lane(s, members[i]);
    }
    return status;
}

void lanes_add(splitter *s, int feature)
{
    if (s->lanes) {
        add_lane(s, feature);
    }
}

void lanes_forget(splitter *s)
{
    if (s->lanes) {
        member_ranks_clear(&s->lanes->members);
    }
}

/* ---- the cuts of a node ---------------------------------------------------------------------------------------------- */

#define IN_ALL_LANES(rank)                                                                                             \
    rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank
#define FOUR_RANKS(r) IN_ALL_LANES(r), IN_ALL_LANES(r + 1), IN_ALL_LANES(r + 2), IN_ALL_LANES(r + 3)
const int16_t lane_rank_cuts[MAX_CUT_ROWS * RANK_LANES] = {
    FOUR_RANKS(0),  FOUR_RANKS(4),  FOUR_RANKS(8),  FOUR_RANKS(12), FOUR_RANKS(16), FOUR_RANKS(20),
    FOUR_RANKS(24), FOUR_RANKS(28), FOUR_RANKS(32), FOUR_RANKS(36), FOUR_RANKS(40), FOUR_RANKS(44)};

/* Whether each row of the node may stand for a cut. */
static bool is_small(const splitter *s, const node_view *node, int vector)
{
    int first = s->lanes->members.feature[vector * RANK_LANES];
    bool sorted = node_list(s, node, first) != NULL;
    return node->size <= (sorted ? MAX_SORTED_CUT_ROWS : MAX_CUT_ROWS) && node->weight <= MAX_LANE_CASES;
}

/* Feature by feature, several classes: reading its ranks takes as long as some vectors of cuts. */
enum { PRICE_OF_FEATURE = 4 };

/* Several classes: feature by feature a vector holds CUT_LANES cuts of one of them (class_cuts.c), here as many features. Lanes
 * that are not in use are lost, and so is the rest of a feature's last vector there. Sorted lists are as fast. */
static bool lanes_are_faster(const splitter *s, const node_view *node, int vector)
{
    const node_lanes *l = s->lanes;
    int price = node_list(s, node, l->members.feature[vector * RANK_LANES]) ? 0 : PRICE_OF_FEATURE;
    int left = l->members.n_lanes - vector * RANK_LANES, used = left < RANK_LANES ? left : RANK_LANES;
    int most = l->cuts[vector].between_ranks, of_one = most < node->size ? most : node->size;
    return l->cuts[vector].n_cuts <= price * used * ((of_one + CUT_LANES - 1) / CUT_LANES);
}

/* Returns whether any vector is counted. */
static bool choose_cuts(const splitter *s, const node_view *node)
{
    node_lanes *l = s->lanes;
    bool several = counts_classes(s->in);
    int most = several ? MAX_CLASS_RANK_CUTS : MAX_RANK_CUTS;
    bool any = false;
    for (int v = 0; v < l->n_vectors; ++v) {
        lane_cuts *cuts = l->cuts + v;
        int by_rank = cuts->between_ranks;
        bool small = is_small(s, node, v);
        cuts->by_row = by_rank > most || (small && node->size < by_rank);
        cuts->n_cuts = !cuts->by_row ? by_rank : small ? node->size : 0;
        if (several && !lanes_are_faster(s, node, v)) {
            cuts->n_cuts = 0;
        }
        any = any || cuts->n_cuts > 0;
    }
    return any;
}

/* The counts of the node's rows from `first` on, with eight bits each. Returns how many rows fit. */
static int take_rows(const splitter *s, const node_view *node, int first, uint16_t *payload)
{
    int n = 0;
    uint32_t cases = 0;
    for (; n < LANE_ROWS && first + n < node->size; ++n) {
        uint32_t own = s->in->payload[node->rows[first + n]];
        cases += own & 0xffff;
        if (cases > MAX_LANE_CASES) {
            break;
        }
        payload[n] = (uint16_t)(own >> 8 | own);
    }
    return n;
}

static void count_rows(const splitter *s, const int32_t *rows, int n, const uint16_t *payload)
{
    node_lanes *l = s->lanes;
    int16_t rank[LANE_ROWS * RANK_LANES];
    uint16_t counts[MAX_CUT_ROWS * RANK_LANES];
    for (int v = 0; v < l->n_vectors; ++v) {
        lane_cuts *cuts = l->cuts + v;
        if (cuts->n_cuts > 0) {
            int16_t *own = cuts->by_row ? cuts->rank : rank;
            member_ranks_gather(&l->members, rows, n, v, own);
            s->in->simd->count_at_most(cuts->by_row ? own : lane_rank_cuts, cuts->n_cuts, own, n, payload, 1, counts);
            s->in->simd->add_counts(counts, cuts->n_cuts * RANK_LANES, cuts->left);
        }
    }
}

/* Two classes. */
static void count_node(splitter *s, const node_view *node)
{
    node_lanes *l = s->lanes;
    uint16_t payload[LANE_ROWS];
    for (int v = 0; v < l->n_vectors; ++v) {
        memset(l->cuts[v].left, 0, (size_t)l->cuts[v].n_cuts * RANK_LANES * sizeof *l->cuts[v].left);
    }
    for (int first = 0, n; first < node->size; first += n) {
        n = take_rows(s, node, first, payload);
        count_rows(s, node->rows + first, n, payload);
    }
    for (int v = 0; v < l->n_vectors; ++v) {
        s->in->simd->best_of_two_classes(l->cuts[v].left, l->cuts[v].n_cuts, &l->cut.filter, l->cuts[v].bound);
    }
}

void lanes_begin_node(splitter *s, const node_view *node)
{
    node_lanes *l = s->lanes;
    if (!l) {
        return;
    }
    l->node = -1;
    l->n_vectors = member_ranks_vectors(&l->members);
    /* There is no penalty on members. */
    s->factor = s->inverse = 1.0;
    l->crit = s->best.crit;
    if (counts_classes(s->in)) {
        l->node = choose_cuts(s, node) && class_lanes_count(s, node) ? node->number : -1;
    } else if (l->rows_fit && node->weight <= MAX_PACKED && choose_cuts(s, node)) {
        two_class_begin(&l->cut, s, node, -1);
        l->node = node->number;
        count_node(s, node);
    }
}

bool lanes_are_enough(const splitter *s, int n_members, int n_rows)
{
    const node_lanes *l = s->lanes;
    if (!l || !counts_classes(s->in)) {
        return l && n_rows <= MAX_CUT_ROWS;
    }
    return l->most_between <= MAX_CLASS_RANK_CUTS && l->members.n_lanes >= n_members;
}

/* ---- the cuts of a feature ------------------------------------------------------------------------------------------- */

static inline void offer_cut(node_lanes *l, uint32_t sum, uint32_t rank)
{
    if (two_class_promises(sum, &l->cut.filter)) {
        two_class_evaluate(&l->cut, sum >> 16, sum & 0xffff, rank);
    }
}

/* A rank without rows has no cut. */
static void offer_ranks(node_lanes *l, const uint32_t *left, int n_cuts)
{
    uint32_t before = 0;
    for (int rank = 0; rank < n_cuts; ++rank) {
        uint32_t sum = left[rank * RANK_LANES];
        if (sum != before) {
            offer_cut(l, sum, (uint32_t)rank);
        }
        before = sum;
    }
}

/* Rows by the cases on the left of their cuts, which ascend with their ranks. Rows of equal rank stand for the same cut. */
enum { WORD = 64, CASE_WORDS = (MAX_LANE_CASES + 1) / WORD };

static void offer_rows(node_lanes *l, const uint32_t *left, const int16_t *rank, int n_cuts)
{
    uint64_t present[CASE_WORDS] = {0};
    uint8_t row[MAX_LANE_CASES + 1];
    for (int i = 0; i < n_cuts; ++i) {
        uint32_t cases = left[i * RANK_LANES] & 0xffff;
        present[cases / WORD] |= (uint64_t)1 << cases % WORD;
        row[cases] = (uint8_t)i;
    }
    for (int word = 0; word < CASE_WORDS; ++word) {
        for (uint64_t bits = present[word]; bits; bits &= bits - 1) {
            int i = row[word * WORD + __builtin_ctzll(bits)] * RANK_LANES;
            offer_cut(l, left[i], (uint32_t)rank[i]);
        }
    }
}

static void offer_cuts(node_lanes *l, const lane_cuts *cuts, int lane)
{
    if (cuts->by_row) {
        offer_rows(l, cuts->left + lane, cuts->rank + lane, cuts->n_cuts);
    } else {
        offer_ranks(l, cuts->left + lane, cuts->n_cuts);
    }
}

lanes_answer lanes_try(splitter *s, const node_view *node, int feature)
{
    if (!lanes_serve(s, node, feature)) {
        return LANES_UNKNOWN;
    }
    if (counts_classes(s->in)) {
        return class_lanes_try(s, node, feature);
    }
    node_lanes *l = s->lanes;
    int lane = l->members.lane[feature];
    const lane_cuts *cuts = l->cuts + lane / RANK_LANES;
    if (l->crit != s->best.crit) {
        s->inverse = 1.0;
        set_threshold(&l->cut);
        l->crit = s->best.crit;
    }
    if (cuts->bound[lane % RANK_LANES] <= l->cut.filter.threshold) {
        return LANES_DONE;
    }
    if (s->in->like_r) {
        return LANES_FOUND;
    }
    l->cut.node = node;
    l->cut.feature = feature;
    s->factor = s->inverse = 1.0;
    offer_cuts(l, cuts, lane % RANK_LANES);
    l->crit = s->best.crit;
    return LANES_DONE;
}

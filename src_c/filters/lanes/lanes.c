/* Counting of all features of F together. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/counts/class_cuts.h"
#include "filters/lanes/class_lanes.h"
#include "filters/lanes/lanes.h"

/* ---- room ------------------------------------------------------------------------------------------------------------ */

/* Limit of memory for the ranks in lanes: in engine parallel each worker has its own. */
#define MOST_BYTES ((size_t)1 << 26)
#define MOST_BYTES_OF_WORKER ((size_t)1 << 22)

rrf_status lanes_init(splitter *s)
{
    const search_input *in = s->in;
    filter_scratch *own = s->filter;
    bool counts = in->filter->several || in->filter->two_classes;
    if (!FILTER_LANES || !counts || in->ranks->kind.ties != TIES_MERGED || !in->members_exempt) {
        return RRF_OK;
    }
    TAKE_ZEROS(s->memory, own->lanes, 1);
    if (!own->lanes) {
        return RRF_ERR_MEMORY;
    }
    size_t most = in->rule->leaves_sorted ? MOST_BYTES : MOST_BYTES_OF_WORKER;
    rrf_status status = member_ranks_init(&own->lanes->members, in->data, in->ranks, most, s->memory);
    return status || !own->classes ? status : class_cuts_reserve(&own->classes->cuts, in->data->n, s->memory);
}

static rrf_status reserve_cuts(splitter *s, int vectors)
{
    node_lanes *l = s->filter->lanes;
    if (vectors <= l->capacity) {
        return RRF_OK;
    }
    rrf_status status = GROW(s->memory, l->cuts, vectors);
    if (!status && s->in->filter->several) {
        status = class_lanes_reserve(&l->classes, s->in->nclass, vectors, s->memory);
    }
    l->capacity = status ? 0 : vectors;
    return status;
}

/* ---- a tree ---------------------------------------------------------------------------------------------------------- */

/* Lanes of features that have left F waste time: they are removed once they would fill a vector. */
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

/* There is no cut after the last rank. For several classes, a lane of many ranks would be useful only in nodes of few
 * rows, and would slow down the other lanes of its vector. */
static void add_lane(const search_input *in, node_lanes *l, int feature)
{
    int lane = l->members.n_lanes, n_cuts = in->ranks->n_ranks[feature] - 1;
    if (in->filter->several && n_cuts > MAX_CLASS_RANK_CUTS && in->data->n > MAX_ROWS_OF_MANY_RANKS) {
        return;
    }
    member_ranks_add(&l->members, feature);
    if (l->members.n_lanes > lane) {
        lane_cuts *cuts = l->cuts + lane / RANK_LANES;
        int most = lane % RANK_LANES ? cuts->between_ranks : 1;
        cuts->between_ranks = n_cuts > most ? n_cuts : most;
    }
}

rrf_status lanes_begin_tree(splitter *s, const int32_t *members, int n_members)
{
    node_lanes *l = s->filter->lanes;
    if (!l) {
        return RRF_OK;
    }
    l->node = -1;
    l->rows_fit = s->in->filter->rows_pack > UINT8_MAX;
    drop_former_members(&l->members, members, n_members);
    rrf_status status = member_ranks_reserve(&l->members, n_members);
    status = status ? status : reserve_cuts(s, l->members.stride / RANK_LANES);
    for (int i = 0; !status && i < n_members; ++i) {
        add_lane(s->in, l, members[i]);
    }
    return status;
}

void lanes_add(splitter *s, int feature)
{
    if (s->filter->lanes) {
        add_lane(s->in, s->filter->lanes, feature);
    }
}

void lanes_forget(splitter *s)
{
    if (s->filter->lanes) {
        member_ranks_clear(&s->filter->lanes->members);
    }
}

/* ---- the cuts of a node ---------------------------------------------------------------------------------------------- */

#define IN_ALL_LANES(rank)                                                                                             \
    rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank, rank
#define FOUR_RANKS(r) IN_ALL_LANES(r), IN_ALL_LANES(r + 1), IN_ALL_LANES(r + 2), IN_ALL_LANES(r + 3)
const int16_t lane_rank_cuts[MAX_CUT_ROWS * RANK_LANES] = {
    FOUR_RANKS(0),  FOUR_RANKS(4),  FOUR_RANKS(8),  FOUR_RANKS(12), FOUR_RANKS(16), FOUR_RANKS(20),
    FOUR_RANKS(24), FOUR_RANKS(28), FOUR_RANKS(32), FOUR_RANKS(36), FOUR_RANKS(40), FOUR_RANKS(44)};

static bool has_list(const scan *c, const node_lanes *l, int vector)
{
    return node_list(c->own, c->node, l->members.feature[vector * RANK_LANES]) != NULL;
}

/* Several classes, feature by feature: reading a feature's ranks takes as long as this number of vectors of cuts. */
enum { PRICE_OF_FEATURE = 4 };

/* Several classes: class_cuts.c works feature by feature, and a vector holds CUT_LANES cuts of one feature. Here a
 * vector holds cuts of as many features. Unused lanes are wasted here, the rest of a feature's last vector there.
 * Sorted lists are as fast. */
static bool lanes_are_faster(const scan *c, const node_lanes *l, int vector)
{
    int price = has_list(c, l, vector) ? 0 : PRICE_OF_FEATURE, size = c->node->size;
    int left = l->members.n_lanes - vector * RANK_LANES, used = left < RANK_LANES ? left : RANK_LANES;
    int most = l->cuts[vector].between_ranks, of_one = most < size ? most : size;
    return l->cuts[vector].n_cuts <= price * used * ((of_one + CUT_LANES - 1) / CUT_LANES);
}

/* Returns whether any vector is counted. Small: each row of the node may represent a cut. */
static bool choose_cuts(const scan *c, node_lanes *l)
{
    const node_view *node = c->node;
    bool any = false, several = c->read->several;
    int most = several ? MAX_CLASS_RANK_CUTS : MAX_RANK_CUTS;
    for (int v = 0; v < l->n_vectors; ++v) {
        lane_cuts *cuts = l->cuts + v;
        int by_rank = cuts->between_ranks, most_rows = has_list(c, l, v) ? MAX_SORTED_CUT_ROWS : MAX_CUT_ROWS;
        bool small = node->size <= most_rows && node->weight <= MAX_LANE_CASES;
        cuts->by_row = by_rank > most || (small && node->size < by_rank);
        cuts->n_cuts = !cuts->by_row ? by_rank : small ? node->size : 0;
        if (several && !lanes_are_faster(c, l, v)) {
            cuts->n_cuts = 0;
        }
        any = any || cuts->n_cuts > 0;
    }
    return any;
}

/* Writes the counts of rows as eight bits each. Returns the number of rows that fit. */
static int take_rows(const uint32_t *packed, const int32_t *rows, int n_rows, uint16_t *payload)
{
    int n = 0;
    uint32_t cases = 0;
    for (; n < LANE_ROWS && n < n_rows; ++n) {
        uint32_t own = packed[rows[n]];
        cases += own & 0xffff;
        if (cases > MAX_LANE_CASES) {
            break;
        }
        payload[n] = (uint16_t)(own >> 8 | own);
    }
    return n;
}

static void count_rows(node_lanes *l, const simd *loops, const int32_t *rows, int n, const uint16_t *payload)
{
    int16_t rank[LANE_ROWS * RANK_LANES];
    uint16_t counts[MAX_CUT_ROWS * RANK_LANES];
    for (int v = 0; v < l->n_vectors; ++v) {
        lane_cuts *cuts = l->cuts + v;
        if (cuts->n_cuts > 0) {
            int16_t *own = cuts->by_row ? cuts->rank : rank;
            member_ranks_gather(&l->members, rows, n, v, own);
            loops->count_at_most(cuts->by_row ? own : lane_rank_cuts, cuts->n_cuts, own, n, payload, counts);
            loops->add_counts(counts, cuts->n_cuts * RANK_LANES, cuts->left);
        }
    }
}

/* Two classes. */
static void count_node(node_lanes *l, const scan *c)
{
    const simd *loops = c->read->simd;
    const node_view *node = c->node;
    uint16_t payload[LANE_ROWS];
    for (int v = 0; v < l->n_vectors; ++v) {
        memset(l->cuts[v].left, 0, (size_t)l->cuts[v].n_cuts * RANK_LANES * sizeof *l->cuts[v].left);
    }
    for (int first = 0, n; first < node->size; first += n) {
        n = take_rows(c->read->payload, node->rows + first, node->size - first, payload);
        count_rows(l, loops, node->rows + first, n, payload);
    }
    for (int v = 0; v < l->n_vectors; ++v) {
        loops->best_of_two_classes(l->cuts[v].left, l->cuts[v].n_cuts, &l->cut.filter, l->cuts[v].bound);
    }
}

/* There is no penalty on members. */
static scan member_scan(splitter *s, const node_view *node, int feature)
{
    return scan_begin(s, node, &(column){.feature = feature, .factor = 1.0, .inverse = 1.0});
}

void lanes_begin_node(splitter *s, const node_view *node)
{
    node_lanes *l = s->filter->lanes;
    if (!l) {
        return;
    }
    scan scan = member_scan(s, node, -1);
    l->n_vectors = member_ranks_vectors(&l->members);
    l->node = -1;
    l->crit = s->bar.best.crit;
    if (scan.read->several) {
        l->node = choose_cuts(&scan, l) && class_lanes_count(l, &scan) ? node->number : -1;
    } else if (l->rows_fit && node->weight <= MAX_PACKED && choose_cuts(&scan, l)) {
        two_class_begin(&l->cut, &scan);
        l->node = node->number;
        count_node(l, &scan);
    }
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

/* Sorts rows by the cases on the left of their cuts, which ascend with their ranks. Rows of equal rank represent the
 * same cut. */
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
    node_lanes *l = s->filter->lanes;
    if (!lanes_serve(s, node, feature)) {
        return LANES_UNKNOWN;
    }
    if (s->in->filter->several) {
        scan scan = member_scan(s, node, feature);
        return class_lanes_try(l, &scan);
    }
    int lane = l->members.lane[feature];
    const lane_cuts *cuts = l->cuts + lane / RANK_LANES;
    if (l->crit != s->bar.best.crit) {
        set_threshold(&l->cut);
        l->crit = s->bar.best.crit;
    }
    if (cuts->bound[lane % RANK_LANES] <= l->cut.filter.threshold) {
        return LANES_DONE;
    }
    if (s->in->filter->like_r) {
        return LANES_FOUND;
    }
    l->cut.scan.column.feature = feature; /* its other fields are the same for all members */
    offer_cuts(l, cuts, lane % RANK_LANES);
    l->crit = s->bar.best.crit;
    return LANES_DONE;
}

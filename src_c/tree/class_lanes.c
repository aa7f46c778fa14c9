/* F counted at once, several classes. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/class_lanes.h"
#include "tree/class_cuts.h"
#include "tree/incumbent.h"
#include "tree/split_classes.h"

/* ---- room ------------------------------------------------------------------------------------------------------------ */

rrf_status class_lanes_reserve(class_lanes *c, const search_input *in, int vectors, arena *memory)
{
    size_t classes = (size_t)(in->nclass < MAX_ADDED ? in->nclass : MAX_ADDED);
    size_t lanes = (size_t)vectors * MAX_CUT_ROWS * RANK_LANES;
    c->of_vector = MAX_CUT_ROWS * RANK_LANES * classes;
    /* What was counted at the node before is not needed any more. */
    rrf_status status = RENEW(memory, c->right, lanes * classes);
    return status ? status : RENEW(memory, c->worth, lanes);
}

/* ---- a node ---------------------------------------------------------------------------------------------------------- */

static void count_vector(splitter *s, int vector)
{
    node_lanes *l = s->lanes;
    lane_cuts *cuts = l->cuts + vector;
    const class_cuts *c = &l->classes.scan.counts->cuts;
    lane_rows rows = {l->members.rank + (size_t)vector * RANK_LANES, (size_t)l->members.stride, c->row};
    if (cuts->by_row) {
        member_ranks_gather(&l->members, c->row, cuts->n_cuts, vector, cuts->rank);
    }
    s->in->simd->class_lanes_worth(cuts->by_row ? cuts->rank : lane_rank_cuts, cuts->n_cuts, &rows, &c->rows,
                                   l->classes.right + (size_t)vector * l->classes.of_vector,
                                   l->classes.worth + (size_t)vector * MAX_CUT_ROWS * RANK_LANES, cuts->bound);
}

/* What a cut has to be worth, now that there is another best split. There is no penalty on members. */
static void set_least(splitter *s)
{
    node_lanes *l = s->lanes;
    s->factor = s->inverse = 1.0;
    class_scan_set_threshold(&l->classes.scan);
    l->classes.least = class_scan_least_worth(&l->classes.scan);
    l->crit = s->best.crit;
}

bool class_lanes_count(splitter *s, const node_view *node)
{
    node_lanes *l = s->lanes;
    /* Where lanes are of no use, features of large nodes do not need the list. */
    s->scratch.class_counts->cuts.lists_all = true;
    l->classes.scan = class_scan_begin(s, node, -1, false);
    s->scratch.class_counts->cuts.lists_all = false;
    set_least(s);
    if (!s->scratch.class_counts->cuts.by_class) {
        return false;
    }
    for (int v = 0; v < l->n_vectors; ++v) {
        if (l->cuts[v].n_cuts > 0) {
            count_vector(s, v);
        }
    }
    return true;
}

/* ---- a feature ------------------------------------------------------------------------------------------------------- */

/* Where R's order matters, as long as no cut is in doubt (incumbent.h). */
static lanes_answer offer_lane(splitter *s, class_scan *scan, const cuts_of_lane *lane)
{
    incumbent_begin(s);
    if (class_cuts_offer_lane(scan, lane) && scan->asks) {
        incumbent_give_up(s, scan->node);
        return LANES_FOUND;
    }
    incumbent_take(s);
    return LANES_DONE;
}

lanes_answer class_lanes_try(splitter *s, const node_view *node, int feature)
{
    node_lanes *l = s->lanes;
    class_scan *scan = &l->classes.scan;
    int lane = l->members.lane[feature], vector = lane / RANK_LANES, at = lane % RANK_LANES;
    const lane_cuts *cuts = l->cuts + vector;
    if (l->crit != s->best.crit) {
        set_least(s);
    }
    if (cuts->bound[at] < l->classes.least) {
        return LANES_DONE;
    }
    s->factor = s->inverse = 1.0;
    scan->node = node;
    scan->feature = feature;
    scan->asks = s->in->like_r;
    return offer_lane(s, scan,
                      &(cuts_of_lane){cuts->n_cuts, cuts->by_row ? cuts->rank + at : NULL,
                                      l->classes.worth + (size_t)vector * MAX_CUT_ROWS * RANK_LANES + at,
                                      l->classes.right + (size_t)vector * l->classes.of_vector + at});
}

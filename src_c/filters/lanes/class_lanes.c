/* Counting of all features of F together, several classes. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/counts/class_cuts.h"
#include "filters/lanes/class_lanes.h"

rrf_status class_lanes_reserve(class_lanes *c, int nclass, int vectors, arena *memory)
{
    size_t classes = (size_t)(nclass < MAX_ADDED ? nclass : MAX_ADDED);
    size_t lanes = (size_t)vectors * MAX_CUT_ROWS * RANK_LANES;
    c->of_vector = MAX_CUT_ROWS * RANK_LANES * classes;
    /* Counts of the node before are not needed any more. */
    rrf_status status = RENEW(memory, c->right, lanes * classes);
    return status ? status : RENEW(memory, c->worth, lanes);
}

/* ---- a node ---------------------------------------------------------------------------------------------------------- */

static void count_vector(node_lanes *l, int vector)
{
    lane_cuts *cuts = l->cuts + vector;
    const class_scan *scan = &l->classes.scan;
    const class_cuts *c = &scan->counts->cuts;
    lane_rows rows = {l->members.rank + (size_t)vector * RANK_LANES, (size_t)l->members.stride, c->row};
    if (cuts->by_row) {
        member_ranks_gather(&l->members, c->row, cuts->n_cuts, vector, cuts->rank);
    }
    scan->scan.read->simd->class_lanes_worth(cuts->by_row ? cuts->rank : lane_rank_cuts, cuts->n_cuts, &rows, &c->rows,
                                             l->classes.right + (size_t)vector * l->classes.of_vector,
                                             l->classes.worth + (size_t)vector * MAX_CUT_ROWS * RANK_LANES,
                                             cuts->bound);
}

/* Updates the threshold of cuts after a change of the best split. There is no penalty on members. */
static void set_least(node_lanes *l)
{
    class_scan_set_threshold(&l->classes.scan);
    l->classes.least = class_scan_least_worth(&l->classes.scan);
    l->crit = l->classes.scan.scan.bar->best.crit;
}

bool class_lanes_count(node_lanes *l, const scan *c)
{
    class_cuts *cuts = &c->own->classes->cuts;
    /* Without lanes, features of large nodes do not need the list. */
    cuts->lists_all = true;
    l->classes.scan = class_scan_begin(c, false);
    cuts->lists_all = false;
    set_least(l);
    if (!cuts->by_class) {
        return false;
    }
    for (int v = 0; v < l->n_vectors; ++v) {
        if (l->cuts[v].n_cuts > 0) {
            count_vector(l, v);
        }
    }
    return true;
}

/* ---- a feature ------------------------------------------------------------------------------------------------------- */

/* If sums depend on R's order, only while no cut is in doubt (incumbent.h). */
static lanes_answer offer_lane(class_scan *scan, const cuts_of_lane *lane)
{
    incumbent_begin(&scan->scan);
    if (class_cuts_offer_lane(scan, lane) && scan->asks) {
        incumbent_give_up(&scan->scan);
        return LANES_FOUND;
    }
    incumbent_take(&scan->scan);
    return LANES_DONE;
}

lanes_answer class_lanes_try(node_lanes *l, const scan *c)
{
    class_scan *scan = &l->classes.scan;
    int lane = l->members.lane[c->column.feature], vector = lane / RANK_LANES, at = lane % RANK_LANES;
    const lane_cuts *cuts = l->cuts + vector;
    if (l->crit != c->bar->best.crit) {
        set_least(l);
    }
    if (cuts->bound[at] < l->classes.least) {
        return LANES_DONE;
    }
    scan->scan = *c;
    scan->asks = c->read->like_r;
    return offer_lane(scan, &(cuts_of_lane){cuts->n_cuts, cuts->by_row ? cuts->rank + at : NULL,
                                            l->classes.worth + (size_t)vector * MAX_CUT_ROWS * RANK_LANES + at,
                                            l->classes.right + (size_t)vector * l->classes.of_vector + at});
}

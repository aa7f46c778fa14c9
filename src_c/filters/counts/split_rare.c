/* Numeric features of which most rows have the same value. In most nodes no other value is present, and the feature has
 * no cut. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/columns/few_values.h"
#include "filters/columns/rare_values.h"
#include "filters/counts/split_classes.h"
#include "filters/counts/split_rare.h"
#include "filters/counts/two_class.h"

/* Number of rows of the list that cost as much as one row of the node: in general, and if two classes are counted by
 * planes. A short list is always read. */
enum { ROWS_PER_ROW = 2, PLANE_ROWS_PER_ROW = 1, SHORT_LIST = 16 };

/* ---- the rows of the node -------------------------------------------------------------------------------------------- */

static bool any_rare(const rrf_ranks *ranks)
{
    bool any = false;
    for (int feature = 0; !any && feature < ranks->p; ++feature) {
        any = ranks_rare(ranks, feature) != NULL;
    }
    return any;
}

void rare_begin_tree(filter_scratch *own, const rrf_ranks *ranks)
{
    own->marked_node = -1;
    if (any_rare(ranks)) {
        memset(own->node_of, 0xff, (size_t)ranks->n * sizeof *own->node_of);
    }
}

static const int32_t *mark_rows(filter_scratch *own, const node_view *node)
{
    if (own->marked_node != node->number) {
        own->marked_node = node->number;
        for (int i = 0; i < node->size; ++i) {
            own->node_of[node->rows[i]] = node->number;
        }
    }
    return own->node_of;
}

/* Lists the rows of the node without the common value, as positions in the list of all. Returns their number. */
static int list_present(const scan *c, const rare_values *rare)
{
    const int32_t *node_of = mark_rows(c->own, c->node);
    int32_t *present = c->own->splitter->sorted;
    c->own->splitter->sorted_by = -1;
    int n = 0;
    for (int i = 0; i < rare->n_rows; ++i) {
        if (node_of[rare->rows[i].row] == c->node->number) {
            present[n++] = i;
        }
    }
    return n;
}

static bool is_constant(const scan *c)
{
    uint32_t first = scan_rank(c, c->node->rows[0]);
    bool same = true;
    for (int i = 1; same && i < c->node->size; ++i) {
        same = scan_rank(c, c->node->rows[i]) == first;
    }
    return same;
}

/* ---- their ranks ----------------------------------------------------------------------------------------------------- */

/* Input: positions in the list, among the sorted rows. Some rows of the node have the common value. */
static rare_ranks number_ranks(const scan *c, const rare_values *rare, int n_rows)
{
    uint32_t *rank = c->own->present_rank, *place = c->own->present;
    int32_t *row = c->own->splitter->sorted;
    int n = 0, common = -1;
    for (int i = 0; i < n_rows; ++i) {
        rare_row own = rare->rows[row[i]];
        if (common < 0 && own.rank > rare->common) {
            common = n;
            rank[n++] = rare->common;
        }
        if (n == 0 || rank[n - 1] != own.rank) {
            rank[n++] = own.rank;
        }
        row[i] = own.row;
        place[i] = (uint32_t)n - 1;
    }
    if (common < 0) {
        common = n;
        rank[n++] = rare->common;
    }
    bool misses = rank[n - 1] >= (uint32_t)c->in->ranks->n_present[c->column.feature];
    return (rare_ranks){n_rows, row, place, n, n - misses, common, rank};
}

/* ---- two classes ------------------------------------------------------------------------------------------------------ */

static void scan_places(two_class *t, const uint64_t *payload, const rare_ranks *ranks, uint64_t sum)
{
    for (int i = 0; i < ranks->n_present; ++i) {
        sum += payload[i];
        if (payload[i] && two_class_promises_wide(sum, &t->filter)) {
            two_class_evaluate_wide(t, sum, ranks->rank[i]);
        }
    }
}

static void split_two_classes(const scan *c, const rare_ranks *ranks)
{
    uint64_t *payload = c->own->splitter->packed;
    two_class t;
    two_class_begin(&t, c);
    if (two_class_is_hopeless(&t)) {
        return;
    }
    memset(payload, 0, (size_t)ranks->n * sizeof *payload);
    payload[ranks->common] = (uint64_t)t.filter.class0 << 32 | (uint32_t)t.filter.total;
    for (int i = 0; i < ranks->n_rows; ++i) {
        uint64_t own = wide_count(c->in->bag, ranks->row[i]);
        payload[ranks->place[i]] += own;
        payload[ranks->common] -= own;
    }
    scan_places(&t, payload, ranks, 0);
    if (ranks->n_present < ranks->n) {
        t.scan.column.missing_left = true;
        scan_places(&t, payload, ranks, payload[ranks->n_present]);
    }
}

/* ---- a feature -------------------------------------------------------------------------------------------------------- */

/* Offers the cuts, except in regression, where sums are added up in the order of the rows. */
static bool split_ranks(const scan *c, const rare_ranks *ranks)
{
    if (c->own->classes && class_counts_fit_table(c, ranks->n)) {
        class_counts_split_rare(c, ranks);
        return true;
    }
    if (c->read->two_classes) {
        split_two_classes(c, ranks);
        return true;
    }
    return false;
}

/* A short list is faster than any other evaluation. */
static bool is_short(const scan *c, const rare_values *rare)
{
    if (rare->n_rows <= SHORT_LIST) {
        return true;
    }
    bool planes = ranks_are_planes(c->in->ranks, c->column.feature) && !c->own->classes;
    return rare->n_rows <= (int64_t)c->node->size * (planes ? PLANE_ROWS_PER_ROW : ROWS_PER_ROW);
}

bool rare_split(const scan *c)
{
    const rare_values *rare = ranks_rare(c->in->ranks, c->column.feature);
    if (!rare || !is_short(c, rare)) {
        return rare && is_constant(c);
    }
    int n_rows = list_present(c, rare);
    if (n_rows == 0 || n_rows == c->node->size) {
        return n_rows == 0;
    }
    rare_ranks ranks = number_ranks(c, rare, n_rows);
    return split_ranks(c, &ranks);
}

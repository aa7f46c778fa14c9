/* Numeric features of which most rows hold the same value. In most nodes none of the others is present: the feature has no
 * cut there. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/rare_values.h"
#include "tree/split_classes.h"
#include "tree/split_rare.h"
#include "tree/two_class.h"

/* So many rows of the list cost as much as one row of the node, where two classes are counted by planes or in another way; a
 * short list is always read. */
enum { ROWS_PER_ROW = 2, PLANE_ROWS_PER_ROW = 1, SHORT_LIST = 16 };

/* ---- the rows of the node -------------------------------------------------------------------------------------------- */

static bool any_rare(const rrf_ranks *ranks)
{
    bool any = false;
    for (int feature = 0; ranks->rare && !any && feature < ranks->p; ++feature) {
        any = ranks->rare[feature] != NULL;
    }
    return any;
}

void rare_begin_tree(search_scratch *c, const search_input *in)
{
    c->marked_node = -1;
    if (any_rare(in->ranks)) {
        memset(c->node_of, 0xff, (size_t)in->data->n * sizeof *c->node_of);
    }
}

static const int32_t *mark_rows(search_scratch *c, const node_view *node)
{
    if (c->marked_node != node->number) {
        c->marked_node = node->number;
        for (int i = 0; i < node->size; ++i) {
            c->node_of[node->rows[i]] = node->number;
        }
    }
    return c->node_of;
}

/* Lists those that do not hold the common value, as places in the list of all. Returns their number. */
static int list_present(splitter *s, const node_view *node, const rare_values *rare)
{
    const int32_t *node_of = mark_rows(&s->scratch, node);
    int32_t *present = s->scratch.sorted;
    s->scratch.sorted_by = -1;
    int n = 0;
    for (int i = 0; i < rare->n_rows; ++i) {
        if (node_of[rare->rows[i].row] == node->number) {
            present[n++] = i;
        }
    }
    return n;
}

static bool is_constant(const splitter *s, const node_view *node, int feature)
{
    uint32_t first = rank_of(s->in->ranks, feature, node->rows[0]);
    bool same = true;
    for (int i = 1; same && i < node->size; ++i) {
        same = rank_of(s->in->ranks, feature, node->rows[i]) == first;
    }
    return same;
}

/* ---- their ranks ----------------------------------------------------------------------------------------------------- */

/* In: places in the list, in s->scratch.sorted. Some rows of the node hold the common value. */
static rare_ranks number_ranks(splitter *s, int feature, const rare_values *rare, int n_rows)
{
    uint32_t *rank = s->scratch.present_rank, *place = s->scratch.present;
    int32_t *row = s->scratch.sorted;
    s->scratch.sorted_by = -1;
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
    bool misses = rank[n - 1] >= (uint32_t)s->in->ranks->n_present[feature];
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

static void split_two_classes(splitter *s, const node_view *node, int feature, const rare_ranks *ranks)
{
    uint64_t *payload = s->scratch.packed;
    two_class t;
    two_class_begin(&t, s, node, feature);
    if (two_class_is_hopeless(&t)) {
        return;
    }
    memset(payload, 0, (size_t)ranks->n * sizeof *payload);
    payload[ranks->common] = (uint64_t)t.filter.class0 << 32 | (uint32_t)t.filter.total;
    for (int i = 0; i < ranks->n_rows; ++i) {
        uint64_t own = wide_count(s, ranks->row[i]);
        payload[ranks->place[i]] += own;
        payload[ranks->common] -= own;
    }
    scan_places(&t, payload, ranks, 0);
    if (ranks->n_present < ranks->n) {
        s->missing_left = true;
        scan_places(&t, payload, ranks, payload[ranks->n_present]);
        s->missing_left = false;
    }
}

/* ---- a feature -------------------------------------------------------------------------------------------------------- */

/* Offers the cuts; not those of regression, whose sums are added up in the order of the rows. */
static bool split_ranks(splitter *s, const node_view *node, int feature, const rare_ranks *ranks)
{
    if (s->scratch.class_counts && class_counts_fit_table(s, node, ranks->n)) {
        class_counts_split_rare(s, node, feature, ranks);
        return true;
    }
    if (s->in->packs && s->in->nclass == 2 && !s->scratch.class_counts) {
        split_two_classes(s, node, feature, ranks);
        return true;
    }
    return false;
}

/* A short list is not worth a look at how else the feature could be evaluated. */
static bool is_short(const splitter *s, const node_view *node, int feature, const rare_values *rare)
{
    if (rare->n_rows <= SHORT_LIST) {
        return true;
    }
    bool planes = ranks_are_planes(s->in->ranks, feature) && !s->scratch.class_counts;
    return rare->n_rows <= (int64_t)node->size * (planes ? PLANE_ROWS_PER_ROW : ROWS_PER_ROW);
}

bool rare_split(splitter *s, const node_view *node, int feature)
{
    const rare_values *rare = ranks_rare(s->in->ranks, feature);
    if (!rare || !is_short(s, node, feature, rare)) {
        return rare && is_constant(s, node, feature);
    }
    int n_rows = list_present(s, node, rare);
    if (n_rows == 0 || n_rows == node->size) {
        return n_rows == 0;
    }
    rare_ranks ranks = number_ranks(s, feature, rare, n_rows);
    return split_ranks(s, node, feature, &ranks);
}

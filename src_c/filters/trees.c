/* Growing trees with filters: rows by packed ranks, sorted lists, and bounds that rule out features. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#include "filters/columns/coarse_ranks.h"
#include "filters/columns/columns.h"
#include "filters/columns/few_values.h"
#include "filters/counts/class_bins.h"
#include "filters/trees.h"
#include "threads/pool.h"
#include "tree/splitter.h"

rrf_status filter_builder_init(builder *g, arena *memory)
{
    TAKE_ZEROS(memory, g->input.filter->listed, g->nodes.capacity);
    if (g->ranks->filter->packed) {
        TAKE(memory, g->input.filter->left_rank, g->nodes.capacity);
    }
    return arena_status(memory);
}

/* ---- rows of a node, and of a tree ------------------------------------------------------------------------------------- */

static bool is_packed(const rrf_ranks *ranks, int feature)
{
    return ranks_are_few(ranks, feature) && !ranks_have_missing(ranks, feature);
}

bool part_rows_faster(builder *g, const node_view *node, beside_cut *beside)
{
    const split *best = &g->splitter.bar.best;
    int32_t *rows = g->rows + node->start;
    if (is_packed(g->ranks, best->feature)) {
        *beside = partition_packed(g->ranks, best->feature, best->cut_rank, rows, node->size, g->spare);
        return true;
    }
    if (!coarse_column(g->ranks, best->feature) || !coarse_reads_rows(g->ranks, node->size)) {
        return false;
    }
    *beside = partition_by_bin(g->ranks, best->feature, best->cut_rank, rows, node->size, g->spare);
    return true;
}

/* Marks a node whose rows are compared by their values. */
enum { BY_VALUE = UINT16_MAX };

/* Returns the highest rank whose value goes left; BY_VALUE if the column is not packed, or all values go to one side, as
 * they may if the split point has been rounded. */
static uint16_t find_left_rank(const builder *g, const tree *t, int node)
{
    int feature = t->split_var[node] - 1;
    if (feature < 0 || !is_packed(g->ranks, feature)) {
        return BY_VALUE;
    }
    int low = 0, high = g->ranks->n_ranks[feature];
    while (low < high) {
        int middle = (low + high) / 2, row = row_of_rank(g->ranks, feature, (uint32_t)middle);
        if (data_value(g->data, feature, row) <= t->split_point[node]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 || low == g->ranks->n_ranks[feature] ? BY_VALUE : (uint16_t)(low - 1);
}

static inline bool left_of_packed(const void *own, const tree *t, int node, int row, int i)
{
    const builder *g = own;
    int feature = t->split_var[node] - 1;
    uint16_t rank = g->input.filter->left_rank[node];
    (void)i;
    return rank == BY_VALUE ? goes_left(t, g->data, node, data_value(g->data, feature, row))
                            : rank_at_most(g->ranks, feature, rank, row);
}

bool apply_packed(const builder *g, const tree *t, const int32_t *rows, int n_rows, int32_t *nodes)
{
    if (!g->input.filter->left_rank || g->ranks->filter->n_few == 0) {
        return false;
    }
    for (int node = 0; node < t->size; ++node) {
        g->input.filter->left_rank[node] = find_left_rank(g, t, node);
    }
    descend_by(t, left_of_packed, g, rows, n_rows, nodes);
    return true;
}

/* ---- sorted lists ------------------------------------------------------------------------------------------------------ */

/* Partitions the sorted lists like the node's rows. */
void part_lists(builder *g, const node_view *node, int left)
{
    filter_input *f = g->input.filter;
    bool keep_left = builder_will_search(g, left), keep_right = builder_will_search(g, left + 1);
    bool listed = g->splitter.filter->listed;
    f->listed[left] = f->listed[left + 1] = listed;
    if (!listed || (!keep_left && !keep_right)) {
        return;
    }
    for (int i = 0; i < node->size; ++i) {
        g->goes_left[node->rows[i]] = i < g->nodes.size[left];
    }
    sorted_rows_part(&f->sorted_rows, node->start, node->size, g->goes_left, keep_right, g->splitter.spare);
}

static int compare_features(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* If not all members get lists, those with the lowest numbers do: the same ones from tree to tree, since each needs the
 * order of its column. */
static rrf_status begin_lists(splitter *s, const int32_t *members, int n_members)
{
    filter_input *f = s->in->filter;
    int n_rows = s->in->bag->size, n = sorted_rows_most(n_rows, n_members);
    int32_t *lowest = NULL;
    if (n < n_members) {
        lowest = malloc((size_t)n_members * sizeof *lowest);
        if (!lowest) {
            return RRF_ERR_MEMORY;
        }
        memcpy(lowest, members, (size_t)n_members * sizeof *lowest);
        qsort(lowest, (size_t)n_members, sizeof *lowest, compare_features);
    }
    rrf_status status = sorted_rows_begin(&f->sorted_rows, lowest ? lowest : members, n, n_rows, s->watch);
    free(lowest);
    return status;
}

/* Engine parallel: lists begin at a tree, or a part of it, that is searched in full. */
rrf_status list_node(splitter *s, const node_view *node, const int32_t *members, int n_members)
{
    filter_input *f = s->in->filter;
    filter_scratch *own = s->filter;
    rrf_status status = RRF_OK;
    if (own->listed) {
        return RRF_OK;
    }
    if (f->sorted_rows.n_lists == 0) {
        status = begin_lists(s, members, n_members);
    }
    own->listed =
        !status && sorted_rows_fill_node(&f->sorted_rows, node->rows, node->start, node->size, f->payload, own->slot);
    f->listed[node->number] = own->listed;
    return status;
}

/* Computes the order of a member's column here, so that workers do not compute it concurrently; if not all members get
 * lists the workers do. */
rrf_status sort_member(const rrf_ranks *ranks, int feature, int n_members)
{
    bool all = sorted_rows_most(ranks->n, n_members) == n_members;
    bool sorts = all && sorted_rows_serve(ranks, feature);
    return !sorts || columns_sorted_rows(ranks, feature) ? RRF_OK : RRF_ERR_MEMORY;
}

static rrf_status sort_column(void *context, int worker, int feature, const rrf_monitor *monitor)
{
    const rrf_ranks *ranks = context;
    (void)worker, (void)monitor;
    return !sorted_rows_serve(ranks, feature) || columns_sorted_rows(ranks, feature) ? RRF_OK : RRF_ERR_MEMORY;
}

/* All features are expected to become members. The order of a column is as large as its ranks, so features without a
 * list of sorted rows do without. */
rrf_status sort_members(const rrf_ranks *ranks, int n_jobs, const rrf_monitor *monitor)
{
    rrf_monitor quiet = monitor ? *monitor : (rrf_monitor){0};
    int n = sorted_rows_most(ranks->n, ranks->p), size = pool_size(n_jobs, n);
    quiet.tree = NULL;
    pool pool = {.context = (void *)ranks,
                 .n_items = n,
                 .n_jobs = size,
                 .window = 4 * size,
                 .work = sort_column,
                 .monitor = &quiet};
    return n > 0 ? pool_run(&pool) : RRF_OK;
}

double bytes_of_lists(int n_rows, int n_features)
{
    return (double)n_rows * sorted_rows_most(n_rows, n_features) * (double)sizeof(uint64_t);
}

/* ---- bounds ------------------------------------------------------------------------------------------------------------ */

/* Bounds on the value of a feature's best split, after regularization; the lower one is -INFINITY if it may have none. */
static gain_bounds bound_feature(splitter *s, const node_view *node, int feature, bool is_member)
{
    column column = splitter_column(s->in, node, feature, is_member);
    scan c = scan_begin(s, node, &column);
    if (!coarse_bins_of(&c) || column.factor < MIN_FACTOR || node_list(c.own, node, feature) ||
        (c.own->class_bins && node->size < MIN_BINNED)) {
        return (gain_bounds){-INFINITY, INFINITY};
    }
    gain_bounds gain = (c.own->value_bins ? value_bins_bound : class_bins_bound)(&c);
    double base = node->crit - node->offset, least = base + gain.least;
    return (gain_bounds){least > node->least_gain ? column.factor * least * (1.0 - SCAN_SLACK) : -INFINITY,
                         column.factor * (base + gain.most) * (1.0 + SCAN_SLACK)};
}

/* Drops features from the list whose upper bound is below another's lower bound. */
rrf_status drop_hopeless(splitter *s, const node_view *node, const feature_set *f, int32_t *list, int *n_listed)
{
    const filter_scratch *own = s->filter;
    double least = s->bar.best.feature < 0 ? -INFINITY : s->bar.best.crit, *most = own->most;
    rrf_status status = RRF_OK;
    int n = 0;
    if (!FILTER_THRESHOLD || !(own->value_bins || own->class_bins) || !weights_are_counts(s->in->bag)) {
        return RRF_OK;
    }
    for (int i = 0; !status && i < *n_listed; ++i) {
        gain_bounds bounds = bound_feature(s, node, list[i], f->has[list[i]]);
        most[i] = bounds.most;
        least = bounds.least > least ? bounds.least : least;
        status = watch_work(s->watch, node->size);
    }
    for (int i = 0; !status && i < *n_listed; ++i) {
        list[n] = list[i];
        n += most[i] >= least;
    }
    *n_listed = status ? *n_listed : n;
    return status;
}

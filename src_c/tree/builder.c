/* Grows one tree, breadth first: R's buildtree, and the parallel engine's trees. SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "tree/builder.h"
#include "data/partition.h"
#include "parallel/node_search.h"

/* A node that may still be split. */
enum { TO_SPLIT = 2 };
/* A criterion below this counts as no split at all. */
#define MIN_CRITERION (-1.0e10)
/* What rounding may leave of the gain of a useless split, in parts of the node's weight. */
#define ROUNDING 1.0e-12

rrf_status builder_init(builder *g, const rrf_data *data, const rrf_data *ranked, rrf_ranks *ranks, const int32_t *y,
                        const double *response, int nclass, const double *classwt, const rrf_params *params,
                        const rrf_parallel_params *parallel, const int32_t *used, double *gini, rrf_rng *rng,
                        const rrf_monitor *monitor)
{
    size_t n = (size_t)data->n;
    *g = (builder){.data = data,
                   .ranks = ranks,
                   .params = params,
                   .parallel = parallel,
                   .watch = {.monitor = monitor},
                   .rng = rng,
                   .gini = gini};
    rrf_status status = bag_init(&g->bag, data->n, nclass, y, response, classwt, params);
    if (!status) {
        status = splitter_init(&g->splitter, ranked, ranks, &g->bag, params, parallel, used, rng, &g->watch);
    }
    g->node_capacity = builder_max_nodes(g);
    size_t nodes = (size_t)g->node_capacity;
    g->rows = malloc(n * sizeof *g->rows);
    g->spare = malloc(n * sizeof *g->spare);
    g->goes_left = calloc(n, 1);
    g->start = malloc(nodes * sizeof *g->start);
    g->n_rows = malloc(nodes * sizeof *g->n_rows);
    g->class_total = malloc(nodes * (size_t)g->bag.n_totals * sizeof *g->class_total);
    g->used_in_tree = malloc((size_t)data->p);
    if (!g->rows || !g->spare || !g->goes_left || !g->start || !g->n_rows || !g->class_total || !g->used_in_tree) {
        return RRF_ERR_MEMORY;
    }
    return status;
}

void builder_free(builder *g)
{
    splitter_free(&g->splitter);
    bag_free(&g->bag);
    free(g->rows);
    free(g->spare);
    free(g->goes_left);
    free(g->start);
    free(g->n_rows);
    free(g->class_total);
    free(g->used_in_tree);
    *g = (builder){0};
}

/* A binary tree on n rows has no more than 2n - 1 nodes. */
int builder_max_nodes(const builder *g)
{
    int64_t by_rows = 2 * (int64_t)g->data->n + 1;
    return g->params->max_nodes < by_rows ? g->params->max_nodes : (int)by_rows;
}

static void node_begin(builder *g, tree *t, int node, int start, int size)
{
    g->start[node] = start;
    g->n_rows[node] = size;
    t->left[node] = 0;
    t->split_var[node] = 0;
    t->split_point[node] = 0.0;
    t->prediction[node] = 0.0;
    t->status[node] = TO_SPLIT;
    if (t->missing_left) {
        t->missing_left[node] = 0;
    }
}

static double *node_totals(const builder *g, int node)
{
    return g->class_total + (size_t)node * (size_t)g->bag.n_totals;
}

/* The criterion of the node itself, and what it is the quotient of. */
static void view_classes(const builder *g, node_view *view)
{
    bool entropy = g->parallel && g->parallel->entropy;
    for (int k = 0; k < g->bag.nclass; ++k) {
        double total = view->class_total[k];
        view->sum_squares += entropy ? v_log_v(total) : total * total;
        view->sum += total;
    }
    view->crit = entropy ? view->sum_squares - v_log_v(view->sum) : view->sum_squares / view->sum;
    if (entropy || (g->parallel && g->parallel->penalize_gain)) {
        view->offset = view->crit;
        view->least_gain = ROUNDING * view->sum;
    }
}

static node_view view_node(const builder *g, int node)
{
    node_view view = {.rows = g->rows + g->start[node],
                      .start = g->start[node],
                      .size = g->n_rows[node],
                      .class_total = node_totals(g, node),
                      .least_gain = -INFINITY};
    if (g->bag.response) {
        view.sum = view.class_total[0];
        view.sum_squares = view.class_total[1] * view.class_total[1];
        view.crit = view.offset = view.sum_squares / view.sum;
        view.least_gain = 16.0 * DBL_EPSILON * view.crit;
    } else {
        view_classes(g, &view);
    }
    if (g->search) {
        search_view(g->search, node, &view);
    }
    return view;
}

/* ---- committing a split ---------------------------------------------------------------------------------------------- */

/* Half-way between two neighbours; a parallel tree keeps the right one right of it. */
static double split_point(const builder *g, int feature, int last_left, int first_right)
{
    double below = data_value(g->data, feature, last_left), above = data_value(g->data, feature, first_right);
    double point = 0.5 * (below + above);
    if (!g->parallel) {
        return point;
    }
    /* Missing values alone lie right of every number. */
    point = isnan(above) ? INFINITY : isfinite(point) ? point : 0.5 * below + 0.5 * above;
    return point < above || isnan(above) ? point : below;
}

/* Takes the node's rows in the order of the feature: the first ones go left. Returns how many. */
static int part_sorted(builder *g, const node_view *node, const split *best)
{
    int32_t *rows = g->rows + node->start;
    int n_left = 0;
    sort_rows(&g->splitter, node, best->feature);
    memcpy(rows, g->splitter.sorted, (size_t)node->size * sizeof *rows);
    for (int i = 0; i < node->size; ++i) {
        bool left = rank_of(g->ranks, best->feature, rows[i]) <= best->cut_rank;
        g->goes_left[rows[i]] = left;
        n_left += left;
    }
    return n_left;
}

/* Sends rows left by their key and leaves them in their order, with the rows next to the cut at its sides. */
static int part_by_key(builder *g, const node_view *node, const split *best, int *last_left, int *first_right)
{
    uint32_t next_key = UINT32_MAX;
    uint32_t missing = best->missing_left ? (uint32_t)g->ranks->n_present[best->feature] : UINT32_MAX;
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        uint32_t key = rank_of(g->ranks, best->feature, row);
        g->goes_left[row] = key <= best->cut_rank || key >= missing;
        if (key == best->cut_rank) {
            *last_left = row;
        } else if (key > best->cut_rank && key < next_key) {
            next_key = key;
            *first_right = row;
        }
    }
    return partition_rows(g->rows + node->start, node->size, g->goes_left, g->spare);
}

/* R's split point lies half-way between the values next to the cut. Sums that are not exact depend on the order of the
 * rows, which R leaves sorted by the feature; otherwise the order is free, and sorted only where a stream has it. */
static double part_numeric(builder *g, const node_view *node, const split *best, int *n_left)
{
    int last_left = 0, first_right = 0;
    if (g->parallel || (g->bag.exact && !sorted_rows_range(&g->splitter.sorted_rows, best->feature, node->start))) {
        *n_left = part_by_key(g, node, best, &last_left, &first_right);
    } else {
        *n_left = part_sorted(g, node, best);
        last_left = g->rows[node->start + *n_left - 1];
        first_right = g->rows[node->start + *n_left];
    }
    return split_point(g, best->feature, last_left, first_right);
}

static double part_categorical(builder *g, const node_view *node, const split *best, int *n_left)
{
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        g->goes_left[row] = best->levels >> rank_of(g->ranks, best->feature, row) & 1;
    }
    *n_left = partition_rows(g->rows + node->start, node->size, g->goes_left, g->spare);
    /* R keeps the bits in a signed int: level 32 makes the number negative. */
    return (double)(int32_t)best->levels;
}

/* Sums over the rows of a new node. Returns its size: rows, or for numbers draws. */
static int sum_rows(const builder *g, int node)
{
    const bag *b = &g->bag;
    double *total = node_totals(g, node);
    const int32_t *rows = g->rows + g->start[node];
    int size = g->n_rows[node], draws = 0;
    memset(total, 0, (size_t)b->n_totals * sizeof *total);
    for (int i = 0; i < size; ++i) {
        total[b->y[rows[i]]] += b->weight[rows[i]];
    }
    for (int i = 0; b->response && i < size; ++i) {
        total[1] += b->weight[rows[i]] * b->response[rows[i]];
        draws += b->count[rows[i]];
    }
    return b->response ? draws : size;
}

static bool is_pure(const double *total, int nclass)
{
    double sum = 0.0;
    bool pure = false;
    for (int k = 0; k < nclass; ++k) {
        sum += total[k];
    }
    for (int k = 0; k < nclass; ++k) {
        pure = pure || total[k] == sum;
    }
    return pure;
}

/* Totals and status of a new node. */
static void node_finish(builder *g, tree *t, int node)
{
    int size = sum_rows(g, node);
    bool pure = !g->bag.response && is_pure(node_totals(g, node), g->bag.nclass);
    if (size <= g->params->nodesize || pure || (g->search && search_at_bottom(g->search, node))) {
        t->status[node] = RRF_TERMINAL;
    }
}

/* The feature enters F, and its decrease of impurity is kept. */
static void record_split(builder *g, int node, int left, double decrease)
{
    int feature = g->splitter.best.feature;
    if (g->search) {
        search_record(g->search, node, left, decrease);
        return;
    }
    candidates_mark_used(&g->splitter.features, feature);
    g->used_in_tree[feature] = 1;
    g->gini[feature] += decrease;
}

/* Whether the node holds rows whose value is missing. */
static bool node_misses(const builder *g, const node_view *node, int feature)
{
    bool misses = false;
    for (int i = 0; ranks_have_missing(g->ranks, feature) && i < node->size && !misses; ++i) {
        misses = rank_of(g->ranks, feature, node->rows[i]) >= (uint32_t)g->ranks->n_present[feature];
    }
    return misses;
}

static void commit_split(builder *g, tree *t, int node, const node_view *view)
{
    const split *best = &g->splitter.best;
    int n_left, left = t->size, right = t->size + 1;
    double decrease = best->crit - (view->crit - view->offset);
    record_split(g, node, left, decrease < 0.0 ? 0.0 : decrease);
    t->split_point[node] = g->data->ncat[best->feature] == 1 ? part_numeric(g, view, best, &n_left)
                                                             : part_categorical(g, view, best, &n_left);
    t->split_var[node] = best->feature + 1;
    t->left[node] = left + 1;
    t->status[node] = g->bag.response ? RRF_INTERIOR_REGRESS : RRF_INTERIOR_CLASS;
    node_begin(g, t, left, view->start, n_left);
    node_begin(g, t, right, view->start + n_left, view->size - n_left);
    if (t->missing_left) {
        /* A value that the node has never missed goes with the larger daughter. */
        bool met = g->data->ncat[best->feature] == 1 && node_misses(g, view, best->feature);
        t->missing_left[node] = met ? best->missing_left : n_left > view->size - n_left;
    }
    node_finish(g, t, left);
    node_finish(g, t, right);
    t->size += 2;
    sorted_rows_part(&g->splitter, view, g->goes_left, t->status[left] == TO_SPLIT, t->status[right] == TO_SPLIT);
}

/* ---- the tree -------------------------------------------------------------------------------------------------------- */

/* The class of a terminal node; ties are broken as RRF does, which draws for an empty leading class, too. */
static int node_class(const builder *g, const double *total)
{
    double most = 0.0;
    int winner = -1, ntie = 1;
    for (int k = 0; k < g->bag.nclass; ++k) {
        bool better = total[k] > most;
        if (better) {
            winner = k;
            most = total[k];
            if (!g->params->quirks) {
                ntie = 1;
                continue;
            }
        }
        if (total[k] == most && (g->params->quirks || most > 0.0)) {
            ++ntie;
            if (rng_uniform(g->rng) < (double)(1.0F / (float)ntie)) {
                winner = k;
            }
        }
    }
    return winner;
}

static void finish_tree(builder *g, tree *t)
{
    for (int node = 0; node < t->size; ++node) {
        if (t->status[node] == TO_SPLIT) {
            t->status[node] = RRF_TERMINAL;
        }
    }
    for (int node = 0; node < t->size; ++node) {
        const double *total = node_totals(g, node);
        if (g->bag.response) {
            t->prediction[node] = total[1] / total[0];
        } else if (t->status[node] == RRF_TERMINAL) {
            t->prediction[node] = 1 + (g->search ? search_class(g->search, node, total) : node_class(g, total));
        }
    }
}

rrf_status grow_tree(builder *g, tree *t)
{
    if (!g->search) {
        memset(g->used_in_tree, 0, (size_t)g->data->p);
    }
    memcpy(g->rows, g->bag.rows, (size_t)g->bag.size * sizeof *g->rows);
    memcpy(node_totals(g, 0), g->bag.class_total, (size_t)g->bag.n_totals * sizeof *g->class_total);
    node_begin(g, t, 0, 0, g->bag.size);
    t->size = 1;
    rrf_status status = splitter_begin_tree(&g->splitter);
    for (int node = 0; !status && node < t->size && t->size < g->node_capacity; ++node) {
        if (t->status[node] != TO_SPLIT) {
            continue;
        }
        node_view view = view_node(g, node);
        status = g->search ? search_node(g->search, &view, node) : splitter_search(&g->splitter, &view);
        if (status) {
            break;
        }
        if (g->splitter.best.feature < 0 || g->splitter.best.crit < MIN_CRITERION) {
            t->status[node] = RRF_TERMINAL;
        } else {
            commit_split(g, t, node, &view);
        }
    }
    if (!status) {
        finish_tree(g, t);
    }
    return status;
}

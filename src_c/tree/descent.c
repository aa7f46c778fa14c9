/* Descent of many rows in a tree together. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/descent.h"
#include "tree/apply.h"

/* Largest size of a block: it should stay in the processor's last-level cache. Smallest number of its rows: with fewer,
 * its nodes have too few. */
enum { BLOCK_BYTES = 1 << 22, MIN_BLOCK_ROWS = 32 };
/* Largest number of values of a row for each tree for which copying them is faster. Larger for sparse matrices, whose
 * unstored values take no time. */
enum { VALUES_PER_TREE = 8, SPARSE_VALUES_PER_TREE = 512 };
/* Number of rows whose step costs as much as searching the features that are split. */
enum { ROWS_PER_NODE = 8 };
enum { TILE = 8, CACHE_LINE = 64 };

/* ---- the plan -------------------------------------------------------------------------------------------------------- */

static void list_features(descent_plan *plan)
{
    int64_t n_nodes = plan->forest->offset[plan->forest->ntree];
    memset(plan->place, 0, (size_t)plan->data->p * sizeof *plan->place);
    for (int64_t node = 0; node < n_nodes; ++node) {
        if (plan->forest->split_var[node] > 0) {
            plan->place[plan->forest->split_var[node] - 1] = 1;
        }
    }
    for (int feature = 0; feature < plan->data->p; ++feature) {
        if (plan->place[feature]) {
            plan->place[feature] = plan->n_features;
            plan->features[plan->n_features++] = feature;
        }
    }
}

static int count_max_nodes(const rrf_forest *forest)
{
    int64_t most = 0;
    for (int i = 0; i < forest->ntree; ++i) {
        int64_t size = forest->offset[i + 1] - forest->offset[i];
        most = size > most ? size : most;
    }
    return (int)most;
}

static ptrdiff_t row_step(const rrf_data *data)
{
    return data->row_step == 0 && data->feature_step == 0 ? 1 : data->row_step;
}

static ptrdiff_t feature_step(const rrf_data *data)
{
    return data->row_step == 0 && data->feature_step == 0 ? data->n : data->feature_step;
}

static size_t value_size(const rrf_data *data)
{
    return data->x32 ? sizeof(float) : sizeof(double);
}

static int block_rows(const descent_plan *plan)
{
    int values = BLOCK_BYTES / (int)value_size(plan->data);
    int rows = plan->n_features ? values / plan->n_features : MAX_BLOCK_ROWS;
    return rows < MIN_BLOCK_ROWS ? MIN_BLOCK_ROWS : rows < MAX_BLOCK_ROWS ? rows : MAX_BLOCK_ROWS;
}

/* Keeps one feature for each cache line. */
static void thin_features(descent_plan *plan)
{
    ptrdiff_t across = feature_step(plan->data), line = CACHE_LINE / (ptrdiff_t)value_size(plan->data);
    int kept = 0;
    for (int i = 0; i < plan->n_features; ++i) {
        if (kept == 0 || (plan->features[i] - plan->features[kept - 1]) * llabs(across) >= line) {
            plan->features[kept++] = plan->features[i];
        }
    }
    plan->n_features = kept;
}

void descent_plan_init(descent_plan *plan, const rrf_forest *forest, const rrf_data *data, arena *memory)
{
    bool sparse = data->column_start != NULL, columns = !sparse && row_step(data) == 1;
    int64_t n_nodes = forest->ntree ? forest->offset[forest->ntree] : 0;
    *plan = (descent_plan){.forest = forest, .data = data, .block_rows = MAX_BLOCK_ROWS};
    plan->max_nodes = count_max_nodes(forest);
    if (n_nodes / ROWS_PER_NODE > (int64_t)data->n * forest->ntree) {
        return;
    }
    TAKE(memory, plan->place, data->p);
    TAKE(memory, plan->features, data->p);
    if (arena_status(memory)) {
        return;
    }
    list_features(plan);
    int64_t per_tree = sparse ? SPARSE_VALUES_PER_TREE : VALUES_PER_TREE;
    bool comes_back = plan->n_features <= per_tree * forest->ntree;
    plan->copies = comes_back && !columns;
    plan->fetches = !comes_back && !columns && !sparse;
    plan->block_rows = comes_back || plan->fetches ? block_rows(plan) : MAX_BLOCK_ROWS;
    if (plan->fetches) {
        thin_features(plan);
    }
}

/* ---- blocks of rows -------------------------------------------------------------------------------------------------- */

void descent_init(descent *d, const descent_plan *plan, arena *memory)
{
    d->plan = plan;
    d->values = NULL;
    d->next = NULL;
    d->fetched = 0.0;
    TAKE(memory, d->under_way, plan->max_nodes + 1);
    TAKE(memory, d->arrived, plan->max_nodes + 1);
    if (plan->copies) {
        size_t n_values = (size_t)plan->block_rows * (size_t)plan->n_features;
        d->values = arena_take(memory, n_values, value_size(plan->data));
    }
    if (plan->copies && plan->data->column_start) {
        TAKE(memory, d->next, plan->n_features);
    }
}

void descent_begin(descent *d, int first)
{
    const descent_plan *plan = d->plan;
    d->first = first;
    d->n_rows = 0;
    for (int i = 0; d->next && i < plan->n_features; ++i) {
        d->next[i] = sparse_place(plan->data, plan->features[i], first);
    }
}

static void copy_sparse(descent *d)
{
    const descent_plan *plan = d->plan;
    const rrf_data *data = plan->data;
    double *column = d->values;
    for (int i = 0; i < plan->n_features; ++i, column += plan->block_rows) {
        int64_t at = d->next[i], end = data->column_start[plan->features[i] + 1];
        memset(column, 0, (size_t)d->n_rows * sizeof *column);
        for (; at < end && data->row_index[at] < d->first + d->n_rows; ++at) {
            column[data->row_index[at] - d->first] = data->x[at];
        }
        d->next[i] = at;
    }
}

/* Reads a few features at a time: if the rows are contiguous in memory, each cache line is read once. */
static void copy_dense(descent *d)
{
    const descent_plan *plan = d->plan;
    const rrf_data *data = plan->data;
    ptrdiff_t step = row_step(data), across = feature_step(data);
    for (int tile = 0; tile < plan->n_features; tile += TILE) {
        int end = tile + TILE < plan->n_features ? tile + TILE : plan->n_features;
        for (int row = 0; row < d->n_rows; ++row) {
            ptrdiff_t start = (d->first + row) * step;
            for (int i = tile; i < end; ++i) {
                ptrdiff_t from = start + plan->features[i] * across, to = (ptrdiff_t)i * plan->block_rows + row;
                if (data->x32) {
                    ((float *)d->values)[to] = data->x32[from];
                } else {
                    ((double *)d->values)[to] = data->x[from];
                }
            }
        }
    }
}

/* Reads in the order of memory, in which the processor fetches faster than in that of the nodes. Explicit prefetching
 * does not help. */
static void fetch_rows(descent *d)
{
    const rrf_data *data = d->plan->data;
    ptrdiff_t step = row_step(data), across = feature_step(data);
    for (int row = 0; row < d->n_rows; ++row) {
        ptrdiff_t start = (d->first + row) * step;
        for (int i = 0; i < d->plan->n_features; ++i) {
            ptrdiff_t at = start + d->plan->features[i] * across;
            d->fetched += data->x32 ? (double)data->x32[at] : data->x[at];
        }
    }
}

int descent_read(descent *d, int n_rows)
{
    d->first += d->n_rows;
    d->n_rows = n_rows < d->plan->block_rows ? n_rows : d->plan->block_rows;
    if (d->plan->copies) {
        (d->next ? copy_sparse : copy_dense)(d);
    } else if (d->plan->fetches) {
        fetch_rows(d);
    }
    return d->n_rows;
}

/* ---- from a node to its daughters ------------------------------------------------------------------------------------ */

/* Values of a feature: of row i at i * step. One of the pointers is NULL. */
typedef struct column {
    const double *x;
    const float *x32;
    ptrdiff_t step;
} column;

static column find_column(const descent *d, int feature)
{
    const descent_plan *plan = d->plan;
    const rrf_data *data = plan->data;
    bool copied = plan->copies;
    ptrdiff_t step = copied ? 1 : row_step(data);
    ptrdiff_t at =
        copied ? (ptrdiff_t)plan->place[feature] * plan->block_rows : feature * feature_step(data) + d->first * step;
    const double *x = copied ? d->values : data->x;
    const float *x32 = copied ? d->values : data->x32;
    return data->x32 ? (column){NULL, x32 + at, step} : (column){x + at, NULL, step};
}

/* Writes the rows that go left from the start on, and the others from the end on: the position is computed, so that
 * there is no branch on the value. Returns the number of rows that go left. */
static inline __attribute__((always_inline)) int part_by(column c, double point, bool missing_left,
                                                         const uint16_t *restrict rows, int n, uint16_t *restrict out)
{
    uint16_t *left = out;
    for (ptrdiff_t k = n - 1; k >= 0; --k) {
        uint16_t row = rows[k];
        double value = c.x32 ? (double)c.x32[row * c.step] : c.x[row * c.step];
        ptrdiff_t to_left = missing_left ? !(value > point) : value <= point;
        left[k & (to_left - 1)] = row;
        left += to_left;
    }
    return (int)(left - out);
}

/* A loop for each type and for rows without gaps. */
static inline __attribute__((always_inline)) int part_column(column c, double point, bool missing_left,
                                                             const uint16_t *rows, int n, uint16_t *out)
{
    if (c.step == 1) {
        return c.x32 ? part_by((column){NULL, c.x32, 1}, point, missing_left, rows, n, out)
                     : part_by((column){c.x, NULL, 1}, point, missing_left, rows, n, out);
    }
    return c.x32 ? part_by((column){NULL, c.x32, c.step}, point, missing_left, rows, n, out)
                 : part_by((column){c.x, NULL, c.step}, point, missing_left, rows, n, out);
}

/* Factors, and sparse columns that are read in place. */
static int part_any(const descent *d, const tree *t, int node, const uint16_t *rows, int n, uint16_t *out)
{
    int feature = t->split_var[node] - 1, n_left = 0, n_right = 0;
    const rrf_data *data = d->plan->data;
    column c = data->column_start && !d->values ? (column){0} : find_column(d, feature);
    for (int i = 0; i < n; ++i) {
        double value = c.x32 ? (double)c.x32[rows[i] * c.step]
                       : c.x ? c.x[rows[i] * c.step]
                             : sparse_value(data, feature, d->first + rows[i]);
        bool left = goes_left(t, data, node, value);
        out[left ? n_left : n - 1 - n_right] = rows[i];
        n_left += left;
        n_right += !left;
    }
    return n_left;
}

static int part_rows(const descent *d, const tree *t, int node, const uint16_t *rows, int n, uint16_t *out)
{
    const rrf_data *data = d->plan->data;
    int feature = t->split_var[node] - 1;
    double point = t->split_point[node];
    if (data->ncat[feature] != 1 || (data->column_start && !d->values)) {
        return part_any(d, t, node, rows, n, out);
    }
    column c = find_column(d, feature);
    return t->missing_left && t->missing_left[node] ? part_column(c, point, true, rows, n, out)
                                                    : part_column(c, point, false, rows, n, out);
}

/* Nodes are queued, so that the next one's rows are known while those of the one before are partitioned. */
void descend(descent *d, const tree *t)
{
    int n_under_way = 1;
    for (int i = 0; i < d->n_rows; ++i) {
        d->rows[i] = (uint16_t)i;
    }
    d->n_arrived = 0;
    d->under_way[0] = (part){0, 0, d->n_rows};
    for (int i = 0; i < n_under_way; ++i) {
        part here = d->under_way[i];
        int begin = here.begin ^ MAX_BLOCK_ROWS;
        if (t->split_var[here.node] == 0) {
            d->arrived[d->n_arrived++] = here;
            continue;
        }
        int left = t->left[here.node] - 1;
        int n_left = part_rows(d, t, here.node, d->rows + here.begin, here.n, d->rows + begin);
        part *tail = d->under_way + n_under_way;
        tail[0] = (part){left, begin, n_left};
        tail[n_left > 0] = (part){left + 1, begin + n_left, here.n - n_left};
        n_under_way += (n_left > 0) + (n_left < here.n);
    }
}

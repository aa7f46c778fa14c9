/* Sends rows down trees: R's predictClassTree and classForest. SPDX-License-Identifier: GPL-2.0-or-later */
#include "internal.h"

static inline bool goes_left(const tree *t, const rrf_data *data, int node, double value)
{
    if (data->ncat[t->split_var[node] - 1] == 1) {
        return value <= t->split_point[node];
    }
    return (uint32_t)(int64_t)t->split_point[node] >> ((int)value - 1) & 1;
}

/* Rows that go down a tree side by side, so that their loads from memory overlap. */
enum { BATCH = 16 };

/* One level down for every row of a batch; false when all stand in terminal nodes. */
static bool descend(const tree *t, const rrf_data *data, const int32_t *rows, int n_rows, int replaced,
                    const double *column, int32_t *nodes)
{
    bool moved = false;
    for (int i = 0; i < n_rows; ++i) {
        int node = nodes[i], feature = t->split_var[node] - 1;
        if (feature >= 0) {
            double value = feature == replaced ? column[i] : data->x[(size_t)feature * (size_t)data->n + rows[i]];
            nodes[i] = t->left[node] - (int)goes_left(t, data, node, value);
            moved = true;
        }
    }
    return moved;
}

void tree_apply(const tree *t, const rrf_data *data, const int32_t *rows, int n_rows, int replaced,
                const double *column, int32_t *nodes)
{
    memset(nodes, 0, (size_t)n_rows * sizeof *nodes);
    for (int start = 0; start < n_rows; start += BATCH) {
        int32_t batch[BATCH];
        int size = n_rows - start < BATCH ? n_rows - start : BATCH;
        for (int i = 0; i < size; ++i) {
            batch[i] = rows ? rows[start + i] : start + i;
        }
        while (descend(t, data, batch, size, replaced, column ? column + start : NULL, nodes + start)) {
        }
    }
}

static void add_tree(const tree *t, const rrf_data *data, int nclass, int32_t *apply, int32_t *votes,
                     int32_t *individual, int32_t *nodes)
{
    tree_apply(t, data, NULL, data->n, -1, NULL, apply);
    for (int row = 0; row < data->n; ++row) {
        int k = (int)t->prediction[apply[row]] - 1;
        ++votes[(size_t)row * (size_t)nclass + k];
        if (individual) {
            individual[row] = k;
        }
        if (nodes) {
            nodes[row] = apply[row] + 1;
        }
    }
}

rrf_status rrf_predict_classification(const rrf_forest *forest, const rrf_data *data, int nclass, const double *cutoff,
                                      rrf_rng *rng, const rrf_monitor *monitor, int quirks, int32_t *votes,
                                      int32_t *predicted, int32_t *individual, int32_t *nodes, double *proximity)
{
    size_t n = (size_t)data->n;
    vote_rule rule = vote_rule_make(nclass, cutoff, quirks);
    rrf_status status = RRF_OK;
    int32_t *apply = malloc(n * sizeof *apply);
    if (!apply) {
        return RRF_ERR_MEMORY;
    }
    memset(votes, 0, n * (size_t)nclass * sizeof *votes);
    if (proximity) {
        memset(proximity, 0, n * n * sizeof *proximity);
    }
    for (int i = 0; !status && i < forest->ntree; ++i) {
        tree t = forest_tree(forest, i);
        add_tree(&t, data, nclass, apply, votes, individual ? individual + i * n : NULL, nodes ? nodes + i * n : NULL);
        if (proximity) {
            proximity_add(proximity, NULL, apply, NULL, data->n, quirks);
        }
        status = monitor_poll(monitor);
    }
    free(apply);
    if (!status) {
        for (size_t row = 0; row < n; ++row) {
            predicted[row] = -1;
        }
        ballot_count(&(ballot){.n = data->n, .votes = votes, .ntree = forest->ntree, .predicted = predicted}, &rule, rng,
                     NULL, NULL);
        if (proximity) {
            proximity_finish(proximity, NULL, data->n, forest->ntree);
        }
    }
    return status;
}

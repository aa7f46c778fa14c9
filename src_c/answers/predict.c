/* What a forest of R's engine says of new rows: R's classForest. SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/proximity.h"
#include "answers/votes.h"
#include "monitor.h"
#include "tree/apply.h"

/* What one tree adds for the rows first .. first + n_rows - 1. */
static void add_votes(const tree *t, const rrf_data *data, int nclass, int first, int n_rows, int32_t *rows,
                      int32_t *apply, int32_t *votes, int32_t *individual)
{
    for (int i = 0; i < n_rows; ++i) {
        rows[i] = first + i;
    }
    tree_apply(t, data, rows, n_rows, -1, NULL, apply + first);
    for (int row = first; row < first + n_rows; ++row) {
        int k = (int)t->prediction[apply[row]] - 1;
        ++votes[(size_t)row * (size_t)nclass + k];
        if (individual) {
            individual[row] = k;
        }
    }
}

/* Rows that are sent down a tree between two questions to the monitor. */
enum { CHUNK = WORK_PER_POLL / WORK_PER_DESCENT };

static rrf_status add_tree(const tree *t, const rrf_data *data, int nclass, watch *watch, int32_t *apply,
                           int32_t *votes, int32_t *individual)
{
    int32_t *rows = apply + data->n;
    rrf_status status = RRF_OK;
    for (int first = 0; !status && first < data->n; first += CHUNK) {
        int n_rows = data->n - first < CHUNK ? data->n - first : CHUNK;
        add_votes(t, data, nclass, first, n_rows, rows, apply, votes, individual);
        status = watch_work(watch, (int64_t)n_rows * WORK_PER_DESCENT);
    }
    return status;
}

rrf_status rrf_predict_classification(const rrf_forest *forest, const rrf_data *data, int nclass, const double *cutoff,
                                      rrf_rng *rng, const rrf_monitor *monitor, int quirks, int32_t *votes,
                                      int32_t *predicted, int32_t *individual, int32_t *nodes, double *proximity)
{
    size_t n = (size_t)data->n;
    vote_rule rule = vote_rule_make(nclass, cutoff, quirks);
    rrf_status status = RRF_OK;
    watch watch = {.monitor = monitor};
    int32_t *apply = malloc((n + (n < CHUNK ? n : CHUNK)) * sizeof *apply);
    if (!apply) {
        return RRF_ERR_MEMORY;
    }
    memset(votes, 0, n * (size_t)nclass * sizeof *votes);
    if (proximity) {
        memset(proximity, 0, n * n * sizeof *proximity);
    }
    for (int i = 0; !status && i < forest->ntree; ++i) {
        tree t = forest_tree(forest, i);
        status = add_tree(&t, data, nclass, &watch, apply, votes, individual ? individual + i * n : NULL);
        for (size_t row = 0; !status && nodes && row < n; ++row) {
            nodes[i * n + row] = apply[row] + 1;
        }
        if (proximity && !status) {
            proximity_add(proximity, NULL, apply, NULL, data->n, quirks);
            status = watch_work(&watch, (int64_t)n * (int64_t)n / 2);
        }
    }
    free(apply);
    if (!status) {
        for (size_t row = 0; row < n; ++row) {
            predicted[row] = -1;
        }
        ballot_count(&(ballot){.n = data->n, .votes = votes, .ntree = forest->ntree, .predicted = predicted}, &rule,
                     rng, NULL, NULL);
        if (proximity) {
            proximity_finish(proximity, NULL, data->n, forest->ntree);
        }
    }
    return status;
}

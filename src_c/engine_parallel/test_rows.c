/* A test set of the parallel engine. After each tree its rows have the predictions that rrf_predict() would return for
 * the trees so far: the same sums, and the same rule for ties. SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "answers/oob.h"
#include "numbers.h"
#include "engine_parallel/test_rows.h"
#include "params.h"

bool test_rows_are_sound(const rrf_test_rows *rows, const rrf_data *train, const rrf_target *target)
{
    if (!rows) {
        return true;
    }
    bool known = target->response ? rows->response != NULL : rows->y != NULL;
    bool room = target->response ? rows->mean != NULL : rows->votes && rows->predicted;
    return rows->data && rows->data->p == train->p && !check_new_data(rows->data, true) && room &&
           (!known || rows->error);
}

rrf_status test_rows_init(test_rows *t, rrf_test_rows *rows, const vote_rule *rule, int ntree, arena *memory)
{
    *t = (test_rows){.rows = rows, .rule = rule, .numbers = !rule, .ntree = ntree};
    if (!rows) {
        return RRF_OK;
    }
    size_t n = (size_t)rows->data->n;
    if (t->numbers) {
        memset(rows->mean, 0, n * sizeof *rows->mean);
        return RRF_OK;
    }
    size_t nclass = (size_t)rule->nclass;
    TAKE_ZEROS(memory, t->key, n);
    TAKE_ZEROS(memory, t->cases, nclass);
    if (arena_status(memory)) {
        return RRF_ERR_MEMORY;
    }
    memset(rows->votes, 0, n * nclass * sizeof *rows->votes);
    for (size_t row = 0; rows->y && row < n; ++row) {
        ++t->cases[rows->y[row]];
    }
    return RRF_OK;
}

/* ---- classes --------------------------------------------------------------------------------------------------------- */

static void find_winners(test_rows *t, int n_votes)
{
    rrf_test_rows *rows = t->rows;
    for (int row = 0; row < rows->data->n; ++row) {
        const int32_t *votes = rows->votes + (size_t)row * (size_t)t->rule->nclass;
        rows->predicted[row] = vote_winner_parallel(t->rule, votes, n_votes, t->key[row]);
    }
}

static void find_error_rates(const test_rows *t, double *error)
{
    const rrf_test_rows *rows = t->rows;
    memset(error, 0, ((size_t)t->rule->nclass + 1) * sizeof *error);
    for (int row = 0; row < rows->data->n; ++row) {
        error[rows->y[row] + 1] += rows->predicted[row] != rows->y[row];
    }
    oob_error_rates(error, t->cases, t->rule->nclass);
}

static void add_votes(test_rows *t, const tree *tree, const int32_t *leaves, int index)
{
    rrf_test_rows *rows = t->rows;
    size_t nclass = (size_t)t->rule->nclass;
    for (int row = 0; row < rows->data->n; ++row) {
        vote_count(t->rule, rows->votes, row, (int)tree->prediction[leaves[row]]);
        t->key[row] = vote_key_after(t->key[row], leaves[row]);
    }
    if (rows->y || index == t->ntree - 1) {
        find_winners(t, index + 1);
    }
    if (rows->y) {
        find_error_rates(t, rows->error + (size_t)index * (nclass + 1));
    }
}

/* ---- regression
 * ------------------------------------------------------------------------------------------------------ */

/* The means are sums until the last tree has been added. */
static void add_numbers(test_rows *t, const tree *tree, const int32_t *leaves, int index)
{
    rrf_test_rows *rows = t->rows;
    int n = rows->data->n, n_trees = index + 1;
    double squares = 0.0;
    for (int row = 0; row < n; ++row) {
        rows->mean[row] += tree->prediction[leaves[row]];
        if (rows->response) {
            double residual = rows->response[row] - rows->mean[row] / n_trees;
            squares += residual * residual;
        }
    }
    if (rows->response) {
        rows->error[index] = one_nan(squares / n);
    }
    for (int row = 0; n_trees == t->ntree && row < n; ++row) {
        rows->mean[row] /= n_trees;
    }
}

void test_rows_add(test_rows *t, const tree *tree, const int32_t *leaves, int index)
{
    if (t->numbers) {
        add_numbers(t, tree, leaves, index);
    } else {
        add_votes(t, tree, leaves, index);
    }
}

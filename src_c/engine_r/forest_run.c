/* The steps for each tree of R's engine, in the order of its draws. SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/pairs.h"
#include "answers/proximity.h"
#include "engine_r/forest_run.h"
#include "params.h"
#include "tree/apply.h"

static void find_oob(forest_run *f, const tree *t)
{
    f->oob.size = oob_list(f->count, f->statistics.n, f->oob.rows);
    f->kind->apply(f->own, t, f->oob.rows, f->oob.size, f->leaves);
    oob_predict(&f->oob, t, f->leaves);
}

/* Without oob.prox CRAN RRF's regression reads pairs that it never counted, and crashes. The intended divisor is ntree. */
static rrf_status count_proximity(forest_run *f, const tree *t)
{
    const forest_statistics *s = &f->statistics;
    f->kind->apply(f->own, t, NULL, s->n_shown, f->leaves);
    const int32_t *leaves[] = {f->leaves}, *bags[] = {f->count};
    pair_count pairs = {s->proximity, s->oob_pairs, leaves, bags, s->n_shown, 1, has_slips_of_rrf(f->params)};
    if (s->test_proximity) {
        proximity_add_test(s->test_proximity, f->test_leaves, s->n_test, f->leaves, s->n_shown);
    }
    return count_pairs_of_tree(&pairs, f->params->n_jobs, f->watch);
}

/* Adds a tree to the results. */
static rrf_status use_tree(forest_run *f, const tree *t)
{
    const forest_statistics *s = &f->statistics;
    statistics_keep_bag(s, f->n_grown - 1, f->count, f->params->random_forest);
    find_oob(f, t);
    if (f->test) {
        tree_apply(t, f->test, NULL, s->n_test, -1, NULL, f->test_leaves);
    }
    f->kind->predict(f->own, t);
    rrf_status status = watch_work(f->watch, (int64_t)(f->oob.size + s->n_test) * WORK_PER_DESCENT);
    if (!status && s->proximity) {
        status = count_proximity(f, t);
    }
    return status || !s->importance ? status : f->kind->permute(f->own, t);
}

static rrf_status add_tree(forest_run *f)
{
    const rrf_monitor *monitor = f->monitor;
    tree t;
    rrf_status status = forest_reserve(f->forest, f->max_nodes, &t);
    status = status ? status : f->kind->grow(f->own, &t);
    status = status ? status : use_tree(f, &t);
    if (status) {
        return status;
    }
    if (f->params->keep_forest) {
        forest_append(f->forest, &t);
    }
    bool stop = monitor && monitor->tree && monitor->tree(monitor->context, f->n_grown);
    return stop ? RRF_ERR_INTERRUPT : RRF_OK;
}

bool forest_run_has_buffers(const forest_run *f)
{
    const forest_statistics *s = &f->statistics;
    return statistics_have_buffers(s, f->params->importance) && (!s->test_proximity || (f->test && s->proximity));
}

static rrf_status begin(forest_run *f)
{
    forest_statistics *s = &f->statistics;
    s->n = f->train->n;
    s->n_shown = s->n_shown ? s->n_shown : s->n;
    s->n_test = f->test ? f->test->n : 0;
    s->p = f->train->p;
    s->ntree = f->params->ntree;
    s->importance = f->params->importance ? s->importance : NULL;
    oob_init(&f->oob, s->n, &f->memory);
    TAKE(&f->memory, f->leaves, s->n);
    TAKE(&f->memory, f->test_leaves, s->n_test);
    return statistics_begin(s, f->params->oob_proximity, &f->memory);
}

rrf_status forest_run_trees(forest_run *f)
{
    rrf_status status = begin(f);
    for (f->n_grown = 1; !status && f->n_grown <= f->params->ntree; ++f->n_grown) {
        status = add_tree(f);
    }
    if (!status) {
        statistics_finish(&f->statistics, f->used, false);
    }
    if (!status && f->kind->finish) {
        f->kind->finish(f->own);
    }
    return status;
}

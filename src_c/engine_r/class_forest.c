/* A classification forest of R's engine, R's classRF: the data of its trees, and their votes. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#include "answers/importance.h"
#include "answers/votes.h"
#include "data/make_ranks.h"
#include "engine_r/class_rule.h"
#include "engine_r/forest_run.h"
#include "engine_r/synthetic.h"
#include "params.h"
#include "tree/builder.h"
#include "tree/ranking.h"

/* Number of bags for one tree after which the data are considered impossible to split. CRAN RRF would never stop. */
enum { MAX_BAGS = 10000 };

typedef struct classifier {
    forest_run run;
    rrf_target target;
    const int32_t *test_y;
    rrf_class_result *result;
    builder builder;
    class_rule rule;
    rrf_ranks *own_ranks;   /* owned; NULL: those of the caller */
    synthetic second_class; /* unsupervised mode only */
    vote_rule votes;
    importance_scratch importance;
    int32_t *cases; /* nclass: scratch */
} classifier;

/* ---- a tree ---------------------------------------------------------------------------------------------------------- */

/* In unsupervised mode RRF ranks the data, each row twice, before it makes the second class, and uses these ranks for
 * all trees. The intended search uses ranks of the synthetic rows. */
static rrf_status make_second_class(classifier *c)
{
    builder *g = &c->builder;
    synthetic_draw(&c->second_class, g->rng);
    if (has_slips_of_rrf(g->params)) {
        return RRF_OK;
    }
    rrf_status status = ranks_make(c->own_ranks, g->data, g->watch.monitor);
    builder_read_ranks(g);
    return status;
}

/* Draws bags and grows trees until one has more than its root. */
static rrf_status grow_split_tree(void *own, tree *t)
{
    classifier *c = own;
    builder *g = &c->builder;
    rrf_status status = g->params->add_class ? make_second_class(c) : RRF_OK;
    for (int bags = 0; !status && bags < MAX_BAGS; ++bags) {
        status = bag_draw(&g->bag, g->params, g->rng, &g->watch);
        if (!status) {
            status = grow_tree(g, t);
        }
        if (status || t->size > 1) {
            return status;
        }
        status = monitor_poll(g->watch.monitor);
    }
    return status ? status : RRF_ERR_NO_SPLIT;
}

static void apply(const void *own, const tree *t, const int32_t *rows, int n_rows, int32_t *leaves)
{
    const classifier *c = own;
    builder_apply(&c->builder, t, rows, n_rows, leaves);
}

static void count_test_votes(classifier *c, const tree *t)
{
    const forest_run *f = &c->run;
    rrf_class_result *r = c->result;
    int n = f->statistics.n_test;
    for (int row = 0; row < n; ++row) {
        vote_count(&c->votes, r->test_votes, row, (int)t->prediction[f->test_leaves[row]]);
    }
    ballot b = {.n = n, .votes = r->test_votes, .ntree = f->n_grown, .y = c->test_y, .predicted = r->test_predicted};
    double *error = c->test_y ? r->test_error + (size_t)(f->n_grown - 1) * ((size_t)c->votes.nclass + 1) : NULL;
    ballot_count(&b, &c->votes, f->rng, error, c->cases);
}

static void count_oob_votes(classifier *c)
{
    const forest_run *f = &c->run;
    rrf_class_result *r = c->result;
    for (int i = 0; i < f->oob.size; ++i) {
        int row = f->oob.rows[i];
        vote_count(&c->votes, r->votes, row, (int)f->oob.predicted[i]);
        ++r->oob_times[row];
    }
    ballot b = {
        .n = f->statistics.n, .votes = r->votes, .n_votes = r->oob_times, .y = c->target.y, .predicted = r->predicted};
    double *error = r->error + (size_t)(f->n_grown - 1) * ((size_t)c->votes.nclass + 1);
    ballot_count(&b, &c->votes, f->rng, error, c->cases);
}

/* Draws break ties of votes, first those of the test set. */
static void count_votes(void *own, const tree *t)
{
    classifier *c = own;
    if (c->run.test) {
        count_test_votes(c, t);
    }
    count_oob_votes(c);
}

static rrf_status permute(void *own, const tree *t)
{
    classifier *c = own;
    return importance_add(&c->builder, t, &c->run.oob, &c->importance, &c->run.statistics);
}

static const forest_kind classes = {
    .grow = grow_split_tree, .apply = apply, .predict = count_votes, .permute = permute};

/* ---- set-up ---------------------------------------------------------------------------------------------------------- */

/* Prepares the data (in unsupervised mode with as many synthetic rows), its ranks, and the builder. */
static rrf_status ready_builder(classifier *c)
{
    forest_run *f = &c->run;
    const rrf_params *params = f->params;
    const rrf_data *data = f->train, *ranked = f->train;
    const rrf_ranks *ranks = NULL;
    double *classwt = c->result->classwt;
    rrf_status status = RRF_OK;
    if (params->add_class) {
        status = synthetic_init(&c->second_class, f->train, has_slips_of_rrf(params), &f->memory);
        f->statistics.n_shown = c->second_class.n_real;
        data = &c->second_class.data;
        ranked = has_slips_of_rrf(params) ? f->train : data;
    }
    if (!status) {
        ranks_kind kind = ranks_kind_of_fit(&c->target, classwt, params, NULL);
        status = ranks_take(f->ranks, ranked, kind, params->n_jobs, f->monitor, &ranks, &c->own_ranks);
    }
    if (status) {
        return status;
    }
    builder_setup setup = {.data = data,
                           .ranked = ranked,
                           .ranks = ranks,
                           .target = &c->target,
                           .classwt = classwt,
                           .params = params,
                           .criterion = criterion_choose(&c->target, NULL),
                           .rule = &class_rule_table,
                           .rule_own = &c->rule,
                           .rng = f->rng,
                           .monitor = f->monitor};
    return builder_init(&c->builder, &setup, &f->memory);
}

static void clear_votes(classifier *c)
{
    rrf_class_result *r = c->result;
    const forest_run *f = &c->run;
    size_t n = (size_t)f->train->n, nclass = (size_t)c->target.nclass;
    memset(r->votes, 0, n * nclass * sizeof *r->votes);
    memset(r->predicted, 0xff, n * sizeof *r->predicted);
    if (f->test) {
        size_t n_test = (size_t)f->test->n;
        memset(r->test_votes, 0, n_test * nclass * sizeof *r->test_votes);
        memset(r->test_predicted, 0xff, n_test * sizeof *r->test_predicted);
    }
}

static rrf_status classifier_init(classifier *c)
{
    forest_run *f = &c->run;
    const rrf_params *params = f->params;
    builder *g = &c->builder;
    normalize_class_weights(c->target.y, f->train->n, c->target.nclass, params, c->result->classwt);
    rrf_status status = ready_builder(c);
    if (!status) {
        status = class_rule_init(&c->rule, g, params, c->result->used, c->result->decrease, f->rng, &f->memory);
    }
    if (!status && params->importance) {
        status = importance_init(&c->importance, g->data, c->target.nclass, params->n_jobs, &f->memory);
    }
    TAKE(&f->memory, c->cases, c->target.nclass);
    clear_votes(c);
    f->watch = &g->watch;
    f->count = g->bag.count;
    f->used = &c->rule.features.f;
    f->max_nodes = g->nodes.capacity;
    return status ? status : arena_status(&f->memory);
}

/* Returns whether the required arrays of the fit exist. */
static bool has_buffers(const classifier *c)
{
    const rrf_class_result *r = c->result;
    const forest_run *f = &c->run;
    bool votes = r->predicted && r->votes && r->error && r->classwt;
    bool of_test = !f->test || (r->test_predicted && r->test_votes && (!c->test_y || r->test_error));
    return votes && of_test && forest_run_has_buffers(f);
}

rrf_status rrf_fit_classification(const rrf_data *train, const int32_t *y, int nclass, const rrf_data *test,
                                  const int32_t *ytest, const rrf_params *params, const rrf_ranks *ranks, rrf_rng *rng,
                                  const rrf_monitor *monitor, rrf_forest *forest, rrf_class_result *result)
{
    rrf_target target = {.y = y, .nclass = nclass};
    rrf_status checked = rrf_params_check(train, &target, params, NULL, NULL);
    if (checked) {
        return checked;
    }
    classifier c = {.target = target,
                    .test_y = test ? ytest : NULL,
                    .result = result,
                    .votes = vote_rule_make(nclass, params->cutoff, ties_of(params))};
    c.run = (forest_run){
        .kind = &classes,
        .own = &c,
        .train = train,
        .test = test,
        .params = params,
        .ranks = ranks,
        .rng = rng,
        .monitor = monitor,
        .forest = forest,
        .statistics = {.n_measures = nclass + 1, .test_proximity = result->test_proximity, STATISTICS_OF(result)}};
    if ((params->add_class && ranks) || !has_buffers(&c) || check_test_data(train, test) ||
        (c.test_y && !are_classes(ytest, test->n, nclass))) {
        return RRF_ERR_ARGUMENT;
    }
    /* A limit of one node allows only the root, for which CRAN RRF draws bags forever. */
    if (params->max_nodes == 1) {
        return RRF_ERR_NO_SPLIT;
    }
    rrf_status status = classifier_init(&c);
    status = status ? status : forest_run_trees(&c.run);
    rrf_ranks_free(c.own_ranks);
    arena_free(&c.run.memory);
    return status;
}

/* A classification forest from sampling to results, R's classRF. SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/importance.h"
#include "answers/oob.h"
#include "answers/pairs.h"
#include "answers/proximity.h"
#include "answers/votes.h"
#include "engine_r/class_rule.h"
#include "engine_r/synthetic.h"
#include "params.h"
#include "data/make_ranks.h"
#include "tree/ranking.h"
#include "tree/apply.h"
#include "tree/builder.h"
#include "tree/split_two_class.h"

/* In-bag samples drawn for one tree before the data count as impossible to split. CRAN RRF would never stop. */
enum { MAX_BAGS = 10000 };
/* What the ranks of F in lanes may take. */
#define LANE_BYTES ((size_t)1 << 26)

typedef struct classifier {
    arena memory;
    builder builder;
    class_rule rule_own;
    const rrf_ranks *ranks;
    rrf_ranks *own_ranks;   /* NULL: the caller's */
    synthetic second_class; /* unsupervised mode only */
    int n_real;             /* rows of the data themselves; all but in unsupervised mode */
    const rrf_data *test;
    const int32_t *test_y;
    rrf_forest *forest;
    rrf_class_result *result;
    vote_rule rule;
    oob_sample oob;
    importance_scratch importance;
    int32_t *nodes, *test_nodes; /* n, ntest: terminal node of a row in the current tree */
    int32_t *oob_pairs;          /* n x n, with oob.prox */
    int32_t *cases;              /* nclass */
} classifier;

static void clear_results(const classifier *c)
{
    const rrf_params *params = c->builder.params;
    rrf_class_result *r = c->result;
    size_t n = (size_t)c->builder.data->n, p = (size_t)c->builder.data->p, nclass = (size_t)c->builder.bag.nclass;
    size_t n_real = (size_t)c->n_real;
    size_t n_test = c->test ? (size_t)c->test->n : 0;
    memset(r->votes, 0, n * nclass * sizeof *r->votes);
    memset(r->oob_times, 0, n * sizeof *r->oob_times);
    memset(r->predicted, 0xff, n * sizeof *r->predicted);
    if (params->importance) {
        memset(r->importance, 0, p * (nclass + 1) * sizeof *r->importance);
        memset(r->importance_sd, 0, p * (nclass + 1) * sizeof *r->importance_sd);
    }
    if (r->local_importance) {
        memset(r->local_importance, 0, p * n * sizeof *r->local_importance);
    }
    if (r->proximity) {
        memset(r->proximity, 0, n_real * n_real * sizeof *r->proximity);
    }
    if (c->test) {
        memset(r->test_votes, 0, n_test * nclass * sizeof *r->test_votes);
        memset(r->test_predicted, 0xff, n_test * sizeof *r->test_predicted);
    }
    if (r->test_proximity) {
        memset(r->test_proximity, 0, n_test * (n_test + n_real) * sizeof *r->test_proximity);
    }
}

static rrf_status classifier_alloc(classifier *c)
{
    size_t n = (size_t)c->builder.data->n;
    c->nodes = malloc(n * sizeof *c->nodes);
    c->oob.rows = malloc(n * sizeof *c->oob.rows);
    c->oob.predicted = malloc(n * sizeof *c->oob.predicted);
    c->cases = malloc((size_t)c->builder.bag.nclass * sizeof *c->cases);
    bool ready = c->nodes && c->oob.rows && c->oob.predicted && c->cases;
    if (c->test) {
        c->test_nodes = malloc((size_t)c->test->n * sizeof *c->test_nodes);
        ready = ready && c->test_nodes;
    }
    if (c->result->proximity && c->builder.params->oob_proximity) {
        c->oob_pairs = calloc((size_t)c->n_real * (size_t)c->n_real, sizeof *c->oob_pairs);
        ready = ready && c->oob_pairs;
    }
    if (ready && c->builder.params->importance) {
        return importance_init(&c->importance, c->builder.data, c->builder.bag.nclass, c->builder.params->n_jobs,
                               &c->memory);
    }
    return ready ? RRF_OK : RRF_ERR_MEMORY;
}

static void classifier_free(classifier *c)
{
    class_rule_end(&c->rule_own);
    rrf_ranks_free(c->own_ranks);
    free(c->nodes);
    free(c->test_nodes);
    free(c->oob.rows);
    free(c->oob.predicted);
    free(c->oob_pairs);
    free(c->cases);
    arena_free(&c->memory);
}

/* RRF ranks the data, each row twice, before it makes the second class, and searches splits by those ranks ever after.
 * Meant is to search the rows that were made. */
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

/* Samples and grows until the tree has more than its root. */
static rrf_status grow_split_tree(classifier *c, tree *t)
{
    builder *g = &c->builder;
    rrf_status status = forest_reserve(c->forest, g->nodes.capacity, t);
    for (int bags = 0; !status && bags < MAX_BAGS; ++bags) {
        status = bag_draw(&g->bag, g->params, g->rng, &g->watch);
        if (!status) {
            status = grow_tree(g, t);
            class_rule_end_tree(&c->rule_own);
        }
        if (status || t->size > 1) {
            return status;
        }
        status = monitor_poll(g->watch.monitor);
    }
    return status ? status : RRF_ERR_NO_SPLIT;
}

static void count_test_votes(classifier *c, const tree *t, int n_grown)
{
    rrf_class_result *r = c->result;
    size_t nclass = (size_t)c->rule.nclass;
    tree_apply(t, c->test, NULL, c->test->n, -1, NULL, c->test_nodes);
    for (int row = 0; row < c->test->n; ++row) {
        vote_count(&c->rule, r->test_votes, row, (int)t->prediction[c->test_nodes[row]]);
    }
    ballot b = {
        .n = c->test->n, .votes = r->test_votes, .ntree = n_grown, .y = c->test_y, .predicted = r->test_predicted};
    double *err_rate = c->test_y ? r->test_error + (size_t)(n_grown - 1) * (nclass + 1) : NULL;
    ballot_count(&b, &c->rule, c->builder.rng, err_rate, c->cases);
}

static void find_oob(classifier *c, const tree *t)
{
    const builder *g = &c->builder;
    oob_sample *oob = &c->oob;
    oob->size = oob_list(g->bag.count, g->data->n, oob->rows);
    builder_apply(g, t, oob->rows, oob->size, c->nodes);
    for (int i = 0; i < oob->size; ++i) {
        oob->predicted[i] = (int32_t)t->prediction[c->nodes[i]] - 1;
    }
}

static void count_oob_votes(classifier *c, int n_grown)
{
    rrf_class_result *r = c->result;
    const builder *g = &c->builder;
    size_t nclass = (size_t)c->rule.nclass;
    for (int i = 0; i < c->oob.size; ++i) {
        int row = c->oob.rows[i];
        vote_count(&c->rule, r->votes, row, c->oob.predicted[i] + 1);
        ++r->oob_times[row];
    }
    ballot b = {.n = g->data->n, .votes = r->votes, .n_votes = r->oob_times, .y = g->bag.y, .predicted = r->predicted};
    ballot_count(&b, &c->rule, g->rng, r->error + (size_t)(n_grown - 1) * (nclass + 1), c->cases);
}

static rrf_status count_proximity(classifier *c, const tree *t)
{
    builder *g = &c->builder;
    rrf_class_result *r = c->result;
    builder_apply(g, t, NULL, c->n_real, c->nodes);
    const int32_t *leaves[] = {c->nodes}, *bags[] = {g->bag.count};
    pair_count pairs = {r->proximity, c->oob_pairs, leaves, bags, c->n_real, 1, has_slips_of_rrf(g->params)};
    rrf_status status = count_pairs_of_tree(&pairs, g->params->n_jobs, &g->watch);
    if (r->test_proximity) {
        proximity_add_test(r->test_proximity, c->test_nodes, c->test->n, c->nodes, c->n_real);
    }
    return status;
}

static rrf_status add_tree(classifier *c, int n_grown)
{
    builder *g = &c->builder;
    rrf_class_result *r = c->result;
    tree t;
    rrf_status status = g->params->add_class ? make_second_class(c) : RRF_OK;
    if (!status) {
        status = grow_split_tree(c, &t);
    }
    if (status) {
        return status;
    }
    if (r->inbag) {
        int32_t *inbag = r->inbag + (size_t)(n_grown - 1) * (size_t)c->n_real;
        oob_tell_inbag(g->bag.count, c->n_real, g->params->random_forest, inbag);
    }
    if (c->test) {
        count_test_votes(c, &t, n_grown);
    }
    find_oob(c, &t);
    count_oob_votes(c, n_grown);
    if (r->proximity) {
        status = count_proximity(c, &t);
    }
    if (!status && g->params->importance) {
        status = importance_add(g, &t, &c->oob, &c->importance, r);
    }
    if (!status) {
        int64_t descents = c->oob.size + (c->test ? c->test->n : 0);
        status = watch_work(&g->watch, descents * WORK_PER_DESCENT);
    }
    if (status) {
        return status;
    }
    if (g->params->keep_forest) {
        forest_append(c->forest, &t);
    }
    const rrf_monitor *monitor = g->watch.monitor;
    bool stop = monitor && monitor->tree && monitor->tree(monitor->context, n_grown);
    return stop ? RRF_ERR_INTERRUPT : RRF_OK;
}

static void finish_results(classifier *c)
{
    const builder *g = &c->builder;
    rrf_class_result *r = c->result;
    for (int feature = 0; feature < g->data->p; ++feature) {
        r->decrease[feature] /= g->params->ntree;
    }
    feature_set_write(&c->rule_own.features.f, r->used);
    if (g->params->importance) {
        size_t cells = (size_t)g->data->p * ((size_t)g->bag.nclass + 1);
        importance_finish(r->importance, r->importance_sd, cells, g->params->ntree, false);
        local_importance_finish(r->local_importance, r->oob_times, g->data->n, g->data->p);
    }
    if (r->proximity) {
        proximity_finish(r->proximity, c->oob_pairs, c->n_real, g->params->ntree);
    }
    if (r->test_proximity) {
        proximity_finish_test(r->test_proximity, c->test->n, c->n_real, g->params->ntree);
    }
}

/* The data, or in unsupervised mode the data and as many synthetic rows, ranked, and what grows trees on them. */
static rrf_status ready_builder(classifier *c, const rrf_data *train, const rrf_target *target,
                                const rrf_params *params, const rrf_ranks *ranks, rrf_rng *rng,
                                const rrf_monitor *monitor)
{
    const rrf_data *data = train, *ranked = train;
    rrf_status status = RRF_OK;
    c->n_real = train->n;
    if (params->add_class) {
        status = synthetic_init(&c->second_class, train, has_slips_of_rrf(params), &c->memory);
        c->n_real = c->second_class.n_real;
        data = &c->second_class.data;
        ranked = has_slips_of_rrf(params) ? train : data;
    }
    if (!status) {
        ranks_kind kind = ranks_kind_of_fit(target, c->result->classwt, params, NULL);
        status = ranks_take(ranks, ranked, kind, params->n_jobs, monitor, &c->ranks, &c->own_ranks);
    }
    if (status) {
        return status;
    }
    builder_setup setup = {.data = data,
                           .ranked = ranked,
                           .ranks = c->ranks,
                           .target = target,
                           .classwt = c->result->classwt,
                           .params = params,
                           .criterion = criterion_choose(target, NULL),
                           .rule = &class_rule_table,
                           .rule_own = &c->rule_own,
                           .packs = counts_pack(c->result->classwt, target->nclass, params),
                           .lane_bytes = LANE_BYTES,
                           .rng = rng,
                           .monitor = monitor};
    return builder_init(&c->builder, &setup, &c->memory);
}

static rrf_status classifier_init(classifier *c, const rrf_data *train, const int32_t *y, int nclass,
                                  const rrf_params *params, const rrf_ranks *ranks, rrf_rng *rng,
                                  const rrf_monitor *monitor)
{
    rrf_class_result *r = c->result;
    normalize_class_weights(y, train->n, nclass, params, r->classwt);
    memset(r->decrease, 0, (size_t)train->p * sizeof *r->decrease);
    rrf_target target = {.y = y, .nclass = nclass};
    rrf_status status = ready_builder(c, train, &target, params, ranks, rng, monitor);
    if (!status) {
        status = class_rule_init(&c->rule_own, &c->builder, params, r->used, r->decrease, rng, &c->memory);
    }
    if (!status) {
        status = class_rule_lookahead(&c->rule_own, &c->builder, params->n_jobs, &c->memory);
    }
    if (!status) {
        status = classifier_alloc(c);
    }
    if (!status) {
        clear_results(c);
    }
    return status;
}

/* Whether the arrays are there that the fit writes to without asking. */
static bool has_buffers(const rrf_class_result *r, const rrf_params *params, const rrf_data *test, const int32_t *ytest)
{
    bool fit = r->predicted && r->votes && r->oob_times && r->error && r->decrease && r->classwt && r->used;
    bool importance = !params->importance || (r->importance && r->importance_sd);
    bool test_votes = !test || (r->test_predicted && r->test_votes && (!ytest || r->test_error));
    return fit && importance && test_votes && (!r->test_proximity || (test && r->proximity));
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
    if ((params->add_class && ranks) || !has_buffers(result, params, test, ytest) || check_test_data(train, test) ||
        (test && ytest && !are_classes(ytest, test->n, nclass))) {
        return RRF_ERR_ARGUMENT;
    }
    /* A bound of one node leaves only the root, at which CRAN RRF samples forever. */
    if (params->max_nodes == 1) {
        return RRF_ERR_NO_SPLIT;
    }
    classifier c = {.test = test,
                    .test_y = ytest,
                    .forest = forest,
                    .result = result,
                    .rule = vote_rule_make(nclass, params->cutoff, ties_of(params))};
    rrf_status status = classifier_init(&c, train, y, nclass, params, ranks, rng, monitor);
    for (int n_grown = 1; !status && n_grown <= params->ntree; ++n_grown) {
        status = add_tree(&c, n_grown);
    }
    if (!status) {
        finish_results(&c);
    }
    classifier_free(&c);
    return status;
}

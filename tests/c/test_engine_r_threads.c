/* Engine r on several threads: every number, every tree and the stream are those of one thread.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "problem.h"
#include "same.h"

/* clang-format off */
static const spec cases[] = {
    {.name = "no ties", .n = 300, .p = 24, .nclass = 2, .ntree = 6, .coef = COEF_HIGH},
    {.name = "many ties", .n = 300, .p = 24, .nclass = 2, .columns = TIED, .n_levels = 5, .ntree = 6, .class0 = 150},
    {.name = "few values, weights that are not exact",
     .n = 300, .p = 24, .nclass = 2, .columns = TIED | COPY, .n_levels = 3, .class0 = 21, .some_used = 1},
    {.name = "many values with ties, weights that are not exact",
     .n = 700, .p = 16, .nclass = 2, .columns = TIED, .n_levels = 300, .class0 = 45, .some_used = 1},
    {.name = "few values, seven classes", .n = 400, .p = 20, .nclass = 7, .columns = TIED | COPY, .n_levels = 3, .some_used = 1},
    {.name = "copies of columns",
     .n = 200, .p = 24, .nclass = 2, .columns = SMOOTH | COPY | MIRROR, .ntree = 6, .some_used = 1},
    {.name = "ties, as intended",
     .n = 200, .p = 24, .nclass = 2, .columns = TIED | COPY, .n_levels = 4, .ntree = 6, .no_quirks = 1},
    {.name = "three classes, ties", .n = 300, .p = 20, .nclass = 3, .columns = TIED | SMOOTH, .n_levels = 9, .ntree = 6},
    {.name = "factors among numbers, weights",
     .n = 300, .p = 24, .nclass = 3, .columns = ANY_COLUMN, .classwt = WEIGHTS_SOME, .some_used = 1},
    {.name = "weights, two classes",
     .n = 300, .p = 16, .nclass = 2, .columns = SMOOTH | TIED, .classwt = WEIGHTS_SOME, .some_used = 1},
    {.name = "strata", .n = 300, .p = 16, .nclass = 2, .nstrata = 4, .columns = TIED, .some_used = 1},
    {.name = "everything asked for",
     .n = 120, .p = 16, .nclass = 2, .columns = ANY_COLUMN, .n_test = 30, .test_labels = 1, .local = 1, .proximity = 1,
     .oob_proximity = 1, .inbag = 1, .some_used = 1},
    {.name = "features penalised in F, too", .n = 200, .p = 16, .nclass = 2, .all_penalised = 1, .columns = TIED},
    {.name = "trees cut short", .n = 300, .p = 16, .nclass = 2, .max_nodes = 9, .some_used = 1, .ntree = 10},
    {.name = "groups of features", .n = 300, .p = 40, .nclass = 2, .columns = TIED | SMOOTH, .n_groups = 15, .ntree = 6},
    {.name = "unsupervised", .n = 400, .p = 16, .nclass = 2, .columns = TIED, .unsupervised = 1, .some_used = 1},
    {.name = "unsupervised as intended",
     .n = 400, .p = 16, .nclass = 2, .columns = TIED, .unsupervised = 1, .some_used = 1, .no_quirks = 1},
    {.name = "many nodes", .n = 3000, .p = 12, .nclass = 2, .some_used = 1, .ntree = 2},
    {.name = "more draws than packed counts hold",
     .n = 2000, .p = 12, .nclass = 2, .class0 = 1000, .sampsize = 40000, .some_used = 1, .exact = 1, .ntree = 2},
};
/* clang-format on */

static void same_results(const problem *p, const rrf_class_result *many, const rrf_class_result *one)
{
    size_t n = (size_t)p->train.n, m = (size_t)p->test.n, features = (size_t)p->train.p;
    size_t nclass = (size_t)p->nclass, ntree = (size_t)p->params.ntree, n_real = p->params.add_class ? n / 2 : n;
    same_ints(p->name, "votes", many->votes, one->votes, n * nclass);
    same_ints(p->name, "predicted", many->predicted, one->predicted, n);
    same_ints(p->name, "inbag", many->inbag, one->inbag, n_real * ntree);
    same_doubles(p->name, "err_rate", many->error, one->error, ntree * (nclass + 1));
    same_doubles(p->name, "gini", many->decrease, one->decrease, features);
    same_ints(p->name, "used", many->used, one->used, features);
    same_doubles(p->name, "importance", many->importance, one->importance, features * (nclass + 1));
    same_doubles(p->name, "local_importance", many->local_importance, one->local_importance, features * n);
    same_doubles(p->name, "proximity", many->proximity, one->proximity, n_real * n_real);
    same_ints(p->name, "test_votes", many->test_votes, one->test_votes, m * nclass);
    same_doubles(p->name, "test_proximity", many->test_proximity, one->test_proximity, m * (m + n_real));
}

static void compare(problem *p, int n_jobs, const answer *one)
{
    answer many;
    answer_make(&many, p, NULL);
    p->params.n_jobs = n_jobs;
    answer_fit(&many, p, NULL);
    CHECK(many.status == one->status, "%s, %d threads: %s", p->name, n_jobs, rrf_strerror(many.status));
    if (!one->status) {
        same_forest(p->name, &many.forest, &one->forest);
        same_results(p, &many.result, &one->result);
        same_stream(p->name, &many.rng, &one->rng);
    }
    answer_free(&many);
}

static void test_threads_do_not_show(void)
{
    for (int i = 0; i < COUNT(cases); ++i) {
        problem p;
        answer one;
        problem_make(&p, &cases[i], (uint64_t)i + 1);
        answer_make(&one, &p, NULL);
        answer_fit(&one, &p, NULL);
        for (int n_jobs = 2; n_jobs <= 6; n_jobs += 2) {
            compare(&p, n_jobs, &one);
        }
        answer_free(&one);
        problem_free(&p);
    }
}

int main(void)
{
    test_threads_do_not_show();
    return 0;
}

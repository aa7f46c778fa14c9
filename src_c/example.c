/* The core without Python: ranks columns once, grows a guided forest on them, and a tree on each of two threads.
 *
 *   cc -std=c11 -ffp-contract=off -Isrc_c src_c/example.c <the other .c files of src_c> -lm -pthread
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rrf.h"

enum { N = 200, P = 8, TREES = 50, CLASSES = 2, WORKERS = 2 };

/* Features 2 and 5 determine the class; feature 6 is feature 2 with noise. */
static void make_data(double *x, int32_t *y)
{
    rrf_rng rng;
    rrf_rng_seed(&rng, 1);
    for (int row = 0; row < N; ++row) {
        for (int feature = 0; feature < P; ++feature) {
            x[feature * N + row] = rrf_rng_normal(&rng);
        }
        x[6 * N + row] = x[2 * N + row] + 0.5 * x[6 * N + row];
        y[row] = x[2 * N + row] + x[5 * N + row] > 0.0;
    }
}

static void check(rrf_status status, const char *what)
{
    if (status) {
        fprintf(stderr, "%s: %s\n", what, rrf_strerror(status));
        exit(1);
    }
}

/* Grows a forest of the parallel engine on shared ranks. The caller frees *forest; decrease and used have P values. */
static void fit(const rrf_data *data, const rrf_target *target, const rrf_params *params, const rrf_ranks *ranks,
                rrf_forest *forest, double *decrease, int32_t *used)
{
    static int32_t votes[N * CLASSES], predicted[N], oob_times[N];
    static double error[TREES * (CLASSES + 1)], classwt[CLASSES];
    rrf_parallel_params parallel;
    rrf_parallel_params_init(&parallel);
    parallel.seed = 1;
    parallel.n_jobs = 2;
    memset(used, 0, P * sizeof *used);
    rrf_forest_init(forest);
    rrf_parallel_result result = {.votes = votes,
                                  .predicted = predicted,
                                  .oob_times = oob_times,
                                  .error = error,
                                  .decrease = decrease,
                                  .classwt = classwt,
                                  .used = used};
    check(rrf_fit_parallel(data, target, params, &parallel, ranks, NULL, forest, &result), "fit");
    printf("out-of-bag error %.3f\n", error[(TREES - 1) * (CLASSES + 1)]);
}

/* The work of a thread: its own worker, on ranks shared with the others. */
typedef struct job {
    const rrf_data *data;
    const rrf_target *target;
    const rrf_params *params;
    const rrf_ranks *ranks;
    int number, n_nodes;
    rrf_status status;
} job;

static void *grow_a_tree(void *context)
{
    job *j = context;
    rrf_worker *worker;
    rrf_forest forest;
    rrf_parallel_params parallel;
    int32_t used[P] = {0};
    rrf_parallel_params_init(&parallel);
    rrf_forest_init(&forest);
    j->status = rrf_worker_new(j->data, j->target, j->params, &parallel, j->ranks, NULL, &worker);
    if (!j->status) {
        rrf_tree_request request = {.used = used, .seed = 1, .stream = (uint64_t)j->number};
        j->status = rrf_worker_grow(worker, &request, &forest, NULL);
    }
    j->n_nodes = j->status ? 0 : (int)forest.offset[1];
    rrf_worker_free(worker);
    rrf_forest_free(&forest);
    return NULL;
}

/* The important features of a forest have a lower penalty in the next one: Deng's coefficients of a guided forest. */
static void guide(const double *decrease, double *coef)
{
    double most = 0.0;
    for (int feature = 0; feature < P; ++feature) {
        most = decrease[feature] > most ? decrease[feature] : most;
    }
    for (int feature = 0; feature < P; ++feature) {
        coef[feature] = 0.5 + 0.5 * decrease[feature] / most;
    }
}

static void predict(const rrf_forest *forest, const rrf_data *data, const int32_t *y)
{
    static int32_t votes[N * CLASSES], predicted[N];
    int right = 0;
    rrf_prediction prediction = {.votes = votes, .predicted = predicted};
    check(rrf_predict(forest, data, CLASSES, NULL, 0, NULL, 2, NULL, &prediction), "predict");
    for (int row = 0; row < N; ++row) {
        right += predicted[row] == y[row];
    }
    printf("predicted right: %d of %d\n", right, N);
}

static void grow_on_threads(const job *common)
{
    job jobs[WORKERS];
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; ++i) {
        jobs[i] = *common;
        jobs[i].number = i;
        check(pthread_create(threads + i, NULL, grow_a_tree, jobs + i) ? RRF_ERR_MEMORY : RRF_OK, "thread");
    }
    for (int i = 0; i < WORKERS; ++i) {
        pthread_join(threads[i], NULL);
        check(jobs[i].status, "worker");
        printf("tree %d: %d nodes\n", i, jobs[i].n_nodes);
    }
}

int main(void)
{
    static double x[N * P], coef[P], decrease[P];
    static int32_t y[N], used[P];
    const int32_t sampsize = N, ncat[P] = {1, 1, 1, 1, 1, 1, 1, 1};
    make_data(x, y);
    for (int feature = 0; feature < P; ++feature) {
        coef[feature] = 1.0;
    }
    rrf_data data = {.x = x, .n = N, .p = P, .ncat = ncat};
    rrf_target target = {.y = y, .nclass = CLASSES};
    rrf_params params;
    rrf_parallel_params parallel;
    rrf_params_init(&params);
    rrf_parallel_params_init(&parallel);
    params.ntree = TREES;
    params.mtry = 2;
    params.sampsize = &sampsize;
    params.coef_reg = coef;
    parallel.n_jobs = 2;

    rrf_ranks *ranks;
    check(rrf_ranks_new(&data, &target, &params, &parallel, NULL, &ranks), "ranks");
    rrf_forest ordinary, regularized;
    params.flag_reg = 0;
    fit(&data, &target, &params, ranks, &ordinary, decrease, used);
    guide(decrease, coef);
    params.flag_reg = 1;
    fit(&data, &target, &params, ranks, &regularized, decrease, used);
    printf("selected:");
    for (int feature = 0; feature < P; ++feature) {
        if (used[feature]) {
            printf(" %d", feature);
        }
    }
    printf("\n");
    predict(&regularized, &data, y);
    grow_on_threads(&(job){.data = &data, .target = &target, .params = &params, .ranks = ranks});
    rrf_ranks_free(ranks);
    rrf_forest_free(&ordinary);
    rrf_forest_free(&regularized);
    return 0;
}

/* Proximity on several threads: each takes a range of rows. SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/pairs.h"
#include "answers/proximity.h"
#include "threads/pool.h"

enum { ROWS_PER_RANGE = 64 };

/* A range of rows, compared with all rows before them, for every tree. */
static rrf_status count_range(void *context, int worker, int item, const rrf_monitor *monitor)
{
    const pair_count *pairs = context;
    int first = item * ROWS_PER_RANGE, last = first + ROWS_PER_RANGE < pairs->n ? first + ROWS_PER_RANGE : pairs->n;
    watch watch = {.monitor = monitor};
    rrf_status status = RRF_OK;
    (void)worker;
    for (int i = 0; !status && i < pairs->n_trees; ++i) {
        proximity_add_rows(pairs->proximity, pairs->oob_pairs, pairs->leaves[i], pairs->bags ? pairs->bags[i] : NULL,
                           pairs->n, pairs->quirks, first, last);
        status = watch_work(&watch, (int64_t)last * (last - first));
    }
    return status;
}

rrf_status count_pairs(const pair_count *pairs, int n_jobs, const rrf_monitor *monitor)
{
    pair_count own = *pairs;
    int n_items = (own.n + ROWS_PER_RANGE - 1) / ROWS_PER_RANGE;
    pool pool = {.context = &own,
                 .n_items = n_items,
                 .n_jobs = pool_size(n_jobs, n_items),
                 .window = 4 * pool_size(n_jobs, n_items),
                 .work = count_range,
                 .monitor = monitor};
    return pool_run(&pool);
}

/* Minimal number of pairs of a tree for which threads are started: some milliseconds. */
#ifndef PAIRS_MIN
#define PAIRS_MIN (1 << 22)
#endif

rrf_status count_pairs_of_tree(const pair_count *pairs, int n_jobs, watch *watch)
{
    int64_t n_pairs = (int64_t)pairs->n * pairs->n / 2;
    if (n_jobs > 1 && n_pairs >= PAIRS_MIN) {
        rrf_monitor quiet = watch->monitor ? *watch->monitor : (rrf_monitor){0};
        quiet.tree = NULL;
        return count_pairs(pairs, n_jobs, &quiet);
    }
    proximity_add(pairs->proximity, pairs->oob_pairs, pairs->leaves[0], pairs->bags[0], pairs->n, pairs->quirks);
    return watch_work(watch, n_pairs);
}

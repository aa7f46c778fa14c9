/* Ranks for a fit: their type, and their computation on several threads. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tree/ranking.h"
#include "data/make_ranks.h"
#include "data/read_column.h"
#include "filters.h"
#include "params.h"
#include "threads/pool.h"
#include "tree/criterion.h"

/* ---- on threads ------------------------------------------------------------------------------------------------------ */

/* Number of cells that a thread ranks at a time. */
enum { CELLS_PER_RANGE = 1 << 17 };
/* Number of columns of a row-major matrix that it ranks at a time. */
enum { COLUMNS_READ = 32 };

typedef struct ranking {
    rrf_ranks *ranks;
    const rrf_data *data;
    int n_features;        /* of a range */
    rank_scratch *scratch; /* of each thread */
} ranking;

static rrf_status work_on_range(void *context, int worker, int item, const rrf_monitor *monitor)
{
    const ranking *r = context;
    int first = item * r->n_features, left = r->data->p - first;
    int last = first + (left < r->n_features ? left : r->n_features);
    return ranks_make_range(r->ranks, r->data, first, last, r->scratch + worker, monitor);
}

/* Memory in bytes per row: scratch of a thread that ranks a column, data and ranks; and the memory that the threads
 * beyond the first may always take. */
enum { BYTES_OF_SCRATCH = 24, BYTES_OF_COLUMN = 12 };
#define SPARE_BYTES (32.0 * 1024 * 1024)

/* Returns the number of threads whose scratch, except for the first, takes at most half of the memory of data and
 * ranks. */
static int affordable_jobs(const ranking *r, int n_jobs)
{
    double scratch = (double)r->ranks->n * BYTES_OF_SCRATCH,
           half = (double)r->ranks->n * r->ranks->p * BYTES_OF_COLUMN / 2;
    double most = 1.0 + floor((half > SPARE_BYTES ? half : SPARE_BYTES) / scratch);
    return most < n_jobs ? (int)most : n_jobs;
}

/* A row-major matrix is read several columns at a time (read_column.c), those of a range. */
static int columns_of_range(const ranking *r, int n_jobs)
{
    int n_features = 1 + CELLS_PER_RANGE / r->data->n, share = 1 + (r->data->p - 1) / (n_jobs > 1 ? n_jobs : 1);
    int wanted = share < COLUMNS_READ ? share : COLUMNS_READ;
    return is_row_major(r->data) && n_features < wanted ? wanted : n_features;
}

static rrf_status work_on_columns(ranking *r, int n_jobs, const rrf_monitor *monitor)
{
    rrf_monitor quiet = monitor ? *monitor : (rrf_monitor){0};
    r->n_features = columns_of_range(r, n_jobs);
    int n_items = (r->data->p - 1) / r->n_features + 1, size = pool_size(affordable_jobs(r, n_jobs), n_items);
    quiet.tree = NULL;
    pool pool = {
        .context = r, .n_items = n_items, .n_jobs = size, .window = 4 * size, .work = work_on_range, .monitor = &quiet};
    return pool_run(&pool);
}

/* The threads' scratch is freed before a fit allocates more. */
static rrf_status rank_columns(ranking *r, int n_jobs, const rrf_monitor *monitor)
{
    int n_scratch = n_jobs > 1 ? n_jobs : 1;
    r->scratch = calloc((size_t)n_scratch, sizeof *r->scratch);
    rrf_status status = r->scratch ? work_on_columns(r, n_jobs, monitor) : RRF_ERR_MEMORY;
    for (int i = 0; r->scratch && i < n_scratch; ++i) {
        rank_scratch_free(r->scratch + i);
    }
    free(r->scratch);
    return status;
}

static rrf_status make_ranks(const rrf_data *data, ranks_kind kind, int n_jobs, const rrf_monitor *monitor,
                             rrf_ranks **ranks)
{
    rrf_ranks *own = malloc(sizeof *own);
    *ranks = NULL;
    if (!own) {
        return RRF_ERR_MEMORY;
    }
    rrf_status status = ranks_alloc(own, data, kind);
    if (!status) {
        ranking all = {.ranks = own, .data = data};
        status = rank_columns(&all, n_jobs, monitor);
    }
    status = status ? status : ASK(columns_ranked, RRF_OK, own);
    if (status) {
        rrf_ranks_free(own);
        return status;
    }
    *ranks = own;
    return RRF_OK;
}

/* ---- for a fit ------------------------------------------------------------------------------------------------------- */

/* Largest number of classes for which engine parallel counts cases by value. */
enum { MAX_COUNTED_CLASSES = 256 };

ranks_kind ranks_kind_of_fit(const rrf_target *target, const double *classwt, const rrf_params *params,
                             const rrf_parallel_params *parallel)
{
    if (target->response) {
        return parallel ? (ranks_kind){TIES_MERGED, true, false, false} : (ranks_kind){TIES_BY_ROW, false, true, false};
    }
    bool whole = parallel && target->nclass <= MAX_COUNTED_CLASSES && weights_are_exact(classwt, target->nclass) &&
                 !parallel->row_weight;
    bool merged = parallel ? whole : ASK(merge_ties, false, classwt, target->nclass, params);
    return (ranks_kind){merged ? TIES_MERGED : parallel ? TIES_BY_ROW : TIES_LIKE_R, parallel != NULL, false, merged};
}

static bool ranks_fit(const rrf_ranks *ranks, const rrf_data *data, ranks_kind kind)
{
    bool fit = ranks->n == data->n && ranks->p == data->p && ranks->kind.ties == kind.ties &&
               ranks->kind.values == kind.values && ranks->kind.counts == kind.counts &&
               ranks->kind.may_miss == kind.may_miss;
    return fit && !memcmp(ranks->ncat, data->ncat, (size_t)data->p * sizeof *data->ncat);
}

rrf_status ranks_take(const rrf_ranks *given, const rrf_data *data, ranks_kind kind, int n_jobs,
                      const rrf_monitor *monitor, const rrf_ranks **ranks, rrf_ranks **own)
{
    rrf_status status;
    *own = NULL;
    if (given) {
        status = ranks_fit(given, data, kind) ? RRF_OK : RRF_ERR_ARGUMENT;
        *ranks = given;
    } else {
        status = make_ranks(data, kind, n_jobs, monitor, own);
        *ranks = *own;
    }
    return status;
}

rrf_status rrf_ranks_new(const rrf_data *data, const rrf_target *target, const rrf_params *params,
                         const rrf_parallel_params *parallel, const rrf_monitor *monitor, rrf_ranks **ranks)
{
    *ranks = NULL;
    rrf_status checked = check_ranking(data, target, params, parallel);
    if (checked || params->add_class) {
        return checked ? checked : RRF_ERR_ARGUMENT;
    }
    double *classwt = malloc((size_t)target->nclass * sizeof *classwt);
    if (!classwt) {
        return RRF_ERR_MEMORY;
    }
    if (!target->response) {
        normalize_class_weights(target->y, data->n, target->nclass, params, classwt);
    }
    if (parallel) {
        settle_class_weights(classwt, target->nclass);
    }
    ranks_kind kind = ranks_kind_of_fit(target, classwt, params, parallel);
    free(classwt);
    return make_ranks(data, kind, parallel ? parallel->n_jobs : params->n_jobs, monitor, ranks);
}

/* Draws the in-bag rows of a tree, in the order of RRF's and randomForest's classRF.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/bag.h"

/* Largest numbers of attempts for one bag: of RRF if bags miss a class, of randomForest if they hold a single one. */
enum { MAX_SAMPLINGS = 11, MAX_SAMPLINGS_OF_FOREST = 31 };
/* Number of draws that are made before they are counted. */
enum { BLOCK = 1024 };

static void group_by_stratum(bag *b, const rrf_params *params, arena *memory)
{
    int32_t *next;
    TAKE_ZEROS(memory, b->stratum_start, params->nstrata + 1);
    TAKE(memory, b->stratum_rows, b->n);
    TAKE(memory, next, params->nstrata + 1);
    if (arena_status(memory)) {
        return;
    }
    for (int row = 0; row < b->n; ++row) {
        ++b->stratum_start[params->strata[row] + 1];
    }
    for (int s = 0; s < params->nstrata; ++s) {
        b->stratum_start[s + 1] += b->stratum_start[s];
    }
    memcpy(next, b->stratum_start, ((size_t)params->nstrata + 1) * sizeof *next);
    for (int row = 0; row < b->n; ++row) {
        b->stratum_rows[next[params->strata[row]]++] = row;
    }
}

/* R's normClassWt. The round trip through shares misses 1.0 by an ulp for some class sizes. */
void normalize_class_weights(const int32_t *y, int n, int nclass, const rrf_params *params, double *classwt)
{
    double sum = 0.0;
    for (int k = 0; params->classwt && k < nclass; ++k) {
        sum += params->classwt[k];
    }
    for (int k = 0; k < nclass; ++k) {
        int size = 0;
        for (int row = 0; row < n; ++row) {
            size += y[row] == k;
        }
        double share = params->classwt ? params->classwt[k] / sum : (double)size / n;
        bool exact = !params->quirks && !params->classwt;
        classwt[k] = size == 0 ? 0.0 : exact ? 1.0 : share * n / size;
    }
}

void settle_class_weights(double *classwt, int nclass)
{
    for (int k = 0; k < nclass; ++k) {
        classwt[k] = is_near_one(classwt[k]) ? 1.0 : classwt[k];
    }
}

bool weights_are_exact(const double *classwt, int nclass)
{
    bool exact = true;
    for (int k = 0; k < nclass; ++k) {
        exact = exact && classwt[k] == 1.0;
    }
    return exact;
}

rrf_status bag_init(bag *b, int n, int nclass, const int32_t *y, const double *response, const double *classwt,
                    const rrf_params *params, arena *memory)
{
    *b = (bag){.n = n,
               .nclass = nclass,
               .y = y,
               .response = response,
               .classwt = classwt,
               .exact = weights_are_exact(classwt, nclass)};
    TAKE(memory, b->count, n);
    TAKE(memory, b->weight, n);
    TAKE(memory, b->class_total, nclass);
    TAKE(memory, b->rows, n);
    if (params->strata) {
        group_by_stratum(b, params, memory);
    }
    return row_draws_init(&b->draws, n, params->replace, params->case_weight, b->stratum_rows, memory);
}

/* ---- the steps of a draw --------------------------------------------------------------------------------------------- */

static void clear(bag *b)
{
    memset(b->count, 0, (size_t)b->n * sizeof *b->count);
    if (!weights_are_counts(b)) {
        memset(b->weight, 0, (size_t)b->n * sizeof *b->weight);
    }
    memset(b->class_total, 0, (size_t)b->nclass * sizeof *b->class_total);
}

/* Weights are added draw by draw, which determines their rounding; whole numbers are multiplied after counting. */
static inline void add(bag *b, int row)
{
    ++b->count[row];
    if (!weights_are_counts(b)) {
        double weight = b->classwt[b->y[row]] * (b->row_weight ? b->row_weight[row] : 1.0);
        b->class_total[b->y[row]] += weight;
        b->weight[row] += weight;
    }
}

static void weigh_classes(bag *b)
{
    for (int row = 0; weights_are_counts(b) && row < b->n; ++row) {
        b->class_total[b->y[row]] += b->count[row];
    }
}

/* Rows of weight 0 are neither in the tree nor out of bag. */
static void list(bag *b)
{
    b->size = 0;
    for (int row = 0; row < b->n; ++row) {
        if (b->count[row] && (!b->row_weight || b->weight[row] > 0.0)) {
            b->rows[b->size++] = row;
        }
    }
}

/* Adds `draws` draws from the n rows from `first` on; with strata the rows are sorted by stratum. */
static rrf_status add_draws(bag *b, int first, int n, int draws, rrf_rng *rng, watch *w)
{
    const int32_t *rows = b->stratum_rows ? b->stratum_rows + first : NULL;
    int32_t drawn[BLOCK];
    rrf_status status = RRF_OK;
    row_draws_begin(&b->draws, first, n);
    for (int now, left = draws; !status && left > 0; left -= now) {
        now = left < BLOCK ? left : BLOCK;
        status = row_draws_take(&b->draws, drawn, now, rng, w);
        for (int i = 0; !status && i < now; ++i) {
            add(b, rows ? rows[drawn[i]] : drawn[i]);
        }
    }
    return status;
}

/* ---- bags ------------------------------------------------------------------------------------------------------------ */

static int count_classes(const bag *b)
{
    int n_held = 0;
    for (int k = 0; k < b->nclass; ++k) {
        n_held += b->class_total[k] != 0.0;
    }
    return n_held;
}

/* RRF requires all classes in a bag, randomForest two. RRF never resets its flag: after one bad bag it makes all
 * attempts, even if some are good. */
static rrf_status draw_plain(bag *b, const rrf_params *params, rrf_rng *rng, watch *w)
{
    bool forest = params->random_forest, sticks = params->quirks && !forest, again = true;
    int wanted = forest ? 2 : b->nclass, most = forest ? MAX_SAMPLINGS_OF_FOREST : MAX_SAMPLINGS;
    rrf_status status = RRF_OK;
    for (int i = 0; !status && again && i < most; ++i) {
        clear(b);
        status = add_draws(b, 0, b->n, params->sampsize[0], rng, w);
        weigh_classes(b);
        again = (sticks && i > 0) || count_classes(b) < wanted;
    }
    return status ? status : forest && again ? RRF_ERR_ONE_CLASS : RRF_OK;
}

/* The weights of a stratum's cases are scaled anew for each bag, which may change them by an ulp. */
static rrf_status draw_stratified(bag *b, const rrf_params *params, rrf_rng *rng, watch *w)
{
    rrf_status status = RRF_OK;
    clear(b);
    for (int s = 0; !status && s < params->nstrata; ++s) {
        int first = b->stratum_start[s], n = b->stratum_start[s + 1] - first;
        row_draws_scale(&b->draws, first, n);
        status = add_draws(b, first, n, params->sampsize[s], rng, w);
    }
    weigh_classes(b);
    return status;
}

rrf_status bag_draw(bag *b, const rrf_params *params, rrf_rng *rng, watch *w)
{
    rrf_status status = (params->strata ? draw_stratified : draw_plain)(b, params, rng, w);
    list(b);
    return status;
}

rrf_status bag_take(bag *b, const int32_t *count, watch *w)
{
    rrf_status status = RRF_OK;
    clear(b);
    for (int row = 0; !status && row < b->n; ++row) {
        for (int now, left = count[row]; !status && left > 0; left -= now) {
            now = draws_per_poll(left);
            for (int i = 0; i < now; ++i) {
                add(b, row);
            }
            status = watch_work(w, now);
        }
    }
    weigh_classes(b);
    list(b);
    return status;
}

/* The search for a node's best split, R's findbestsplit. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tree/splitter.h"
#include "random/splitmix.h"

static int64_t total_draws(const rrf_params *params)
{
    int64_t draws = 0;
    for (int s = 0; s < (params->strata ? params->nstrata : 1); ++s) {
        draws += params->sampsize[s];
    }
    return draws;
}

/* Two classes whose counts the kernels can pack. */
static bool counts_pack(const double *classwt, int nclass, const rrf_params *params)
{
    bool near = nclass == 2 && is_near_one(classwt[0]) && is_near_one(classwt[1]);
    return near && total_draws(params) <= MAX_PACKED;
}

bool ties_can_merge(const double *classwt, int nclass, const rrf_params *params)
{
    /* In unsupervised mode every value is tied, and which of the tied rows stands at a cut shows in the split point. */
    bool order_shows = params->add_class && params->quirks;
    return counts_pack(classwt, nclass, params) && weights_are_exact(classwt, nclass) && !order_shows;
}

bool parallel_ties_can_merge(const double *classwt, int nclass, const rrf_parallel_params *parallel)
{
    return nclass == 2 && weights_are_exact(classwt, nclass) && !parallel->row_weight && !parallel->entropy;
}

/* Below this a coefficient's inverse could leave the range of a double. */
#define MIN_INVERTIBLE 1.0e-200

double v_log_v(double v)
{
    return v > 0.0 ? v * log2(v) : 0.0;
}

static double inverse_of(double factor)
{
    return factor > MIN_INVERTIBLE ? 1.0 / factor : 0.0;
}

static void make_profiles(splitter *s, const rrf_params *params)
{
    for (int feature = 0; feature < s->data->p; ++feature) {
        double coef = params->coef_reg[feature];
        s->profile[feature] =
            (feature_profile){.penalty = coef, .inverse = inverse_of(coef), .n_levels = s->data->ncat[feature]};
    }
    splitter_read_ranks(s);
}

void splitter_read_ranks(splitter *s)
{
    for (int feature = 0; feature < s->data->p; ++feature) {
        s->profile[feature].n_ranks = s->ranks->n_ranks[feature];
    }
}

static rrf_status splitter_alloc(splitter *s)
{
    size_t n = (size_t)s->data->n, p = (size_t)s->data->p, nclass = (size_t)s->nclass;
    s->profile = malloc(p * sizeof *s->profile);
    s->mark = calloc(n / 64 + 1, sizeof *s->mark);
    /* The kernels look beyond the end: a block, and in the slots to the end of a word of marks. */
    s->slot = calloc(n + 64, sizeof *s->slot);
    s->present = malloc((n + SIMD_BLOCK) * sizeof *s->present);
    s->keys = malloc((n + SIMD_BLOCK) * sizeof *s->keys);
    s->payload = malloc(n * sizeof *s->payload);
    s->row_itself = malloc(n * sizeof *s->row_itself);
    s->sorted = malloc(n * sizeof *s->sorted);
    s->packed = malloc(n * sizeof *s->packed);
    s->packed_spare = malloc(n * sizeof *s->packed_spare);
    s->left_total = malloc(nclass * sizeof *s->left_total);
    s->right_total = malloc(nclass * sizeof *s->right_total);
    s->level_total = malloc(nclass * RRF_MAX_LEVELS * sizeof *s->level_total);
    s->moments = s->bag->response ? malloc(2 * n * sizeof *s->moments) : NULL;
    bool ready = s->profile && s->mark && s->slot && s->present && s->keys && s->payload && s->row_itself &&
                 s->sorted && s->packed && s->packed_spare && s->left_total && s->right_total && s->level_total;
    return ready && (s->moments || !s->bag->response) ? RRF_OK : RRF_ERR_MEMORY;
}

rrf_status splitter_init(splitter *s, const rrf_data *data, rrf_ranks *ranks, const bag *bag, const rrf_params *params,
                         const rrf_parallel_params *parallel, const int32_t *used, rrf_rng *rng, watch *watch)
{
    *s = (splitter){.data = data,
                    .ranks = ranks,
                    .bag = bag,
                    .nclass = bag->nclass,
                    .regularized = params->flag_reg == 1,
                    .quirks = params->quirks,
                    .packs = parallel ? ranks->ties == TIES_MERGED : counts_pack(bag->classwt, bag->nclass, params),
                    .parallel = parallel,
                    .rng = rng,
                    .watch = watch,
                    .simd = simd_best()};
    if (splitter_alloc(s)) {
        return RRF_ERR_MEMORY;
    }
    make_profiles(s, params);
    for (int row = 0; row < data->n; ++row) {
        s->row_itself[row] = (uint32_t)row;
    }
    rrf_status status = sorted_rows_init(&s->sorted_rows, data->p);
    return status || parallel ? status : candidates_init(&s->features, data->p, params->mtry, s->regularized, used);
}

void splitter_free(splitter *s)
{
    candidates_free(&s->features);
    sorted_rows_free(&s->sorted_rows);
    free(s->profile);
    free(s->mark);
    free(s->slot);
    free(s->present);
    free(s->keys);
    free(s->payload);
    free(s->row_itself);
    free(s->sorted);
    free(s->packed);
    free(s->packed_spare);
    free(s->wide_slot);
    free(s->moments);
    free(s->left_total);
    free(s->right_total);
    free(s->level_total);
    *s = (splitter){0};
}

/* Of equal splits the one with the highest priority stands. In RRF a factor's split never takes the place of an equal one,
 * and a number's does one time in two: between them the factor wins one time in four, as a cubed uniform does. */
static uint64_t priority_of(const splitter *s, int feature, uint32_t cut)
{
    uint64_t of_feature = splitmix_word(s->node_key, (uint64_t)feature << 1 | s->missing_left);
    uint64_t priority = splitmix_word(of_feature, cut);
    if (s->profile[feature].n_levels > 1) {
        double u = (double)(priority >> 11) * 0x1p-53;
        priority = (uint64_t)(u * u * u * 0x1p64);
    }
    return priority;
}

bool splitter_offer_parallel(splitter *s, double crit, int feature, uint32_t cut)
{
    if (!(crit >= s->best.crit) || (crit == s->best.crit && s->best.feature < 0)) {
        return false;
    }
    split offer = {.crit = crit,
                   .feature = feature,
                   .cut_rank = cut,
                   .levels = cut,
                   .missing_left = s->missing_left,
                   .priority = priority_of(s, feature, cut)};
    bool better = crit > s->best.crit;
    if (better || offer.priority > s->best.priority) {
        s->best = offer;
    }
    return better;
}

void splitter_offer_levels(splitter *s, double crit, int feature, uint32_t levels)
{
    if (s->parallel) {
        splitter_offer_parallel(s, crit, feature, levels);
    } else if (crit > s->best.crit) {
        s->best = (split){.crit = crit, .feature = feature, .levels = levels};
    }
}

bool splitter_offer(splitter *s, double crit, int feature, uint32_t cut_rank)
{
    if (s->parallel) {
        return splitter_offer_parallel(s, crit, feature, cut_rank);
    }
    bool better = crit > s->best.crit;
    if (better) {
        s->best.crit = crit;
        s->best.feature = feature;
        s->best.cut_rank = cut_rank;
        if (!s->quirks) {
            s->ntie = 1;
            return true;
        }
    }
    /* RRF asks for equality after it has taken a better split, so that the better split draws too. */
    if (crit == s->best.crit) {
        ++s->ntie;
        if (rng_uniform(s->rng) < (double)(1.0F / (float)s->ntie)) {
            s->best.feature = feature;
            s->best.cut_rank = cut_rank;
        }
    }
    return better;
}

/* Packed counts, as kernels.h describes them; zero for rows that are out of bag. */
static void pack_counts(splitter *s)
{
    const bag *b = s->bag;
    memset(s->payload, 0, (size_t)b->n * sizeof *s->payload);
    for (int i = 0; i < b->size; ++i) {
        uint32_t count = (uint32_t)b->count[b->rows[i]];
        s->payload[b->rows[i]] = b->y[b->rows[i]] == 0 ? count << 16 | count : count;
    }
}

/* Nodes with more cases than packed counts can hold need slots of their own. */
static rrf_status reserve_wide(splitter *s)
{
    if (s->parallel && s->bag->class_total[0] + s->bag->class_total[1] > MAX_PACKED && !s->wide_slot) {
        s->wide_slot = calloc((size_t)s->data->n, sizeof *s->wide_slot);
        return s->wide_slot ? RRF_OK : RRF_ERR_MEMORY;
    }
    return RRF_OK;
}

/* Without packed counts the payload says no more than that a row is in the tree. */
static void mark_rows(splitter *s)
{
    memset(s->payload, 0, (size_t)s->bag->n * sizeof *s->payload);
    for (int i = 0; i < s->bag->size; ++i) {
        s->payload[s->bag->rows[i]] = 1;
    }
}

static void copy_moments(splitter *s)
{
    const bag *b = s->bag;
    for (int i = 0; i < b->size; ++i) {
        int row = b->rows[i];
        s->moments[2 * (size_t)row] = b->weight[row];
        s->moments[2 * (size_t)row + 1] = b->weight[row] * b->response[row];
    }
}

rrf_status splitter_begin_tree(splitter *s)
{
    if (s->packs) {
        pack_counts(s);
        if (reserve_wide(s)) {
            return RRF_ERR_MEMORY;
        }
    } else if (s->parallel) {
        mark_rows(s);
    }
    if (s->moments) {
        copy_moments(s);
    }
    if (s->parallel) {
        return RRF_OK;
    }
    int n_members = 0;
    int32_t *members = s->features.touched;
    for (int feature = 0; feature < s->data->p; ++feature) {
        members[n_members] = feature;
        n_members += s->features.used[feature];
    }
    rrf_status status = sorted_rows_begin(s, members, s->regularized ? n_members : 0);
    if (!status) {
        sorted_rows_fill(s);
    }
    return status;
}

/* The keys of the feature that is likely to come next; a column may lie in memory far from the last one. */
static void fetch_ahead(const splitter *s)
{
    int feature = candidates_peek(&s->features, s->rng);
    if (feature >= 0) {
        __builtin_prefetch(s->profile + feature);
        ranks_fetch(s->ranks, feature);
    }
}

static void set_factor(splitter *s, const node_view *node, int feature, bool penalized)
{
    const feature_profile *profile = s->profile + feature;
    s->factor = penalized ? profile->penalty : 1.0;
    s->inverse = penalized ? profile->inverse : 1.0;
    if (penalized && s->parallel && s->parallel->use_depth) {
        s->factor = pow(profile->penalty, node->depth + 1);
        s->inverse = inverse_of(s->factor);
    }
}

void splitter_try(splitter *s, const node_view *node, int feature, bool penalized)
{
    set_factor(s, node, feature, penalized);
    if (s->profile[feature].n_levels == 1) {
        split_numeric(s, node, feature);
    } else {
        split_categorical(s, node, feature);
    }
}

rrf_status splitter_search(splitter *s, const node_view *node)
{
    int feature;
    rrf_status status = watch_work(s->watch, s->data->p);
    s->best = (split){.crit = -1.0e25F, .feature = -1};
    candidates_begin(&s->features);
    while (!status && (feature = candidates_next(&s->features, s->rng)) >= 0) {
        fetch_ahead(s);
        splitter_try(s, node, feature, !(s->regularized && s->features.used[feature]));
        status = watch_work(s->watch, node->size);
    }
    candidates_end(&s->features);
    return status;
}

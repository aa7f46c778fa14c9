/* The search for a node's best split, R's findbestsplit. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "internal.h"

static int64_t total_draws(const rrf_params *params)
{
    int64_t draws = 0;
    for (int s = 0; s < (params->strata ? params->nstrata : 1); ++s) {
        draws += params->sampsize[s];
    }
    return draws;
}

/* How far from 1.0 a class weight may lie and still be taken for it by the filters. R's own miss it by an ulp. */
#define NEAR 1.0e-14

/* Two classes whose counts the kernels can pack. */
static bool counts_pack(const double *classwt, int nclass, const rrf_params *params)
{
    bool near = nclass == 2 && fabs(classwt[0] - 1.0) < NEAR && fabs(classwt[1] - 1.0) < NEAR;
    return near && total_draws(params) <= MAX_PACKED;
}

bool ties_can_merge(const double *classwt, int nclass, const rrf_params *params)
{
    /* In unsupervised mode every value is tied, and which of the tied rows stands at a cut shows in the split point. */
    bool order_shows = params->add_class && params->quirks;
    return counts_pack(classwt, nclass, params) && weights_are_exact(classwt, nclass) && !order_shows;
}

/* Below this a coefficient's inverse could leave the range of a double. */
#define MIN_INVERTIBLE 1.0e-200

static void make_profiles(splitter *s, const rrf_params *params)
{
    for (int feature = 0; feature < s->data->p; ++feature) {
        double coef = params->coef_reg[feature];
        s->profile[feature] = (feature_profile){
            .penalty = coef, .inverse = coef > MIN_INVERTIBLE ? 1.0 / coef : 0.0, .n_levels = s->data->ncat[feature]};
    }
    splitter_read_columns(s);
}

void splitter_read_columns(splitter *s)
{
    for (int feature = 0; feature < s->data->p; ++feature) {
        s->profile[feature].n_keys = s->cols->n_keys[feature];
    }
}

rrf_status splitter_init(splitter *s, const rrf_data *data, columns *cols, const bag *bag, const rrf_params *params,
                         const int32_t *used, rrf_rng *rng, watch *watch)
{
    size_t n = (size_t)data->n, nclass = (size_t)bag->nclass;
    *s = (splitter){.data = data,
                    .cols = cols,
                    .bag = bag,
                    .nclass = bag->nclass,
                    .regularized = params->flag_reg == 1,
                    .quirks = params->quirks,
                    .packs = counts_pack(bag->classwt, bag->nclass, params),
                    .rng = rng,
                    .watch = watch,
                    .kernels = kernels_best()};
    s->profile = malloc((size_t)data->p * sizeof *s->profile);
    s->mark = calloc(n / 64 + 1, sizeof *s->mark);
    /* The kernels look beyond the end: a block, and in the slots to the end of a word of marks. */
    s->slot = calloc(n + 64, sizeof *s->slot);
    s->present = malloc((n + KERNEL_BLOCK) * sizeof *s->present);
    s->keys = malloc((n + KERNEL_BLOCK) * sizeof *s->keys);
    s->payload = malloc(n * sizeof *s->payload);
    s->row_itself = malloc(n * sizeof *s->row_itself);
    s->sorted = malloc(n * sizeof *s->sorted);
    s->packed = malloc(n * sizeof *s->packed);
    s->left_total = malloc(nclass * sizeof *s->left_total);
    s->right_total = malloc(nclass * sizeof *s->right_total);
    s->level_total = malloc(nclass * RRF_MAX_LEVELS * sizeof *s->level_total);
    if (!s->profile || !s->mark || !s->slot || !s->present || !s->keys || !s->payload || !s->row_itself || !s->sorted ||
        !s->packed || !s->left_total || !s->right_total || !s->level_total) {
        return RRF_ERR_MEMORY;
    }
    make_profiles(s, params);
    for (int row = 0; row < data->n; ++row) {
        s->row_itself[row] = (uint32_t)row;
    }
    rrf_status status = candidates_init(&s->features, data->p, params->mtry, s->regularized, params->native, used);
    return status ? status : streams_init(&s->streams, data->p);
}

void splitter_free(splitter *s)
{
    candidates_free(&s->features);
    streams_free(&s->streams);
    free(s->profile);
    free(s->mark);
    free(s->slot);
    free(s->present);
    free(s->keys);
    free(s->payload);
    free(s->row_itself);
    free(s->sorted);
    free(s->packed);
    free(s->left_total);
    free(s->right_total);
    free(s->level_total);
    *s = (splitter){0};
}

bool splitter_offer(splitter *s, double crit, int feature, uint32_t cut_key)
{
    bool better = crit > s->best.crit;
    if (better) {
        s->best.crit = crit;
        s->best.feature = feature;
        s->best.cut_key = cut_key;
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
            s->best.cut_key = cut_key;
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

rrf_status splitter_begin_tree(splitter *s)
{
    if (s->packs) {
        pack_counts(s);
    }
    return streams_begin(s);
}

/* The keys of the feature that is likely to come next; a column may lie in memory far from the last one. */
static void fetch_ahead(const splitter *s)
{
    int feature = candidates_peek(&s->features, s->rng);
    if (feature >= 0) {
        __builtin_prefetch(s->profile + feature);
        columns_fetch(s->cols, feature);
    }
}

rrf_status splitter_search(splitter *s, const node_view *node)
{
    int feature;
    rrf_status status = watch_work(s->watch, s->data->p);
    /* Of classes any split will do, as in R; of numbers one that explains something. */
    s->best = (split){.crit = s->bag->response ? 0.0 : -1.0e25F, .feature = -1};
    candidates_begin(&s->features, s->rng);
    while (!status && (feature = candidates_next(&s->features, s->rng)) >= 0) {
        fetch_ahead(s);
        if (s->profile[feature].n_levels == 1) {
            split_numeric(s, node, feature);
        } else {
            split_categorical(s, node, feature);
        }
        status = watch_work(s->watch, node->size);
    }
    candidates_end(&s->features);
    return status;
}

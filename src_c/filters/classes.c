/* The search for splits with filters, and the choice of filters for a feature. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#include "filters/classes.h"
#include "filters/columns/coarse_ranks.h"
#include "filters/columns/few_values.h"
#include "filters/columns/rare_values.h"
#include "filters/counts/class_bins.h"
#include "filters/counts/class_counts.h"
#include "filters/counts/criteria.h"
#include "filters/counts/split_classes.h"
#include "filters/counts/split_coarse.h"
#include "filters/counts/split_rare.h"
#include "filters/counts/split_two_class.h"
#include "filters/counts/split_values.h"
#include "filters/lanes/lanes.h"
#include "params.h"
#include "tree/splitter.h"

/* ---- whether classes are counted --------------------------------------------------------------------------------------- */

/* Largest number of cases for which sums of squares are whole numbers that a double holds. */
enum { MAX_EXACT = 1 << 26 };

/* Returns whether class weights are 1.0 or near it, and draws are few enough for exact sums. */
static bool counts_pack(const double *classwt, int nclass, const rrf_params *params)
{
    bool near = true;
    int64_t draws = 0;
    for (int k = 0; k < nclass; ++k) {
        near = near && is_near_one(classwt[k]);
    }
    for (int s = 0; s < (params->strata ? params->nstrata : 1); ++s) {
        draws += params->sampsize[s];
    }
    return near && (nclass == 2 ? draws <= MAX_EXACT : class_counts_fit(nclass, draws));
}

bool merge_ties(const double *classwt, int nclass, const rrf_params *params)
{
    /* Not in unsupervised mode, where every value is tied and the split point depends on which of the tied rows is next
     * to the cut. */
    bool order_shows = params->add_class && has_slips_of_rrf(params);
    return counts_pack(classwt, nclass, params) && !order_shows;
}

/* ---- a fit ------------------------------------------------------------------------------------------------------------- */

static void choose_counts(filter_input *f, const search_input *in)
{
    bool merged = in->ranks->kind.ties == TIES_MERGED;
    f->counts = count_criterion_of(in->criterion);
    f->squares = f->counts && f->counts->sums_squares;
    bool packs =
        f->counts && (in->rule->leaves_sorted ? counts_pack(in->bag->classwt, in->nclass, in->params) : merged);
    f->two_classes = packs && in->nclass == 2;
    f->several = packs && in->nclass > 2;
    f->ordered = !merged || (!FILTER_COUNTS && f->squares);
}

/* Size of ranks that stay in the processor's cache, in bytes; fetching more ahead takes longer than waiting for them. */
enum { MAX_CACHED = 1 << 21 };

static bool ranks_are_far(const rrf_ranks *ranks)
{
    return (size_t)ranks->n * (size_t)ranks->p * rank_width(ranks) > MAX_CACHED;
}

rrf_status filter_input_init(search_input *in, arena *memory)
{
    filter_input *f;
    TAKE_ZEROS(memory, f, 1);
    in->filter = f;
    if (!f) {
        return RRF_ERR_MEMORY;
    }
    f->simd = simd_best();
    choose_counts(f, in);
    tabulate_logarithms(f, in, memory);
    in->fetches = !in->rule->leaves_sorted || ranks_are_far(in->ranks);
    TAKE(memory, f->payload, in->data->n);
    if (in->criterion->n_moments) {
        TAKE(memory, f->inverse, MAX_INVERSE + 1);
    }
    for (int k = 0; f->inverse && k <= MAX_INVERSE; ++k) {
        f->inverse[k] = k ? 1.0 / k : 0.0;
    }
    /* R's sums depend on the order of rows with equal values, which share a rank. */
    if (in->rule->leaves_sorted && !in->bag->exact && in->ranks->kind.ties == TIES_MERGED) {
        TAKE(memory, f->like_r, 1);
        f->ordered = true;
        if (!f->like_r || order_like_r_init(f->like_r, in->ranks, memory)) {
            return RRF_ERR_MEMORY;
        }
    }
    rrf_status status = sorted_rows_init(&f->sorted_rows, in->ranks, f->like_r, f->simd, memory);
    return status ? status : arena_status(memory);
}

void filter_read_ranks(search_input *in)
{
    if (in->filter->like_r) {
        order_like_r_forget(in->filter->like_r);
    }
    for (int feature = 0; feature < in->data->p; ++feature) {
        const void **view = in->profile[feature].view;
        view[0] = in->ranks->filter->packed ? in->ranks->filter->packed[feature] : NULL;
        view[1] = coarse_column(in->ranks, feature);
    }
}

/* ---- the rows of a tree ------------------------------------------------------------------------------------------------ */

/* Packs counts as simd.h describes. */
static void pack_two_classes(filter_input *f, const bag *b)
{
    int32_t most = 1;
    for (int i = 0; i < b->size; ++i) {
        int32_t count = b->count[b->rows[i]];
        uint32_t cases = (uint32_t)count;
        f->payload[b->rows[i]] = b->y[b->rows[i]] == 0 ? cases << 16 | cases : cases;
        most = count > most ? count : most;
    }
    f->rows_pack = UINT16_MAX / most;
}

static rrf_status pack_classes(filter_input *f, const bag *b)
{
    bool fit = true;
    for (int i = 0; i < b->size; ++i) {
        int row = b->rows[i];
        fit = fit && b->count[row] <= MAX_DRAWS;
        f->payload[row] = (uint32_t)b->count[row] << CLASS_BITS | (uint32_t)b->y[row];
    }
    return fit ? RRF_OK : RRF_ERR_ARGUMENT;
}

rrf_status filter_begin_bag(search_input *in)
{
    filter_input *f = in->filter;
    const bag *b = in->bag;
    memset(f->payload, 0, (size_t)b->n * sizeof *f->payload);
    if (f->several) {
        return pack_classes(f, b);
    }
    if (f->two_classes) {
        pack_two_classes(f, b);
        return RRF_OK;
    }
    /* Without packed counts the payload only marks rows of the tree. */
    for (int i = 0; i < b->size; ++i) {
        f->payload[b->rows[i]] = 1;
    }
    return RRF_OK;
}

/* ---- a thread's scratch ------------------------------------------------------------------------------------------------ */

static void bins_init(filter_scratch *own, const search_input *in, arena *memory)
{
    TAKE(memory, own->bin, in->data->n);
    TAKE(memory, own->most, in->data->p);
    if (in->criterion->n_moments) {
        own->value_bins = value_bins_new(in->data->n, memory);
    } else if (own->classes) {
        own->class_bins = class_bins_new(in, memory);
    } else {
        own->coarse = coarse_bins_new(memory);
    }
}

rrf_status filter_scratch_init(splitter *s)
{
    const search_input *in = s->in;
    arena *memory = s->memory;
    filter_scratch *own;
    size_t n = (size_t)in->data->n;
    TAKE_ZEROS(memory, own, 1);
    if (!own) {
        return RRF_ERR_MEMORY;
    }
    s->filter = own;
    own->splitter = s;
    /* The SIMD loops read beyond the end: by a block, and in slots to the end of a word of marks. */
    TAKE_ZEROS(memory, own->mark, n / 64 + 1);
    TAKE_ZEROS(memory, own->slot, n + 64);
    TAKE(memory, own->present, n + SIMD_BLOCK);
    TAKE(memory, own->present_rank, n + SIMD_BLOCK);
    TAKE(memory, own->node_of, n);
    own->classes = class_counts_new(in, memory);
    if (in->ranks->filter->coarse) {
        bins_init(own, in, memory);
    }
    if (in->criterion->n_moments) {
        values_init(&own->values, in->data->n, memory);
    }
    return arena_status(memory) ? RRF_ERR_MEMORY : lanes_init(s);
}

/* In a regularized forest of engine r the candidates of every node include F, so the rows are kept sorted by its
 * features. */
static rrf_status list_members(splitter *s, const int32_t *members, int n_members)
{
    filter_input *f = s->in->filter;
    rrf_status status = sorted_rows_begin(&f->sorted_rows, members, n_members, s->in->bag->size, s->watch);
    f->listed[0] = !status && sorted_rows_fill(&f->sorted_rows, f->payload);
    return status;
}

rrf_status filter_begin_tree(splitter *s, const int32_t *members, int n_members)
{
    const search_input *in = s->in;
    filter_scratch *own = s->filter;
    rrf_status status = RRF_OK;
    rare_begin_tree(own, in->ranks);
    if (own->value_bins) {
        value_bins_begin_tree(own->value_bins);
    }
    if (own->classes) {
        class_counts_forget(own->classes);
    } else if (in->filter->two_classes) {
        status = node_rows_begin_tree(&own->node_rows, in->ranks, in->bag, s->memory);
    }
    sorted_rows_end(&in->filter->sorted_rows);
    in->filter->listed[0] = false;
    if (!status && members && in->rule->leaves_sorted) {
        status = list_members(s, members, n_members);
    }
    return status || !members ? status : lanes_begin_tree(s, members, n_members);
}

void filter_begin_node(splitter *s, const node_view *node)
{
    s->filter->incumbent.margin = 0.0;
    s->filter->listed = s->in->filter->listed[node->number];
    if (s->in->filter->two_classes) {
        s->filter->scale = s->in->filter->counts->two_class_scale(node);
    }
}

/* ---- a feature ----------------------------------------------------------------------------------------------------------- */

/* Compares cuts by whole numbers, which approximate R's inexact sums. True if the feature must be evaluated as R does. */
static bool remains_in_doubt(const scan *c)
{
    if (!FILTER_COUNTS) {
        incumbent_settle(c->own->splitter, c->node);
        return true;
    }
    incumbent_begin(c);
    bool doubt = (c->own->classes ? class_counts_scan : two_class_scan)(c, true);
    if (doubt) {
        incumbent_give_up(c);
    } else {
        incumbent_take(c);
    }
    return doubt;
}

bool split_counted(splitter *s, const node_view *node, column *column)
{
    const filter_input *f = s->in->filter;
    bool numbers = s->in->criterion->n_moments > 0;
    if (!f->several && !f->two_classes && !numbers) {
        return false;
    }
    scan c = scan_begin(s, node, column);
    if (f->ordered) {
        return !remains_in_doubt(&c);
    }
    if (rare_split(&c)) {
        return true;
    }
    if (numbers) {
        values_split(&c);
    } else {
        (c.own->classes ? class_counts_scan : two_class_scan)(&c, false);
    }
    return true;
}

bool try_member(splitter *s, const node_view *node, int feature)
{
    lanes_answer answer = lanes_try(s, node, feature);
    if (answer == LANES_FOUND) {
        column c = splitter_column(s->in, node, feature, true);
        incumbent_settle(s, node);
        splitter_scan(s, node, &c);
    }
    return answer != LANES_UNKNOWN;
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

/* Bytes of a column that are prefetched; the processor itself prefetches the rest of a long one. */
enum { FETCHED = 512, CACHE_LINE = 64 };

static void fetch(const void *start, size_t bytes)
{
    for (size_t at = 0; at < bytes && at < FETCHED; at += CACHE_LINE) {
        __builtin_prefetch((const char *)start + at);
    }
}

/* Prefetches its column. */
void fetch_column(const splitter *s, const node_view *node, int feature)
{
    const rrf_ranks *ranks = s->in->ranks;
    const rare_values *rare = ranks_rare(ranks, feature);
    size_t n = (size_t)ranks->n, width = rank_width(ranks);
    if (!s->in->fetches || (node && lanes_serve(s, node, feature))) {
        return;
    }
    __builtin_prefetch(s->in->profile + feature);
    if (ranks_are_few(ranks, feature)) {
        bool planes = ranks_are_planes(ranks, feature);
        fetch(ranks->filter->packed[feature], planes ? (size_t)plane_words(ranks->n) * 16 : n);
    } else if (rare) {
        __builtin_prefetch(rare);
    } else {
        fetch((const char *)ranks->rank + (size_t)feature * n * width, n * width);
    }
}

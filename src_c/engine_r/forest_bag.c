/* The bags of a classification forest of CRAN randomForest, in the order of its classRF.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_r/forest_bag.h"

/* A bag of one class is drawn again so many times. */
enum { MAX_DRAWN_AGAIN = 30 };

rrf_status forest_bag_init(case_draws *cases, const bag *b, const rrf_params *params)
{
    return params->case_weight ? case_draws_init(cases, b->n, params->case_weight, b->stratum_rows) : RRF_OK;
}

/* Adds `draws` of the n rows from `first` on; with strata the rows stand stratum by stratum. */
static rrf_status draw_rows(bag *b, case_draws *cases, int first, int n, int draws, const rrf_params *params,
                            rrf_rng *rng, watch *w)
{
    const int32_t *rows = b->stratum_rows ? b->stratum_rows + first : NULL;
    if (!params->case_weight) {
        return bag_draw_from(b, rows, n, draws, params->replace, rng, w);
    }
    rrf_status status = RRF_OK;
    case_draws_begin(cases, first, n);
    for (int i = 0; !status && i < draws; ++i) {
        int row = case_draws_next(cases, params->replace, rng);
        bag_add(b, rows ? rows[row] : row);
        status = watch_work(w, case_draws_work(cases, params->replace));
    }
    return status;
}

static bool holds_two_classes(const bag *b)
{
    int n_held = 0;
    for (int k = 0; k < b->nclass; ++k) {
        n_held += b->class_total[k] != 0.0;
    }
    return n_held >= 2;
}

static rrf_status draw_plain(bag *b, case_draws *cases, const rrf_params *params, rrf_rng *rng, watch *w)
{
    for (int i = 0; i <= MAX_DRAWN_AGAIN; ++i) {
        bag_clear(b);
        rrf_status status = draw_rows(b, cases, 0, b->n, params->sampsize[0], params, rng, w);
        if (status || holds_two_classes(b)) {
            return status;
        }
    }
    return RRF_ERR_ONE_CLASS;
}

/* The weights of a stratum are scaled anew for each bag, which may change them by an ulp. */
static rrf_status draw_stratified(bag *b, case_draws *cases, const rrf_params *params, rrf_rng *rng, watch *w)
{
    rrf_status status = RRF_OK;
    bag_clear(b);
    for (int s = 0; !status && s < params->nstrata; ++s) {
        int first = b->stratum_start[s], n = b->stratum_start[s + 1] - first;
        if (params->case_weight) {
            case_draws_scale(cases, first, n);
        }
        status = draw_rows(b, cases, first, n, params->sampsize[s], params, rng, w);
    }
    return status;
}

rrf_status forest_bag_draw(bag *b, case_draws *cases, const rrf_params *params, rrf_rng *rng, watch *w)
{
    rrf_status status = (params->strata ? draw_stratified : draw_plain)(b, cases, params, rng, w);
    bag_list(b);
    return status;
}

/* The bags of a classification forest of CRAN randomForest, in the order of its classRF.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "r/forest_bag.h"

/* A bag of one class is drawn again so many times. */
enum { MAX_DRAWN_AGAIN = 30 };

rrf_status forest_bag_init(case_draws *cases, const bag *b, const rrf_params *params)
{
    return params->case_weight ? case_draws_init(cases, b->n, params->case_weight, b->stratum_rows) : RRF_OK;
}

/* Adds `draws` of the n rows from `first` on; with strata the rows stand stratum by stratum. */
static void draw_rows(bag *b, case_draws *cases, int first, int n, int draws, const rrf_params *params, rrf_rng *rng)
{
    const int32_t *rows = b->stratum_rows ? b->stratum_rows + first : NULL;
    if (!params->case_weight) {
        bag_draw_from(b, rows, n, draws, params->replace, rng);
        return;
    }
    case_draws_begin(cases, first, n);
    for (int i = 0; i < draws; ++i) {
        int row = case_draws_next(cases, params->replace, rng);
        bag_add(b, rows ? rows[row] : row);
    }
}

static bool holds_two_classes(const bag *b)
{
    int n_held = 0;
    for (int k = 0; k < b->nclass; ++k) {
        n_held += b->class_total[k] != 0.0;
    }
    return n_held >= 2;
}

static bool draw_plain(bag *b, case_draws *cases, const rrf_params *params, rrf_rng *rng)
{
    for (int i = 0; i <= MAX_DRAWN_AGAIN; ++i) {
        bag_clear(b);
        draw_rows(b, cases, 0, b->n, params->sampsize[0], params, rng);
        if (holds_two_classes(b)) {
            return true;
        }
    }
    return false;
}

/* The weights of a stratum are scaled anew for each bag, which may change them by an ulp. */
static void draw_stratified(bag *b, case_draws *cases, const rrf_params *params, rrf_rng *rng)
{
    bag_clear(b);
    for (int s = 0; s < params->nstrata; ++s) {
        int first = b->stratum_start[s], n = b->stratum_start[s + 1] - first;
        if (params->case_weight) {
            case_draws_scale(cases, first, n);
        }
        draw_rows(b, cases, first, n, params->sampsize[s], params, rng);
    }
}

rrf_status forest_bag_draw(bag *b, case_draws *cases, const rrf_params *params, rrf_rng *rng)
{
    bool drawn = true;
    if (params->strata) {
        draw_stratified(b, cases, params, rng);
    } else {
        drawn = draw_plain(b, cases, params, rng);
    }
    bag_list(b);
    return drawn ? RRF_OK : RRF_ERR_ONE_CLASS;
}

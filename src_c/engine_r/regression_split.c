/* Finds the split with the largest decrease of the sum of squares of a node. SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_r/regression_split.h"
#include "data/sort_like_r.h"
#include "tree/penalty.h"

rrf_status regression_search_init(regression_search *s, const regression_input *in, const rrf_params *params,
                                  const int32_t *used, rrf_rng *rng, arena *memory)
{
    *s = (regression_search){.in = *in, .rng = rng};
    TAKE(memory, s->drawn, in->data->p);
    TAKE(memory, s->sorted.value, in->bag->size);
    TAKE(memory, s->sorted.index, in->bag->size);
    rrf_status status = candidates_init(&s->features, in->data->p, params, used, memory);
    /* R's regression draws mtry of all features, members of F or not. */
    s->features.members_join = s->features.shuffles_all = false;
    return status;
}

/* CRAN RRF's regression ignores coefReg with flagReg = 0. The intended rule is that of a guided forest, in which
 * coefReg applies to every feature. */
double regression_penalty(const regression_input *in, const feature_set *f, int feature)
{
    bool ignored = in->random_forest || (in->quirks && !in->flag_reg);
    return !ignored && is_penalized(in->flag_reg, f->has[feature]) ? in->coef_reg[feature] : 1.0;
}

/* ---- the order of the cases ------------------------------------------------------------------------------------------ */

void find_level_means(const regression_input *in, const regression_node *node, int feature, double *mean)
{
    double sum[RRF_MAX_PACKED] = {0.0};
    int count[RRF_MAX_PACKED] = {0};
    for (int i = 0; i < node->size; ++i) {
        uint32_t level = rank_of(in->ranks, feature, node->cases[i].row);
        sum[level] += node->cases[i].y;
        ++count[level];
    }
    for (int level = 0; level < in->data->ncat[feature]; ++level) {
        mean[level] = count[level] ? sum[level] / count[level] : 0.0;
    }
}

void sort_cases(const regression_input *in, const regression_node *node, int feature, sorted_cases *sorted)
{
    const double *x = in->data->x + (size_t)feature * (size_t)in->data->n;
    bool factor = is_factor(in->data, feature);
    if (factor) {
        find_level_means(in, node, feature, sorted->level_mean);
    }
    for (int i = 0; i < node->size; ++i) {
        int row = node->cases[i].row;
        sorted->value[i] = factor ? sorted->level_mean[rank_of(in->ranks, feature, row)] : x[row];
        sorted->index[i] = i;
    }
    sort_like_r(sorted->value, sorted->index, node->size);
}

/* ---- the best cut ---------------------------------------------------------------------------------------------------- */

int scan_gaps(const sorted_cases *sorted, const regression_node *node, double factor, split_bar *bar)
{
    cut_sums sum = {0.0, node->sum};
    int best = -1; /* R's nbest */
    for (int i = 0; i < node->size - 1; ++i) {
        double y = node->cases[sorted->index[i]].y;
        sum.left += y;
        sum.right -= y;
        if (sorted->value[i] < sorted->value[i + 1] && beats(bar, penalized(factor, cut_decrease(node, sum, i + 1)))) {
            best = i;
        }
    }
    return best;
}

void find_best_split(regression_search *s, const regression_node *node)
{
    const regression_input *in = &s->in;
    const sorted_cases *sorted = &s->sorted;
    split_bar bar = {.n_ties = 1, .draws = in->random_forest ? s->rng : NULL};
    double point = 0.0; /* R's ubestt, which may keep its value from the feature before */
    s->best.feature = -1;
    candidates_begin(&s->features);
    for (int turn = 0; turn < in->mtry; ++turn) {
        int feature = s->drawn[turn] = candidates_next(&s->features, s->rng);
        sort_cases(in, node, feature, &s->sorted);
        if (sorted->value[0] >= sorted->value[node->size - 1]) {
            continue;
        }
        split_bar of_cuts = {.n_ties = 1, .draws = bar.draws};
        int cut = scan_gaps(sorted, node, regression_penalty(in, &s->features.f, feature), &of_cuts);
        point = cut >= 0 ? point_after(sorted, cut) : point;
        if (beats(&bar, of_cuts.crit)) {
            s->best.feature = feature;
            s->best.point = point;
            memcpy(s->best.level_mean, sorted->level_mean, sizeof sorted->level_mean);
        }
    }
    candidates_end(&s->features);
    s->best.crit = bar.crit;
}

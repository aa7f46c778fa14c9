/* Grows one tree of the regression oracle. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/sort_like_r.h"
#include "random/mersenne.h"
#include "oracle.h"
#include "regression_oracle_tree.h"

static double x_of(const reg_oracle *o, int feature, int the_case)
{
    return o->data->x[(size_t)feature * (size_t)o->data->n + (size_t)o->draw[the_case]];
}

static double y_of(const reg_oracle *o, int the_case)
{
    return o->response[o->draw[the_case]];
}

static double mean_of(const reg_oracle *o, int start, int size)
{
    double mean = 0.0;
    for (int i = 0; i < size; ++i) {
        mean = (i * mean + y_of(o, o->order[start + i])) / (i + 1);
    }
    return mean;
}

static double factor_of(const reg_oracle *o, int feature)
{
    if (o->params->random_forest) {
        return 1.0;
    }
    if (o->params->flag_reg) {
        return o->used[feature] ? 1.0 : o->params->coef_reg[feature];
    }
    return o->params->quirks ? 1.0 : o->params->coef_reg[feature];
}

/* ---- one node -------------------------------------------------------------------------------------------------------- */

static void set_values(reg_oracle *o, int node, int feature, double mean[RRF_MAX_PACKED])
{
    double sum[RRF_MAX_PACKED] = {0};
    int count[RRF_MAX_PACKED] = {0}, start = o->start[node], size = o->size[node];
    for (int i = 0; i < size; ++i) {
        o->value[i] = x_of(o, feature, o->order[start + i]);
        if (o->data->ncat[feature] > 1) {
            sum[(int)o->value[i] - 1] += y_of(o, o->order[start + i]);
            ++count[(int)o->value[i] - 1];
        }
    }
    for (int level = 0; level < o->data->ncat[feature] && o->data->ncat[feature] > 1; ++level) {
        mean[level] = count[level] ? sum[level] / count[level] : 0.0;
    }
    for (int i = 0; i < size && o->data->ncat[feature] > 1; ++i) {
        o->value[i] = mean[(int)o->value[i] - 1];
    }
}

/* Whether the cut wins within its feature; randomForest draws for a new best, too. */
static bool cut_wins(reg_oracle *o, double crit, double *best_here, int *n_ties)
{
    if (!o->params->random_forest) {
        bool better = crit > *best_here;
        *best_here = better ? crit : *best_here;
        return better;
    }
    bool wins = false;
    if (crit > *best_here) {
        *best_here = crit;
        *n_ties = 1;
        wins = true;
    }
    if (crit == *best_here) {
        ++*n_ties;
        wins = rng_uniform(o->rng) < 1.0 / *n_ties || wins;
    }
    return wins;
}

/* The same for a feature. */
static bool feature_wins(reg_oracle *o, double best_here)
{
    return cut_wins(o, best_here, &o->best_crit, &o->n_ties);
}

static void try_feature(reg_oracle *o, int node, int feature)
{
    double mean[RRF_MAX_PACKED] = {0}, best_here = 0.0;
    int start = o->start[node], size = o->size[node], n_ties = 1;
    double node_sum = size * o->t.prediction[node], left = 0.0, right = node_sum;
    set_values(o, node, feature, mean);
    memcpy(o->sorted, o->value, (size_t)size * sizeof *o->sorted);
    for (int i = 0; i < size; ++i) {
        o->place[i] = i;
    }
    sort_like_r(o->sorted, o->place, size);
    if (!(o->sorted[0] < o->sorted[size - 1])) {
        return;
    }
    for (int i = 0; i < size - 1; ++i) {
        double y = y_of(o, o->order[start + o->place[i]]);
        left += y;
        right -= y;
        double crit = left * left / (i + 1) + right * right / (size - 1 - i) - node_sum * node_sum / size;
        crit = factor_of(o, feature) * crit;
        if (o->sorted[i] < o->sorted[i + 1] && cut_wins(o, crit, &best_here, &n_ties)) {
            o->kept_point = (o->sorted[i] + o->sorted[i + 1]) / 2.0;
        }
    }
    if (feature_wins(o, best_here)) {
        o->best_feature = feature;
        o->best_point = o->kept_point;
        memcpy(o->best_mean, mean, sizeof mean);
        memcpy(o->best_value, o->value, (size_t)size * sizeof *o->value);
    }
}

static void search(reg_oracle *o, int node)
{
    int p = o->data->p, *left = oracle_alloc((size_t)p, sizeof *left);
    for (int feature = 0; feature < p; ++feature) {
        left[feature] = feature;
    }
    o->best_crit = o->kept_point = 0.0;
    o->best_feature = -1;
    o->n_ties = 1;
    for (int i = 0; i < o->params->mtry; ++i) {
        int at = rng_below(o->rng, p - i), feature = left[at];
        left[at] = left[p - 1 - i];
        try_feature(o, node, feature);
    }
    free(left);
}

/* The range of the node, the left side first; returns the cases on the left. */
static int divide(reg_oracle *o, int node)
{
    int start = o->start[node], size = o->size[node], n_left = 0, at = 0;
    int *old = oracle_alloc((size_t)size, sizeof *old), *range = o->order + start;
    memcpy(old, range, (size_t)size * sizeof *old);
    for (int i = 0; i < size; ++i) {
        n_left += o->best_value[i] <= o->best_point;
    }
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < size; ++i) {
            if ((o->best_value[i] > o->best_point) == side) {
                range[at++] = old[i];
            }
        }
    }
    o->degenerate += n_left == 0 || n_left == size;
    if (n_left == 0) {
        /* The place of the lowest value of the last feature is taken for a case, and the last case drops out. */
        memmove(range + 1, range, (size_t)(size - 1) * sizeof *range);
        range[0] = start + o->place[0];
        n_left = 1;
    }
    free(old);
    return n_left == size ? size - 1 : n_left;
}

static void add_node(reg_oracle *o, int start, int size)
{
    int node = o->t.size++;
    o->start[node] = start;
    o->size[node] = size;
    o->t.prediction[node] = mean_of(o, start, size);
    o->t.status[node] = RRF_TERMINAL;
    o->t.left[node] = o->t.split_var[node] = 0;
    o->t.split_point[node] = 0.0;
}

static void split_node(reg_oracle *o, int node)
{
    int feature = o->best_feature, start = o->start[node], size = o->size[node];
    double levels = 0.0;
    oracle_enter(o->params, o->data->p, feature, o->used);
    o->used_in_tree[feature] = true;
    o->decrease[feature] += o->best_crit;
    for (int level = 0; level < o->data->ncat[feature]; ++level) {
        levels += o->best_mean[level] < o->best_point ? ldexp(1.0, level) : 0.0;
    }
    o->t.split_var[node] = feature + 1;
    o->t.split_point[node] = o->data->ncat[feature] > 1 ? levels : o->best_point;
    o->t.left[node] = o->t.size + 1;
    o->t.status[node] = RRF_INTERIOR_REGRESS;
    int n_left = divide(o, node);
    add_node(o, start, n_left);
    add_node(o, start + n_left, size - n_left);
}

void regression_oracle_grow(reg_oracle *o)
{
    memset(o->used_in_tree, 0, (size_t)o->data->p);
    for (int i = 0; i < o->m; ++i) {
        o->order[i] = i;
    }
    o->t.size = 0;
    add_node(o, 0, o->m);
    for (int node = 0; node < o->t.size && o->t.size + 2 <= o->params->max_nodes; ++node) {
        if (node == 0 || o->size[node] > o->params->nodesize) {
            search(o, node);
            if (o->best_feature >= 0) {
                split_node(o, node);
            }
        }
    }
    for (int node = 0; !o->params->quirks && node < o->t.size; ++node) {
        o->t.prediction[node] += o->location;
    }
}

/* ---- the bag --------------------------------------------------------------------------------------------------------- */

/* A row by weights: the last one up to whose boundary u reaches. Without replacement the others are scaled up. */
static int draw_weighted(reg_oracle *o, double *weight)
{
    double u = rng_uniform(o->rng), boundary = 0.0;
    int row = 0;
    for (int i = 0; i < o->data->n - 1; ++i) {
        boundary += weight[i];
        row = u >= boundary ? i + 1 : row;
    }
    double rest = 1.0 - weight[row];
    for (int i = 0; i < o->data->n && !o->params->replace; ++i) {
        weight[i] = (i == row ? 0.0 : weight[i]) / rest;
    }
    return row;
}

void regression_oracle_draw_bag(reg_oracle *o)
{
    int n = o->data->n, *left = oracle_alloc((size_t)n, sizeof *left);
    double *weight = oracle_alloc((size_t)n, sizeof *weight);
    for (int row = 0; row < n; ++row) {
        left[row] = row;
        weight[row] = o->params->case_weight ? o->params->case_weight[row] : 0.0;
    }
    memset(o->inbag, 0, (size_t)n * sizeof *o->inbag);
    for (int i = 0; i < o->m; ++i) {
        if (o->params->case_weight) {
            o->draw[i] = draw_weighted(o, weight);
        } else {
            int last = o->params->replace ? n - 1 : n - 1 - i, at = rng_below(o->rng, last + 1);
            o->draw[i] = left[at];
            left[at] = o->params->replace ? left[at] : left[last];
        }
        ++o->inbag[o->draw[i]];
    }
    free(left);
    free(weight);
}

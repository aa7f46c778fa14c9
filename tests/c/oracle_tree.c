/* One tree of the oracle. SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/matrix.h"
#include "data/sort_like_r.h"
#include "random/mersenne.h"
#include "tree/apply.h"
#include "oracle.h"

void *oracle_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        perror("oracle");
        exit(2);
    }
    return memory;
}

static int32_t *sorted_rows(const rrf_data *data, int feature)
{
    double *values = oracle_alloc((size_t)data->n, sizeof *values);
    int32_t *rows = oracle_alloc((size_t)data->n, sizeof *rows);
    for (int row = 0; row < data->n; ++row) {
        values[row] = data->x[(size_t)feature * (size_t)data->n + (size_t)row];
        rows[row] = row;
    }
    sort_like_r(values, rows, data->n);
    free(values);
    return rows;
}

void oracle_sort(oracle *o)
{
    for (int feature = 0; feature < o->data->p; ++feature) {
        free(o->order[feature]);
        o->order[feature] = o->data->ncat[feature] == 1 ? sorted_rows(o->searched, feature) : NULL;
    }
}

void oracle_enter(const rrf_params *params, int p, int feature, int32_t *used)
{
    const int32_t *group = params->feature_group;
    for (int other = 0; other < p; ++other) {
        used[other] |= other == feature || (group && group[other] == group[feature]);
    }
}

void oracle_enter_all(const rrf_params *params, int p, int32_t *used)
{
    for (int feature = 0; feature < p; ++feature) {
        if (used[feature]) {
            oracle_enter(params, p, feature, used);
        }
    }
}

void oracle_init(oracle *o, const rrf_data *data, const int32_t *y, int nclass, const rrf_params *params, rrf_rng *rng,
                 rrf_class_result *result)
{
    size_t n = (size_t)data->n, p = (size_t)data->p;
    *o = (oracle){.data = data, .searched = data, .y = y, .nclass = nclass, .params = params, .rng = rng};
    o->classwt = result->classwt;
    o->used = result->used;
    oracle_enter_all(params, data->p, o->used);
    o->decrease = result->decrease;
    o->order = oracle_alloc(p, sizeof *o->order);
    o->count = oracle_alloc(n, sizeof *o->count);
    o->weight = oracle_alloc(n, sizeof *o->weight);
    o->bag_total = oracle_alloc((size_t)nclass, sizeof *o->bag_total);
    o->chance = params->case_weight ? oracle_alloc(n, sizeof *o->chance) : NULL;
    for (size_t row = 0; o->chance && row < n; ++row) {
        o->chance[row] = params->case_weight[row];
    }
    o->in_node = oracle_alloc(n, sizeof *o->in_node);
    o->used_in_tree = oracle_alloc(p, sizeof *o->used_in_tree);
    o->node_capacity = 2 * data->n + 1;
    o->node = oracle_alloc((size_t)o->node_capacity, sizeof *o->node);
    oracle_sort(o);
}

static void clear_tree(oracle *o)
{
    for (int i = 0; i < o->n_nodes; ++i) {
        free(o->node[i].rows);
        free(o->node[i].total);
    }
    o->n_nodes = 0;
    memset(o->used_in_tree, 0, (size_t)o->data->p * sizeof *o->used_in_tree);
}

void oracle_free(oracle *o)
{
    clear_tree(o);
    for (int feature = 0; feature < o->data->p; ++feature) {
        free(o->order[feature]);
    }
    free(o->order);
    free(o->count);
    free(o->weight);
    free(o->bag_total);
    free(o->chance);
    free(o->in_node);
    free(o->used_in_tree);
    free(o->node);
}

static double value_at(const rrf_data *data, int feature, int row)
{
    return data->x[(size_t)feature * (size_t)data->n + (size_t)row];
}

/* ---- the split search ------------------------------------------------------------------------------------------------ */

typedef struct choice {
    double crit;
    int feature;  /* -1: none */
    int n_left;   /* numeric: the first rows by value */
    double point; /* as the forest records it */
    uint64_t levels;
} choice;

/* The node's rows by value, in the order that R's sort of the whole column gave them. */
static int32_t *rows_by_value(oracle *o, const oracle_node *node, int feature)
{
    int32_t *rows = oracle_alloc((size_t)node->n_rows, sizeof *rows);
    int at = 0;
    for (int i = 0; i < node->n_rows; ++i) {
        o->in_node[node->rows[i]] = true;
    }
    for (int i = 0; i < o->data->n; ++i) {
        int row = o->order[feature][i];
        if (o->in_node[row]) {
            rows[at++] = row;
        }
    }
    for (int i = 0; i < node->n_rows; ++i) {
        o->in_node[node->rows[i]] = false;
    }
    return rows;
}

static double sum_of(const double *values, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += values[k];
    }
    return sum;
}

static double squares_of(const double *values, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += values[k] * values[k];
    }
    return sum;
}

static double penalized(const oracle *o, int feature, double crit)
{
    bool member = o->params->flag_reg == 1 && o->used[feature];
    return member || o->params->random_forest ? crit : o->params->coef_reg[feature] * crit;
}

static void offer_point(oracle *o, choice *best, choice offered, int *ntie)
{
    rrf_ties ties = oracle_ties(o->params);
    if (offered.crit > best->crit) {
        *best = offered;
        *ntie = ties == RRF_TIES_RRF ? *ntie : 1;
        if (ties == RRF_TIES_INTENDED) {
            return;
        }
    }
    if (offered.crit == best->crit) {
        *ntie += 1;
        if (rrf_rng_uniform(o->rng) < 1.0F / *ntie) {
            *best = offered;
        }
    }
}

static void search_points(oracle *o, const oracle_node *node, int feature, choice *best)
{
    int32_t *rows = rows_by_value(o, node, feature);
    double *left = oracle_alloc((size_t)o->nclass, sizeof *left);
    double *right = oracle_alloc((size_t)o->nclass, sizeof *right);
    memcpy(right, node->total, (size_t)o->nclass * sizeof *right);
    double left_weight = 0.0, right_weight = sum_of(right, o->nclass);
    double left_squares = 0.0, right_squares = squares_of(right, o->nclass);
    int ntie = 1;
    for (int i = 0; i + 1 < node->n_rows; ++i) {
        int k = o->y[rows[i]];
        double u = o->weight[rows[i]];
        bool differ = value_at(o->searched, feature, rows[i]) < value_at(o->searched, feature, rows[i + 1]);
        left_squares += u * (2 * left[k] + u);
        right_squares += u * (-2 * right[k] + u);
        left_weight += u;
        right_weight -= u;
        left[k] += u;
        right[k] -= u;
        if (differ && left_weight > 1.0e-5F && right_weight > 1.0e-5F) {
            double crit = penalized(o, feature, left_squares / left_weight + right_squares / right_weight);
            double x = value_at(o->data, feature, rows[i]), next = value_at(o->data, feature, rows[i + 1]);
            choice here = {.crit = crit, .feature = feature, .n_left = i + 1, .point = 0.5 * (x + next)};
            offer_point(o, best, here, &ntie);
        }
    }
    free(rows);
    free(left);
    free(right);
}

/* Class totals by level: [level * nclass + k]. */
static double *level_totals(const oracle *o, const oracle_node *node, int feature)
{
    double *totals = oracle_alloc((size_t)o->nclass * 53, sizeof *totals);
    for (int i = 0; i < node->n_rows; ++i) {
        int row = node->rows[i], level = (int)value_at(o->searched, feature, row) - 1;
        totals[level * o->nclass + o->y[row]] += o->weight[row];
    }
    return totals;
}

static choice levels_choice(const oracle *o, double crit, int feature, uint64_t levels)
{
    /* RRF keeps the bits in an int, so level 32 is its sign. */
    double point = o->params->random_forest ? (double)levels : (int32_t)levels;
    return (choice){.crit = crit, .feature = feature, .levels = levels, .point = point};
}

static void search_one_subset(oracle *o, const oracle_node *node, int feature, const double *totals, uint64_t levels,
                              choice *best)
{
    double *left = oracle_alloc((size_t)o->nclass, sizeof *left);
    double *right = oracle_alloc((size_t)o->nclass, sizeof *right);
    for (int k = 0; k < o->nclass; ++k) {
        for (int level = 0; level < o->data->ncat[feature]; ++level) {
            left[k] += levels >> level & 1 ? totals[level * o->nclass + k] : 0.0;
        }
        right[k] = node->total[k] - left[k];
    }
    double left_weight = sum_of(left, o->nclass), right_weight = sum_of(node->total, o->nclass) - left_weight;
    if (left_weight > 1.0e-8 && right_weight > 1.0e-5) {
        double impurity = squares_of(left, o->nclass) / left_weight + squares_of(right, o->nclass) / right_weight;
        double crit = penalized(o, feature, impurity);
        if (crit > best->crit) {
            *best = levels_choice(o, crit, feature, levels);
        }
    }
    free(left);
    free(right);
}

static void search_subsets(oracle *o, const oracle_node *node, int feature, const double *totals, choice *best)
{
    int n_levels = o->data->ncat[feature];
    if (n_levels <= 10) {
        for (uint64_t levels = 1; levels < (uint64_t)1 << (n_levels - 1); ++levels) {
            search_one_subset(o, node, feature, totals, levels, best);
        }
        return;
    }
    for (int i = 0; i < 512; ++i) {
        uint64_t levels = 0;
        for (int level = 0; level < n_levels; ++level) {
            levels |= rrf_rng_uniform(o->rng) > 0.5 ? (uint64_t)1 << level : 0;
        }
        search_one_subset(o, node, feature, totals, levels, best);
    }
}

static double share_of_class0(const double *totals, int level)
{
    double weight = totals[2 * level] + totals[2 * level + 1];
    return weight != 0.0 ? totals[2 * level] / weight : 0.0;
}

/* Two classes and more than ten levels: levels go left in the order of their share of class 0. */
static void search_shares(oracle *o, const oracle_node *node, int feature, const double *totals, choice *best)
{
    int n_levels = o->data->ncat[feature];
    double share[53], left[2] = {0.0, 0.0}, right[2] = {node->total[0], node->total[1]};
    double left_weight = 0.0, right_weight = right[0] + right[1], cut = -1.0;
    int32_t level[53];
    for (int i = 0; i < n_levels; ++i) {
        share[i] = share_of_class0(totals, i);
        level[i] = i;
    }
    sort_like_r(share, level, n_levels);
    for (int i = 0; i + 1 < n_levels; ++i) {
        const double *moved = totals + 2 * level[i];
        left_weight += moved[0] + moved[1];
        right_weight -= moved[0] + moved[1];
        for (int k = 0; k < 2; ++k) {
            left[k] += moved[k];
            right[k] -= moved[k];
        }
        if (share[i] < share[i + 1] && left_weight > 1.0e-5 && right_weight > 1.0e-5) {
            double crit =
                penalized(o, feature, squares_of(left, 2) / left_weight + squares_of(right, 2) / right_weight);
            if (crit > best->crit) {
                *best = levels_choice(o, crit, feature, 0);
                cut = 0.5 * (share[i] + share[i + 1]);
            }
        }
    }
    if (cut >= 0.0) {
        uint64_t levels = 0;
        for (int i = 0; i < n_levels; ++i) {
            levels |= share_of_class0(totals, i) < cut ? (uint64_t)1 << i : 0;
        }
        *best = levels_choice(o, best->crit, feature, levels);
    }
}

static void search_levels(oracle *o, const oracle_node *node, int feature, choice *best)
{
    double *totals = level_totals(o, node, feature);
    int present = 0;
    for (int level = 0; level < o->data->ncat[feature]; ++level) {
        present += sum_of(totals + level * o->nclass, o->nclass) > 0.0;
    }
    if (present > 1 && o->nclass == 2 && o->data->ncat[feature] > 10) {
        search_shares(o, node, feature, totals, best);
    } else if (present > 1) {
        search_subsets(o, node, feature, totals, best);
    }
    free(totals);
}

/* RRF draws all p features; members of F and the first mtry others are evaluated. randomForest draws mtry. */
static choice find_best(oracle *o, const oracle_node *node)
{
    choice best = {.crit = -1.0e25F, .feature = -1};
    int p = o->data->p, tried = 0;
    int *bin = oracle_alloc((size_t)p, sizeof *bin);
    for (int feature = 0; feature < p; ++feature) {
        bin[feature] = feature;
    }
    for (int left = p; left > (o->params->random_forest ? p - o->params->mtry : 0); --left) {
        int at = oracle_below(o, left), feature = bin[at];
        bool member = o->params->flag_reg == 1 && o->used[feature];
        bin[at] = bin[left - 1];
        if (!member && tried++ >= o->params->mtry) {
            continue;
        }
        if (o->data->ncat[feature] == 1) {
            search_points(o, node, feature, &best);
        } else {
            search_levels(o, node, feature, &best);
        }
    }
    free(bin);
    return best;
}

/* ---- the tree -------------------------------------------------------------------------------------------------------- */

/* A new node of the rows for which goes_left has the given value; R keeps a node of one class or few rows whole. */
static void add_daughter(oracle *o, const int32_t *rows, const bool *goes_left, int n, bool side)
{
    oracle_node *node = &o->node[o->n_nodes++];
    *node = (oracle_node){.status = 2};
    node->rows = oracle_alloc((size_t)n, sizeof *node->rows);
    node->total = oracle_alloc((size_t)o->nclass, sizeof *node->total);
    for (int i = 0; i < n; ++i) {
        if (goes_left[i] == side) {
            node->rows[node->n_rows++] = rows[i];
            node->total[o->y[rows[i]]] += o->weight[rows[i]];
        }
    }
    for (int k = 0; k < o->nclass; ++k) {
        if (node->total[k] == sum_of(node->total, o->nclass) || node->n_rows <= o->params->nodesize) {
            node->status = RRF_TERMINAL;
        }
    }
}

static void split_node(oracle *o, oracle_node *node, const choice *best)
{
    bool numeric = o->data->ncat[best->feature] == 1;
    int32_t *rows = numeric ? rows_by_value(o, node, best->feature) : node->rows;
    bool *goes_left = oracle_alloc((size_t)node->n_rows, sizeof *goes_left);
    double decrease = best->crit - squares_of(node->total, o->nclass) / sum_of(node->total, o->nclass);
    for (int i = 0; i < node->n_rows; ++i) {
        unsigned level = numeric ? 0 : (unsigned)value_at(o->searched, best->feature, rows[i]) - 1;
        goes_left[i] = numeric ? i < best->n_left : best->levels >> level & 1;
    }
    oracle_enter(o->params, o->data->p, best->feature, o->used);
    o->used_in_tree[best->feature] = true;
    o->decrease[best->feature] += decrease > 0.0 ? decrease : 0.0;
    node->status = RRF_INTERIOR_CLASS;
    node->feature = best->feature + 1;
    node->point = best->point;
    node->left = o->n_nodes + 1;
    add_daughter(o, rows, goes_left, node->n_rows, true);
    add_daughter(o, rows, goes_left, node->n_rows, false);
    free(goes_left);
    if (numeric) {
        free(rows);
    }
}

static int terminal_class(oracle *o, const double *total)
{
    double most = 0.0;
    int winner = 0, ntie = 1;
    rrf_ties ties = oracle_ties(o->params);
    for (int k = 0; k < o->nclass; ++k) {
        bool leads = total[k] > most;
        if (leads) {
            most = total[k];
            winner = k + 1;
            ntie = ties == RRF_TIES_RRF ? ntie : 1;
        }
        bool draws = ties != RRF_TIES_INTENDED ? total[k] == most : !leads && total[k] == most && most > 0.0;
        if (draws) {
            ntie += 1;
            winner = rrf_rng_uniform(o->rng) < 1.0F / ntie ? k + 1 : winner;
        }
    }
    return winner;
}

static void begin_tree(oracle *o)
{
    oracle_node *root = &o->node[0];
    clear_tree(o);
    *root = (oracle_node){.status = 2};
    root->rows = oracle_alloc((size_t)o->data->n, sizeof *root->rows);
    root->total = oracle_alloc((size_t)o->nclass, sizeof *root->total);
    for (int row = 0; row < o->data->n; ++row) {
        if (o->count[row]) {
            root->rows[root->n_rows++] = row;
        }
    }
    memcpy(root->total, o->bag_total, (size_t)o->nclass * sizeof *root->total);
    o->n_nodes = 1;
}

void oracle_grow(oracle *o)
{
    begin_tree(o);
    for (int i = 0; i < o->n_nodes && o->n_nodes < o->params->max_nodes; ++i) {
        if (o->node[i].status == 2) {
            choice best = find_best(o, &o->node[i]);
            if (best.feature < 0 || best.crit < -1.0e10) {
                o->node[i].status = RRF_TERMINAL;
            } else {
                split_node(o, &o->node[i], &best);
            }
        }
    }
    for (int i = 0; i < o->n_nodes; ++i) {
        if (o->node[i].status != RRF_INTERIOR_CLASS) {
            o->node[i].status = RRF_TERMINAL;
            o->node[i].prediction = terminal_class(o, o->node[i].total);
        }
    }
}

int oracle_apply(const oracle *o, const rrf_data *data, int row, int replaced, double value)
{
    int at = 0;
    while (o->node[at].status == RRF_INTERIOR_CLASS) {
        const oracle_node *node = &o->node[at];
        int feature = node->feature - 1;
        double x = feature == replaced ? value : value_at(data, feature, row);
        bool left = x <= node->point;
        if (data->ncat[feature] > 1) {
            left = (uint64_t)(int64_t)node->point >> ((int)x - 1) & 1;
        }
        at = node->left - (left ? 1 : 0);
    }
    return at;
}

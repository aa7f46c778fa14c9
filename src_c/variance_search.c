/* The search for the split that lowers a node's sum of squares most, R's findBestSplit of regression.
 *
 * The sums are R's, in R's order: cases are added one by one in the order by value. That order is not determined where
 * cases tie in value and differ in response; R's quicksort decides it there, and only there it has to be run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "regression.h"

/* Room that the comparisons leave for their own rounding; what passes is evaluated exactly. */
#define SLACK 1.0e-12
/* Outside these bounds a product may underflow or overflow: no comparison then. */
#define TINY 1.0e-250
#define HUGE_RATIO 1.0e250
/* Copies of a response that are written at once, be they as many or not: few rows are drawn more often. */
enum { COPIES = 4 };

/* ---- set-up ---------------------------------------------------------------------------------------------------------- */

static rrf_status arrange_values(variance_search *s)
{
    size_t n = (size_t)s->data->n;
    for (int feature = 0; feature < s->data->p; ++feature) {
        if (s->data->ncat[feature] > 1 || !s->cols->has_ties[feature]) {
            continue;
        }
        s->x_by_key[feature] = malloc(n * sizeof **s->x_by_key);
        if (!s->x_by_key[feature]) {
            return RRF_ERR_MEMORY;
        }
        for (int row = 0; row < s->data->n; ++row) {
            s->x_by_key[feature][column_key(s->cols, feature, row)] = s->data->x[(size_t)feature * n + (size_t)row];
        }
    }
    return RRF_OK;
}

static rrf_status alloc_scratch(variance_search *s)
{
    size_t p = (size_t)s->data->p, cases = (size_t)s->bag->size + COPIES;
    s->shuffle = malloc(p * sizeof *s->shuffle);
    s->touched = malloc(p * sizeof *s->touched);
    s->drawn = malloc(p * sizeof *s->drawn);
    s->x_by_key = calloc(p, sizeof *s->x_by_key);
    s->inverse = malloc(cases * sizeof *s->inverse);
    s->sorted_y = malloc(cases * sizeof *s->sorted_y);
    s->value = malloc(cases * sizeof *s->value);
    s->index = malloc(cases * sizeof *s->index);
    bool ready =
        s->shuffle && s->touched && s->drawn && s->x_by_key && s->inverse && s->sorted_y && s->value && s->index;
    for (int feature = 0; ready && feature < s->data->p; ++feature) {
        s->shuffle[feature] = feature;
    }
    for (int k = 0; ready && k <= s->bag->size; ++k) {
        s->inverse[k] = 1.0 / k;
    }
    return ready ? RRF_OK : RRF_ERR_MEMORY;
}

rrf_status variance_search_init(variance_search *s, const rrf_data *data, const columns *cols,
                                const regression_bag *bag, const rrf_params *params, int32_t *used, rrf_rng *rng)
{
    *s = (variance_search){.data = data,
                           .cols = cols,
                           .bag = bag,
                           .coef_reg = params->coef_reg,
                           .mtry = params->mtry,
                           .flag_reg = params->flag_reg == 1,
                           .quirks = params->quirks,
                           .used = used,
                           .rng = rng};
    rrf_status status = alloc_scratch(s);
    if (!status) {
        status = arrange_values(s);
    }
    return status ? status : node_order_init(&s->order, data, cols, bag->size);
}

void variance_search_free(variance_search *s)
{
    for (int feature = 0; s->x_by_key && feature < s->data->p; ++feature) {
        free(s->x_by_key[feature]);
    }
    free(s->shuffle);
    free(s->touched);
    free(s->drawn);
    free(s->x_by_key);
    free(s->inverse);
    free(s->sorted_y);
    free(s->value);
    free(s->index);
    node_order_free(&s->order);
    *s = (variance_search){0};
}

/* ---- the criterion ------------------------------------------------------------------------------------------------- */

/* What the decrease is multiplied by. Without flagReg RRF's regression forgets coefReg; meant is the guided forest, in
 * which every feature is weighed. */
static double penalty_factor(const variance_search *s, int feature)
{
    if (s->flag_reg) {
        return s->used[feature] ? 1.0 : s->coef_reg[feature];
    }
    return s->quirks ? 1.0 : s->coef_reg[feature];
}

/* A cut with the sums a and b over l and r cases can beat the best only if a^2 / l + b^2 / r > bar. */
static double bar_to_beat(const variance_search *s, const variance_node *node, double factor)
{
    if (!(factor > 0.0) || (s->best.crit != 0.0 && s->best.crit < TINY)) {
        return -INFINITY;
    }
    double bar = (node->parent + s->best.crit / factor) * (1.0 - SLACK);
    return bar > TINY ? bar : -INFINITY;
}

/* ---- a first look ---------------------------------------------------------------------------------------------------- */

/* Most features of a node beat nothing, and of the others few cuts come close to the best. To tell which, sums over rows
 * will do, in any order and rounding: the ratios that they give lie within a margin of those that R's sums would give. */

/* Half of it bounds the rounding of R's sums and of these, four times over. */
static double find_margin(const variance_search *s, const variance_node *node)
{
    double size = node->size, largest = s->bag->largest, error = 8.0 * DBL_EPSILON * size * size * largest;
    return 4.0 * largest * error + 2.0 * error * error;
}

/* a^2 / l + b^2 / r, where l of the node's cases go left and their responses sum to a. */
static inline double ratio_of_cut(const variance_search *s, const variance_node *node, double left_sum, uint32_t left)
{
    double right_sum = node->sum - left_sum;
    return left_sum * left_sum * s->inverse[left] + right_sum * right_sum * s->inverse[(uint32_t)node->size - left];
}

/* The ratios of all cuts; returns the highest. x, if not NULL, gives the value that a key stands for: no cut between
 * equal ones. */
static inline double find_ratios(variance_search *s, const variance_node *node, const double *x)
{
    node_order *o = &s->order;
    double sum = 0.0, highest = 0.0;
    uint32_t left = 0;
    for (int i = 0; i < o->size - 1; ++i) {
        sum += o->count[i] * o->y[i];
        left += o->count[i];
        double ratio = ratio_of_cut(s, node, sum, left);
        if (x) {
            ratio = x[o->key[i]] < x[o->key[i + 1]] ? ratio : -INFINITY;
        }
        highest = ratio > highest ? ratio : highest;
        o->left[i] = left;
        o->ratio[i] = ratio;
    }
    return highest;
}

/* Returns how many of the sorted rows there are up to the last cut that might be the best; 0 when there is none. */
static int look(variance_search *s, const variance_node *node, const double *x, double *bar)
{
    double highest = x ? find_ratios(s, node, x) : find_ratios(s, node, NULL), margin = find_margin(s, node);
    *bar -= margin;
    if (highest <= *bar) {
        return 0;
    }
    double floor = (highest - 2.0 * margin) * (1.0 - SLACK);
    if (*bar > -INFINITY && floor > *bar && highest < HUGE_RATIO) {
        *bar = floor;
    }
    int end = s->order.size - 1;
    while (end > 0 && s->order.ratio[end - 1] <= *bar) {
        --end;
    }
    return end;
}

/* ---- evaluation ------------------------------------------------------------------------------------------------------ */

typedef struct cut_sums {
    double left, right; /* R's suml, sumr */
} cut_sums;

/* R's expressions. */
static void offer_cut(variance_search *s, const variance_node *node, int feature, cut_sums sum, int place)
{
    double left = s->order.left[place], right = node->size - left;
    double crit = (sum.left * sum.left / left) + (sum.right * sum.right / right) - node->parent;
    crit = penalty_factor(s, feature) * crit;
    if (crit > s->best.crit) {
        s->best.crit = crit;
        s->best.feature = feature;
        s->best.below = (int32_t)s->order.key[place];
        s->best.above = (int32_t)s->order.key[place + 1];
    }
}

/* Evaluates the cuts before `end` that may beat the bar, with R's sums: s->sorted_y holds the responses in R's order. */
static void evaluate_cuts(variance_search *s, const variance_node *node, int feature, double bar, int end)
{
    const double *y = s->sorted_y;
    cut_sums sum = {0.0, node->sum};
    uint32_t added = 0;
    for (int i = 0; i < end; ++i) {
        if (s->order.ratio[i] <= bar) {
            continue;
        }
        for (; added < s->order.left[i]; ++added) {
            sum.left += y[added];
            sum.right -= y[added];
        }
        offer_cut(s, node, feature, sum, i);
    }
}

/* ---- R's order among ties ------------------------------------------------------------------------------------------ */

/* Mean response by level, R's pseudo values of a factor; 0 for a level without cases. */
static void find_level_means(variance_search *s, const variance_node *node, int feature)
{
    const double *x = s->data->x + (size_t)feature * (size_t)s->data->n;
    double sum[RRF_MAX_LEVELS] = {0.0};
    memset(s->level_count, 0, sizeof s->level_count);
    for (int i = 0; i < node->size; ++i) {
        int level = (int)x[node->draws[i]] - 1;
        sum[level] += node->y[i];
        ++s->level_count[level];
    }
    for (int level = 0; level < s->data->ncat[feature]; ++level) {
        s->level_mean[level] = s->level_count[level] ? sum[level] / s->level_count[level] : 0.0;
    }
}

void sort_cases_like_r(variance_search *s, const variance_node *node, int feature)
{
    const double *x = s->data->x + (size_t)feature * (size_t)s->data->n;
    bool factor = s->data->ncat[feature] > 1;
    if (factor) {
        find_level_means(s, node, feature);
    }
    for (int i = 0; i < node->size; ++i) {
        double value = x[node->draws[i]];
        s->value[i] = factor ? s->level_mean[(int)value - 1] : value;
        s->index[i] = i;
    }
    sort_like_r(s->value, s->index, node->size);
}

static void list_like_r(variance_search *s, const variance_node *node, int feature)
{
    sort_cases_like_r(s, node, feature);
    for (int i = 0; i < node->size; ++i) {
        s->sorted_y[i] = node->y[s->index[i]];
    }
}

/* ---- numbers ------------------------------------------------------------------------------------------------------- */

/* The responses of the first sorted rows, each as often as the row was drawn. */
static void list_rows(variance_search *s, int n_rows)
{
    const node_order *o = &s->order;
    double *y = s->sorted_y;
    for (int i = 0; i < n_rows; ++i) {
        int count = (int)o->count[i];
        for (int copy = 0; copy < COPIES; ++copy) {
            y[copy] = o->y[i];
        }
        for (int copy = COPIES; copy < count; ++copy) {
            y[copy] = o->y[i];
        }
        y += count;
    }
}

/* Whether rows tie in value and differ in response, so that their order matters. */
static bool ties_matter(const variance_search *s, const double *x)
{
    const node_order *o = &s->order;
    for (int i = 1; i < o->size; ++i) {
        if (x[o->key[i - 1]] == x[o->key[i]] && o->y[i - 1] != o->y[i]) {
            return true;
        }
    }
    return false;
}

static void search_number(variance_search *s, const variance_node *node, int feature)
{
    const double *x = s->x_by_key[feature];
    double bar = bar_to_beat(s, node, penalty_factor(s, feature));
    node_order_sort(&s->order, feature, node->rows, node->n_rows);
    int end = look(s, node, x, &bar);
    if (end == 0) {
        return;
    }
    if (x && ties_matter(s, x)) {
        list_like_r(s, node, feature);
    } else {
        list_rows(s, end);
    }
    evaluate_cuts(s, node, feature, bar, end);
}

/* When draws of one row have been parted: every case for itself. */
static void search_cases(variance_search *s, const variance_node *node, int feature)
{
    node_order *o = &s->order;
    double bar = bar_to_beat(s, node, penalty_factor(s, feature));
    list_like_r(s, node, feature);
    o->size = node->size;
    for (int i = 0; i < node->size; ++i) {
        o->key[i] = (uint32_t)i;
        o->count[i] = 1;
        o->y[i] = s->sorted_y[i];
    }
    int end = look(s, node, s->value, &bar);
    for (int i = 0; i < node->size; ++i) {
        o->key[i] = column_key(s->cols, feature, node->draws[s->index[i]]);
    }
    evaluate_cuts(s, node, feature, bar, end);
}

/* ---- factors ------------------------------------------------------------------------------------------------------- */

/* Sorts the levels that have cases by their means. */
static void sort_levels(variance_search *s, int n_levels)
{
    node_order *o = &s->order;
    o->size = 0;
    for (uint32_t level = 0; level < (uint32_t)n_levels; ++level) {
        if (s->level_count[level] == 0) {
            continue;
        }
        int at = o->size++;
        for (; at > 0 && s->level_mean[o->key[at - 1]] > s->level_mean[level]; --at) {
            o->key[at] = o->key[at - 1];
        }
        o->key[at] = level;
    }
    for (int i = 0; i < o->size; ++i) {
        o->count[i] = (uint32_t)s->level_count[o->key[i]];
        o->y[i] = s->level_mean[o->key[i]];
    }
}

static void search_factor(variance_search *s, const variance_node *node, int feature)
{
    double bar = bar_to_beat(s, node, penalty_factor(s, feature));
    find_level_means(s, node, feature);
    sort_levels(s, s->data->ncat[feature]);
    int end = look(s, node, s->level_mean, &bar);
    if (end == 0) {
        return;
    }
    list_like_r(s, node, feature);
    evaluate_cuts(s, node, feature, bar, end);
    if (s->best.feature == feature) {
        memcpy(s->best.level_mean, s->level_mean, sizeof s->level_mean);
    }
}

/* ---- the node ------------------------------------------------------------------------------------------------------ */

/* mtry features without replacement, in R's order. */
static void draw_features(variance_search *s)
{
    for (int drawn = 0; drawn < s->mtry; ++drawn) {
        int last = s->data->p - 1 - drawn, at = rng_below(s->rng, last + 1);
        s->drawn[drawn] = s->shuffle[at];
        s->touched[drawn] = at;
        s->shuffle[at] = s->shuffle[last];
    }
    for (int drawn = 0; drawn < s->mtry; ++drawn) {
        s->shuffle[s->touched[drawn]] = s->touched[drawn];
    }
}

void variance_search_node(variance_search *s, const variance_node *node)
{
    s->best.crit = 0.0;
    s->best.feature = -1;
    draw_features(s);
    for (int i = 0; i < s->mtry; ++i) {
        int feature = s->drawn[i];
        if (s->data->ncat[feature] > 1) {
            search_factor(s, node, feature);
        } else if (node->whole) {
            search_number(s, node, feature);
        } else {
            search_cases(s, node, feature);
        }
    }
}

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
/* Below this a product may lose digits to gradual underflow: no comparison then. */
#define TINY 1.0e-250
/* Copies of a case that are written at once; a row that was drawn more often takes several turns. */
enum { COPIES = 4 };

rrf_status variance_search_init(variance_search *s, const rrf_data *data, const columns *cols,
                                const regression_bag *bag, const rrf_params *params, int32_t *used, rrf_rng *rng)
{
    size_t p = (size_t)data->p, cases = (size_t)bag->size + COPIES;
    *s = (variance_search){.data = data,
                           .cols = cols,
                           .bag = bag,
                           .coef_reg = params->coef_reg,
                           .mtry = params->mtry,
                           .flag_reg = params->flag_reg == 1,
                           .quirks = params->quirks,
                           .used = used,
                           .rng = rng};
    s->shuffle = malloc(p * sizeof *s->shuffle);
    s->touched = malloc(p * sizeof *s->touched);
    s->sorted = malloc((size_t)data->n * sizeof *s->sorted);
    s->list.at = malloc(cases * sizeof *s->list.at);
    s->list.y = malloc(cases * sizeof *s->list.y);
    s->value = malloc(cases * sizeof *s->value);
    s->index = malloc(cases * sizeof *s->index);
    if (!s->shuffle || !s->touched || !s->sorted || !s->list.at || !s->list.y || !s->value || !s->index) {
        return RRF_ERR_MEMORY;
    }
    for (int feature = 0; feature < data->p; ++feature) {
        s->shuffle[feature] = feature;
    }
    return node_order_init(&s->order, cols);
}

void variance_search_free(variance_search *s)
{
    free(s->shuffle);
    free(s->touched);
    free(s->sorted);
    free(s->list.at);
    free(s->list.y);
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

/* A cut with the sums a and b over l and r cases can beat the best only if a^2 r + b^2 l > bar * l r. */
static double bar_to_beat(const variance_search *s, const variance_node *node, double factor)
{
    if (!(factor > 0.0) || (s->best.crit != 0.0 && s->best.crit < TINY)) {
        return -INFINITY;
    }
    double bar = (node->parent + s->best.crit / factor) * (1.0 - SLACK);
    return bar > TINY ? bar : -INFINITY;
}

typedef struct cut {
    double left_sum, right_sum, left, right; /* R's suml, sumr, npopl, npopr */
} cut;

/* False for NaN, so that what cannot be compared is evaluated. */
static inline bool falls_short(const cut *c, double bar)
{
    return c->left_sum * c->left_sum * c->right + c->right_sum * c->right_sum * c->left <= bar * (c->left * c->right);
}

/* R's expressions. True when the best has risen. */
static bool offer_cut(variance_search *s, const variance_node *node, int feature, double factor, const cut *c,
                      double below, double above)
{
    double crit = (c->left_sum * c->left_sum / c->left) + (c->right_sum * c->right_sum / c->right) - node->parent;
    crit = factor * crit;
    if (!(crit > s->best.crit)) {
        return false;
    }
    s->best.crit = crit;
    s->best.feature = feature;
    s->best.point = (below + above) / 2.0;
    return true;
}

/* Evaluates every boundary between values. The list's order must be R's as far as it bears on the sums. */
static void scan_cases(variance_search *s, const variance_node *node, int feature, const case_list *list)
{
    double factor = penalty_factor(s, feature), bar = bar_to_beat(s, node, factor);
    cut c = {.left_sum = 0.0, .right_sum = node->sum, .left = 0.0, .right = node->size};
    for (int i = 0; i < node->size - 1; ++i) {
        c.left_sum += list->y[i];
        c.right_sum -= list->y[i];
        c.left += 1.0;
        c.right -= 1.0;
        if (!falls_short(&c, bar)) {
            double below = list->x[list->at[i]], above = list->x[list->at[i + 1]];
            if (below < above && offer_cut(s, node, feature, factor, &c, below, above)) {
                bar = bar_to_beat(s, node, factor);
            }
        }
    }
}

/* ---- R's order among ties ------------------------------------------------------------------------------------------ */

/* Mean response by level, R's pseudo values of a factor; 0 for a level without cases. */
static void find_level_means(variance_search *s, const variance_node *node, int feature)
{
    const double *x = s->data->x + (size_t)feature * (size_t)s->data->n;
    double sum[RRF_MAX_LEVELS] = {0.0};
    int count[RRF_MAX_LEVELS] = {0};
    for (int i = 0; i < node->size; ++i) {
        int level = (int)x[node->draws[i]] - 1;
        sum[level] += node->y[i];
        ++count[level];
    }
    for (int level = 0; level < s->data->ncat[feature]; ++level) {
        s->level_mean[level] = count[level] ? sum[level] / count[level] : 0.0;
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

static void scan_like_r(variance_search *s, const variance_node *node, int feature)
{
    sort_cases_like_r(s, node, feature);
    for (int i = 0; i < node->size; ++i) {
        s->list.at[i] = i;
        s->list.y[i] = node->y[s->index[i]];
    }
    s->list.x = s->value;
    scan_cases(s, node, feature, &s->list);
}

/* Whether a cut might beat the best, whatever the order among ties does to the rounding of the sums. */
static bool may_beat(const variance_search *s, const variance_node *node, double bar, const cut *c)
{
    double size = node->size, error = 8.0 * DBL_EPSILON * size * size * s->bag->largest;
    cut wide = *c;
    wide.left_sum = fabs(c->left_sum) + error;
    wide.right_sum = fabs(c->right_sum) + error;
    return !falls_short(&wide, bar);
}

/* ---- numbers ------------------------------------------------------------------------------------------------------- */

/* Every sorted row as often as it was drawn. */
static void list_cases(variance_search *s)
{
    const bag_row *row = s->bag->row;
    int32_t *at = s->list.at;
    double *y = s->list.y;
    for (const int32_t *next = s->sorted, *end = next + s->n_sorted; next < end; ++next) {
        bag_row drawn = row[*next];
        for (int left = drawn.count; left > 0; left -= COPIES) {
            for (int copy = 0; copy < COPIES; ++copy) {
                at[copy] = *next;
                y[copy] = drawn.y;
            }
            int written = left < COPIES ? left : COPIES;
            at += written;
            y += written;
        }
    }
}

/* Whether rows tie in value and differ in response, so that their order matters. */
static bool ties_matter(const variance_search *s, const double *x)
{
    for (int i = 1; i < s->n_sorted; ++i) {
        int row = s->sorted[i - 1], next = s->sorted[i];
        if (x[row] == x[next] && s->bag->row[row].y != s->bag->row[next].y) {
            return true;
        }
    }
    return false;
}

/* Whether a boundary of the list, in any order among ties, might hold a better cut. */
static bool list_may_beat(const variance_search *s, const variance_node *node, int feature)
{
    const case_list *list = &s->list;
    double bar = bar_to_beat(s, node, penalty_factor(s, feature));
    cut c = {.left_sum = 0.0, .right_sum = node->sum, .left = 0.0, .right = node->size};
    for (int i = 0; i < node->size - 1; ++i) {
        c.left_sum += list->y[i];
        c.right_sum -= list->y[i];
        c.left += 1.0;
        c.right -= 1.0;
        if (may_beat(s, node, bar, &c) && list->x[list->at[i]] < list->x[list->at[i + 1]]) {
            return true;
        }
    }
    return false;
}

static void search_number(variance_search *s, const variance_node *node, int feature)
{
    if (!node->whole) {
        scan_like_r(s, node, feature);
        return;
    }
    node_order_rows(&s->order, feature, node->rows, node->n_rows, s->sorted);
    s->n_sorted = node->n_rows;
    s->list.x = s->data->x + (size_t)feature * (size_t)s->data->n;
    list_cases(s);
    if (!s->cols->has_ties[feature] || !ties_matter(s, s->list.x)) {
        scan_cases(s, node, feature, &s->list);
    } else if (list_may_beat(s, node, feature)) {
        scan_like_r(s, node, feature);
    }
}

/* ---- factors ------------------------------------------------------------------------------------------------------- */

static void search_factor(variance_search *s, const variance_node *node, int feature)
{
    scan_like_r(s, node, feature);
    if (s->best.feature == feature) {
        memcpy(s->best.level_mean, s->level_mean, sizeof s->level_mean);
    }
}

/* ---- the node ------------------------------------------------------------------------------------------------------ */

/* The next of the features that a node draws without replacement. */
static int draw_feature(variance_search *s, int drawn)
{
    int last = s->data->p - 1 - drawn, at = rng_below(s->rng, last + 1), feature = s->shuffle[at];
    s->shuffle[at] = s->shuffle[last];
    s->touched[drawn] = at;
    return feature;
}

void variance_search_node(variance_search *s, const variance_node *node)
{
    s->best.crit = 0.0;
    s->best.feature = -1;
    for (int drawn = 0; drawn < s->mtry; ++drawn) {
        int feature = draw_feature(s, drawn);
        if (s->data->ncat[feature] == 1) {
            search_number(s, node, feature);
        } else {
            search_factor(s, node, feature);
        }
        s->last_feature = feature;
    }
    for (int drawn = 0; drawn < s->mtry; ++drawn) {
        s->shuffle[s->touched[drawn]] = s->touched[drawn];
    }
}

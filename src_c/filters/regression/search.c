/* The filtered search of regression, RRF. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/regression/search.h"

#include <math.h>

#include "filters/regression/sort_keys_like_r.h"
#include "tree/penalty.h"

/* Slack for the rounding of the comparisons; cuts that pass are evaluated exactly. */
#define SLACK 1.0e-12
/* Below this the product of a ratio and a penalty may lose digits. */
#define TINY 1.0e-100
/* Copies of a row's response that are always written; rows drawn more often are rare. */
enum { COPIES = 4 };
/* Number of features from a prefetch to the use. */
enum { AHEAD = 3 };

/* ---- set-up ---------------------------------------------------------------------------------------------------------- */

rrf_status regression_filter_init(regression_builder *g, arena *memory)
{
    regression_filter *f;
    int n = g->data->n, size = g->bag.size;
    TAKE_ZEROS(memory, f, 1);
    if (!f) {
        return RRF_ERR_MEMORY;
    }
    g->filter = f;
    TAKE(memory, f->rows, size);
    TAKE(memory, f->spare_rows, size);
    TAKE(memory, f->n_rows, g->nodes.capacity);
    TAKE(memory, f->inverse, size + 1);
    TAKE(memory, f->highest, g->data->p);
    TAKE(memory, f->y, size + COPIES);
    TAKE(memory, f->keys, size);
    TAKE(memory, f->node.sums, size);
    layout_scratch_init(&f->scratch, g->ranks, memory);
    f->now = &f->layouts[0];
    f->kept = &f->layouts[1];
    layout_init(f->now, n, size, memory);
    layout_init(f->kept, n, size, memory);
    for (int k = 0; f->inverse && k <= size; ++k) {
        f->inverse[k] = k ? 1.0 / k : 0.0;
    }
    for (int row = 0; row < n; ++row) {
        f->largest = fmax(f->largest, fabs(g->bag.y[row]));
    }
    return arena_status(memory);
}

/* ---- ratios ---------------------------------------------------------------------------------------------------------- */

/* Returns the ratio above which a cut may beat a split. */
static double bar_to_beat(const regression_filter *f, const regression_node *node, double crit, double factor)
{
    double bar = factor > TINY ? (node->parent + crit / factor) * (1.0 - SLACK) : 0.0;
    return bar > TINY ? bar - f->margin : -INFINITY;
}

/* One loop for columns with ties and one for those without. */
static inline __attribute__((always_inline)) double find_ratios(const regression_filter *f, const regression_node *node,
                                                                bool has_ties)
{
    const layout *l = f->now;
    const double *inverse = f->inverse;
    case_sum sum = {0.0, 0.0};
    double highest = 0.0;
    for (int i = 0; i < l->size - 1; ++i) {
        case_sum item = l->sums[l->item[i]];
        sum.y += item.y;
        sum.cases += item.cases;
        uint32_t left = (uint32_t)(int32_t)sum.cases;
        double right_sum = node->sum - sum.y;
        double ratio = sum.y * sum.y * inverse[left] + right_sum * right_sum * inverse[(uint32_t)node->size - left];
        ratio = has_ties && l->key[i] == l->key[i + 1] ? -INFINITY : ratio;
        highest = ratio > highest ? ratio : highest;
        l->left[i] = left;
        l->ratio[i] = ratio;
    }
    return highest;
}

double look_at_feature(regression_filter *f, const regression_input *in, const regression_node *node, int feature)
{
    if (is_factor(in->data, feature)) {
        lay_out_factor(f->now, in->data, in->ranks, &f->node, feature);
    } else {
        lay_out_number(f->now, &f->scratch, &f->node, feature);
    }
    return f->now->has_ties ? find_ratios(f, node, true) : find_ratios(f, node, false);
}

void keep_layout(regression_filter *f)
{
    layout *kept = f->kept;
    f->kept = f->now;
    f->now = kept;
}

void look_again(regression_filter *f, const regression_input *in, const regression_node *node, int feature)
{
    if (f->kept->feature == feature) {
        keep_layout(f);
    } else if (f->now->feature != feature) {
        look_at_feature(f, in, node, feature);
    }
}

/* ---- R's sums -------------------------------------------------------------------------------------------------------- */

/* Returns whether, among the first n rows, some tie in value and differ in response. */
static bool ties_matter(const layout *l, const row_list *node, int size)
{
    bool matter = false;
    for (int i = 1; l->has_ties && !matter && i < size; ++i) {
        matter = l->key[i - 1] == l->key[i] && node->rows[l->item[i - 1]].y != node->rows[l->item[i]].y;
    }
    return matter;
}

/* Writes the responses in the order of R's sort, which is not stable, up to the last of the first `size` items. */
static void list_responses(const regression_filter *f, const regression_input *in, const regression_node *node,
                           int size)
{
    const layout *l = f->now;
    double *y = f->y;
    if (l->by_value || ties_matter(l, &f->node, size)) {
        load_keys(in->ranks, l->feature, node, f->keys);
        sort_keys_like_r(f->keys, node->size);
        for (uint32_t i = 0; i < l->left[size - 1]; ++i) {
            y[i] = node->cases[(uint32_t)f->keys[i]].y;
        }
        return;
    }
    for (int i = 0; i < size; ++i) {
        bag_row row = f->node.rows[l->item[i]];
        for (int copy = 0; copy < COPIES; ++copy) {
            y[copy] = row.y;
        }
        for (int copy = COPIES; copy < row.count; ++copy) {
            y[copy] = row.y;
        }
        y += row.count;
    }
}

/* Evaluates the cuts of the first `size` items with a ratio above the bar. Returns the position of the last one that
 * beats *crit, or -1. */
static int evaluate_cuts(const regression_filter *f, const regression_node *node, double factor, int size, double bar,
                         bool wins_ties, double *crit)
{
    const layout *l = f->now;
    cut_sums sum = {0.0, node->sum};
    uint32_t added = 0;
    int best = -1;
    for (int i = 0; i < size; ++i) {
        if (l->ratio[i] <= bar) {
            continue;
        }
        for (; added < l->left[i]; ++added) {
            sum.left += f->y[added];
            sum.right -= f->y[added];
        }
        double of_cut = penalized(factor, cut_decrease(node, sum, l->left[i]));
        if (of_cut > *crit || (wins_ties && of_cut == *crit)) {
            *crit = of_cut;
            wins_ties = false;
            best = i;
        }
    }
    return best;
}

/* Returns a row of an item of the layout. */
static int row_of_item(const regression_filter *f, uint32_t item)
{
    uint32_t place = item;
    if (f->now->by_value) {
        for (place = 0; f->now->rank[place] != item; ++place) {}
    }
    return f->node.rows[place].row;
}

/* Stores a cut of the feature in the layout, and prefetches the values next to it. */
static void keep_cut(const regression_filter *f, const regression_input *in, int cut, contender *best)
{
    const layout *l = f->now;
    const double *x = in->data->x + (size_t)l->feature * (size_t)in->data->n;
    best->feature = l->feature;
    best->below = row_of_item(f, l->item[cut]);
    best->above = row_of_item(f, l->item[cut + 1]);
    best->cut_rank = l->by_value ? l->item[cut] : l->rank[l->item[cut]];
    __builtin_prefetch(x + best->below);
    __builtin_prefetch(x + best->above);
}

double find_point(const regression_input *in, const contender *c)
{
    if (c->below < 0) {
        return c->point;
    }
    return (data_value(in->data, c->feature, c->below) + data_value(in->data, c->feature, c->above)) / 2.0;
}

static bool evaluate_number(regression_filter *f, const regression_input *in, const regression_node *node,
                            double factor, bool wins_ties, contender *best)
{
    const layout *l = f->now;
    double bar = bar_to_beat(f, node, best->crit, factor), highest = 0.0;
    int size = l->size - 1;
    for (int i = 0; i < size; ++i) {
        highest = l->ratio[i] > highest ? l->ratio[i] : highest;
    }
    double own = (highest - 2.0 * f->margin) * (1.0 - SLACK); /* a cut of this feature reaches it */
    bar = bar > -INFINITY && own > bar ? own : bar;
    while (size > 0 && l->ratio[size - 1] <= bar) {
        --size;
    }
    if (size == 0) {
        return false;
    }
    list_responses(f, in, node, size);
    int cut = evaluate_cuts(f, node, factor, size, bar, wins_ties, &best->crit);
    if (cut < 0) {
        return false;
    }
    keep_cut(f, in, cut, best);
    return true;
}

/* Evaluates as R does. */
static bool evaluate_factor(regression_search *s, const regression_node *node, int feature, double factor,
                            bool wins_ties, contender *best)
{
    split_bar bar = {.n_ties = 1};
    sort_cases(&s->in, node, feature, &s->sorted);
    int cut = scan_gaps(&s->sorted, node, factor, &bar);
    if (cut < 0 || !(bar.crit > best->crit || (wins_ties && bar.crit == best->crit))) {
        return false;
    }
    best->crit = bar.crit;
    best->feature = feature;
    best->point = point_after(&s->sorted, cut);
    best->below = -1;
    return true;
}

bool evaluate_feature(regression_filter *f, regression_search *s, const regression_node *node, double factor,
                      bool wins_ties, contender *best)
{
    int feature = f->now->feature;
    return is_factor(s->in.data, feature) ? evaluate_factor(s, node, feature, factor, wins_ties, best)
                                          : evaluate_number(f, &s->in, node, factor, wins_ties, best);
}

/* ---- the node -------------------------------------------------------------------------------------------------------- */

/* Scans all features. Returns the index of the most promising one, whose layout is kept. */
static int look_at_all(regression_filter *f, regression_search *s, const regression_node *node)
{
    double most = -INFINITY;
    int first = 0;
    for (int turn = 0; turn < s->in.mtry; ++turn) {
        int feature = s->drawn[turn];
        if (turn + AHEAD < s->in.mtry) {
            fetch_column_of_node(s->in.ranks, s->drawn[turn + AHEAD], f->node.rows, f->node.size);
        }
        f->highest[turn] = look_at_feature(f, &s->in, node, feature);
        double hope = regression_penalty(&s->in, &s->features.f, feature) * (f->highest[turn] - node->parent);
        if (hope > most) {
            most = hope;
            first = turn;
            keep_layout(f);
        }
    }
    return first;
}

/* Among equal features the one drawn first wins. */
void search_regularized(regression_filter *f, regression_search *s, const regression_node *node)
{
    contender *best = &f->best;
    int first = look_at_all(f, s, node), best_turn = -1;
    for (int i = -1; i < s->in.mtry; ++i) {
        int turn = i < 0 ? first : i, feature = s->drawn[turn];
        double factor = regression_penalty(&s->in, &s->features.f, feature);
        if (i == first || f->highest[turn] <= bar_to_beat(f, node, best->crit, factor)) {
            continue;
        }
        look_again(f, &s->in, node, feature);
        if (evaluate_feature(f, s, node, factor, turn < best_turn, best)) {
            best_turn = turn;
        }
    }
}

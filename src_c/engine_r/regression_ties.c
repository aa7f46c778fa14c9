/* R's order among equal values, which decides how sums are rounded.
 *
 * R's quicksort is not stable, so the order has to be found by doing what it does. But only where it matters: a part of the
 * data in which no tied rows differ in response is not sorted, nor is what lies beyond the last cut of interest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_r/regression_ties.h"
#include "data/sort_like_r.h"

bool ties_matter(const regression_search *s, int end)
{
    const regression_sorted *sorted = &s->sorted;
    bool matter = false;
    for (int i = 1; sorted->has_ties && !matter && i < end; ++i) {
        matter = sorted->key[i - 1] == sorted->key[i] &&
                 sorted->rows[sorted->place[i - 1]].y != sorted->rows[sorted->place[i]].y;
    }
    return matter;
}

/* Fills s->needed; returns the number of cases up to the cut before `end`. */
static uint32_t count_needed(regression_search *s, const regression_node *node, int end)
{
    const regression_sorted *sorted = &s->sorted;
    uint32_t *needed = s->needed, at = 0, total = 0;
    needed[0] = 0;
    for (int i = 0, next; i < end; i = next) {
        double y = sorted->rows[sorted->place[i]].y;
        uint32_t last = at, differ = 0;
        for (next = i; next < end && sorted->key[next] == sorted->key[i]; ++next) {
            const bag_row *row = sorted->rows + sorted->place[next];
            last += (uint32_t)row->count;
            differ |= row->y != y;
        }
        while (at < last) {
            total += differ;
            needed[++at] = total;
        }
    }
    for (uint32_t i = at; i < (uint32_t)node->size; ++i) {
        needed[i + 1] = total;
    }
    return at;
}

void order_ties_like_r(regression_search *s, const regression_node *node, int feature, int end)
{
    uint32_t n_cases = count_needed(s, node, end);
    regression_load_items(s->ranks, feature, node, s->items);
    sort_keys_like_r(s->items, node->size, s->needed);
    for (uint32_t i = 0; i < n_cases; ++i) {
        if (s->needed[i] < s->needed[i + 1]) {
            s->sorted_y[i] = node->cases[(uint32_t)s->items[i]].y;
        }
    }
}

void list_first_like_r(regression_search *s, const regression_node *node, int feature, uint32_t n_cases)
{
    for (uint32_t i = 0; i <= (uint32_t)node->size; ++i) {
        s->needed[i] = i < n_cases ? i : n_cases;
    }
    regression_load_items(s->ranks, feature, node, s->items);
    sort_keys_like_r(s->items, node->size, s->needed);
    for (uint32_t i = 0; i < n_cases; ++i) {
        s->sorted_y[i] = node->cases[(uint32_t)s->items[i]].y;
    }
}

/* The best cut of a numeric feature. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/row_order.h"
#include "tree/split_classes.h"
#include "tree/split_two_class.h"

/* Moves the missing rows from the end of s->sorted to its front. */
static void missing_first(splitter *s, int size, int n_missing)
{
    int32_t *moved = (int32_t *)s->packed;
    memcpy(moved, s->sorted + size - n_missing, (size_t)n_missing * sizeof *moved);
    memmove(s->sorted + n_missing, s->sorted, (size_t)(size - n_missing) * sizeof *moved);
    memcpy(s->sorted, moved, (size_t)n_missing * sizeof *moved);
}

static void scan_sorted(splitter *s, const node_view *node, int feature)
{
    int size = node->size, n_missing = 0;
    sort_rows(s, node, feature);
    while (ranks_have_missing(s->ranks, feature) && n_missing < size &&
           rank_of(s->ranks, feature, s->sorted[size - n_missing - 1]) >= (uint32_t)s->ranks->n_present[feature]) {
        ++n_missing;
    }
    if (n_missing == size) {
        return;
    }
    /* The cut after the last value separates values from missing ones. */
    s->criterion->scan(s, node, feature, &(row_order){s->sorted, 0, n_missing ? size - n_missing - 1 : size - 2});
    if (n_missing) {
        missing_first(s, size, n_missing);
        s->missing_left = true;
        s->criterion->scan(s, node, feature, &(row_order){s->sorted, n_missing, size - 2});
        s->missing_left = false;
    }
}

/* Whole numbers that are near R's sums, which are not exact. */
static bool may_equal_best(splitter *s, const node_view *node, int feature)
{
    return s->class_counts ? class_counts_may_equal_best(s, node, feature) : two_class_may_equal_best(s, node, feature);
}

void split_numeric(splitter *s, const node_view *node, int feature)
{
    bool merged = s->ranks->kind.ties == TIES_MERGED;
    if (merged && s->class_counts) {
        class_counts_split(s, node, feature);
    } else if (merged) {
        s->criterion->split_merged(s, node, feature);
    } else if (!s->packs || may_equal_best(s, node, feature)) {
        scan_sorted(s, node, feature);
    }
}

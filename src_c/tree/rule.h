/* All random choices in a tree: by R's draws, or by hashes of the node.
 *
 * A rule decides which features a node looks at, which of equal splits wins, where rows of equal value and levels without
 * rows go, and which class a tied leaf predicts; it also records splits. engine_r/class_rule.c is the rule of engine r,
 * engine_parallel/node_search.c that of engine parallel. `own` is the rule's state, which each function gets.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RULE_H
#define RRF_RULE_H

#include "rrf.h"
#include "tree/split.h"

typedef struct rule {
    /* With two classes the levels of a factor are also ordered by their means. */
    bool orders_two_classes;
    /* With more classes, those of a factor with more than ten levels are ordered along their first principal component. */
    bool orders_many_levels;
    /* name_levels() gives a set and its mirror image the same name. */
    bool unites_mirrored;
    /* As in R, a split leaves the rows of its node sorted by the feature. */
    bool leaves_sorted;
    /* Among a feature's cuts only the best and its equals are counted; R also counts those that are better than all
     * before them. */
    bool only_best_counts;

    /* Called before a tree is grown on the splitter's bag. */
    rrf_status (*begin_tree)(void *own);
    /* Fills in the third part of the view. */
    void (*view)(const void *own, node_view *view);
    /* Searches the best split of the node and leaves it in the splitter's bar. */
    rrf_status (*search)(void *own, const node_view *view);
    /* Records that the best split splits the node; its daughters are left and left + 1. */
    void (*record)(void *own, const split *best, int node, int left, double decrease);
    /* Returns whether the node must not be split. */
    bool (*at_bottom)(const void *own, int node);
    /* Returns the class of a leaf with these weights. */
    int (*leaf_class)(void *own, int node, const double *class_weight);

    /* Compares a cut of a number, or a set of levels, with the best split so far. worth: its value after
     * regularization. True if the best split has improved. A cut that equals the best so far is offered too, and each
     * cut once: both rules count them. */
    bool (*offer_cut)(void *own, split *best, const column *c, double worth, uint32_t cut_rank);
    /* Reports a number of cuts of a feature that were better than all before them, without equal ones. NULL: every cut
     * is offered. */
    void (*pass_better)(void *own, int n_cuts);
    bool (*offer_levels)(void *own, split *best, const column *c, double worth, uint64_t levels);
    /* Draws random sets of levels; sets NULL: the stream advances without writing. NULL: many levels are ordered. */
    void (*draw_sets)(void *own, int n_sets, int n_levels, uint32_t *sets);
    /* Draws sets of more than 32 levels. NULL: these are ordered, and the split holds the number of levels that go
     * left. */
    void (*draw_wide_sets)(void *own, int n_sets, int n_levels, uint64_t *sets);
    /* Returns the canonical set of all sets that send the same levels present left; levels without rows in the node may
     * differ. */
    uint32_t (*name_levels)(uint32_t levels, uint32_t present);
    /* Returns the split point between two values of a number. */
    double (*split_point)(double below, double above);
} rule;

#endif

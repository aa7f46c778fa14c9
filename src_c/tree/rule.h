/* How chance comes in: R's draws, or hashes of the node.
 *
 * A rule says which features a node looks at, which of equal splits stands, where rows of equal value and levels without
 * rows go, which class a tied leaf takes, and what is recorded of a split. r/class_rule.c is R's, parallel/node_search.c
 * that of the parallel engine. What a rule keeps from node to node is its own; it is handed to each function.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RULE_H
#define RRF_RULE_H

#include "rrf.h"
#include "tree/split.h"

typedef struct rule {
    /* Levels of a factor are ordered by their means where there are two classes, too. */
    bool orders_two_classes;
    /* The rows of a node are left in the order of the feature that splits it, as R leaves them. */
    bool leaves_sorted;

    /* A tree is about to be grown on the splitter's bag. */
    rrf_status (*begin_tree)(void *own);
    /* Fills in the third part of the view. */
    void (*view)(const void *own, node_view *view);
    /* Looks for the best split of the node, which then stands in the splitter's `best`. */
    rrf_status (*search)(void *own, const node_view *view);
    /* The node is split by the splitter's `best`; its daughters are left and left + 1. */
    void (*record)(void *own, int node, int left, double decrease);
    /* The node must not be split. */
    bool (*at_bottom)(const void *own, int node);
    /* The class of a leaf with these weights. */
    int (*leaf_class)(void *own, int node, const double *class_weight);

    /* A cut of a number, or a set of levels, that is worth so much after regularization competes with the splitter's
     * `best`. True when that has risen. */
    bool (*offer_cut)(void *own, double worth, int feature, uint32_t cut_rank);
    bool (*offer_levels)(void *own, double worth, int feature, uint32_t levels);
    /* A random set of levels, number `attempt` of those tried. */
    uint32_t (*draw_levels)(void *own, int feature, int attempt, int n_levels);
    /* The name of the split that sends `levels` left, of which some may have no rows in the node. */
    uint32_t (*name_levels)(uint32_t levels, uint32_t present);
    /* The split point between two values of a number. */
    double (*split_point)(double below, double above);
} rule;

#endif

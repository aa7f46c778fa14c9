/* Checks in one pass over the nodes that the core can have grown packed trees. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#include <math.h>

#include "data/matrix.h"
#include "tree/forest.h"

/* The data that the forest is checked against. */
typedef struct expectation {
    int p, nclass;
    const int32_t *ncat;
} expectation;

/* The functions below return the broken rule, or NULL. */
static const char *check_arrays(const rrf_forest *forest, int64_t n_nodes, const expectation *e)
{
    if (forest->ntree < 1 || n_nodes < forest->ntree) {
        return "a forest has a tree, and a tree has a node";
    }
    if (!forest->offset || !forest->left || !forest->split_var || !forest->split_point || !forest->status ||
        !forest->prediction || !e->ncat) {
        return "all arrays but missing_left and level_set are there";
    }
    if (forest->level_set && !forest->set_offset) {
        return "level_set comes with set_offset";
    }
    if (e->p < 1 || e->nclass < 1) {
        return "there are a feature and a class at least";
    }
    for (int j = 0; j < e->p; ++j) {
        if (e->ncat[j] < 1 || e->ncat[j] > RRF_MAX_WIDE) {
            return "ncat is 1 for a number, or the levels of a factor, 65,536 at most";
        }
    }
    return NULL;
}

/* Sets *tree to the tree at fault. */
static const char *check_offsets(const rrf_forest *forest, int64_t n_nodes, int *tree)
{
    for (*tree = 0; *tree < forest->ntree; ++*tree) {
        int64_t first = forest->offset[*tree], next = forest->offset[*tree + 1];
        /* In this order no difference can overflow. */
        if (first < 0 || next <= first || next > n_nodes || next - first > INT32_MAX) {
            return "offset rises from 0 to the number of nodes";
        }
    }
    for (*tree = 0; forest->level_set && *tree < forest->ntree; ++*tree) {
        int64_t first = forest->set_offset[*tree], next = forest->set_offset[*tree + 1];
        if (first < 0 || next < first || next > forest->set_capacity) {
            return "set_offset rises from 0 to the number of words in level_set";
        }
    }
    *tree = forest->offset[0] != 0 ? 0 : forest->ntree - 1;
    return forest->offset[0] != 0 || forest->offset[forest->ntree] != n_nodes
               ? "offset rises from 0 to the number of nodes"
               : NULL;
}

/* The bits of the levels that go left; RRF keeps those of 32 levels in a signed number. */
static bool names_levels(double bits, int n_levels)
{
    if (n_levels > RRF_MAX_PACKED) {
        return false;
    }
    double most = (double)(((uint64_t)1 << n_levels) - 1);
    double least = n_levels == RRF_MAX_LEVELS ? (double)INT32_MIN : 0.0;
    return bits >= least && bits <= most && floor(bits) == bits;
}

/* Returns the first word of the set of levels of a wide factor. */
static bool finds_set(const tree *t, double first, int n_levels)
{
    return first >= 0.0 && floor(first) == first && first + level_words(n_levels) <= (double)t->n_words;
}

static const char *check_split(const tree *t, int node, const expectation *e)
{
    int32_t feature = t->split_var[node];
    double point = t->split_point[node];
    if (t->status[node] != (e->nclass > 1 ? RRF_INTERIOR_CLASS : RRF_INTERIOR_REGRESS)) {
        return "status of a split is 1, for numbers -3";
    }
    if (feature < 1 || feature > e->p) {
        return "split_var of a split is a feature, from 1";
    }
    if (isnan(point)) {
        return "split_point is not NaN";
    }
    int n_levels = e->ncat[feature - 1];
    bool has_set = n_levels > RRF_MAX_LEVELS && t->level_set;
    if (has_set ? !finds_set(t, point, n_levels) : n_levels > 1 && !names_levels(point, n_levels)) {
        return "split_point of a factor names levels that it has";
    }
    return e->nclass > 1 && t->prediction[node] != 0.0 ? "prediction of a class is 0 at a split" : NULL;
}

static const char *check_terminal(const tree *t, int node, const expectation *e)
{
    double class = t->prediction[node];
    if (t->status[node] != RRF_TERMINAL) {
        return "status of a terminal node is -1";
    }
    if (t->split_var[node] != 0 || t->split_point[node] != 0.0) {
        return "split_var and split_point are 0 in a terminal node";
    }
    if (e->nclass > 1 && !(class >= 0.0 && class <= e->nclass && floor(class) == class)) {
        return "prediction of a terminal node is a class, from 1, or 0 where no case is";
    }
    return NULL;
}

/* `next` is the left daughter, from 1, that the tree's next split must have. */
static const char *check_node(const tree *t, int node, const expectation *e, int64_t next)
{
    if (t->left[node] != 0 && (t->left[node] != next || next <= node + 1 || next + 1 > t->size)) {
        return "left is 0, or the first node that no split before has for a daughter";
    }
    if (isnan(t->prediction[node])) {
        return "prediction is not NaN";
    }
    if (t->missing_left && t->missing_left[node] > (t->left[node] != 0)) {
        return "missing_left is 0, or 1 at a split";
    }
    return t->left[node] ? check_split(t, node, e) : check_terminal(t, node, e);
}

static const char *check_tree(const tree *t, const expectation *e, int *node)
{
    int64_t next = 2;
    for (*node = 0; *node < t->size; ++*node) {
        const char *rule = check_node(t, *node, e, next);
        if (rule) {
            return rule;
        }
        next += t->left[*node] ? 2 : 0;
    }
    *node = 0;
    return next - 1 == t->size ? NULL : "every node but the first is a daughter";
}

rrf_status rrf_forest_check(const rrf_forest *forest, int64_t n_nodes, int p, const int32_t *ncat, int nclass,
                            rrf_forest_fault *fault)
{
    expectation e = {.p = p, .nclass = nclass, .ncat = ncat};
    int index = 0, node = 0;
    const char *rule = check_arrays(forest, n_nodes, &e);
    if (!rule) {
        rule = check_offsets(forest, n_nodes, &index);
    }
    for (int i = 0; !rule && i < forest->ntree; ++i) {
        tree t = forest_tree(forest, i);
        rule = check_tree(&t, &e, &node);
        index = i;
    }
    if (fault) {
        *fault = (rrf_forest_fault){.rule = rule, .tree = index, .node = node};
    }
    return rule ? RRF_ERR_ARGUMENT : RRF_OK;
}

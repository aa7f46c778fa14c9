/* Packed trees. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/forest.h"

void rrf_forest_init(rrf_forest *forest)
{
    *forest = (rrf_forest){0};
}

void rrf_forest_free(rrf_forest *forest)
{
    free(forest->offset);
    free(forest->left);
    free(forest->split_var);
    free(forest->split_point);
    free(forest->status);
    free(forest->prediction);
    free(forest->missing_left);
    free(forest->set_offset);
    free(forest->level_set);
    rrf_forest_init(forest);
}

static bool grow_array(void **array, int64_t count, size_t size)
{
    void *grown = realloc(*array, (size_t)count * size);
    if (grown) {
        *array = grown;
    }
    return grown != NULL;
}

static rrf_status reserve_nodes(rrf_forest *forest, int64_t needed, bool parallel)
{
    if (needed <= forest->capacity) {
        return RRF_OK;
    }
    int64_t capacity = needed + needed / 2;
    if (!grow_array((void **)&forest->left, capacity, sizeof *forest->left) ||
        !grow_array((void **)&forest->split_var, capacity, sizeof *forest->split_var) ||
        !grow_array((void **)&forest->split_point, capacity, sizeof *forest->split_point) ||
        !grow_array((void **)&forest->status, capacity, sizeof *forest->status) ||
        !grow_array((void **)&forest->prediction, capacity, sizeof *forest->prediction) ||
        (parallel && !grow_array((void **)&forest->missing_left, capacity, sizeof *forest->missing_left))) {
        return RRF_ERR_MEMORY;
    }
    forest->capacity = capacity;
    return RRF_OK;
}

static rrf_status reserve_trees(rrf_forest *forest)
{
    if (forest->ntree + 1 < forest->tree_capacity) {
        return RRF_OK;
    }
    int capacity = 2 * forest->tree_capacity + 16;
    bool first = !forest->offset;
    if (!grow_array((void **)&forest->offset, capacity, sizeof *forest->offset) ||
        !grow_array((void **)&forest->set_offset, capacity, sizeof *forest->set_offset)) {
        return RRF_ERR_MEMORY;
    }
    if (first) {
        forest->offset[0] = forest->set_offset[0] = 0;
    }
    forest->tree_capacity = capacity;
    return RRF_OK;
}

static tree tree_at(const rrf_forest *forest, int64_t offset, int size)
{
    return (tree){.left = forest->left + offset,
                  .split_var = forest->split_var + offset,
                  .status = forest->status + offset,
                  .split_point = forest->split_point + offset,
                  .prediction = forest->prediction + offset,
                  .missing_left = forest->missing_left ? forest->missing_left + offset : NULL,
                  .size = size};
}

static rrf_status reserve_tree(rrf_forest *forest, int max_nodes, bool parallel, tree *t)
{
    rrf_status status = reserve_trees(forest);
    if (!status) {
        status = reserve_nodes(forest, forest->offset[forest->ntree] + max_nodes, parallel);
    }
    if (!status) {
        *t = tree_at(forest, forest->offset[forest->ntree], 0);
        t->forest = forest;
    }
    return status;
}

rrf_status forest_reserve(rrf_forest *forest, int max_nodes, tree *t)
{
    return reserve_tree(forest, max_nodes, false, t);
}

rrf_status forest_reserve_parallel(rrf_forest *forest, int max_nodes, tree *t)
{
    return reserve_tree(forest, max_nodes, true, t);
}

rrf_status forest_reserve_sets(tree *t, int64_t n)
{
    rrf_forest *forest = t->forest;
    int64_t first = forest->set_offset[forest->ntree], needed = first + t->n_words + n;
    if (needed > forest->set_capacity) {
        int64_t capacity = needed + needed / 2 + 16;
        if (!grow_array((void **)&forest->level_set, capacity, sizeof *forest->level_set)) {
            return RRF_ERR_MEMORY;
        }
        forest->set_capacity = capacity;
    }
    t->level_set = forest->level_set + first;
    return RRF_OK;
}

void forest_append(rrf_forest *forest, const tree *t)
{
    forest->offset[forest->ntree + 1] = forest->offset[forest->ntree] + t->size;
    forest->set_offset[forest->ntree + 1] = forest->set_offset[forest->ntree] + t->n_words;
    ++forest->ntree;
}

static void copy_breadth_first(const tree *from, tree *to, int32_t *order)
{
    int n_daughters = 0;
    order[0] = 0;
    for (int node = 0; node < from->size; ++node) {
        int was = order[node], left = from->left[was];
        to->left[node] = left ? n_daughters + 2 : 0;
        to->split_var[node] = from->split_var[was];
        to->status[node] = from->status[was];
        to->split_point[node] = from->split_point[was];
        to->prediction[node] = from->prediction[was];
        to->missing_left[node] = from->missing_left[was];
        if (left) {
            order[++n_daughters] = left - 1;
            order[++n_daughters] = left;
        }
    }
    to->size = from->size;
}

rrf_status forest_add_copy(rrf_forest *forest, const tree *t, int32_t *order)
{
    tree copy;
    rrf_status status = forest_reserve_parallel(forest, t->size, &copy);
    if (!status && t->n_words) {
        status = forest_reserve_sets(&copy, t->n_words);
    }
    if (status) {
        return status;
    }
    copy_breadth_first(t, &copy, order);
    copy.n_words = t->n_words;
    if (copy.n_words) {
        memcpy(copy.level_set, t->level_set, (size_t)copy.n_words * sizeof *copy.level_set);
    }
    forest_append(forest, &copy);
    return RRF_OK;
}

tree forest_tree(const rrf_forest *forest, int index)
{
    tree t = tree_at(forest, forest->offset[index], (int)(forest->offset[index + 1] - forest->offset[index]));
    if (forest->level_set) {
        t.level_set = forest->level_set + forest->set_offset[index];
        t.n_words = forest->set_offset[index + 1] - forest->set_offset[index];
    }
    return t;
}

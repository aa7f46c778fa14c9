/* Damaged forests are refused, grown ones are not. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "problem.h"

enum { TREES = 2, NODES = 8, FEATURES = 3 };
enum { CLASSES = 3, NUMBERS = 1 };

/* Two trees: five nodes, whose second split is of a factor, and three. */
typedef struct small_forest {
    int64_t offset[TREES + 1];
    int32_t left[NODES], split_var[NODES], status[NODES], ncat[FEATURES];
    double split_point[NODES], prediction[NODES];
    uint8_t missing_left[NODES];
    int p, nclass;
    int64_t n_nodes;
    rrf_forest view;
} small_forest;

static const int32_t LEFT[NODES] = {2, 4, 0, 0, 0, 2, 0, 0};

static void make(small_forest *f, int nclass)
{
    *f = (small_forest){.offset = {0, 5, NODES}, .ncat = {1, 5, 32}, .p = FEATURES, .nclass = nclass, .n_nodes = NODES};
    for (int i = 0; i < NODES; ++i) {
        bool split = LEFT[i] > 0;
        f->left[i] = LEFT[i];
        f->split_var[i] = split ? 1 + (i == 1) : 0;
        f->split_point[i] = i == 1 ? 31 : split ? 0.5 : 0;
        f->status[i] = !split ? RRF_TERMINAL : nclass > 1 ? RRF_INTERIOR_CLASS : RRF_INTERIOR_REGRESS;
        f->prediction[i] = nclass == 1 ? 0.25 * i : split ? 0 : 1 + i % nclass;
    }
    f->missing_left[0] = 1;
    f->view = (rrf_forest){.offset = f->offset,
                           .left = f->left,
                           .split_var = f->split_var,
                           .split_point = f->split_point,
                           .status = f->status,
                           .prediction = f->prediction,
                           .missing_left = f->missing_left,
                           .ntree = TREES};
}

static rrf_status check(const small_forest *f, rrf_forest_fault *fault)
{
    return rrf_forest_check(&f->view, f->n_nodes, f->p, f->ncat, f->nclass, fault);
}

/* ---- damage ---------------------------------------------------------------------------------------------------------- */

typedef struct damage {
    const char *name;
    void (*apply)(small_forest *f);
    int tree, node; /* where it is found */
    int nclass;     /* CLASSES or NUMBERS alone; 0: both */
} damage;

/* A function that damages f. */
#define DAMAGE(name, statement)                                                                                        \
    static void name(small_forest *f)                                                                                  \
    {                                                                                                                  \
        statement;                                                                                                     \
    }

DAMAGE(no_trees, f->view.ntree = 0)
DAMAGE(no_offsets, f->view.offset = NULL)
DAMAGE(no_left, f->view.left = NULL)
DAMAGE(no_features, f->p = 0)
DAMAGE(no_classes, f->nclass = 0)
DAMAGE(other_kind, f->nclass = f->nclass > 1 ? 1 : CLASSES)
DAMAGE(levels_none, f->ncat[2] = 0)
DAMAGE(levels_65537, f->ncat[2] = 65537)
DAMAGE(offset_from_1, f->offset[0] = 1)
DAMAGE(offset_negative, f->offset[0] = -1)
DAMAGE(offset_back, f->offset[1] = 0)
DAMAGE(offset_far, f->offset[1] = INT64_MAX)
DAMAGE(offset_least, f->offset[1] = INT64_MIN)
DAMAGE(offset_moved, f->offset[1] = 4)
DAMAGE(offset_long, f->offset[2] = NODES + 1)
DAMAGE(offset_short, f->offset[2] = NODES - 1)
DAMAGE(nodes_fewer, f->n_nodes = NODES - 1)
DAMAGE(left_to_itself, f->left[1] = 2)
DAMAGE(left_back, f->left[1] = 1)
DAMAGE(left_negative, f->left[1] = -4)
DAMAGE(left_beyond, f->left[1] = 5)
DAMAGE(left_far, f->left[1] = INT32_MAX)
DAMAGE(left_of_others, (f->left[0] = 4, f->left[1] = 2))
DAMAGE(left_none, f->left[1] = 0)
DAMAGE(left_pruned, (f->left[1] = 0, f->split_var[1] = 0, f->split_point[1] = 0, f->status[1] = RRF_TERMINAL,
                     f->prediction[1] = 1, f->missing_left[1] = 0))
/* The first node of a tree is a leaf, and the second one its own daughter. */
DAMAGE(left_unreached,
       (f->left[6] = 2, f->split_var[6] = 1, f->split_point[6] = 0.5, f->status[6] = f->status[5], f->prediction[6] = 0,
        f->left[5] = 0, f->split_var[5] = 0, f->split_point[5] = 0, f->status[5] = RRF_TERMINAL, f->prediction[5] = 1))
DAMAGE(left_at_leaf, f->left[4] = 6)
DAMAGE(feature_0, f->split_var[0] = 0)
DAMAGE(feature_beyond, f->split_var[0] = FEATURES + 1)
DAMAGE(feature_negative, f->split_var[0] = INT32_MIN)
DAMAGE(feature_at_leaf, f->split_var[2] = 1)
DAMAGE(point_nan, f->split_point[0] = NAN)
DAMAGE(point_at_leaf, f->split_point[2] = 1)
DAMAGE(levels_nan, f->split_point[1] = NAN)
DAMAGE(levels_infinite, f->split_point[1] = INFINITY)
DAMAGE(levels_between, f->split_point[1] = 1.5)
DAMAGE(levels_beyond, f->split_point[1] = 32)
DAMAGE(levels_negative, f->split_point[1] = -1)
DAMAGE(levels_of_32, (f->split_var[1] = 3, f->split_point[1] = 4294967296.0))
DAMAGE(levels_of_32_negative, (f->split_var[1] = 3, f->split_point[1] = -2147483649.0))
DAMAGE(status_0, f->status[2] = 0)
DAMAGE(status_of_split, f->status[2] = RRF_INTERIOR_CLASS)
DAMAGE(status_of_leaf, f->status[1] = RRF_TERMINAL)
DAMAGE(status_unknown, f->status[1] = 7)
DAMAGE(class_negative, f->prediction[2] = -1)
DAMAGE(class_beyond, f->prediction[2] = CLASSES + 1)
DAMAGE(class_between, f->prediction[2] = 1.5)
DAMAGE(class_infinite, f->prediction[2] = INFINITY)
DAMAGE(class_of_split, f->prediction[0] = 1)
DAMAGE(prediction_nan, f->prediction[2] = NAN)
DAMAGE(mean_of_split_nan, f->prediction[0] = NAN)
DAMAGE(missing_2, f->missing_left[0] = 2)
DAMAGE(missing_at_leaf, f->missing_left[2] = 1)
DAMAGE(second_tree, f->split_var[5] = 99)

#define CASE(name, ...) {#name, name, __VA_ARGS__}
static const damage DAMAGES[] = {
    CASE(no_trees, 0, 0, 0),
    CASE(no_offsets, 0, 0, 0),
    CASE(no_left, 0, 0, 0),
    CASE(no_features, 0, 0, 0),
    CASE(no_classes, 0, 0, 0),
    CASE(other_kind, 0, 0, 0),
    CASE(levels_none, 0, 0, 0),
    CASE(levels_65537, 0, 0, 0),
    CASE(offset_from_1, 0, 0, 0),
    CASE(offset_negative, 0, 0, 0),
    CASE(offset_back, 0, 0, 0),
    CASE(offset_far, 0, 0, 0),
    CASE(offset_least, 0, 0, 0),
    CASE(offset_moved, 0, 1, 0),
    CASE(offset_long, 1, 0, 0),
    CASE(offset_short, 1, 0, 0),
    CASE(nodes_fewer, 1, 0, 0),
    CASE(left_to_itself, 0, 1, 0),
    CASE(left_back, 0, 1, 0),
    CASE(left_negative, 0, 1, 0),
    CASE(left_beyond, 0, 1, 0),
    CASE(left_far, 0, 1, 0),
    CASE(left_of_others, 0, 0, 0),
    CASE(left_none, 0, 1, 0),
    CASE(left_pruned, 0, 0, 0),
    CASE(left_unreached, 1, 1, 0),
    CASE(left_at_leaf, 0, 4, 0),
    CASE(feature_0, 0, 0, 0),
    CASE(feature_beyond, 0, 0, 0),
    CASE(feature_negative, 0, 0, 0),
    CASE(feature_at_leaf, 0, 2, 0),
    CASE(point_nan, 0, 0, 0),
    CASE(point_at_leaf, 0, 2, 0),
    CASE(levels_nan, 0, 1, 0),
    CASE(levels_infinite, 0, 1, 0),
    CASE(levels_between, 0, 1, 0),
    CASE(levels_beyond, 0, 1, 0),
    CASE(levels_negative, 0, 1, 0),
    CASE(levels_of_32, 0, 1, 0),
    CASE(levels_of_32_negative, 0, 1, 0),
    CASE(status_0, 0, 2, 0),
    CASE(status_of_split, 0, 2, 0),
    CASE(status_of_leaf, 0, 1, 0),
    CASE(status_unknown, 0, 1, 0),
    CASE(class_negative, 0, 2, CLASSES),
    CASE(class_beyond, 0, 2, CLASSES),
    CASE(class_between, 0, 2, CLASSES),
    CASE(class_infinite, 0, 2, CLASSES),
    CASE(class_of_split, 0, 0, CLASSES),
    CASE(prediction_nan, 0, 2, 0),
    CASE(mean_of_split_nan, 0, 0, NUMBERS),
    CASE(missing_2, 0, 0, 0),
    CASE(missing_at_leaf, 0, 2, 0),
    CASE(second_tree, 1, 0, 0),
};

static void test_damaged_forests_are_refused(int nclass)
{
    for (int i = 0; i < COUNT(DAMAGES); ++i) {
        const damage *d = &DAMAGES[i];
        small_forest f;
        rrf_forest_fault fault;
        make(&f, nclass);
        if (d->nclass && d->nclass != nclass) {
            continue;
        }
        d->apply(&f);
        CHECK(check(&f, NULL) == RRF_ERR_ARGUMENT, "%s, %d classes", d->name, nclass);
        CHECK(check(&f, &fault) == RRF_ERR_ARGUMENT && fault.rule, "%s, %d classes", d->name, nclass);
        CHECK(fault.tree == d->tree && fault.node == d->node, "%s, %d classes: found in tree %d, node %d: %s", d->name,
              nclass, fault.tree, fault.node, fault.rule);
    }
}

static void test_sound_forests_are_not(int nclass)
{
    small_forest f;
    rrf_forest_fault fault = {.rule = "unset"};
    make(&f, nclass);
    CHECK(check(&f, &fault) == RRF_OK && !fault.rule, "%d classes: %s", nclass, fault.rule);
    f.view.missing_left = NULL;
    f.split_point[0] = -INFINITY;
    f.split_point[5] = INFINITY;
    f.split_point[1] = 0;
    CHECK(check(&f, NULL) == RRF_OK, "%d classes, no missing values, infinite split points", nclass);
    f.split_var[1] = 3;
    f.split_point[1] = INT32_MIN;
    CHECK(check(&f, NULL) == RRF_OK, "%d classes, level 32 as R keeps it", nclass);
    f.split_point[1] = UINT32_MAX;
    CHECK(check(&f, NULL) == RRF_OK, "%d classes, 32 levels as bits", nclass);
    f.ncat[2] = 53;
    f.split_point[1] = 0x1p53 - 1.0;
    CHECK(check(&f, NULL) == RRF_OK, "%d classes, 53 levels as randomForest keeps them", nclass);
    f.ncat[2] = 52;
    CHECK(check(&f, NULL) == RRF_ERR_ARGUMENT, "%d classes, a level beyond the last one", nclass);
    f.ncat[2] = 54;
    CHECK(check(&f, NULL) == RRF_ERR_ARGUMENT, "%d classes, 54 levels without a set", nclass);
    f.ncat[2] = 32;
    f.split_point[1] = 1;
    f.prediction[2] = nclass == 1 ? INFINITY : 0;
    CHECK(check(&f, NULL) == RRF_OK, "%d classes, a mean of huge numbers or a leaf without cases", nclass);
}

/* ---- grown forests --------------------------------------------------------------------------------------------------- */

/* A byte changed at random is refused, or harmless: predictions of the forest stay in memory, as the sanitizers see. */
static void test_any_byte(const answer *a, const problem *p, uint64_t seed)
{
    const rrf_forest *forest = &a->forest;
    int64_t n_nodes = forest->offset[forest->ntree];
    struct {
        void *bytes;
        size_t size;
    } parts[] = {{forest->offset, (size_t)(forest->ntree + 1) * sizeof *forest->offset},
                 {forest->left, (size_t)n_nodes * sizeof *forest->left},
                 {forest->split_var, (size_t)n_nodes * sizeof *forest->split_var},
                 {forest->status, (size_t)n_nodes * sizeof *forest->status},
                 {forest->split_point, (size_t)n_nodes * sizeof *forest->split_point},
                 {forest->prediction, (size_t)n_nodes * sizeof *forest->prediction}};
    rrf_rng draw;
    rrf_rng_splitmix(&draw, seed, 0);
    for (int i = 0; i < 200; ++i) {
        int part = (int)(rrf_rng_uniform(&draw) * COUNT(parts));
        uint8_t *byte = (uint8_t *)parts[part].bytes + (size_t)(rrf_rng_uniform(&draw) * (double)parts[part].size),
                before = *byte;
        *byte ^= (uint8_t)(1 + (int)(rrf_rng_uniform(&draw) * 255));
        if (!rrf_forest_check(forest, n_nodes, p->train.p, p->ncat, p->nclass, NULL)) {
            rrf_rng rng = draw;
            rrf_prediction out = {.votes = a->result.votes, .predicted = a->result.predicted};
            rrf_status status = rrf_predict(forest, &p->train, p->nclass, p->cutoff, 1, &rng, 1, NULL, &out);
            CHECK(status == RRF_OK, "seed %d, change %d", (int)seed, i);
        }
        *byte = before;
    }
}

static void test_grown_forests(void)
{
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        spec s = spec_draw(seed);
        problem p;
        answer a;
        rrf_forest_fault fault;
        problem_make(&p, &s, seed);
        answer_make(&a, &p, NULL);
        answer_fit(&a, &p, NULL);
        if (!a.status && a.forest.ntree > 0 && !s.unsupervised) {
            rrf_status status =
                rrf_forest_check(&a.forest, a.forest.offset[a.forest.ntree], p.train.p, p.ncat, p.nclass, &fault);
            CHECK(status == RRF_OK, "seed %d: tree %d, node %d: %s", (int)seed, fault.tree, fault.node, fault.rule);
            test_any_byte(&a, &p, seed);
        }
        answer_free(&a);
        problem_free(&p);
    }
}

int main(void)
{
    test_sound_forests_are_not(CLASSES);
    test_sound_forests_are_not(NUMBERS);
    test_damaged_forests_are_refused(CLASSES);
    test_damaged_forests_are_refused(NUMBERS);
    test_grown_forests();
    return 0;
}

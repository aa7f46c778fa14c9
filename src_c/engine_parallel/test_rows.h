/* A test set of the parallel engine, predicted as trees are added to the forest. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_TEST_ROWS_H
#define RRF_TEST_ROWS_H

#include "answers/votes.h"
#include "arena.h"
#include "tree/forest.h"

typedef struct test_rows {
    rrf_test_rows *rows; /* NULL: there is no test set */
    const vote_rule *rule;
    bool numbers;
    int ntree;
    uint64_t *key;  /* n: of each row's ties; classes only */
    int32_t *cases; /* nclass: rows of each class; classes only */
} test_rows;

/* Returns whether a test set, if there is one, matches the training data and has its arrays. */
bool test_rows_are_sound(const rrf_test_rows *rows, const rrf_data *train, const rrf_target *target);
/* rows NULL: no test set. rule: of the votes, NULL for regression; it must outlive the state. */
rrf_status test_rows_init(test_rows *t, rrf_test_rows *rows, const vote_rule *rule, int ntree, arena *memory);
/* Adds tree number `index`, in order; leaves: those of the rows. */
void test_rows_add(test_rows *t, const tree *tree, const int32_t *leaves, int index);

#endif

/* Numeric features if classes are counted in whole numbers: more than two classes. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_SPLIT_CLASSES_H
#define RRF_SPLIT_CLASSES_H

#include "filters/state.h"

/* Returns whether counts of these classes and draws fit into the payload of a row. Engine parallel only needs the
 * classes to fit: its sums need not equal R's. */
bool class_counts_fit(int nclass, int64_t draws);

/* Allocates scratch for counts; NULL if classes are not counted. */
class_counts *class_counts_new(const search_input *in, arena *memory);
/* Called when nodes are renumbered. */
void class_counts_forget(class_counts *c);
/* Offers the cuts of a feature whose equal values share a rank or, if requested, returns whether one may equal the best
 * split so far. */
bool class_counts_scan(const scan *c, bool asks);

/* The ranks present in a node, of a feature with a common value (split_rare.c). */
typedef struct rare_ranks {
    int n_rows; /* rows of the node with another value */
    const int32_t *row;
    const uint32_t *place; /* n_rows: index of its rank */
    int n, n_present;      /* ranks; those of values, before that of missing ones */
    int common;            /* index of the common one */
    const uint32_t *rank;  /* n: ascending */
} rare_ranks;

/* Offers the cuts from the rows without the feature's common value, if there are few enough ranks. */
bool class_counts_fit_table(const scan *c, int n_ranks);
void class_counts_split_rare(const scan *c, const rare_ranks *ranks);

#endif

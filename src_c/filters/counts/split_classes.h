/* Numeric features where classes are counted in whole numbers: more than two classes.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_CLASSES_H
#define RRF_SPLIT_CLASSES_H

#include "filters/state.h"

/* Whether counts of so many classes and draws fit into the payload of a row. Engine parallel only asks for classes: its
 * sums need not be R's. */
bool class_counts_fit(int nclass, int64_t draws);

/* Scratch for counts; NULL where there are none. */
class_counts *class_counts_new(const search_input *in, arena *memory);
/* Nodes are numbered anew. */
void class_counts_forget(class_counts *c);
/* Offers the cuts of a feature whose equal values share a rank or, if it asks, says whether one may equal the best split so
 * far. */
bool class_counts_scan(const scan *c, bool asks);

/* The ranks present in a node, of a feature of which most rows hold the same value (split_rare.c). */
typedef struct rare_ranks {
    int n_rows; /* of the node that hold another one */
    const int32_t *row;
    const uint32_t *place; /* n_rows: the place of its rank */
    int n, n_present;      /* ranks; those of values, before that of missing ones */
    int common;            /* the place of the common one */
    const uint32_t *rank;  /* n: ascending */
} rare_ranks;

/* The same from the rows that do not hold the feature's common value, if the ranks present are few enough. */
bool class_counts_fit_table(const scan *c, int n_ranks);
void class_counts_split_rare(const scan *c, const rare_ranks *ranks);

#endif

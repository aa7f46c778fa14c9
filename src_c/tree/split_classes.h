/* Numeric features where classes are counted in whole numbers: more than two classes.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_CLASSES_H
#define RRF_SPLIT_CLASSES_H

#include "tree/search.h"

/* Whether counts of so many classes and draws fit into the payload of a row. Engine parallel only asks for classes: its
 * sums need not be R's. */
bool class_counts_fit(int nclass, int64_t draws);

/* Scratch for counts; NULL where there are none. */
class_counts *class_counts_new(const search_input *in, arena *memory);
/* Nodes are numbered anew. */
void class_counts_forget(class_counts *c);
/* Offers the cuts of a feature whose equal values share a rank. */
void class_counts_split(splitter *s, const node_view *node, int feature);
/* The same from the rows that do not hold the feature's common value, if the ranks present are few enough. */
bool class_counts_fit_table(const splitter *s, const node_view *node, int n_ranks);
void class_counts_split_rare(splitter *s, const node_view *node, int feature, const rare_ranks *ranks);
/* Sums are not exact: false when no cut of the feature can equal the best split so far. */
bool class_counts_may_equal_best(splitter *s, const node_view *node, int feature);

#endif

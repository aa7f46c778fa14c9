/* Numeric features where classes are counted in whole numbers: more than two classes.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_CLASSES_H
#define RRF_SPLIT_CLASSES_H

#include "tree/splitter.h"

/* Whether counts of so many classes and draws fit into the payload of a row. Engine parallel only asks for classes: its
 * sums need not be R's. */
bool class_counts_fit(int nclass, int64_t draws);

/* Prepares the splitter for counts, before any tree. */
rrf_status class_counts_init(splitter *s);
void class_counts_free(splitter *s);
/* Makes the table that the criterion wants, if any; forks share it. */
rrf_status class_counts_tabulate(splitter *s);
/* Nodes are numbered anew. */
void class_counts_forget(splitter *s);
/* Packs the counts of the splitter's bag. RRF_ERR_ARGUMENT: a row is in it too often. */
rrf_status class_counts_begin_tree(splitter *s);
/* Offers the cuts of a feature whose equal values share a rank. */
void class_counts_split(splitter *s, const node_view *node, int feature);
/* Sums are not exact: false when no cut of the feature can equal the best split so far. */
bool class_counts_may_equal_best(splitter *s, const node_view *node, int feature);

#endif

/* Two classes in columns of few values. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_FEW_VALUES_H
#define RRF_SPLIT_FEW_VALUES_H

#include "tree/two_class.h"

/* Offers the cuts of a feature that is kept as planes; nodes of any size. True as in two_class_evaluate(). */
bool planes_scan(two_class *t);
/* Adds up the payloads of the node's rows by rank, of a feature that is kept as bytes: into s->slot, where the caller
 * puts the zeros back. */
void count_values(splitter *s, const node_view *node, int feature);
/* The same into s->packed_spare, which holds zeros. rows_pack is not 0. */
void count_values_wide(splitter *s, const node_view *node, int feature);

#endif

/* Splits of a factor. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_CATEGORICAL_H
#define RRF_SPLIT_CATEGORICAL_H

#include "tree/search.h"

/* Number of random sets beyond that: R's ncsplit. */
enum { RANDOM_SETS = 512 };
/* Smallest weight of a left daughter when sets are tried. */
#define MIN_LEFT_WEIGHT 1.0e-8

void split_categorical(splitter *s, const node_view *node, const column *c);
/* Offers one set of levels. present: levels with rows in the node; s->level_total holds their sums by class. */
void try_set(splitter *s, const node_view *node, const column *c, uint64_t levels, uint64_t present);

/* Returns whether a set and its complement have the same criterion; if sums are not exact R's may differ. */
static inline bool sets_mirror(const splitter *s)
{
    return s->in->bag->exact || s->in->rule->unites_mirrored;
}

#endif

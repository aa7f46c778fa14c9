/* Splits of a factor. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_CATEGORICAL_H
#define RRF_SPLIT_CATEGORICAL_H

#include "tree/search.h"

/* Otherwise so many random sets of levels: R's ncsplit. */
enum { RANDOM_SETS = 512 };
/* Least weight of a left daughter where sets are tried. */
#define MIN_LEFT_WEIGHT 1.0e-8

void split_categorical(splitter *s, const node_view *node, const column *c);
/* Offers one set of levels. present: those that rows of the node have; s->level_total holds their sums by class. */
void try_set(splitter *s, const node_view *node, const column *c, uint64_t levels, uint64_t present);

/* Whether a set and its mirror image are worth the same; where sums are not exact R's criterion may separate them. */
static inline bool sets_mirror(const splitter *s)
{
    return s->in->bag->exact || s->in->rule->unites_mirrored;
}

#endif

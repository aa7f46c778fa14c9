/* Sets of a factor's levels that go left, evaluated together. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_SETS_H
#define RRF_SPLIT_SETS_H

#include "filters/state.h"

/* The hook of split_categorical(): offers the best set. False: sets must be tried one by one. s->level_total holds the
 * node's sums by level and class; present: the levels with rows. */
bool value_sets_at_once(splitter *s, const node_view *node, const column *c, uint32_t present);

#endif

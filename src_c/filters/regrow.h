/* The candidates of a node when its tree is regrown, because F has grown since the earlier attempt.
 *
 * A feature may offer more than it did then only if it was no candidate, or if it had a penalty and has none now. All
 * others offer as much as then or, with a coefficient of at most 1, less. So the winner of then is evaluated against those
 * few features, as long as it is still a candidate at the same price.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_REGROW_H
#define RRF_REGROW_H

#include "engine_parallel/node_state.h"

rrf_status regrow_init(node_search *s, arena *memory);
/* Records the features that the earlier attempt added to F, and their nodes; discards the record. */
void regrow_begin(node_search *s);
void regrow_end(node_search *s);
/* Lists the features that may beat the winner of node `hint` of the earlier attempt in s->list. False: the node must be
 * searched in full. */
bool regrow_list(node_search *s, uint64_t key, int hint, int *n_listed);

#endif

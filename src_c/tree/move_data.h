/* The rows of a node are parted by its best split: R's movedata.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_MOVE_DATA_H
#define RRF_MOVE_DATA_H

#include "data/partition.h"
#include "tree/builder.h"

/* Moves the rows that go left to the front of the node's range, and stores the split point. *n_left: how many they are. */
rrf_status move_data(builder *g, const node_view *node, int *n_left);

#endif

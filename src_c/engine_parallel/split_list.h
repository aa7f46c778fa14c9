/* The list of the splits of a forest. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_LIST_H
#define RRF_SPLIT_LIST_H

#include "rrf.h"

/* Appends the splits of a tree. splits NULL: not requested. */
rrf_status splits_add(rrf_splits *splits, int feature, double decrease);

#endif

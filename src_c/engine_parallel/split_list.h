/* The splits of a forest, one after the other. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_LIST_H
#define RRF_SPLIT_LIST_H

#include "rrf.h"

/* splits NULL: not wanted. */
rrf_status splits_add(rrf_splits *splits, int feature, double decrease);

#endif

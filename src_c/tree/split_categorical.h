/* Splits of a factor. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_CATEGORICAL_H
#define RRF_SPLIT_CATEGORICAL_H

#include "tree/search.h"

void split_categorical(splitter *s, const node_view *node, int feature);

#endif

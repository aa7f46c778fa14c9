/* Numeric features if two classes are counted in whole numbers. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_TWO_CLASS_H
#define RRF_SPLIT_TWO_CLASS_H

#include "filters/state.h"

/* Offers the cuts of a feature whose equal values share a rank or, if requested, returns whether one may equal the best
 * split so far. */
bool two_class_scan(const scan *c, bool asks);

#endif

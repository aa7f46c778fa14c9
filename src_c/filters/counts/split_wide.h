/* Two classes in nodes of more cases than the packed loops can hold. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLIT_WIDE_H
#define RRF_SPLIT_WIDE_H

#include "filters/counts/two_class.h"

/* Offers the cuts of a feature whose equal values share a rank. entries: its sorted list, or NULL. True as in
 * two_class_evaluate(). */
bool wide_scan(two_class *t, const uint64_t *entries);

#endif

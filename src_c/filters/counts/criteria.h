/* The criteria in whole numbers of cases. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_COUNT_CRITERIA_H
#define RRF_COUNT_CRITERIA_H

#include "filters/state.h"

/* NULL: the criterion has no version for counts. */
const count_criterion *count_criterion_of(const criterion *c);
/* Fills the table of n log n of the counts. */
void tabulate_logarithms(filter_input *f, const search_input *in, arena *memory);

#endif

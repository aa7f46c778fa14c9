/* Who pays coefReg, and what it does to a split. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PENALTY_H
#define RRF_PENALTY_H

#include <stdbool.h>

/* The rule, R's flagReg. In a regularized forest the members of F are exempt, and every other feature pays: it has to be
 * that much better to enter F. In a guided forest (flagReg = 0) nobody is exempt, so that coefReg is a weight. */
static inline bool pays_penalty(bool members_exempt, bool is_member)
{
    return !(members_exempt && is_member);
}

/* What a split is worth to the search. factor: coefReg of a feature that pays, otherwise 1. */
static inline double penalized(double factor, double gain)
{
    return factor * gain;
}

#endif

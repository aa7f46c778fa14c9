/* The penalty: the features that have it, and its effect on a split. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PENALTY_H
#define RRF_PENALTY_H

#include <stdbool.h>

/* R's flagReg. In a regularized forest members of F are exempt, and every other feature is penalized, so that it must be better to
 * enter F. With flagReg = 0 no feature is exempt, and coefReg is a weight. */
static inline bool is_penalized(bool members_exempt, bool is_member)
{
    return !(members_exempt && is_member);
}

/* Returns the value of a split in the search. factor: coefReg of a penalized feature, otherwise 1. */
static inline double penalized(double factor, double gain)
{
    return factor * gain;
}

/* Returns 1 / factor, or 0 if that could overflow. */
static inline double inverse_of(double factor)
{
    return factor > 1.0e-200 ? 1.0 / factor : 0.0;
}

#endif

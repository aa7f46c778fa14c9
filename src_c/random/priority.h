/* Choice between equal candidates by a hash of each, so that the order of offers does not matter.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_PRIORITY_H
#define RRF_PRIORITY_H

#include <stdbool.h>

#include "random/splitmix.h"

/* The leader among equal candidates: the one with the highest priority. */
typedef struct lead {
    double most;       /* the value of the leader */
    uint64_t priority; /* and its priority */
    bool found;        /* there is a leader */
} lead;

/* Returns whether the candidate takes the lead. */
static inline bool priority_takes(lead *p, double value, uint64_t priority)
{
    bool takes = value > p->most || (value == p->most && p->found && priority > p->priority);
    if (takes) {
        *p = (lead){value, priority, true};
    }
    return takes;
}

#endif

/* A monitor that asks a fit to stop, and counts what it is asked and told. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STOPPER_H
#define STOPPER_H

#include "check.h"

/* Asks to stop at the given question, once, or after the given tree; 0: never. */
typedef struct stopper {
    int polls, trees, stop_at_poll, stop_at_tree;
} stopper;

static inline int count_poll(void *context)
{
    stopper *s = context;
    return ++s->polls == s->stop_at_poll;
}

static inline int count_tree(void *context, int grown)
{
    stopper *s = context;
    CHECK(grown == ++s->trees, "tree %d is reported as %d", s->trees, grown);
    return grown == s->stop_at_tree;
}

#endif

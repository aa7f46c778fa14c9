/* Interrupts of a long computation: the monitor that the caller passes.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_MONITOR_H
#define RRF_MONITOR_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "rrf.h"

/* Cells or rows between two calls of the monitor: at most a tenth of a second. */
enum { WORK_PER_POLL = 1 << 22 };

static inline rrf_status monitor_poll(const rrf_monitor *monitor)
{
    return monitor && monitor->poll && monitor->poll(monitor->context) ? RRF_ERR_INTERRUPT : RRF_OK;
}

/* Counts work, and calls the monitor when enough has been done. */
typedef struct watch {
    const rrf_monitor *monitor;
    int64_t work;
} watch;

static inline rrf_status watch_work(watch *w, int64_t amount)
{
    w->work += amount;
    if (w->work < WORK_PER_POLL) {
        return RRF_OK;
    }
    w->work = 0;
    return monitor_poll(w->monitor);
}

/* Returns the number of draws until the next call of the monitor. */
static inline int draws_per_poll(int left)
{
    return left < WORK_PER_POLL ? left : WORK_PER_POLL;
}

#endif

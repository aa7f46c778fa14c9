/* Waiting for a condition with a time limit. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_TIMED_WAIT_H
#define RRF_TIMED_WAIT_H

#include <pthread.h>

/* Initializes a condition that uses a monotonic clock. */
void timed_condition_init(pthread_cond_t *condition);
/* Waits until the condition is signalled, or for the given number of milliseconds. The caller holds the lock, as for
 * pthread_cond_wait. */
void timed_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int milliseconds);

#endif

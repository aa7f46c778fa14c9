/* POSIX waits until a time of day, which may be set back meanwhile, unless the condition is told to use the monotonic clock.
 * macOS and Windows have no such choice, but wait for a span of time. SPDX-License-Identifier: GPL-2.0-or-later */
#if defined(__APPLE__) || defined(_WIN32)
#define WAITS_FOR_A_SPAN 1
#else
#define _POSIX_C_SOURCE 200809L
#endif

#include <time.h>

#include "threads/timed_wait.h"

enum { MILLISECONDS_PER_SECOND = 1000, NANOSECONDS_PER_MILLISECOND = 1000000, NANOSECONDS_PER_SECOND = 1000000000 };

static struct timespec span_of(int milliseconds)
{
    return (struct timespec){.tv_sec = milliseconds / MILLISECONDS_PER_SECOND,
                             .tv_nsec = milliseconds % MILLISECONDS_PER_SECOND * NANOSECONDS_PER_MILLISECOND};
}

#ifdef WAITS_FOR_A_SPAN

void timed_condition_init(pthread_cond_t *condition)
{
    pthread_cond_init(condition, NULL);
}

void timed_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int milliseconds)
{
    struct timespec span = span_of(milliseconds);
    pthread_cond_timedwait_relative_np(condition, lock, &span);
}

#else

void timed_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

void timed_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int milliseconds)
{
    struct timespec until, span = span_of(milliseconds);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += span.tv_sec + (until.tv_nsec + span.tv_nsec) / NANOSECONDS_PER_SECOND;
    until.tv_nsec = (until.tv_nsec + span.tv_nsec) % NANOSECONDS_PER_SECOND;
    pthread_cond_timedwait(condition, lock, &until);
}

#endif

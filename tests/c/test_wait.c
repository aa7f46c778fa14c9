/* A wait that nobody ends takes its time and no more. SPDX-License-Identifier: GPL-2.0-or-later */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "check.h"
#include "threads/timed_wait.h"

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static void wait_for(int milliseconds)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition;
    timed_condition_init(&condition);
    pthread_mutex_lock(&lock);
    double start = now();
    timed_condition_wait(&condition, &lock, milliseconds);
    double waited = 1000.0 * (now() - start);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&condition);
    CHECK(waited >= milliseconds && waited < milliseconds + 60000.0, "%d ms: waited for %g", milliseconds, waited);
}

int main(void)
{
    wait_for(1);
    wait_for(50);
    wait_for(1100); /* more than a second: nanoseconds carry over, wherever the clock stands */
    return 0;
}

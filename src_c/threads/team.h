/* Threads that look for work alongside the calling thread, for as long as the team lives.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_TEAM_H
#define RRF_TEAM_H

#include <pthread.h>
#include <stdatomic.h>

#include "arena.h"

/* A member that finds no work looks again for a few microseconds, and then sleeps until there is news. */
typedef struct team {
    void *context;
    bool (*work)(void *context, int member); /* does a piece of work; false: there is none. member: from 0 */
    int n_members, n_started;
    bool tried; /* to start them */
    pthread_t *thread;
    struct team_member *member;
    pthread_mutex_t lock;
    pthread_cond_t news_came;
    atomic_uint news;
    atomic_int sleepers;
    atomic_bool stop;
} team;

rrf_status team_init(team *t, int n_members, bool (*work)(void *context, int member), void *context, arena *memory);
/* Says that there may be work. The first call starts the threads: fewer where the system has no more. */
void team_tell(team *t);
/* Waits until all members have come back from what they were doing, and ends them. All zero is a team, too. */
void team_end(team *t);

/* A moment's rest in a loop that waits for another thread. */
static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

#endif

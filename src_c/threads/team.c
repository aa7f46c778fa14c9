/* A team is told of work by a counter that its members watch, so that telling costs the calling thread a few nanoseconds
 * while they are awake. SPDX-License-Identifier: GPL-2.0-or-later */
#include "threads/team.h"

/* Looks at the counter before a member goes to sleep: some 20 microseconds. */
enum { LOOKS = 500 };

typedef struct team_member {
    team *team;
    int number;
} team_member;

static bool has_news(team *t, unsigned seen)
{
    return atomic_load(&t->news) != seen || atomic_load(&t->stop);
}

static void sleep_until_news(team *t, unsigned seen)
{
    pthread_mutex_lock(&t->lock);
    /* Counted before the last look at the news: team_tell() counts the news before it looks for sleepers. */
    atomic_fetch_add(&t->sleepers, 1);
    while (!has_news(t, seen)) {
        pthread_cond_wait(&t->news_came, &t->lock);
    }
    atomic_fetch_sub(&t->sleepers, 1);
    pthread_mutex_unlock(&t->lock);
}

static void wait_for_news(team *t, unsigned seen)
{
    for (int look = 0; look < LOOKS && !has_news(t, seen); ++look) {
        pause_briefly();
    }
    if (!has_news(t, seen)) {
        sleep_until_news(t, seen);
    }
}

static void *member_main(void *argument)
{
    const team_member *m = argument;
    team *t = m->team;
    while (!atomic_load(&t->stop)) {
        unsigned seen = atomic_load(&t->news);
        if (!t->work(t->context, m->number)) {
            wait_for_news(t, seen);
        }
    }
    return NULL;
}

rrf_status team_init(team *t, int n_members, bool (*work)(void *context, int member), void *context, arena *memory)
{
    t->work = work;
    t->context = context;
    t->n_members = n_members;
    TAKE(memory, t->thread, n_members);
    TAKE(memory, t->member, n_members);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->news_came, NULL);
    return arena_status(memory);
}

static void start_all(team *t)
{
    bool started = true;
    t->tried = true;
    for (int i = 0; started && i < t->n_members; ++i) {
        t->member[i] = (team_member){t, i};
        started = pthread_create(t->thread + i, NULL, member_main, t->member + i) == 0;
        t->n_started += started;
    }
}

static void wake_all(team *t)
{
    if (atomic_load(&t->sleepers) > 0) {
        pthread_mutex_lock(&t->lock);
        pthread_cond_broadcast(&t->news_came);
        pthread_mutex_unlock(&t->lock);
    }
}

void team_tell(team *t)
{
    atomic_fetch_add(&t->news, 1);
    if (!t->tried) {
        start_all(t);
    }
    wake_all(t);
}

void team_end(team *t)
{
    if (t->n_members == 0) {
        return;
    }
    atomic_store(&t->stop, true);
    wake_all(t);
    for (int i = 0; i < t->n_started; ++i) {
        pthread_join(t->thread[i], NULL);
    }
    pthread_cond_destroy(&t->news_came);
    pthread_mutex_destroy(&t->lock);
    t->n_members = 0;
}

/* The offers of a search, so that two ways of finding them can be compared. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RECORDER_H
#define RRF_RECORDER_H

#include "check.h"
#include "tree/search_input.h"
#include "tree/splitter.h"

enum { MAX_OFFERS = 20000 };

typedef struct offer {
    double worth;
    uint32_t cut;
    int feature;
    bool missing_left;
} offer;

typedef struct recorder {
    arena memory;
    search_input in;
    splitter s;
    const criterion *criterion;
    bag bag;
    offer offers[MAX_OFFERS];
    int n_offers;
} recorder;

/* Offers that equal or improve the best split are those that decide, and those for which R draws. */
static bool record_offer(void *own, double worth, int feature, uint32_t cut)
{
    recorder *r = own;
    double best = r->s.best.crit;
    if (worth >= best) {
        CHECK(r->n_offers < MAX_OFFERS, "more offers than %d", MAX_OFFERS);
        r->offers[r->n_offers++] = (offer){worth, cut, feature, r->s.missing_left};
        r->s.best.crit = worth;
        r->s.best.feature = feature;
    }
    return worth > best;
}

static void end(recorder *r)
{
    arena_free(&r->memory);
}

#endif

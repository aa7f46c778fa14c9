/* The offers of a search, so that two ways of finding them can be compared. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RECORDER_H
#define RRF_RECORDER_H

#include "check.h"
#include "tree/search_input.h"
#include "tree/splitter.h"

enum { MAX_OFFERS = 20000, MAX_LISTED_FEATURES = 20 };

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

/* Every feature gets a sorted list of the node's rows, whether its values are few or not. */
static void list_all(recorder *r, rrf_ranks *ranks, const node_view *node, watch *watch)
{
    int32_t features[MAX_LISTED_FEATURES];
    void **packed = ranks->packed;
    CHECK(ranks->p <= MAX_LISTED_FEATURES, "%d features", ranks->p);
    for (int i = 0; i < ranks->p; ++i) {
        features[i] = i;
    }
    ranks->packed = NULL;
    CHECK(sorted_rows_begin(&r->in.sorted_rows, features, ranks->p, r->bag.size, watch) == RRF_OK, "lists");
    ranks->packed = packed;
    r->s.listed = sorted_rows_fill_node(&r->in.sorted_rows, node->rows, node->start, node->size, r->in.payload,
                                        r->s.scratch.slot);
}

/* The same offers, in the same order. */
static void same_offers(const char *name, const recorder *found, const recorder *expected)
{
    CHECK(found->n_offers == expected->n_offers, "%s: %d offers, not %d", name, found->n_offers, expected->n_offers);
    for (int i = 0; i < found->n_offers; ++i) {
        const offer *a = found->offers + i, *b = expected->offers + i;
        bool same =
            a->worth == b->worth && a->cut == b->cut && a->feature == b->feature && a->missing_left == b->missing_left;
        CHECK(same, "%s: offer %d is feature %d, cut %u", name, i, a->feature, a->cut);
    }
}

static void end(recorder *r)
{
    arena_free(&r->memory);
}

#endif

/* The offers of a search, so that two ways of finding them can be compared. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RECORDER_H
#define RRF_RECORDER_H

#include "check.h"
#include "filters/classes.h"
#include "filters/state.h"
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
static bool record_offer(void *own, split *best, const column *c, double worth, uint32_t cut)
{
    recorder *r = own;
    bool better = worth > best->crit;
    if (worth >= best->crit) {
        CHECK(r->n_offers < MAX_OFFERS, "more offers than %d", MAX_OFFERS);
        r->offers[r->n_offers++] = (offer){worth, cut, c->feature, c->missing_left};
        best->crit = worth;
        best->feature = c->feature;
    }
    return better;
}

/* The search of a tree's nodes, of which only the root is searched. */
static void recorder_begin(recorder *r, const search_setup *setup, watch *watch)
{
    CHECK(search_input_init(&r->in, setup, &r->bag, &r->memory) == RRF_OK, "input");
    CHECK(splitter_init(&r->s, &r->in, r, watch, &r->memory) == RRF_OK, "splitter");
    TAKE_ZEROS(&r->memory, r->in.filter->listed, 1);
    CHECK(search_input_begin_tree(&r->in) == RRF_OK, "begin");
    CHECK(filter_begin_tree(&r->s, NULL, 0) == RRF_OK, "begin");
}

/* Every feature gets a sorted list of the node's rows, whether its values are few or not. */
static void list_all(recorder *r, rrf_ranks *ranks, const node_view *node, watch *watch)
{
    int32_t features[MAX_LISTED_FEATURES];
    void **packed = ranks->filter->packed;
    CHECK(ranks->p <= MAX_LISTED_FEATURES, "%d features", ranks->p);
    for (int i = 0; i < ranks->p; ++i) {
        features[i] = i;
    }
    ranks->filter->packed = NULL;
    CHECK(sorted_rows_begin(&r->in.filter->sorted_rows, features, ranks->p, r->bag.size, watch) == RRF_OK, "lists");
    ranks->filter->packed = packed;
    r->s.filter->listed = sorted_rows_fill_node(&r->in.filter->sorted_rows, node->rows, node->start, node->size,
                                                r->in.filter->payload, r->s.filter->slot);
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

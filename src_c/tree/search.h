/* The search for a node's split: its input, the bar that a cut must beat, and its scratch.
 *
 * README.md of src_c lists the files of this folder in the order in which to read them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SEARCH_H
#define RRF_SEARCH_H

#include "data/ranks.h"
#include "monitor.h"
#include "tree/bag.h"
#include "tree/criterion.h"
#include "tree/penalty.h"
#include "tree/rule.h"

/* ---- input
 * ----------------------------------------------------------------------------------------------------------- */

/* Largest number of levels for which every split of a factor is tried, unless levels are ordered: R's ncmax. */
enum { MAX_EXHAUSTIVE_LEVELS = 10 };

/* The properties of a feature for the search, contiguous in memory, so that one fetch loads them. */
typedef struct feature_profile {
    double coef, inverse; /* coefReg; 1/coefReg, or 0 if that could overflow */
    int32_t n_levels;     /* 1: numeric */
    int32_t n_ranks;
    const void *view[2]; /* of the column, for filters/ */
} feature_profile;

/* Several threads read it at once; only the one that grows the tree writes it, between nodes. */
typedef struct search_input {
    const rrf_data *data;
    const rrf_ranks *ranks;
    const rrf_params *params;
    const bag *bag;
    int nclass;
    const criterion *criterion;
    const rule *rule;         /* of the thread that grows the tree */
    feature_profile *profile; /* p */
    bool members_exempt;      /* see penalty.h */
    bool coef_by_depth;       /* coefReg is raised to the power of 1 + the splits above the node */
    int least_ordered; /* a factor of at least this number of levels is split between its ordered levels; others by sets
                        * of levels */
    double *moments;   /* n x the criterion's n_moments: values of a row, of a tree; NULL where it has none */
    bool fetches;      /* columns are prefetched before their turn; set by filters/ */
    struct filter_input *filter; /* of filters/ */
} search_input;

/* A missing value differs from every value. */
static inline bool values_differ(const search_input *in, int feature, int row, int next)
{
    if (!in->ranks->has_ties[feature]) {
        return true;
    }
    return in->ranks->kind.ties == TIES_MERGED
               ? rank_of(in->ranks, feature, row) != rank_of(in->ranks, feature, next)
               : !(data_value(in->data, feature, next) <= data_value(in->data, feature, row));
}

/* ---- the bar --------------------------------------------------------------------------------------------------------- */

/* The best split so far, and the rule that compares others with it: by R's draws or by hashes. */
typedef struct bar {
    split best;
    const rule *rule;
    void *own; /* the rule's state */
} bar;

/* Begins a node: there is no split yet. */
static inline void bar_begin(bar *b, const node_view *node)
{
    b->best = (split){.crit = node->floor, .feature = -1};
}

/* Offers the cut after cut_rank, with the criterion `crit`. True if the best split has improved. */
static inline bool bar_offer(bar *b, const node_view *node, const column *c, double crit, uint32_t cut_rank)
{
    double gain = crit - node->offset;
    return gain > node->least_gain && b->rule->offer_cut(b->own, &b->best, c, penalized(c->factor, gain), cut_rank);
}

/* Offers to send `levels` left. */
static inline void bar_offer_levels(bar *b, const node_view *node, const column *c, double crit, uint64_t levels)
{
    double gain = crit - node->offset;
    if (gain > node->least_gain) {
        b->rule->offer_levels(b->own, &b->best, c, penalized(c->factor, gain), levels);
    }
}

/* ---- a thread's search ----------------------------------------------------------------------------------------------- */

typedef struct splitter {
    const search_input *in;
    bar bar;
    watch *watch;
    arena *memory;
    /* Scratch: */
    int32_t *sorted;                 /* n: rows of the node by rank */
    int sorted_by;                   /* the feature by which all rows of the current node are sorted; -1: none */
    uint64_t *packed, *spare;        /* n */
    double *class_sums;              /* 2 x nclass: left of a cut, and right of it */
    double *level_total;             /* nclass x RRF_MAX_PACKED: by level and class */
    struct level_order *level_order; /* of split_levels.c; NULL: no factor's levels are ordered */
    struct filter_scratch *filter;   /* of filters/ */
} splitter;

#endif

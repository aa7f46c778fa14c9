/* The search for the best split of a node.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLITTER_H
#define RRF_SPLITTER_H

#include "data/ranks.h"
#include "data/simd.h"
#include "data/sorted_rows.h"
#include "monitor.h"
#include "r/candidates.h"
#include "tree/bag.h"

/* What the search wants to know of a feature, in one place so that one fetch brings it. */
typedef struct feature_profile {
    double penalty, inverse; /* coefReg; 1/coefReg, or 0 where there is none to work with */
    int32_t n_levels;        /* 1: numeric */
    int32_t n_ranks;
} feature_profile;

struct splitter {
    const rrf_data *data;
    rrf_ranks *ranks;
    const bag *bag;
    int nclass;
    feature_profile *profile; /* p */
    bool regularized;         /* flagReg */
    bool quirks;
    bool packs; /* two classes with weights of 1.0 or next to it: whole-number kernels evaluate, or at least filter */
    const rrf_parallel_params *parallel; /* NULL: R's engine */
    uint64_t node_key;               /* of the node under search (parallel engine) */
    /* What holds for the feature under evaluation. */
    double factor, inverse; /* of its criterion; 1/factor, or 0 where there is none to work with */
    bool missing_left;      /* on which side missing values are tried */
    candidates features;    /* R's walk */
    sorted_rows sorted_rows;
    rrf_rng *rng;
    watch *watch;
    /* scratch */
    const simd *simd;
    uint64_t *mark;                   /* a bit for each key present in the node; all zero between uses */
    uint32_t *slot;                   /* what stands at a key; all zero between uses */
    uint32_t *payload;                /* n: packed counts of a row, kernels.h; zero out of bag */
    uint32_t *row_itself;             /* n: 0, 1, 2, ... */
    uint32_t *present;                /* n: slots of the keys present, in order */
    uint32_t *keys;                   /* n: and these keys */
    int32_t *sorted;                  /* n: rows of the node by key */
    uint64_t *packed, *packed_spare;  /* n */
    uint64_t *wide_slot;              /* n: slots of nodes too large for packed counts; made when needed, all zero */
    double *moments;                  /* 2 x n: weight and weighted response of a row; NULL for classes */
    double *left_total, *right_total; /* nclass */
    double *level_total;              /* nclass x 32 */
    int ntie;                         /* candidates seen that equalled or beat the best, this feature; starts at 1 */
    split best;
};

/* Whether rows of equal value can share a key: two classes with exact sums, which whole-number kernels can evaluate. */
bool ties_can_merge(const double *classwt, int nclass, const rrf_params *params);
/* The same in the parallel engine, which also takes nodes that are too large for the kernels. */
bool parallel_ties_can_merge(const double *classwt, int nclass, const rrf_parallel_params *parallel);

/* parallel NULL: R's engine, which alone reads used. */
rrf_status splitter_init(splitter *s, const rrf_data *data, rrf_ranks *ranks, const bag *bag, const rrf_params *params,
                         const rrf_parallel_params *parallel, const int32_t *used, rrf_rng *rng, watch *watch);
void splitter_free(splitter *s);
/* Takes over columns that were ranked again. */
void splitter_read_ranks(splitter *s);
/* Takes over the bag that the next tree is grown on. */
rrf_status splitter_begin_tree(splitter *s);
/* Searches the features of a node for the best split, R's findbestsplit; the answer stands in s->best. */
rrf_status splitter_search(splitter *s, const node_view *node);
/* Evaluates a feature at a node; its splits compete with s->best. A penalized one pays its coefficient: a feature
 * outside F or, with flagReg = 0, every feature (the guided forest). */
void splitter_try(splitter *s, const node_view *node, int feature, bool penalized);

/* Offers a split of a numeric feature; ties are broken as RRF does. True when the best criterion has risen. */
bool splitter_offer(splitter *s, double crit, int feature, uint32_t cut_rank);
/* The parallel engine's: cut is a key or a set of levels. Which of equal splits wins depends on a hash and not on the order of
 * the offers. */
bool splitter_offer_parallel(splitter *s, double crit, int feature, uint32_t cut);
/* A set of levels; in R's engine the first of equal ones stands. */
void splitter_offer_levels(splitter *s, double crit, int feature, uint32_t levels);

/* Entropy's v log2 v. */
double v_log_v(double v);

void split_numeric(splitter *s, const node_view *node, int feature);
/* The node's rows by ascending key of a numeric feature, into s->sorted. */
void sort_rows(splitter *s, const node_view *node, int feature);
void split_categorical(splitter *s, const node_view *node, int feature);

#endif

/* The search for the best split of a node.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SPLITTER_H
#define RRF_SPLITTER_H

#include "data/few_values.h"
#include "data/simd.h"
#include "data/sorted_rows.h"
#include "monitor.h"
#include "tree/bag.h"
#include "tree/criterion.h"
#include "tree/node_rows.h"
#include "tree/penalty.h"
#include "tree/rule.h"

/* All that the search needs to know about a feature, together in memory, so that one fetch loads it. */
typedef struct feature_profile {
    double coef, inverse; /* coefReg; 1/coefReg, or 0 if that could overflow */
    int32_t n_levels;     /* 1: numeric */
    int32_t n_ranks;
    const void *packed; /* the column, if its values are few (few_values.h); otherwise NULL */
} feature_profile;

typedef struct class_counts class_counts;
typedef struct level_order level_order;
typedef struct node_lanes node_lanes;

/* The distinct values of a node in a numeric feature, ascending; regression only. */
typedef struct value_list {
    int size;
    bool of_rows;         /* value i is that of row i of `sorted`, and `rank` is not filled in */
    uint32_t *rank;       /* n */
    double *weight, *sum; /* n: of the rows with the value; later of all rows up to it */
    double *ratio;        /* n: the criterion of the cut after the value, roughly */
    double *slot;         /* moments by rank, of few ranks; all zero between uses */
    double *inverse;      /* inverse[k] is 1 / k */
} value_list;

struct splitter {
    const rrf_data *data;
    const rrf_ranks *ranks;
    const bag *bag;
    int nclass;
    const criterion *criterion;
    const rule *rule;
    void *rule_own;           /* the rule's state */
    feature_profile *profile; /* p */
    bool members_exempt;      /* see penalty.h */
    bool coef_by_depth;       /* coefReg is raised to the power of 1 + the splits above the node */
    bool packs;         /* class weights of 1.0 or near it: whole-number loops evaluate cuts, or at least filter them */
    bool orders_levels; /* a factor is split between its levels ordered by their means */
    /* For the feature under evaluation: */
    double factor, inverse; /* multiplies its gains; 1/factor, or 0 if that could overflow */
    bool missing_left;      /* on which side missing values are tried */
    sorted_rows sorted_rows;
    watch *watch;
    /* scratch */
    const simd *simd;
    uint64_t *mark;                   /* a bit for each rank present in the node; all zero between uses */
    uint32_t *slot;                   /* the payload of each rank; all zero between uses */
    uint32_t *payload;                /* n: 0 out of bag; packed counts of a row (data/simd.h), or 1 */
    uint32_t *row_itself;             /* n: 0, 1, 2, ... */
    uint32_t *present;                /* n: slots of the ranks present, in order */
    uint32_t *present_rank;           /* n: and these ranks */
    int32_t *sorted;                  /* n: rows of the node by rank */
    uint64_t *packed, *packed_spare;  /* n */
    int rows_pack;                    /* the payloads of so many rows, whichever they are, add up in their halves */
    node_rows node_rows;              /* of the node under search */
    uint64_t *wide_slot;              /* n: slots of nodes too large for packed counts; made when needed, all zero */
    double *moments;                  /* n x the criterion's n_moments: values of a row; NULL where it has none */
    value_list values;                /* regression only */
    double *left_total, *right_total; /* nclass */
    double *level_total;              /* nclass x 32 */
    double *of_count;                 /* n_of_count: the criterion's of_count() of 0, 1, 2, ... */
    int n_of_count;
    level_order *level_order;   /* of split_levels.c; NULL: no factor's levels are ordered */
    class_counts *class_counts; /* of split_classes.c; NULL: two classes, or no whole numbers */
    node_lanes *lanes;          /* of lanes.c; NULL: none, as where there are more classes than two */
    split best;
};

typedef struct splitter_setup {
    const rrf_data *data;   /* the data that is searched */
    const rrf_ranks *ranks; /* its ranks */
    const criterion *criterion;
    const rule *rule;
    void *rule_own;
    const rrf_params *params;
    bool packs, coef_by_depth;
    size_t lane_bytes; /* that the ranks of F in lanes may take */
} splitter_setup;

rrf_status splitter_init(splitter *s, const splitter_setup *setup, const bag *bag, watch *watch);
void splitter_free(splitter *s);
/* A splitter for another thread, with scratch of its own and another rule, whose state is the new splitter. The rest is the
 * first one's, which must outlive it: the data, ranks, bag, payloads and sorted lists. */
rrf_status splitter_fork(splitter *fork, const splitter *s, const rule *rule);
void splitter_free_fork(splitter *fork);
/* After the first one has begun a tree. */
rrf_status splitter_follow(splitter *fork, const splitter *s);
/* Reads ranks that have changed. */
void splitter_read_ranks(splitter *s);
/* Reads the bag of the next tree. */
rrf_status splitter_begin_tree(splitter *s);
/* Evaluates a feature at a node; its splits compete with s->best. */
void splitter_try(splitter *s, const node_view *node, int feature, bool is_member);
/* By how much the feature's best split lowers the node's impurity, coefReg left aside; 0 where it has none. s->best stays as
 * it is. For rules that do not draw from a stream when they are offered a split. */
double splitter_gain(splitter *s, const node_view *node, int feature);

/* Prefetches the ranks of a feature. */
static inline void splitter_fetch(const splitter *s, int feature)
{
    if (ranks_are_few(s->ranks, feature)) {
        few_values_fetch(s->ranks, feature);
    } else {
        ranks_fetch(s->ranks, feature);
    }
}

/* Begins a node: there is no split yet. */
static inline void splitter_begin_node(splitter *s, const node_view *node)
{
    s->best = (split){.crit = node->floor, .feature = -1};
}

/* Offers the cut after cut_rank, with the criterion `crit`. True if the best split has improved. */
static inline bool splitter_offer(splitter *s, const node_view *node, double crit, int feature, uint32_t cut_rank)
{
    double gain = crit - node->offset;
    return gain > node->least_gain && s->rule->offer_cut(s->rule_own, penalized(s->factor, gain), feature, cut_rank);
}

/* Offers to send `levels` left. */
static inline void splitter_offer_levels(splitter *s, const node_view *node, double crit, int feature, uint64_t levels)
{
    double gain = crit - node->offset;
    if (gain > node->least_gain) {
        s->rule->offer_levels(s->rule_own, penalized(s->factor, gain), feature, levels);
    }
}

/* A missing value differs from every value. */
static inline bool values_differ(const splitter *s, int feature, int row, int next)
{
    return !s->ranks->has_ties[feature] || !(data_value(s->data, feature, next) <= data_value(s->data, feature, row));
}

void split_numeric(splitter *s, const node_view *node, int feature);
void split_categorical(splitter *s, const node_view *node, int feature);

#endif

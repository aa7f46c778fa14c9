/* What the search for a node's split works with: what it reads, its scratch, and the node under search.
 *
 * README.md of src_c lists the files of this folder in the order in which to read them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SEARCH_H
#define RRF_SEARCH_H

#include "data/few_values.h"
#include "data/simd.h"
#include "data/sorted_rows.h"
#include "monitor.h"
#include "tree/bag.h"
#include "tree/criterion.h"
#include "tree/node_rows.h"
#include "tree/penalty.h"
#include "tree/rule.h"

typedef struct class_counts class_counts;
typedef struct coarse_bins coarse_bins;
typedef struct class_bins class_bins;
typedef struct value_bins value_bins;
typedef struct level_order level_order;
typedef struct node_lanes node_lanes;

/* Up to this many levels every split of a factor is tried, where they are not in an order. */
enum { MAX_EXHAUSTIVE_LEVELS = 10 };
/* Weights up to here, where they are whole, have their inverses in a table. */
enum { MAX_INVERSE = 2047 };

/* ---- what is read ---------------------------------------------------------------------------------------------------- */

/* All that the search needs to know about a feature, together in memory, so that one fetch loads it. */
typedef struct feature_profile {
    double coef, inverse; /* coefReg; 1/coefReg, or 0 if that could overflow */
    int32_t n_levels;     /* 1: numeric */
    int32_t n_ranks;
    const void *packed;    /* the column, if its values are few (few_values.h); otherwise NULL */
    const uint8_t *coarse; /* its bins, row by row (coarse_ranks.h), or NULL */
} feature_profile;

/* Several threads read it at once; only the one that grows the tree writes it, between nodes. */
typedef struct search_input {
    const rrf_data *data;
    const rrf_ranks *ranks;
    /* R's order among equal values, which share a rank, where it decides how sums are rounded; otherwise NULL. Only the
     * thread that grows the tree reads it. */
    order_like_r *like_r;
    const bag *bag;
    int nclass;
    const criterion *criterion;
    const simd *simd;
    feature_profile *profile;  /* p */
    double *impurity_of_count; /* n_counts: the criterion's impurity_of_count() of 0, 1, 2, ... */
    int n_counts;
    double *inverse;     /* inverse[k] is 1 / k, up to MAX_INVERSE; regression only */
    bool members_exempt; /* see penalty.h */
    bool coef_by_depth;  /* coefReg is raised to the power of 1 + the splits above the node */
    bool packs;        /* class weights of 1.0 or near it: whole-number loops evaluate cuts, or at least filter them */
    int least_ordered; /* a factor of so many levels is split between its levels in an order; others by sets of levels */
    /* Of a tree: */
    uint32_t *payload; /* n: 0 out of bag; counts of a row as split_two_class.c or split_classes.c pack them, or 1 */
    double *moments;   /* n x the criterion's n_moments: values of a row; NULL where it has none */
    int rows_pack;     /* the payloads of so many rows, whichever they are, add up in their halves */
    sorted_rows sorted_rows;
} search_input;

/* Whether classes are counted in whole numbers, and are more than two. */
static inline bool counts_classes(const search_input *in)
{
    return in->packs && in->nclass > 2 && in->criterion->count_price;
}

/* ---- scratch --------------------------------------------------------------------------------------------------------- */

/* The distinct values of a node in a numeric feature, ascending; regression only. */
typedef struct value_list {
    int size;
    bool of_rows;         /* value i is that of row i of `sorted`, and `rank` is not filled in */
    uint32_t *rank;       /* n */
    double *weight, *sum; /* n: of the rows with the value; later of all rows up to it */
    double *ratio;        /* n: the criterion of the cut after the value, roughly */
    double *slot;         /* moments by rank, of few ranks; all zero between uses */
} value_list;

/* The ranks present in a node, of a feature of which most rows hold the same value (split_rare.c). */
typedef struct rare_ranks {
    int n_rows; /* of the node that hold another one */
    const int32_t *row;
    const uint32_t *place; /* n_rows: the place of its rank */
    int n, n_present;      /* ranks; those of values, before that of missing ones */
    int common;            /* the place of the common one */
    const uint32_t *rank;  /* n: ascending */
} rare_ranks;

/* What a search writes to: every thread has its own. */
typedef struct search_scratch {
    uint64_t *mark;                   /* a bit for each rank present in the node; all zero between uses */
    uint32_t *slot;                   /* the payload of each rank; all zero between uses */
    uint32_t *present;                /* n: slots of the ranks present, in order */
    uint32_t *present_rank;           /* n: and these ranks */
    int32_t *sorted;                  /* n: rows of the node by rank */
    int sorted_by;                    /* the feature by which all rows of the node under search are sorted; -1: none */
    uint64_t *packed, *packed_spare;  /* n; the latter also the slots of nodes too large for packed counts */
    double *left_total, *right_total; /* nclass */
    double *level_total;              /* nclass x RRF_MAX_PACKED */
    node_rows node_rows;              /* of the node under search */
    uint8_t *bin;                     /* n: of the node's rows in a feature; NULL: no feature has bins */
    coarse_bins *coarse_bins;         /* of split_coarse.c; two classes only */
    value_bins *value_bins;           /* regression only */
    class_bins *class_bins;           /* several classes only */
    value_list values;                /* regression only */
    level_order *level_order;         /* of split_levels.c; NULL: no factor's levels are ordered */
    int32_t *node_of;                 /* n: the node of a row as far as it is marked, or -1 */
    int marked_node;                  /* the last one whose rows are marked; -1: none */
    class_counts *class_counts;       /* of split_classes.c; NULL: two classes, or no whole numbers */
} search_scratch;

/* ---- the node under search ------------------------------------------------------------------------------------------- */

/* How well the best split is known, and what it was before the feature under evaluation (incumbent.h). */
typedef struct split_incumbent {
    double margin; /* R's criterion may be so much above best.crit; 0: it is best.crit */
    double factor; /* of its feature */
    bool compares; /* whole numbers may decide about the feature under evaluation */
    split before;
    double margin_before;
    int n_better; /* cuts of the feature under evaluation that were better than all before them */
} split_incumbent;

typedef struct splitter {
    const search_input *in;
    search_scratch scratch;
    const rule *rule;
    void *rule_own; /* the rule's state */
    watch *watch;
    arena *memory;     /* of the scratch; some of it is taken by the first tree that needs it */
    node_lanes *lanes; /* of lanes.c; NULL: none, as where there are more classes than two */
    bool listed;       /* the node has its range in the sorted lists */
    split best;
    split_incumbent incumbent;
    /* The feature under evaluation: */
    double factor, inverse; /* multiplies its gains; 1/factor, or 0 if that could overflow */
    bool missing_left;      /* on which side missing values are tried */
} splitter;

/* Begins a node: there is no split yet. */
static inline void splitter_begin_node(splitter *s, const node_view *node)
{
    s->best = (split){.crit = node->floor, .feature = -1};
    s->incumbent.margin = 0.0;
    s->scratch.sorted_by = -1;
}

/* The node's entries in the feature's sorted list; NULL if there is none. */
static inline const uint64_t *node_list(const splitter *s, const node_view *node, int feature)
{
    return s->listed ? sorted_rows_range(&s->in->sorted_rows, feature, node->start) : NULL;
}

/* A missing value differs from every value. */
static inline bool values_differ(const splitter *s, int feature, int row, int next)
{
    const search_input *in = s->in;
    if (!in->ranks->has_ties[feature]) {
        return true;
    }
    return in->ranks->kind.ties == TIES_MERGED
               ? rank_of(in->ranks, feature, row) != rank_of(in->ranks, feature, next)
               : !(data_value(in->data, feature, next) <= data_value(in->data, feature, row));
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

#endif

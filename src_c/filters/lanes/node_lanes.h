/* The lanes in which F is counted at once (lanes.h): what is kept of a node. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NODE_LANES_H
#define RRF_NODE_LANES_H

#include "filters/columns/member_ranks.h"
#include "filters/counts/class_counts.h"
#include "filters/counts/two_class.h"

/* Rows of a node in which each stands for a cut, because all pairs of them are compared; the same where the features have
 * sorted lists of the rows, which are fast. Cuts after ranks in larger nodes: with more of them counting feature by feature is
 * faster, of two classes and of several. Rows and cases that are counted before the counts, of eight bits, are added up. */
enum { MAX_CUT_ROWS = 48, MAX_SORTED_CUT_ROWS = 24, MAX_RANK_CUTS = 16, MAX_CLASS_RANK_CUTS = 48 };
enum { LANE_ROWS = 128, MAX_LANE_CASES = UINT8_MAX };
/* Features of more ranks have lanes of several classes where there are no more rows. */
enum { MAX_ROWS_OF_MANY_RANKS = 255 };

/* A vector of lanes, at the node that has been counted. */
typedef struct lane_cuts {
    int between_ranks;                        /* cuts after ranks, of the feature with the most */
    int n_cuts;                               /* 0: its features are to be evaluated in another way */
    bool by_row;                              /* a cut is a row's; otherwise it is a rank's */
    int16_t rank[MAX_CUT_ROWS * RANK_LANES];  /* of the rows, if they are cuts */
    uint32_t left[MAX_CUT_ROWS * RANK_LANES]; /* packed sums */
    float bound[RANK_LANES];                  /* of the best cut's d^2 / (l * (N - l)) */
} lane_cuts;

/* What is left of each vector where there are several classes (class_lanes.c). */
typedef struct class_lanes {
    class_scan scan;
    float least;      /* what a cut has to be worth to equal the best split */
    size_t of_vector; /* counts of a vector */
    uint16_t *right;  /* cases on the right of each cut, by class */
    float *worth;     /* MAX_CUT_ROWS x RANK_LANES of a vector: of the cuts */
} class_lanes;

typedef struct node_lanes {
    member_ranks members;
    int node;        /* the node that has been counted; -1: none */
    int n_vectors;   /* lanes that were in use then, in vectors */
    int capacity;    /* vectors for which there is room */
    bool rows_fit;   /* every row's count has eight bits */
    lane_cuts *cuts; /* capacity */
    two_class cut;   /* evaluates cuts */
    class_lanes classes;
    double crit; /* the best criterion that its threshold was made for */
} node_lanes;

/* The ranks 0, 1, 2, ..., each in all lanes of a vector. */
extern const int16_t lane_rank_cuts[MAX_CUT_ROWS * RANK_LANES];

/* LANES_FOUND: a cut may equal the best split, and is not offered; LANES_UNKNOWN: the feature is to be evaluated in another
 * way. */
typedef enum lanes_answer { LANES_UNKNOWN, LANES_DONE, LANES_FOUND } lanes_answer;

#endif

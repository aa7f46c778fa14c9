/* The lanes in which F is counted (lanes.h): the state of a node. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NODE_LANES_H
#define RRF_NODE_LANES_H

#include "filters/columns/member_ranks.h"
#include "filters/counts/class_counts.h"
#include "filters/counts/two_class.h"

/* Limits. Rows of a node in which each row represents a cut, because all pairs of them are compared; the same if the
 * features have sorted lists of the rows, which are fast. Cuts after ranks in larger nodes: beyond this number counting
 * feature by feature is faster, for two classes and for several. Rows and cases that are counted before the counts, of
 * eight bits, are added up. */
enum { MAX_CUT_ROWS = 48, MAX_SORTED_CUT_ROWS = 24, MAX_RANK_CUTS = 16, MAX_CLASS_RANK_CUTS = 48 };
enum { LANE_ROWS = 128, MAX_LANE_CASES = UINT8_MAX };
/* Most rows of a node for which features of more ranks have lanes of several classes. */
enum { MAX_ROWS_OF_MANY_RANKS = 255 };

/* A vector of lanes, at the counted node. */
typedef struct lane_cuts {
    int between_ranks;                        /* cuts after ranks, of the feature with the most */
    int n_cuts;                               /* 0: its features must be evaluated in another way */
    bool by_row;                              /* a cut belongs to a row; otherwise to a rank */
    int16_t rank[MAX_CUT_ROWS * RANK_LANES];  /* of the rows, if they are cuts */
    uint32_t left[MAX_CUT_ROWS * RANK_LANES]; /* packed sums */
    float bound[RANK_LANES];                  /* of the best cut's d^2 / (l * (N - l)) */
} lane_cuts;

/* The state of a vector with several classes after counting (class_lanes.c). */
typedef struct class_lanes {
    class_scan scan;
    float least;      /* the value that a cut needs to equal the best split */
    size_t of_vector; /* counts of a vector */
    uint16_t *right;  /* cases on the right of each cut, by class */
    float *worth;     /* MAX_CUT_ROWS x RANK_LANES of a vector: of the cuts */
} class_lanes;

typedef struct node_lanes {
    member_ranks members;
    int node;        /* the counted node; -1: none */
    int n_vectors;   /* lanes that were in use then, in vectors */
    int capacity;    /* capacity in vectors */
    bool rows_fit;   /* every row's count has eight bits */
    lane_cuts *cuts; /* capacity */
    two_class cut;   /* evaluates cuts */
    class_lanes classes;
    double crit; /* the best criterion for which the threshold was computed */
} node_lanes;

/* The ranks 0, 1, 2, ..., each in all lanes of a vector. */
extern const int16_t lane_rank_cuts[MAX_CUT_ROWS * RANK_LANES];

/* LANES_FOUND: a cut may equal the best split, and is not offered; LANES_UNKNOWN: the feature must be evaluated in
 * another way. */
typedef enum lanes_answer { LANES_UNKNOWN, LANES_DONE, LANES_FOUND } lanes_answer;

#endif

/* Several classes where rows or values are few: all cuts of a feature are looked at side by side, and no row is sorted.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_TREE_CLASS_CUTS_H
#define RRF_TREE_CLASS_CUTS_H

#include <stdbool.h>

#include "data/class_cuts.h"
#include "rrf.h"
#include "tree/split.h"

typedef struct class_cuts {
    bool fits;              /* the node under search can be looked at in this way */
    bool adds;              /* and its rows in the order of a feature, block by block */
    int max_rows;           /* for which there is room */
    class_rows rows;        /* of the node */
    int32_t *row;           /* max_rows: which they are */
    uint32_t *weight, *key; /* max_rows: their cases; their ranks as cut_key_twice() */
    int16_t *cut;           /* the cuts, in whole blocks: the last key on the left */
    int16_t *ascending;     /* cuts after the ranks 0, 1, 2, ... */
    float *worth;           /* of the cuts */
    uint16_t *right;        /* what lies right of them, as class_cuts_worth() leaves it */
    int32_t *listed;        /* cuts that may equal the best */
    int32_t *next;          /* nclass: where the next row of a class goes */
    int32_t *end, *name;    /* nclass: of the classes with rows: where they end, and which they are */
    float *total, *price;   /* nclass */
} class_cuts;

struct splitter;
struct class_scan;

rrf_status class_cuts_init(class_cuts *c, int n, int nclass);
void class_cuts_free(class_cuts *c);
/* After the rest of the node's counts. */
void class_cuts_begin_node(class_cuts *c, const struct splitter *s, const node_view *node);
/* Whether the cuts of the feature are few enough. */
bool class_cuts_are_few(const class_cuts *c, const struct splitter *s, const node_view *node, int feature);
/* Offers them. True if the scan has its answer. */
bool class_cuts_scan(struct class_scan *scan);

#endif

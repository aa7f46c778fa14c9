/* The cuts of a feature in a node of several classes, in the lanes of vectors. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_CLASS_CUTS_H
#define RRF_CLASS_CUTS_H

#include <stddef.h>
#include <stdint.h>

/* Number of cuts evaluated together. */
enum { CUT_LANES = 16 };
/* Most cases of a node: counts have 16 bits, including a sign for the conversion to floating point. Up to SMALL_CASES
 * squares fit, too. */
enum { MAX_CUT_CASES = INT16_MAX, SMALL_CASES = UINT8_MAX };

/* A node's rows, sorted by class. */
typedef struct class_rows {
    int n_classes;          /* with rows */
    const int32_t *end;     /* n_classes: the first row of the next class */
    const float *total;     /* n_classes: cases */
    const float *price;     /* n_classes: price of a squared count; all 1: even */
    const uint32_t *weight; /* of a row: its cases, in both halves */
    float cases;            /* of the node */
    int even;
} class_rows;

/* The ranks of a node's rows in CUT_LANES features. */
typedef struct lane_rows {
    const int16_t *rank; /* of row r from r * stride on */
    size_t stride;
    const int32_t *row; /* of the node, class after class */
} lane_rows;

/* Returns a rank as a signed number, so that any processor can compare ranks of 16 bits. */
static inline int16_t cut_key(uint32_t rank)
{
    return (int16_t)(rank ^ 0x8000U);
}

/* Returns this number in both halves of a word. */
static inline uint32_t cut_key_twice(uint32_t rank)
{
    return (rank | rank << 16) ^ 0x80008000U;
}

#endif

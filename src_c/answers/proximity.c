/* Proximity: counts of the trees in which two rows share a terminal node. SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/proximity.h"

void proximity_add(double *proximity, int32_t *oob_pairs, const int32_t *nodes, const int32_t *inbag, int n,
                   bool quirks)
{
    proximity_add_rows(proximity, oob_pairs, nodes, inbag, n, quirks, 0, n);
}

void proximity_add_rows(double *proximity, int32_t *oob_pairs, const int32_t *nodes, const int32_t *inbag, int n,
                        bool quirks, int first, int last)
{
    for (int j = first; j < last; ++j) {
        double *row = proximity + (size_t)j * (size_t)n;
        if (!oob_pairs) {
            for (int i = 0; i < j; ++i) {
                row[i] += nodes[i] == nodes[j];
            }
            continue;
        }
        int32_t *pairs = oob_pairs + (size_t)j * (size_t)n;
        for (int i = 0; i < j; ++i) {
            /* The intended pairs are those with both rows out of bag; CRAN RRF counts pairs with exactly one row out of
             * bag. */
            int counts = quirks ? (inbag[i] > 0) != (inbag[j] > 0) : inbag[i] == 0 && inbag[j] == 0;
            pairs[i] += counts;
            row[i] += counts && nodes[i] == nodes[j];
        }
    }
}

void proximity_add_test(double *proximity, const int32_t *test_nodes, int n_test, const int32_t *nodes, int n)
{
    for (int k = 0; k < n_test + n; ++k) {
        int node = k < n_test ? test_nodes[k] : nodes[k - n_test];
        double *column = proximity + (size_t)k * (size_t)n_test;
        for (int i = 0; i < n_test; ++i) {
            column[i] += test_nodes[i] == node;
        }
    }
}

void proximity_finish(double *proximity, const int32_t *oob_pairs, int n, int ntree)
{
    for (int j = 0; j < n; ++j) {
        size_t base = (size_t)j * (size_t)n;
        for (int i = 0; i < j; ++i) {
            double trees = oob_pairs ? (oob_pairs[base + i] > 0 ? oob_pairs[base + i] : 1) : ntree;
            proximity[base + i] /= trees;
            proximity[(size_t)i * (size_t)n + j] = proximity[base + i];
        }
        proximity[base + j] = 1.0;
    }
}

void proximity_finish_test(double *proximity, int n_test, int n, int ntree)
{
    for (size_t at = 0; at < (size_t)n_test * (size_t)(n_test + n); ++at) {
        proximity[at] /= ntree;
    }
    for (int i = 0; i < n_test; ++i) {
        proximity[(size_t)i * (size_t)n_test + i] = 1.0;
    }
}

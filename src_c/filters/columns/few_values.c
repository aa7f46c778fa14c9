/* Columns of few distinct values, packed. SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "filters/columns/few_values.h"
#include "filters/switches.h"

static void fill_bytes(const rrf_ranks *ranks, int feature, uint8_t *byte)
{
    for (int row = 0; row < ranks->n; ++row) {
        byte[row] = (uint8_t)rank_of(ranks, feature, row);
    }
}

/* plane: zeros. */
static void fill_planes(const rrf_ranks *ranks, int feature, uint64_t *plane)
{
    int n_planes = ranks->n_ranks[feature] - 1;
    size_t words = (size_t)plane_words(ranks->n);
    for (int row = 0; row < ranks->n; ++row) {
        for (int v = (int)rank_of(ranks, feature, row); v < n_planes; ++v) {
            plane[(size_t)v * words + (size_t)(row >> 6)] |= (uint64_t)1 << (row & 63);
        }
    }
}

static void *pack(const rrf_ranks *ranks, int feature)
{
    void *packed = calloc(packed_size(ranks, feature), 1);
    if (packed && ranks->n_ranks[feature] <= MAX_PLANES + 1) {
        fill_planes(ranks, feature, packed);
    } else if (packed) {
        fill_bytes(ranks, feature, packed);
    }
    return packed;
}

rrf_status few_values_pack(rrf_ranks *ranks, int feature)
{
    column_filter *f = ranks->filter;
    if (!f->packed || ranks->ncat[feature] > 1) {
        return RRF_OK;
    }
    f->n_few -= f->packed[feature] != NULL;
    free(f->packed[feature]);
    f->packed[feature] = NULL;
    int n_ranks = ranks->n_ranks[feature];
    /* With as many ranks as rows, as in short columns, equal values may have different ranks. */
    if (!FILTER_FEW_VALUES || n_ranks > MAX_BYTE_RANKS || n_ranks == ranks->n) {
        return RRF_OK;
    }
    f->packed[feature] = pack(ranks, feature);
    f->n_few += f->packed[feature] != NULL;
    return f->packed[feature] ? RRF_OK : RRF_ERR_MEMORY;
}

/* The best gain of each candidate of a node. SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine_parallel/gains.h"

void rrf_gains_init(rrf_gains *gains)
{
    *gains = (rrf_gains){.most = INT_MAX};
}

void rrf_gains_free(rrf_gains *gains)
{
    free(gains->offset);
    free(gains->feature);
    free(gains->gain);
    rrf_gains_init(gains);
}

static rrf_status reserve_nodes(rrf_gains *gains, int max_nodes)
{
    if (max_nodes > gains->node_capacity) {
        int64_t *offset = realloc(gains->offset, ((size_t)max_nodes + 1) * sizeof *offset);
        if (!offset) {
            return RRF_ERR_MEMORY;
        }
        gains->offset = offset;
        gains->node_capacity = max_nodes;
    }
    return RRF_OK;
}

/* If the second array cannot grow, the first one keeps its larger size. */
static rrf_status reserve_candidates(rrf_gains *gains, int64_t needed)
{
    if (needed <= gains->capacity) {
        return RRF_OK;
    }
    int64_t capacity = needed + needed / 2;
    int32_t *feature = realloc(gains->feature, (size_t)capacity * sizeof *feature);
    if (!feature) {
        return RRF_ERR_MEMORY;
    }
    gains->feature = feature;
    double *gain = realloc(gains->gain, (size_t)capacity * sizeof *gain);
    if (!gain) {
        return RRF_ERR_MEMORY;
    }
    gains->gain = gain;
    gains->capacity = capacity;
    return RRF_OK;
}

rrf_status gains_begin_tree(gains_writer *w, rrf_gains *out, int p, int max_nodes, arena *memory)
{
    w->out = out;
    w->n_found = 0;
    w->n_kept = 0;
    if (!out) {
        return RRF_OK;
    }
    if (!w->found) {
        TAKE(memory, w->found, p);
    }
    rrf_status status = w->found ? reserve_nodes(out, max_nodes) : RRF_ERR_MEMORY;
    if (!status) {
        memset(out->offset, 0, ((size_t)max_nodes + 1) * sizeof *out->offset);
    }
    return status;
}

rrf_status gains_end_node(gains_writer *w, int node)
{
    rrf_gains *out = w->out;
    int n = w->n_found < out->most ? w->n_found : out->most;
    if (reserve_candidates(out, w->n_kept + n)) {
        return RRF_ERR_MEMORY;
    }
    keyed_heap_make(w->found, w->n_found);
    for (int i = 0; i < n; ++i) {
        keyed best = keyed_heap_pop(w->found, w->n_found - i);
        out->feature[w->n_kept] = best.number;
        out->gain[w->n_kept++] = -best.key;
    }
    out->offset[node + 1] = w->n_kept;
    w->n_found = 0;
    return RRF_OK;
}

/* Nodes that were not searched have no candidates: their range is empty. */
void gains_end_tree(gains_writer *w, int n_nodes)
{
    int64_t *offset = w->out->offset;
    for (int node = 0; node < n_nodes; ++node) {
        offset[node + 1] = offset[node + 1] > offset[node] ? offset[node + 1] : offset[node];
    }
}

/* The ranks of some features, row by row. SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "filters/columns/member_ranks.h"

rrf_status member_ranks_init(member_ranks *m, const rrf_data *data, const rrf_ranks *ranks, size_t most_bytes,
                             arena *memory)
{
    *m = (member_ranks){.ranks = ranks, .ncat = data->ncat, .most_bytes = most_bytes, .memory = memory};
    TAKE(memory, m->lane, data->p);
    TAKE(memory, m->feature, data->p);
    for (int feature = 0; m->lane && feature < data->p; ++feature) {
        m->lane[feature] = -1;
    }
    return arena_status(memory);
}

/* F grows feature by feature in the first trees: spare lanes reduce reallocations of the matrix. */
static int stride_for(const member_ranks *m, int n_features)
{
    int wanted = n_features + n_features / 4 + RANK_LANES;
    wanted = wanted < m->ranks->p ? wanted : m->ranks->p;
    int most = (int)(m->most_bytes / ((size_t)m->ranks->n * RANK_LANES * sizeof *m->rank)), vectors;
    vectors = (wanted + RANK_LANES - 1) / RANK_LANES;
    return (vectors < most ? vectors : most) * RANK_LANES;
}

/* Moves the rows of the matrix apart to a larger stride, the last one first. */
static void widen_rows(member_ranks *m, int stride)
{
    size_t used = (size_t)m->n_lanes * sizeof *m->rank, unused = (size_t)(stride - m->n_lanes) * sizeof *m->rank;
    for (int row = m->ranks->n; row-- > 0;) {
        int16_t *wide = m->rank + (size_t)row * (size_t)stride;
        memmove(wide, m->rank + (size_t)row * (size_t)m->stride, used);
        memset(wide + m->n_lanes, 0, unused);
    }
    m->stride = stride;
}

rrf_status member_ranks_reserve(member_ranks *m, int n_features)
{
    int stride = n_features > m->stride || !m->rank ? stride_for(m, n_features) : m->stride;
    if (stride <= m->stride) {
        return RRF_OK;
    }
    rrf_status status = GROW(m->memory, m->rank, (size_t)m->ranks->n * (size_t)stride);
    if (!status) {
        widen_rows(m, stride);
    }
    return status;
}

static bool may_have_lane(const member_ranks *m, int feature)
{
    return m->ncat[feature] == 1 && !ranks_have_missing(m->ranks, feature) &&
           m->ranks->n_ranks[feature] <= INT16_MAX + 1;
}

void member_ranks_add(member_ranks *m, int feature)
{
    if (m->lane[feature] >= 0 || m->n_lanes == m->stride || !may_have_lane(m, feature)) {
        return;
    }
    int16_t *out = m->rank + m->n_lanes;
    for (int row = 0; row < m->ranks->n; ++row) {
        out[(size_t)row * (size_t)m->stride] = (int16_t)rank_of(m->ranks, feature, row);
    }
    m->lane[feature] = m->n_lanes;
    m->feature[m->n_lanes++] = feature;
}

/* The values remain in the matrix: lanes from n_lanes on are ignored. */
void member_ranks_clear(member_ranks *m)
{
    for (int lane = 0; lane < m->n_lanes; ++lane) {
        m->lane[m->feature[lane]] = -1;
    }
    m->n_lanes = 0;
}

void member_ranks_gather(const member_ranks *m, const int32_t *rows, int n, int vector, int16_t *out)
{
    const int16_t *first = m->rank + (size_t)vector * RANK_LANES;
    for (int i = 0; i < n; ++i) {
        memcpy(out + (size_t)i * RANK_LANES, first + (size_t)rows[i] * (size_t)m->stride, RANK_LANES * sizeof *out);
    }
}

/* Importance, proximity, bags and F: before the first tree and after the last. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "answers/oob.h"
#include "answers/proximity.h"
#include "answers/statistics.h"
#include "numbers.h"

bool statistics_have_buffers(const forest_statistics *s, bool importance)
{
    bool fit = s->oob_times && s->decrease && s->used;
    bool wanted = importance ? s->importance && s->importance_sd : !s->local_importance;
    return fit && wanted;
}

static void clear(void *array, size_t count, size_t size)
{
    if (array) {
        memset(array, 0, count * size);
    }
}

rrf_status statistics_begin(forest_statistics *s, bool oob_pairs, arena *memory)
{
    size_t n = (size_t)s->n, p = (size_t)s->p, n_shown = (size_t)s->n_shown, n_test = (size_t)s->n_test;
    size_t cells = p * (size_t)s->n_measures;
    clear(s->oob_times, n, sizeof *s->oob_times);
    clear(s->decrease, p, sizeof *s->decrease);
    clear(s->importance, cells, sizeof *s->importance);
    clear(s->importance_sd, cells, sizeof *s->importance_sd);
    clear(s->local_importance, p * n, sizeof *s->local_importance);
    clear(s->proximity, n_shown * n_shown, sizeof *s->proximity);
    clear(s->test_proximity, n_test * (n_test + n_shown), sizeof *s->test_proximity);
    if (s->proximity && oob_pairs) {
        TAKE_ZEROS(memory, s->oob_pairs, n_shown * n_shown);
    }
    return arena_status(memory);
}

void statistics_keep_bag(const forest_statistics *s, int index, const int32_t *count, bool times)
{
    if (s->inbag) {
        oob_tell_inbag(count, s->n_shown, times, s->inbag + (size_t)index * (size_t)s->n_shown);
    }
}

void importance_finish(double *sum, double *squares, size_t cells, int ntree, bool clamp)
{
    for (size_t at = 0; at < cells; ++at) {
        double mean = sum[at] / ntree, variance = (squares[at] / ntree - mean * mean) / ntree;
        sum[at] = one_nan(mean);
        squares[at] = one_nan(sqrt(clamp && !(variance > 0.0) ? 0.0 : variance));
    }
}

void local_importance_finish(double *sum, const int32_t *oob_times, int n, int p)
{
    for (int row = 0; sum && row < n; ++row) {
        double *of_row = sum + (size_t)row * (size_t)p;
        for (int feature = 0; feature < p; ++feature) {
            of_row[feature] = one_nan(of_row[feature] / oob_times[row]);
        }
    }
}

void statistics_finish(const forest_statistics *s, const feature_set *f, bool clamp)
{
    for (int feature = 0; feature < s->p; ++feature) {
        s->decrease[feature] /= s->ntree;
    }
    feature_set_write(f, s->used);
    if (s->importance) {
        importance_finish(s->importance, s->importance_sd, (size_t)s->p * (size_t)s->n_measures, s->ntree, clamp);
        local_importance_finish(s->local_importance, s->oob_times, s->n, s->p);
    }
    if (s->proximity) {
        proximity_finish(s->proximity, s->oob_pairs, s->n_shown, s->ntree);
    }
    if (s->test_proximity) {
        proximity_finish_test(s->test_proximity, s->n_test, s->n_shown, s->ntree);
    }
}

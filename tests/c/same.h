/* Comparisons of what the core and an oracle answer; an array that was not asked for is NULL. A difference ends the
 * program. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SAME_H
#define SAME_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "rrf.h"

static inline void same_ints(const char *name, const char *what, const int32_t *core, const int32_t *oracle,
                             size_t count)
{
    for (size_t i = 0; core && i < count; ++i) {
        CHECK(core[i] == oracle[i], "%s, %s[%zu]: core %d, oracle %d", name, what, i, core[i], oracle[i]);
    }
}

/* Equal as numbers; NaN equals NaN whatever its sign, which is the compiler's choice for 0/0. */
static inline void same_doubles(const char *name, const char *what, const double *core, const double *oracle,
                                size_t count)
{
    for (size_t i = 0; core && i < count; ++i) {
        int same = core[i] == oracle[i] || (isnan(core[i]) && isnan(oracle[i]));
        CHECK(same, "%s, %s[%zu]: core %a, oracle %a", name, what, i, core[i], oracle[i]);
    }
}

static inline void same_forest(const char *name, const rrf_forest *core, const rrf_forest *oracle)
{
    CHECK(core->ntree == oracle->ntree, "%s: core %d trees, oracle %d", name, core->ntree, oracle->ntree);
    for (int t = 0; t <= core->ntree; ++t) {
        CHECK(core->offset[t] == oracle->offset[t], "%s: tree %d begins elsewhere", name, t);
    }
    size_t nodes = (size_t)core->offset[core->ntree];
    same_ints(name, "status", core->status, oracle->status, nodes);
    same_ints(name, "split_var", core->split_var, oracle->split_var, nodes);
    same_doubles(name, "split_point", core->split_point, oracle->split_point, nodes);
    same_ints(name, "left", core->left, oracle->left, nodes);
    same_doubles(name, "prediction", core->prediction, oracle->prediction, nodes);
}

/* Whether trees first, first + 1, ... of a forest of the parallel engine are all trees of another. */
static inline bool same_trees(const rrf_forest *a, int first, const rrf_forest *b)
{
    size_t at = (size_t)a->offset[first], nodes = (size_t)b->offset[b->ntree];
    for (int t = 0; t <= b->ntree; ++t) {
        if (a->offset[first + t] - a->offset[first] != b->offset[t]) {
            return false;
        }
    }
    return !memcmp(a->left + at, b->left, nodes * sizeof *a->left) &&
           !memcmp(a->split_var + at, b->split_var, nodes * sizeof *a->split_var) &&
           !memcmp(a->split_point + at, b->split_point, nodes * sizeof *a->split_point) &&
           !memcmp(a->status + at, b->status, nodes * sizeof *a->status) &&
           !memcmp(a->prediction + at, b->prediction, nodes * sizeof *a->prediction) &&
           !memcmp(a->missing_left + at, b->missing_left, nodes * sizeof *a->missing_left);
}

static inline bool same_parallel_forest(const rrf_forest *a, const rrf_forest *b)
{
    return a->ntree == b->ntree && same_trees(a, 0, b);
}

static inline void same_stream(const char *name, const rrf_rng *core, const rrf_rng *oracle)
{
    CHECK(core->position == oracle->position, "%s: stream at %d, oracle's at %d", name, core->position,
          oracle->position);
    CHECK(!memcmp(core->state, oracle->state, sizeof core->state), "%s: the streams differ", name);
    CHECK(!memcmp(core->word, oracle->word, sizeof core->word), "%s: the words to draw from differ", name);
}

#endif

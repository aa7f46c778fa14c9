/* The bag of a tree of the oracle. SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "random/mersenne.h"
#include "oracle.h"

int oracle_below(oracle *o, int n)
{
    return (int)(n * rrf_rng_uniform(o->rng));
}

bool oracle_slips(const rrf_params *params)
{
    return params->quirks && !params->random_forest;
}

rrf_ties oracle_ties(const rrf_params *params)
{
    if (params->random_forest) {
        return RRF_TIES_RANDOM_FOREST;
    }
    return params->quirks ? RRF_TIES_RRF : RRF_TIES_INTENDED;
}

static void put_in_bag(oracle *o, int row)
{
    int k = o->y[row];
    ++o->count[row];
    o->weight[row] += o->classwt[k];
    o->bag_total[k] += o->classwt[k];
}

/* Each row has its stretch of the way from 0 to 1, and what was drawn is cut out without replacement. */
static void draw_by_chance(oracle *o, const int32_t *pool, int size, int draws, bool scales)
{
    double *length = oracle_alloc((size_t)size, sizeof *length), all = 0.0;
    for (int i = 0; i < size; ++i) {
        all += o->chance[pool[i]];
    }
    for (int i = 0; i < size; ++i) {
        o->chance[pool[i]] = scales ? o->chance[pool[i]] / all : o->chance[pool[i]];
        length[i] = o->chance[pool[i]];
    }
    for (int draw = 0; draw < draws; ++draw) {
        double u = rrf_rng_uniform(o->rng), begins = 0.0;
        int at = 0;
        for (int i = 1; i < size; ++i) {
            begins += length[i - 1];
            at = u >= begins ? i : at;
        }
        put_in_bag(o, pool[at]);
        double rest = 1 - length[at];
        for (int i = 0; i < size && !o->params->replace; ++i) {
            length[i] = i == at ? 0.0 : length[i];
            length[i] /= rest;
        }
    }
    free(length);
}

/* Draws from the rows of one stratum, or from all of them when stratum is -1. */
static void draw_rows(oracle *o, int stratum, int draws)
{
    int32_t *pool = oracle_alloc((size_t)o->data->n, sizeof *pool);
    int size = 0;
    for (int row = 0; row < o->data->n; ++row) {
        if (stratum < 0 || o->params->strata[row] == stratum) {
            pool[size++] = row;
        }
    }
    for (int i = 0; i < draws && !o->chance; ++i) {
        int at = oracle_below(o, size);
        put_in_bag(o, pool[at]);
        if (!o->params->replace) {
            pool[at] = pool[--size];
        }
    }
    if (o->chance) {
        draw_by_chance(o, pool, size, draws, stratum >= 0);
    }
    free(pool);
}

static void empty_bag(oracle *o)
{
    for (int row = 0; row < o->data->n; ++row) {
        o->count[row] = 0;
        o->weight[row] = 0.0;
    }
    for (int k = 0; k < o->nclass; ++k) {
        o->bag_total[k] = 0.0;
    }
}

/* Without strata a bag that misses a class is drawn again, ten times at most; with quirks the ten are then spent even
 * when an earlier one has every class. randomForest wants two classes, in 31 bags at most. */
rrf_status oracle_draw_bag(oracle *o)
{
    bool again = true, missed = false, forest = o->params->random_forest;
    for (int attempt = 0; again && attempt < (forest ? 31 : 11); ++attempt) {
        empty_bag(o);
        if (o->params->strata) {
            for (int stratum = 0; stratum < o->params->nstrata; ++stratum) {
                draw_rows(o, stratum, o->params->sampsize[stratum]);
            }
            return RRF_OK;
        }
        draw_rows(o, -1, o->params->sampsize[0]);
        int n_missing = 0;
        for (int k = 0; k < o->nclass; ++k) {
            n_missing += o->bag_total[k] == 0.0;
        }
        missed = missed || n_missing > 0;
        again = forest ? o->nclass - n_missing < 2 : o->params->quirks ? missed : n_missing > 0;
    }
    return forest && again ? RRF_ERR_ONE_CLASS : RRF_OK;
}

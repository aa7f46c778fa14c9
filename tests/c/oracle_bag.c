/* The bag of a tree of the oracle. SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "random/mersenne.h"
#include "oracle.h"

int oracle_below(oracle *o, int n)
{
    return (int)(n * rrf_rng_uniform(o->rng));
}

static void put_in_bag(oracle *o, int row)
{
    int k = o->y[row];
    ++o->count[row];
    o->weight[row] += o->classwt[k];
    o->bag_total[k] += o->classwt[k];
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
    for (int i = 0; i < draws; ++i) {
        int at = oracle_below(o, size);
        put_in_bag(o, pool[at]);
        if (!o->params->replace) {
            pool[at] = pool[--size];
        }
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
 * when an earlier one has every class. */
void oracle_draw_bag(oracle *o)
{
    bool again = true, missed = false;
    for (int attempt = 0; again && attempt < 11; ++attempt) {
        empty_bag(o);
        if (o->params->strata) {
            for (int stratum = 0; stratum < o->params->nstrata; ++stratum) {
                draw_rows(o, stratum, o->params->sampsize[stratum]);
            }
            return;
        }
        draw_rows(o, -1, o->params->sampsize[0]);
        bool misses_now = false;
        for (int k = 0; k < o->nclass; ++k) {
            misses_now = misses_now || o->bag_total[k] == 0.0;
        }
        missed = missed || misses_now;
        again = o->params->quirks ? missed : misses_now;
    }
}

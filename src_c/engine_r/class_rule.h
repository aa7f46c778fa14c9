/* R's rule of classification trees: the draws of features, and the breaking of ties. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#ifndef RRF_CLASS_RULE_H
#define RRF_CLASS_RULE_H

#include "engine_r/candidates.h"
#include "tree/builder.h"

typedef struct class_rule {
    splitter *splitter;
    rrf_rng *rng;
    rrf_ties ties; /* rule of draws between equal splits, and between classes in a leaf */
    candidates features;
    int ntie;         /* number of cuts of the current feature that equalled or beat the best, plus 1 */
    double *decrease; /* p: sums of the decreases in impurity */
} class_rule;

extern const rule class_rule_table;

/* The builder must not move. */
rrf_status class_rule_init(class_rule *own, builder *g, const rrf_params *params, const int32_t *used, double *decrease,
                           rrf_rng *rng, arena *memory);

#endif

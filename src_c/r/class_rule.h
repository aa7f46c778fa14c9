/* R's rule of classification trees: which features are drawn, and how ties are broken.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_CLASS_RULE_H
#define RRF_CLASS_RULE_H

#include "r/candidates.h"
#include "tree/rule.h"
#include "tree/splitter.h"

typedef struct class_rule {
    splitter *splitter;
    rrf_rng *rng;
    bool quirks;
    candidates features;
    int ntie;         /* cuts of the feature under evaluation that equalled or beat the best, and 1 */
    double *decrease; /* p: sums of the decreases in impurity */
} class_rule;

extern const rule class_rule_table;

rrf_status class_rule_init(class_rule *own, splitter *splitter, const rrf_params *params, const int32_t *used,
                           double *decrease, rrf_rng *rng);
void class_rule_free(class_rule *own);

#endif

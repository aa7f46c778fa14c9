/* The out-of-bag rows of a tree, and errors computed from them.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_OOB_H
#define RRF_OOB_H

#include "arena.h"
#include "tree/forest.h"

/* The out-of-bag rows of a tree, and the predictions of the tree for them. */
typedef struct oob_sample {
    int size;
    int32_t *rows;     /* room for n, ascending */
    double *predicted; /* class from 1, or mean */
} oob_sample;

rrf_status oob_init(oob_sample *oob, int n, arena *memory);
/* leaves: the terminal nodes of these rows. */
void oob_predict(oob_sample *oob, const tree *t, const int32_t *leaves);
/* Writes the rows that the bag holds 0 times to `rows`, ascending; it has room for n. Returns their number. */
int oob_list(const int32_t *count, int n, int32_t *rows);
/* R's inbag of one tree: 1 for a row in the bag, otherwise 0; or, with `times`, the number of times that it was drawn. */
void oob_tell_inbag(const int32_t *count, int n, bool times, int32_t *inbag);
/* Error rates overall and by class, nclass + 1 of them. On entry wrong[k + 1] is the number of misclassified rows of
 * class k, and cases[k] the number of all its rows. A class without rows gets 0/0, as in R. */
void oob_error_rates(double *wrong, const int32_t *cases, int nclass);
/* The mean squared error over the rows that were out of bag at least once. */
double oob_mean_square(const double *y, const double *predicted, const int32_t *oob_times, int n);

#endif

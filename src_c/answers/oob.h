/* The rows that a tree has not seen, and what they say of the error.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_OOB_H
#define RRF_OOB_H

#include <stdint.h>

/* Lists the rows that the bag holds 0 times, ascending, into rows, which has room for n. Returns how many they are. */
int oob_list(const int32_t *count, int n, int32_t *rows);
/* R's inbag of one tree: 1 for a row that the bag holds, otherwise 0. */
void oob_mark_inbag(const int32_t *count, int n, int32_t *inbag);
/* Error rates overall and by class, nclass + 1 of them. On entry wrong[k + 1] says how many rows of class k are predicted
 * wrongly, and cases[k] out of how many; a class without rows gets 0/0, as in R. */
void oob_error_rates(double *wrong, const int32_t *cases, int nclass);
/* The mean squared error over the rows that some tree has not seen. */
double oob_mean_square(const double *y, const double *predicted, const int32_t *oob_times, int n);

#endif

/* Ranks for a fit, and their owner. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RANKING_H
#define RRF_RANKING_H

#include "data/ranks.h"

/* Returns the type of ranks that a fit needs; parallel NULL: R's engine. classwt: nclass normalised class weights. */
ranks_kind ranks_kind_of_fit(const rrf_target *target, const double *classwt, const rrf_params *params,
                             const rrf_parallel_params *parallel);
/* Sets *ranks to the ranks that a fit reads: `given`, which must be of such data and of this type, or, if that is NULL,
 * ranks computed here on n_jobs threads. The latter are also stored in *own, and the fit frees them. */
rrf_status ranks_take(const rrf_ranks *given, const rrf_data *data, ranks_kind kind, int n_jobs,
                      const rrf_monitor *monitor, const rrf_ranks **ranks, rrf_ranks **own);

#endif

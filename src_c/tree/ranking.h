/* Which ranks a fit reads, and whose they are.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_RANKING_H
#define RRF_RANKING_H

#include "data/ranks.h"

/* What a fit wants of ranks; parallel NULL: R's engine. classwt: nclass normalised class weights. */
ranks_kind ranks_kind_of_fit(const rrf_target *target, const double *classwt, const rrf_params *params,
                             const rrf_parallel_params *parallel);
/* Sets *ranks to those that a fit reads: `given`, which have to be of such data and of this kind, or, where that is NULL,
 * ranks made here on n_jobs threads. The latter stand in *own, too, and the fit frees them. */
rrf_status ranks_take(const rrf_ranks *given, const rrf_data *data, ranks_kind kind, int n_jobs,
                      const rrf_monitor *monitor, const rrf_ranks **ranks, rrf_ranks **own);

#endif

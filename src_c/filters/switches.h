/* A switch for each filter, which is read where the filter is chosen.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SWITCHES_H
#define RRF_SWITCHES_H

#ifndef FILTERS
#define FILTERS 1
#endif

/* ---- both engines, classes ------------------------------------------------------------------------------------------- */

/* Gini: cases are counted in whole numbers, by value or in sorted order; otherwise every numeric feature is scanned row
 * by row. */
#ifndef FILTER_COUNTS
#define FILTER_COUNTS FILTERS
#endif
/* All features of F are counted together, in the lanes of vectors. */
#ifndef FILTER_LANES
#define FILTER_LANES FILTERS
#endif
/* Several classes: the cuts of a feature are evaluated together if there are few rows or values. */
#ifndef FILTER_CLASS_CUTS
#define FILTER_CLASS_CUTS FILTERS
#endif
/* Columns with a common value are read by their other rows. */
#ifndef FILTER_RARE_VALUES
#define FILTER_RARE_VALUES FILTERS
#endif
/* Columns of few values are packed into bits or bytes. */
#ifndef FILTER_FEW_VALUES
#define FILTER_FEW_VALUES FILTERS
#endif
/* Inexact sums: whole numbers decide between features while they can. */
#ifndef FILTER_INCUMBENT
#define FILTER_INCUMBENT FILTERS
#endif
/* Gini's criterion of many sets of levels is computed together. */
#ifndef FILTER_SETS
#define FILTER_SETS FILTERS
#endif

/* ---- both engines ---------------------------------------------------------------------------------------------------- */

/* A cut is evaluated only if it may equal the best split so far. */
#ifndef FILTER_THRESHOLD
#define FILTER_THRESHOLD FILTERS
#endif
/* The rows of a tree are sorted once by the features that are candidates of every node. */
#ifndef FILTER_SORTED_ROWS
#define FILTER_SORTED_ROWS FILTERS
#endif
/* Columns of many values are counted in 256 bins first, and only bins that may have the best cut are searched. */
#ifndef FILTER_COARSE
#define FILTER_COARSE FILTERS
#endif
/* Loops for AVX2. */
#ifndef FILTER_SIMD
#define FILTER_SIMD FILTERS
#endif

/* ---- regression of engine r ------------------------------------------------------------------------------------------ */

/* Approximate ratios rule out features and cuts before R's sums are added up. */
#ifndef FILTER_RATIOS
#define FILTER_RATIOS FILTERS
#endif
/* Sums by value replace sorted rows. */
#ifndef FILTER_VALUE_SUMS
#define FILTER_VALUE_SUMS FILTERS
#endif

/* ---- threads --------------------------------------------------------------------------------------------------------- */

/* Engine parallel: a tree that is regrown evaluates only changes. */
#ifndef FILTER_REGROW
#define FILTER_REGROW FILTERS
#endif

#endif

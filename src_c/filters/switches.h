/* A switch for each filter, which the line that chooses it reads. `make filters` compiles the core with one after the other off
 * (-DFILTER_LANES=0), with all off (-DFILTERS=0), and without this folder, and compares the answers. README.md of src_c says what
 * each earns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_SWITCHES_H
#define RRF_SWITCHES_H

#ifndef FILTERS
#define FILTERS 1
#endif

/* ---- both engines, classes ------------------------------------------------------------------------------------------- */

/* Gini: cases are counted in whole numbers, by value or in sorted order; otherwise every number is scanned row by row. */
#ifndef FILTER_COUNTS
#define FILTER_COUNTS FILTERS
#endif
/* F is counted at once, its features side by side. */
#ifndef FILTER_LANES
#define FILTER_LANES FILTERS
#endif
/* Several classes: the cuts of a feature side by side, where rows or values are few. */
#ifndef FILTER_CLASS_CUTS
#define FILTER_CLASS_CUTS FILTERS
#endif
/* Columns of which most rows hold the same value are read by their other rows. */
#ifndef FILTER_RARE_VALUES
#define FILTER_RARE_VALUES FILTERS
#endif
/* Columns of few values are packed into bits or bytes. */
#ifndef FILTER_FEW_VALUES
#define FILTER_FEW_VALUES FILTERS
#endif
/* Sums that are not exact: whole numbers decide between features as long as they can. */
#ifndef FILTER_INCUMBENT
#define FILTER_INCUMBENT FILTERS
#endif
/* Gini's criterion of many sets of levels is found at once. */
#ifndef FILTER_SETS
#define FILTER_SETS FILTERS
#endif

/* ---- both engines ---------------------------------------------------------------------------------------------------- */

/* A cut is evaluated only if it may equal the best split so far. */
#ifndef FILTER_THRESHOLD
#define FILTER_THRESHOLD FILTERS
#endif
/* The rows of a tree are sorted once by the features that every node looks at. */
#ifndef FILTER_SORTED_ROWS
#define FILTER_SORTED_ROWS FILTERS
#endif
/* Columns of many values are counted in 256 bins first, and only bins that may hold the best cut are looked into. */
#ifndef FILTER_COARSE
#define FILTER_COARSE FILTERS
#endif
/* Loops for AVX2. */
#ifndef FILTER_SIMD
#define FILTER_SIMD FILTERS
#endif

/* ---- regression of engine r ------------------------------------------------------------------------------------------ */

/* Rough ratios rule out features and cuts before R's sums are added up. */
#ifndef FILTER_RATIOS
#define FILTER_RATIOS FILTERS
#endif
/* Sums by value take the place of sorted rows. */
#ifndef FILTER_VALUE_SUMS
#define FILTER_VALUE_SUMS FILTERS
#endif

/* ---- threads --------------------------------------------------------------------------------------------------------- */

/* Engine parallel: a tree that is grown again looks only at what has changed. */
#ifndef FILTER_REGROW
#define FILTER_REGROW FILTERS
#endif

#endif

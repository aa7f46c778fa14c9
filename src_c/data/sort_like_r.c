/* The permutation of R's R_qsort_I. SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Quicksort after Singleton (CACM algorithm 347) with R's moving pivot: not stable, so the pivot's place, the order of
 * the exchanges and the size from which insertion takes over decide the order among equal values. */
#include "data/sort_like_r.h"

#include "rrf.h"

#define INSERTION_SPAN 10 /* last - first of the longest segment sorted by insertion */
#define STACK_DEPTH 32    /* the longer part is deferred, so the depth stays below log2(n) */

typedef struct keyed {
    double *value;
    int32_t *index;
} keyed;

typedef struct segment {
    int first, last;
} segment;

static inline void exchange(keyed a, int i, int j)
{
    double value = a.value[i];
    int32_t index = a.index[i];
    a.value[i] = a.value[j];
    a.index[i] = a.index[j];
    a.value[j] = value;
    a.index[j] = index;
}

/* The change of the pivot's position in a segment each time a partition starts at the left end of the data. R turns
 * back above 0.589, which is never reached: after the first change only segments of at most 11 elements change it, and
 * a partition removes at least two elements, so there are at most six changes. */
#define FIRST_FRACTION 0.375
#define FRACTION_STEP 0.0390625

/* Orders first, middle, last; the median is then at middle and bounds both scans of split_segment. */
static inline double median_to_middle(keyed a, int first, int middle, int last)
{
    if (a.value[first] > a.value[middle]) {
        exchange(a, first, middle);
    }
    if (a.value[last] < a.value[middle]) {
        exchange(a, middle, last);
        if (a.value[first] > a.value[middle]) {
            exchange(a, first, middle);
        }
    }
    return a.value[middle];
}

/* Leaves *lower with values <= pivot and *upper with values >= pivot; a value between the two is in place. */
static void split_segment(keyed a, segment whole, double fraction, segment *lower, segment *upper)
{
    int middle = whole.first + (int)((whole.last - whole.first) * fraction);
    double pivot = median_to_middle(a, whole.first, middle, whole.last);
    int left = whole.first, right = whole.last;
    for (;;) {
        do {
            right--;
        } while (a.value[right] > pivot);
        do {
            left++;
        } while (a.value[left] < pivot);
        if (left > right) {
            break;
        }
        exchange(a, left, right);
    }
    *lower = (segment){whole.first, right};
    *upper = (segment){left, whole.last};
}

/* Requires a value at part.first - 1 that is not larger than any in the segment: it ends the inner scan. */
static void insert_segment(keyed a, segment part)
{
    for (int i = part.first; i < part.last; i++) {
        double value = a.value[i + 1];
        int32_t index = a.index[i + 1];
        int hole = i + 1;
        while (a.value[hole - 1] > value) {
            a.value[hole] = a.value[hole - 1];
            a.index[hole] = a.index[hole - 1];
            hole--;
        }
        a.value[hole] = value;
        a.index[hole] = index;
    }
}

void sort_like_r(double *values, int32_t *index, int n)
{
    keyed a = {values, index};
    segment stack[STACK_DEPTH], part = {0, n - 1}, lower, upper;
    int depth = 0;
    double fraction = n - 1 > INSERTION_SPAN ? FIRST_FRACTION + FRACTION_STEP : FIRST_FRACTION;
    for (;;) {
        bool is_short = part.last - part.first <= INSERTION_SPAN;
        if (is_short && (part.first > 0 || part.last <= 0)) {
            insert_segment(a, part);
            if (depth == 0) {
                return;
            }
            part = stack[--depth];
            continue;
        }
        if (is_short) {
            fraction += FRACTION_STEP; /* the left end has no sentinel: it is partitioned to the end */
        }
        split_segment(a, part, fraction, &lower, &upper);
        bool lower_first = lower.last - lower.first <= upper.last - upper.first;
        stack[depth++] = lower_first ? upper : lower;
        part = lower_first ? lower : upper;
    }
}

void rrf_sort(double *values, int32_t *index, int n)
{
    sort_like_r(values, index, n);
}

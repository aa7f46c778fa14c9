/* A bound on the difference between R's criterion of a cut and the one of whole numbers.
 *
 * Class weights near 1 make R's sums nearly whole. A filter counts cases by value, in whole numbers, and rules out what
 * falls short of the best split so far by more than this slack. It never drops a cut that R takes or that ties with R's best:
 *
 * 1. R cuts between different values only. Which rows go left then depends on values alone, so the whole numbers of the cut
 *    are the same in whatever order equal values are added. Only R's rounding depends on that order.
 * 2. Let a node have n rows and N >= 2 cases, and u = 2^-53. All that follows is to first order in u.
 *    a. A row drawn c times weighs c (1 + t), |t| <= 92 u + N u / 2: its class weight is within 1e-14 of 1 (is_near_one()), and
 *       is added c times. The criterion's derivative by a weight lies in [-1, 2], so it moves by at most 2 N |t|, which is
 *       no more than (92 + 1) u N^2.
 *    b. A class sum S of a node errs by E u S after E additions: n of rows or, at the root, N of draws. R's sum of
 *       squares on the right begins with sum S^2, is off by 2 S E u S in each class, and by u N^2 for each class with rows.
 *       Each row then adds w (w - 2 S'), where S' is off by (E + n) u S: in all by 2 (E + n) u N^2, and by (n + 4) u N^2
 *       for the rounding of terms and sums. The right side weighs at least 1, so the quotient errs by no more than
 *       (4 E + 3 n + n + 5) u N^2, and by (E + 2 n) u N for its divisor. What goes left errs by less than 3 (n + 1) u N.
 *    c. The node's own criterion, which the filter starts from, errs by (3 E + 2 n + 1) u N, and what coefReg multiplies
 *       by some 8 u N.
 *    Since u N <= u N^2 / 2, these add up to less than (6 E + 8 n + 110) u N^2, of which E <= n below the root, where
 *    it is 14 n, and E <= N at the root.
 * 3. The slack is 16 (n + N / 2 + 8) u N^2, which is more. Where the first order does not suffice, at n N u near 1,
 *    the slack is above N, the largest criterion, and nothing is ruled out.
 *
 * 4. For a set of levels of a factor R adds up the rows of each level and class, and then the L <= n levels that have rows.
 *    a. A class sum of what goes left errs by (n + L) u of itself. The left side's squares, their sum and the divisor err by
 *       less than (5 n + 3 L + 2) u N, the quotient being at most N: by (5 n + 3 L + 2) / 2 u N^2.
 *    b. What goes right is the node's sum less that, off by (E + n + L + 1) u S. The squares are off by twice that times S, and
 *       by n + 1 for rounding: by (2 E + 3 n + 2 L + 3) u N^2. The divisor, off by (E + 3 n + L + 1) u N, adds half as much.
 *    c. With 2a, 2c and N >= 2 these add up to less than (4 E + 8 n + 4 L + 104) u N^2. The slack is 16 n + 8 N + 128 of these
 *       units, which is more. E is as above.
 *
 * A cut that is ruled out is thus worth less to R than the best split, when the feature's turn begins and ever after: R would
 * neither take it nor draw for it. The rounding of the filter itself has slack of its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_ROUNDING_BOUND_H
#define RRF_ROUNDING_BOUND_H

#include <float.h>

#include "tree/search.h"

/* cases: of the node. 0 where sums are whole. */
static inline double rounding_bound(const search_input *in, const node_view *node, double cases)
{
    return in->bag->exact ? 0.0 : 8.0 * DBL_EPSILON * (node->size + cases / 2 + 8) * cases * cases;
}

#endif

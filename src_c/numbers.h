/* Floating-point requirements, checked when the core is compiled. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_NUMBERS_H
#define RRF_NUMBERS_H

#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "R's answers need each result rounded to its own type (FLT_EVAL_METHOD 0): compile for SSE2, not for the x87"
#endif
#ifdef __FAST_MATH__
#error "R's answers need sums in the order in which they are written: compile without -ffast-math"
#endif
_Static_assert(sizeof(double) == 8 && DBL_MANT_DIG == 53 && FLT_MANT_DIG == 24, "numbers are those of IEEE 754");
_Static_assert(INT_MAX == INT32_MAX, "an int has 32 bits, as in R");
_Static_assert(SIZE_MAX >= UINT64_MAX, "rows times features has to fit a size_t: the core needs a 64-bit platform");

/* Returns the value unchanged, except that NaN becomes the one that x86 computes for 0/0 and for the root of a negative
 * number. It is negative, and R prints it as -nan. Other processors compute a positive one. */
static inline double one_nan(double value)
{
    const uint64_t bits = UINT64_C(0xfff8000000000000);
    if (value != value) {
        memcpy(&value, &bits, sizeof value);
    }
    return value;
}

#endif

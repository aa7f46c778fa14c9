/* What is made of the sums over a forest: means, standard errors, error rates. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "answers/oob.h"
#include "answers/statistics.h"
#include "check.h"

/* x86 makes this NaN of 0/0 and of the root of a negative number; the answers hold it on every processor. */
static bool is_the_nan(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == UINT64_C(0xfff8000000000000);
}

static void test_oob_rows(void)
{
    static const int32_t count[] = {0, 2, 0, 0, 1, 0}, expected[] = {0, 2, 3, 5}, marked[] = {0, 1, 0, 0, 1, 0};
    int32_t rows[COUNT(count)], inbag[COUNT(count)];
    int size = oob_list(count, COUNT(count), rows);
    CHECK(size == COUNT(expected), "%d rows", size);
    CHECK(memcmp(rows, expected, sizeof expected) == 0, "other rows");
    oob_tell_inbag(count, COUNT(count), false, inbag);
    CHECK(memcmp(inbag, marked, sizeof marked) == 0, "other rows in the bag");
    oob_tell_inbag(count, COUNT(count), true, inbag);
    CHECK(memcmp(inbag, count, sizeof count) == 0, "other numbers of draws");
    CHECK(oob_list(count + 1, 1, rows) == 0, "a row of the bag is listed");
}

static void test_error_rates(void)
{
    static const int32_t cases[] = {4, 0, 2}, none[] = {0, 0, 0};
    double rate[] = {7.0, 1.0, 0.0, 2.0}, empty[] = {7.0, 0.0, 0.0, 0.0};
    oob_error_rates(rate, cases, 3);
    CHECK(rate[0] == 0.5 && rate[1] == 0.25 && rate[3] == 1.0, "%g, %g, %g", rate[0], rate[1], rate[3]);
    CHECK(is_the_nan(rate[2]), "the rate of a class without rows is %g", rate[2]);
    oob_error_rates(empty, none, 3);
    for (int k = 0; k <= 3; ++k) {
        CHECK(is_the_nan(empty[k]), "rate %d of no rows is %g", k, empty[k]);
    }
}

static void test_mean_square(void)
{
    static const double y[] = {1.0, 2.0, 3.0}, predicted[] = {2.0, 50.0, 5.0};
    static const int32_t times[] = {1, 0, 4}, never[] = {0, 0, 0};
    CHECK(oob_mean_square(y, predicted, times, 3) == 2.5, "%g", oob_mean_square(y, predicted, times, 3));
    CHECK(is_the_nan(oob_mean_square(y, predicted, never, 3)), "%g", oob_mean_square(y, predicted, never, 3));
}

/* Three trees of one share: the variance is zero, which rounding misses now upwards, now downwards. */
static void test_variance_of_rounding(void)
{
    int n_below = 0;
    for (int i = 1; i < 100; ++i) {
        double share = i / 100.0, sum = share + share + share, squares = share * share + share * share + share * share;
        double mean = sum / 3, variance = (squares / 3 - mean * mean) / 3;
        double kept[] = {sum, squares}, clamped[] = {sum, squares};
        importance_finish(kept, kept + 1, 1, 3, false);
        importance_finish(clamped, clamped + 1, 1, 3, true);
        CHECK(kept[0] == mean && clamped[0] == mean, "share %g: mean %g", share, kept[0]);
        if (variance < 0.0) {
            ++n_below;
            CHECK(is_the_nan(kept[1]), "share %g: R has NaN, not %g", share, kept[1]);
            CHECK(clamped[1] == 0.0, "share %g: %g rather than 0", share, clamped[1]);
        } else {
            CHECK(kept[1] == sqrt(variance) && clamped[1] == kept[1], "share %g: %g and %g", share, kept[1],
                  clamped[1]);
        }
    }
    CHECK(n_below > 0, "no variance fell below zero");
}

static void test_local_importance(void)
{
    static const int32_t times[] = {2, 0};
    double sum[] = {1.0, -3.0, 0.0, 0.0};
    local_importance_finish(sum, times, 2, 2);
    CHECK(sum[0] == 0.5 && sum[1] == -1.5, "%g, %g", sum[0], sum[1]);
    CHECK(is_the_nan(sum[2]) && is_the_nan(sum[3]), "%g, %g", sum[2], sum[3]);
    local_importance_finish(NULL, times, 2, 2);
}

int main(void)
{
    test_oob_rows();
    test_error_rates();
    test_mean_square();
    test_variance_of_rounding();
    test_local_importance();
    return 0;
}

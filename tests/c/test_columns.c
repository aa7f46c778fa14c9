/* The ranks of single columns beside what ranks are: how many values, or rows, are smaller.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "data/make_ranks.h"
#include "data/sort_column.h"
#include "random/splitmix.h"

enum { MAX_N = 700, N_LAYOUTS = 3 };

static const int sizes[] = {1, 2, 7, 8, 9, 25, 33, 100, 127, 128, 129, 511, 512, 513, MAX_N};

/* What the values of a column have in common. */
typedef enum kind {
    ANY,
    FEW,           /* values that are tied, zeros of both signs among them */
    ALIKE_FEW,     /* the same first bits in most, in any order, and ties */
    ALIKE,         /* the same first bits in all that are not far away, descending */
    ALIKE_WHOLE,   /* the same of numbers with few bits */
    NEARLY_SORTED, /* the same first bits in pairs */
    CONSTANT,
    HUGE_RANGE,
    MISSING,
    N_KINDS
} kind;

static double value_of(kind kind, int row, int n)
{
    uint64_t word = splitmix_word((uint64_t)kind, (uint64_t)row);
    double unit = (double)(word >> 11) * 0x1p-53;
    bool far = row % 10 == 9;
    switch (kind) {
    case FEW:
        return row % 3 == 0 ? -0.0 : (double)(word % 7) - 3.0;
    case ALIKE_FEW:
        return far ? -unit : 1.0 + (double)(word % 5) * 0x1p-50;
    case ALIKE:
        return far ? -unit : 1.0 + (double)(n - row) * 0x1p-52;
    case ALIKE_WHOLE:
        return far ? 0.0 : 1.0e6 + (double)(n - row);
    case NEARLY_SORTED:
        return (double)(row / 2) / 7.0 + (double)(row % 2 == 0) * 0x1p-46;
    case CONSTANT:
        return 3.5;
    case HUGE_RANGE:
        return ldexp(unit - 0.5, (int)(word % 1900) - 950);
    case MISSING:
        return word % 4 == 0 ? NAN : unit;
    default:
        return unit - 0.5;
    }
}

/* Missing values are beyond all others. */
static double ordered(double value)
{
    return isnan(value) ? INFINITY : value;
}

/* Whether no row before holds the same value. */
static void mark_first(const double *x, int n, bool *first)
{
    for (int row = 0; row < n; ++row) {
        first[row] = true;
        for (int before = 0; first[row] && before < row; ++before) {
            first[row] = ordered(x[before]) != ordered(x[row]);
        }
    }
}

/* Short columns count rows, long ones values. */
static int rank_by_definition(const double *x, int n, const bool *first, int row)
{
    int rank = 0;
    for (int other = 0; other < n; ++other) {
        rank += (n <= 128 || first[other]) && ordered(x[other]) < ordered(x[row]);
    }
    return rank;
}

static bool has_ties(const bool *first, int n)
{
    bool ties = false;
    for (int row = 0; row < n; ++row) {
        ties = ties || !first[row];
    }
    return ties;
}

static bool any_missing(const double *x, int n)
{
    bool any = false;
    for (int row = 0; row < n; ++row) {
        any = any || isnan(x[row]);
    }
    return any;
}

/* As R has it, row by row beside another column, or both in floats, which the values then are. */
static rrf_data lay_out(int layout, double *x, int n, double *buffer, float *floats)
{
    static const int32_t ncat[2] = {1, 1};
    for (int row = 0; row < n; ++row) {
        x[row] = layout == 2 ? (double)(float)x[row] : x[row];
        floats[2 * row] = (float)x[row];
        buffer[layout ? 2 * row : row] = x[row];
        buffer[layout ? 2 * row + 1 : n + row] = floats[2 * row + 1] = 0.0;
    }
    rrf_data data = {.x = buffer, .n = n, .p = 2, .ncat = ncat};
    if (layout) {
        data.feature_step = 1;
        data.row_step = 2;
        data.x32 = layout == 2 ? floats : NULL;
    }
    return data;
}

static void check_column(kind kind, int n, int layout)
{
    static double x[MAX_N], buffer[2 * MAX_N];
    static float floats[2 * MAX_N];
    for (int row = 0; row < n; ++row) {
        x[row] = layout == 2 && kind == HUGE_RANGE ? value_of(ANY, row, n) : value_of(kind, row, n);
    }
    bool first[MAX_N];
    rrf_data data = lay_out(layout, x, n, buffer, floats);
    rrf_ranks ranks;
    mark_first(x, n, first);
    rrf_status status = ranks_alloc(&ranks, &data, (ranks_kind){.ties = TIES_MERGED, .may_miss = true});
    status = status ? status : ranks_make(&ranks, &data, NULL);
    CHECK(!status, "kind %d, n = %d, layout %d: status %d", kind, n, layout, status);
    for (int row = 0; !status && row < n; ++row) {
        int expected = rank_by_definition(x, n, first, row), rank = (int)rank_of(&ranks, 0, row);
        CHECK(rank == expected, "kind %d, n = %d, layout %d: rank %d of row %d, not %d", kind, n, layout, rank, row,
              expected);
    }
    CHECK(ranks.has_ties[0] == has_ties(first, n), "kind %d, n = %d, layout %d: ties", kind, n, layout);
    CHECK(ranks_have_missing(&ranks, 0) == any_missing(x, n), "kind %d, n = %d: missing", kind, n);
    ranks_clear(&ranks);
}

/* Rows ascend among equal values, and missing ones come last. */
static void check_places(const double *x, const sorted_column *sorted, int n, const char *what)
{
    int n_missing = 0;
    for (int row = 0; row < n; ++row) {
        n_missing += isnan(x[row]) != 0;
    }
    CHECK(!sorted->infinite && sorted->n_missing == n_missing && sorted->n_present == n - n_missing, "%s: %d missing",
          what, sorted->n_missing);
    for (int at = 1; at < sorted->n_present; ++at) {
        int row = sorted_row(sorted, at), before = sorted_row(sorted, at - 1);
        bool ascends = x[before] < x[row] || (x[before] == x[row] && before < row);
        CHECK(ascends, "%s: place %d descends", what, at);
        CHECK(is_new_value(sorted, at) == (x[before] != x[row]), "%s: place %d", what, at);
    }
    for (int at = sorted->n_present; at < n; ++at) {
        bool ascends = at == sorted->n_present || sorted->words[at] > sorted->words[at - 1];
        CHECK(isnan(x[sorted->words[at]]) && ascends, "%s: missing place %d", what, at);
    }
}

static void check_sorted(kind kind, int n, bool whole)
{
    static double x[MAX_N];
    static uint64_t items[MAX_N], spare[MAX_N];
    for (int row = 0; row < n; ++row) {
        x[row] = value_of(kind, row, n);
    }
    sorted_column sorted = sort_column(x, n, items, spare);
    char what[40];
    snprintf(what, sizeof what, "kind %d, n = %d", kind, n);
    CHECK(n < MAX_N || sorted.whole == whole, "%s: whole or not", what);
    check_places(x, &sorted, n, what);
    x[n / 2] = kind == MISSING ? -INFINITY : INFINITY;
    CHECK(sort_column(x, n, items, spare).infinite, "%s: an infinite value", what);
}

/* Floats, which a sort reads from one of its own buffers. */
static void check_floats(int n)
{
    static double x[MAX_N];
    static uint64_t items[MAX_N], spare[MAX_N];
    for (int row = 0; row < n; ++row) {
        float value = (float)ldexp(value_of(ANY, row % 500, n), row % 270 - 145);
        x[row] = row % 7 == 1 ? NAN : (double)(row % 2 ? -value : value);
    }
    memcpy(spare, x, sizeof x);
    sorted_column sorted = sort_column((const double *)(const void *)spare, n, items, spare);
    CHECK(sorted.whole, "floats that are not whole");
    check_places(x, &sorted, n, "floats");
}

int main(void)
{
    for (int s = 0; s < COUNT(sizes); ++s) {
        for (int k = 0; k < N_KINDS; ++k) {
            for (int layout = 0; layout < N_LAYOUTS; ++layout) {
                check_column((kind)k, sizes[s], layout);
            }
        }
    }
    for (int k = 0; k < N_KINDS; ++k) {
        bool whole = k == FEW || k == ALIKE_WHOLE || k == CONSTANT;
        check_sorted((kind)k, 1, whole);
        check_sorted((kind)k, 40, whole);
        check_sorted((kind)k, MAX_N, whole);
    }
    check_floats(MAX_N);
    return 0;
}

/* Bounds on the gains of the cuts of a feature, by Gini's criterion, if classes are counted in whole numbers.
 *
 * A node of N cases has T_k of class k. With l_k of them among the L cases left of a cut, let d_k = N l_k - L T_k. The cut gains
 * the sum of d_k^2, divided by N L (N - L). A bin adds to d_k at most (N - T_k) for each of its cases of class k, and takes at
 * most T_k away for each other one; L (N - L) is least at one of its ends. In the first bin L may be 0. There the sum of d_k^2,
 * divided by L, is convex and grows in proportion to the cases, so it is at most the sum of what they reach alone, which is
 * Q_k = (N - T_k)^2 + the other classes' T^2 for one of class k. The last bin is the first one from the right.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/columns/coarse_ranks.h"
#include "filters/counts/class_bins.h"
#include "filters/counts/class_counts.h"

/* Largest number of classes for which bins are faster than sorting. */
enum { MAX_BINNED_CLASSES = 16 };
/* Bound on rounding errors below, as a share of the cases of a node. */
#define CLASS_BINS_SLACK 1.0e-11

typedef struct class_bins {
    int32_t count[MAX_BINS * MAX_BINNED_CLASSES]; /* by bin and class; zeros between uses */
    uint64_t used[BIN_WORDS];
} class_bins;

class_bins *class_bins_new(const search_input *in, arena *memory)
{
    class_bins *bins = NULL;
    if (in->nclass <= MAX_BINNED_CLASSES && in->filter->counts->sums_squares) {
        TAKE_ZEROS(memory, bins, 1);
    }
    return bins;
}

/* ---- counts ---------------------------------------------------------------------------------------------------------- */

static inline void count_row(class_bins *b, int nclass, uint32_t bin, uint32_t payload)
{
    b->count[bin * (uint32_t)nclass + (payload & (MAX_CLASSES - 1))] += (int32_t)(payload >> CLASS_BITS);
}

static void count_rows(class_bins *b, int nclass, const uint8_t *bin, const uint32_t *payload, int n)
{
    uint64_t used[BIN_WORDS];
    begin_marks(used, n);
    for (int i = 0; i < n && n < MAX_BINS; ++i) {
        count_row(b, nclass, bin[i], payload[i]);
        mark_bin(used, bin[i]);
    }
    for (int i = 0; i < n && n >= MAX_BINS; ++i) {
        count_row(b, nclass, bin[i], payload[i]);
    }
    memcpy(b->used, used, sizeof used);
}

/* ---- bounds ---------------------------------------------------------------------------------------------------------- */

/* d: by class, of the cut before the bin under evaluation. */
typedef struct bin_walk {
    const double *total;
    int nclass;
    double all, squares, left; /* N; the sum of T^2; L */
    double d[MAX_BINNED_CLASSES];
    gain_bounds found;
} bin_walk;

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Few quotients exceed all before them; only these are divided. */
static inline void raise_to(double *highest, double above, double below)
{
    if (above > *highest * below) {
        *highest = above / below;
    }
}

/* Evaluates the cut at the left end of the bin. */
static void meet_end(bin_walk *w)
{
    double sum = 0.0;
    for (int k = 0; k < w->nclass; ++k) {
        sum += w->d[k] * w->d[k];
    }
    raise_to(&w->found.least, sum, w->all * w->left * (w->all - w->left));
}

/* Bounds the gains of cuts inside the bin, and at its right end, from above. */
static void bound_inside(bin_walk *w, const int32_t *own, double cases)
{
    double sum = 0.0, all = w->all, right = w->left + cases;
    for (int k = 0; k < w->nclass; ++k) {
        double up = w->d[k] + own[k] * (all - w->total[k]), down = w->d[k] - (cases - own[k]) * w->total[k];
        sum += larger(up * up, down * down);
    }
    double product = w->left * (all - w->left), at_right = right * (all - right);
    raise_to(&w->found.most, sum, all * (at_right < product ? at_right : product));
}

/* Bounds the gains of cuts in the first or the last bin. */
static void bound_outside(bin_walk *w, const int32_t *own, double cases)
{
    double sum = 0.0, all = w->all;
    for (int k = 0; k < w->nclass; ++k) {
        sum += own[k] * (all * all - 2.0 * all * w->total[k] + w->squares);
    }
    raise_to(&w->found.most, cases < all ? sum : INFINITY, cases < all ? all * (all - cases) : 1.0);
}

/* Resets the bin's counts to zero. */
static void pass_bin(bin_walk *w, int32_t *own)
{
    double cases = 0.0;
    for (int k = 0; k < w->nclass; ++k) {
        cases += own[k];
    }
    if (cases == 0.0) {
        return;
    }
    bool inside = w->left > 0.0 && w->left + cases < w->all;
    if (w->left > 0.0) {
        meet_end(w);
    }
    (inside ? bound_inside : bound_outside)(w, own, cases);
    for (int k = 0; k < w->nclass; ++k) {
        w->d[k] += w->all * own[k] - cases * w->total[k];
        own[k] = 0;
    }
    w->left += cases;
}

gain_bounds class_bins_bound(const scan *c)
{
    const node_view *node = c->node;
    class_bins *b = c->own->class_bins;
    const class_counts *counts = class_counts_of_node(c);
    int nclass = c->in->nclass;
    bin_walk walk = {.total = counts->total,
                     .nclass = nclass,
                     .all = counts->weight,
                     .squares = counts->squares,
                     .found = {-INFINITY, 0.0}};
    coarse_ranks_read(c->in->ranks, c->column.feature, node->rows, node->size, c->own->bin);
    count_rows(b, nclass, c->own->bin, counts->payload, node->size);
    for (int word = 0; word < BIN_WORDS; ++word) {
        for (uint64_t bits = b->used[word]; bits; bits &= bits - 1) {
            pass_bin(&walk, b->count + (word << 6 | __builtin_ctzll(bits)) * nclass);
        }
    }
    double slack = CLASS_BINS_SLACK * walk.all;
    return (gain_bounds){walk.found.least - slack, walk.found.most + slack};
}

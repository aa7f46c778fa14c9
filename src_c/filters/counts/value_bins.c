/* Bounds on the gains of the cuts of a feature in a regression.
 *
 * Let d be the sum of w (y - mean of the node) left of a cut, and w its weight; the node weighs W. The cut gains
 * d^2 W / (w (W - w)), which is convex in (w, d). Inside a bin w lies between its values at the ends of the bin, and d between
 * what it is at the left end less all that is negative in the bin, and plus all that is positive. Over this rectangle the gain
 * is at most the largest d^2 times W over the least w (W - w), which is at one of the ends. In the first bin that divides by 0.
 * There d^2 / w is at most the bin's sum q of w (y - mean)^2, by Cauchy and Schwarz; and likewise in the last bin.
 *
 * All is summed in another order than the exact criterion, of numbers that were scaled and rounded to single precision. `error`
 * is how far d may be off, and `slack` what the exact criterion itself may lose by rounding.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "filters/columns/coarse_ranks.h"
#include "filters/counts/value_bins.h"

/* Relative error of a number after rounding to single precision, with a margin for later operations. */
#define SINGLE (4.0 * FLT_EPSILON)
/* Range of responses, and of the inverse of their differences, whose squares doubles hold. */
#define LARGEST 1.0e140

typedef struct value_bins {
    int node;   /* node whose rows are listed; -1: none */
    float *row; /* of each row of the node w, w (y - mean), its absolute value, and w (y - mean)^2 */
    bool in_range;
    double unit, error, slack;        /* the unit of gains; the others are in this unit, or in its square root */
    double sums[MAX_BINS * BIN_SUMS]; /* of the same in each bin; zeros between uses */
    uint64_t used[BIN_WORDS];
    response_bins list;
} value_bins;

value_bins *value_bins_new(int n, arena *memory)
{
    value_bins *bins;
    TAKE_ZEROS(memory, bins, 1);
    if (bins) {
        TAKE(memory, bins->row, BIN_SUMS * (size_t)n);
    }
    return bins;
}

void value_bins_begin_tree(value_bins *bins)
{
    bins->node = -1;
}

/* ---- a node ---------------------------------------------------------------------------------------------------------- */

/* absolute: the sum of w |y|; largest: |y|. */
typedef struct response_range {
    double absolute, largest, farthest;
} response_range;

/* Lists weights and differences of responses from the mean. */
static response_range read_responses(value_bins *b, const search_input *in, const node_view *node, double *distance)
{
    double mean = node->sums[SUM_RESPONSE] / node->weight;
    response_range r = {0.0, 0.0, 0.0};
    for (int i = 0; i < node->size; ++i) {
        const double *moments = in->moments + N_MOMENTS * (size_t)node->rows[i];
        double weight = moments[SUM_WEIGHT], y = moments[SUM_RESPONSE] / weight;
        b->row[BIN_SUMS * (size_t)i] = (float)weight;
        distance[i] = y - mean;
        r.absolute += fabs(moments[SUM_RESPONSE]);
        r.largest = fabs(y) > r.largest ? fabs(y) : r.largest;
        r.farthest = fabs(distance[i]) > r.farthest ? fabs(distance[i]) : r.farthest;
    }
    return r;
}

/* Scales by a power of two, so that the largest difference is near 1, as single precision requires. The error of a sum
 * of n numbers is at most n u times the sum of their absolute values. */
static void scale_rows(value_bins *b, const node_view *node, const response_range *r, const double *distance)
{
    double distances = 0.0, n = (double)node->size + 8.0, mean = fabs(node->sums[SUM_RESPONSE] / node->weight);
    int exponent = 0;
    frexp(r->farthest, &exponent);
    double scale = ldexp(1.0, -exponent);
    for (int i = 0; i < node->size; ++i) {
        float *row = b->row + BIN_SUMS * (size_t)i;
        double near_one = distance[i] * scale, part = (double)row[0] * near_one;
        row[1] = (float)part;
        row[2] = (float)fabs(part);
        row[3] = (float)(part * near_one);
        distances += fabs(part);
    }
    b->unit = ldexp(1.0, 2 * exponent);
    b->error = SINGLE * distances + 4.0 * n * DBL_EPSILON * scale * (r->absolute + node->weight * mean);
    b->slack = 16.0 * n * DBL_EPSILON * scale * r->absolute * scale * r->largest;
}

static void list_rows(value_bins *b, const scan *c)
{
    double *distance = c->own->values.ratio;
    const node_view *node = c->node;
    response_range r = read_responses(b, c->in, node, distance);
    b->node = node->number;
    b->in_range = r.largest < LARGEST && r.farthest > 1.0 / LARGEST;
    if (b->in_range) {
        scale_rows(b, node, &r, distance);
    }
}

/* ---- a feature ------------------------------------------------------------------------------------------------------- */

/* Lists the bins with rows; the first and the last bin come last, with their bounds. */
static int list_bins(value_bins *b)
{
    response_bins *list = &b->list;
    double weight = 0.0, sum = 0.0;
    int n = 0;
    for (int word = 0; word < BIN_WORDS; ++word) {
        for (uint64_t bits = b->used[word]; bits; bits &= bits - 1) {
            double *own = b->sums + BIN_SUMS * (word << 6 | __builtin_ctzll(bits));
            list->before[n] = weight;
            list->high[n] = sum + 0.5 * (own[2] + own[1]);
            list->low[n] = sum - 0.5 * (own[2] - own[1]);
            list->sum[n] = sum;
            list->squares[n] = own[3];
            n += own[0] > 0.0;
            weight += own[0];
            sum += own[1];
            memset(own, 0, BIN_SUMS * sizeof *own);
        }
    }
    list->before[n] = weight;
    return n;
}

/* The last bin, and entries read beyond it, have no gain. */
static void close_list(response_bins *list, int n)
{
    for (int i = n - 1; i < n - 1 + BIN_BLOCK; ++i) {
        list->high[i] = list->low[i] = list->sum[i + 1] = 0.0;
        list->before[i + 1] = list->before[n - 1];
    }
}

/* Returns an upper bound on the gains of the cuts of the first or the last bin. */
static double bound_end(const value_bins *b, double total, int bin)
{
    const response_bins *list = &b->list;
    double high = fmax(fabs(list->high[bin]), fabs(list->low[bin])) + b->error;
    double squares = list->squares[bin] * (1.0 + SINGLE) + b->slack, begins = list->before[bin],
           ends = list->before[bin + 1];
    return (begins > 0.0 ? high * high / begins : squares) + (ends < total ? high * high / (total - ends) : squares);
}

gain_bounds value_bins_bound(const scan *c)
{
    const node_view *node = c->node;
    const simd *loops = c->read->simd;
    value_bins *b = c->own->value_bins;
    uint8_t *bin = c->own->bin;
    if (b->node != node->number) {
        list_rows(b, c);
    }
    if (!b->in_range) {
        return (gain_bounds){-INFINITY, INFINITY};
    }
    coarse_ranks_read(c->in->ranks, c->column.feature, node->rows, node->size, bin);
    loops->add_to_bins(bin, node->size, b->row, b->sums, b->used);
    int n = list_bins(b);
    gain_bounds found = {0.0, 0.0};
    double ends = fmax(bound_end(b, node->weight, 0), bound_end(b, node->weight, n - 1));
    close_list(&b->list, n);
    loops->bound_bins(&b->list, n, node->weight, b->error, &found.least, &found.most);
    found.most = fmax(found.most, ends);
    return (gain_bounds){(found.least * (1.0 - SINGLE) - b->slack) * b->unit,
                         (found.most * (1.0 + SINGLE) + b->slack) * b->unit};
}

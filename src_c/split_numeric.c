/* Split points of a numeric feature. Both scans evaluate the criterion exactly, as R does, only where a comparison
 * without divisions says that the best so far may be equalled. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "internal.h"

/* Room that the comparisons leave for their own rounding; what passes is evaluated exactly. */
#define SLACK 1.0e-12
/* R's 1.0e-5, single precision: neither daughter may weigh less. */
#define MIN_WEIGHT ((double)1.0e-5F)

/* ---- ordering a node's rows ---------------------------------------------------------------------------------------- */

/* Sets the bits of the node's keys and adds what each row contributes at its key. */
static void mark_rows(splitter *s, const node_view *node, int feature)
{
    const columns *cols = s->cols;
    size_t base = (size_t)feature * cols->n;
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        uint32_t key = cols->wide ? ((const uint32_t *)cols->key)[base + row] : ((const uint16_t *)cols->key)[base + row];
        s->mark[key >> 6] |= (uint64_t)1 << (key & 63);
        s->slot[key] += s->payload[row];
    }
}

/* Keys are unique here and a row's payload is the row itself. */
static void sort_by_bitmap(splitter *s, const node_view *node, int feature)
{
    int words = (s->cols->n_keys[feature] + 63) / 64, at = 0;
    mark_rows(s, node, feature);
    for (int w = 0; w < words; ++w) {
        uint64_t bits = s->mark[w];
        s->mark[w] = 0;
        for (; bits; bits &= bits - 1) {
            int key = w * 64 + __builtin_ctzll(bits);
            s->sorted[at++] = (int32_t)s->slot[key];
            s->slot[key] = 0;
        }
    }
}

static int compare_packed(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* For a node so small that walking the bitmap would cost more. */
static void sort_by_comparison(splitter *s, const node_view *node, int feature)
{
    uint64_t *packed = s->packed;
    for (int i = 0; i < node->size; ++i) {
        packed[i] = (uint64_t)column_key(s->cols, feature, node->rows[i]) << 32 | (uint32_t)node->rows[i];
    }
    qsort(packed, (size_t)node->size, sizeof *packed, compare_packed);
    for (int i = 0; i < node->size; ++i) {
        s->sorted[i] = (int32_t)(packed[i] & 0xffffffff);
    }
}

static bool values_differ(const splitter *s, int feature, int row, int next)
{
    const double *x = s->data->x + (size_t)feature * s->data->n;
    return !s->cols->has_ties[feature] || x[row] < x[next];
}

/* ---- two classes, exact sums --------------------------------------------------------------------------------------- */

/* With a of the left's l cases in class 0, and A of the node's N, the criterion is N - 2AB/N + 2 d^2 / (N l r) where
 * d = aN - lA. The sum carried along is d << 32 | l. */
typedef struct two_class {
    double total, class0; /* N, A */
    double base;          /* N - 2AB/N */
    double penalty;
    double threshold;     /* d^2 > threshold * l * r: the split may equal the best */
} two_class;

static double two_class_threshold(const two_class *t, double best)
{
    if (!(t->penalty > 0.0)) {
        return -INFINITY;
    }
    return (best / t->penalty - t->base - SLACK * t->total) * t->total / 2 * (1.0 - SLACK);
}

static two_class two_class_begin(const splitter *s, const node_view *node, int feature)
{
    two_class t = {.total = node->sum, .class0 = node->class_total[0], .penalty = penalty(s, feature)};
    t.base = t.total - 2.0 * t.class0 * (t.total - t.class0) / t.total;
    t.threshold = two_class_threshold(&t, s->best.crit);
    return t;
}

static inline bool two_class_promises(const two_class *t, double d, double left)
{
    return d * d > t->threshold * (left * (t->total - left));
}

/* R's expressions, on whole numbers. */
static void two_class_evaluate(splitter *s, two_class *t, double class0_left, double left, int feature, uint32_t cut_key)
{
    double class1_left = left - class0_left, right = t->total - left;
    double class0_right = t->class0 - class0_left, class1_right = right - class0_right;
    if (left <= 0.0 || right <= 0.0) {
        return;
    }
    double left_squares = class0_left * class0_left + class1_left * class1_left;
    double right_squares = class0_right * class0_right + class1_right * class1_right;
    double crit = t->penalty * (left_squares / left + right_squares / right);
    if (splitter_offer(s, crit, feature, cut_key)) {
        t->threshold = two_class_threshold(t, s->best.crit);
    }
}

static void scan_two_class(splitter *s, const node_view *node, int feature)
{
    two_class t = two_class_begin(s, node, feature);
    int words = (s->cols->n_keys[feature] + 63) / 64;
    int64_t sum = 0;
    mark_rows(s, node, feature);
    for (int w = 0; w < words; ++w) {
        uint64_t bits = s->mark[w];
        s->mark[w] = 0;
        for (; bits; bits &= bits - 1) {
            int key = w * 64 + __builtin_ctzll(bits);
            sum += s->slot[key];
            s->slot[key] = 0;
            double d = (double)(sum >> 32), left = (double)(uint32_t)sum;
            if (two_class_promises(&t, d, left)) {
                double class0_left = (d + left * t.class0) / t.total;
                two_class_evaluate(s, &t, class0_left, left, feature, (uint32_t)key);
            }
        }
    }
}

/* The same over a stream, whose payload counts class 0 in the upper 16 bits and all cases in the lower. */
static void stream_two_class(splitter *s, const node_view *node, int feature, const uint64_t *entries)
{
    two_class t = two_class_begin(s, node, feature);
    uint32_t sum = 0, total = (uint32_t)t.total, class0 = (uint32_t)t.class0;
    for (int i = 0; i < node->size - 1; ++i) {
        sum += (uint32_t)(entries[i] >> 32);
        uint32_t class0_left = sum >> 16, left = sum & MAX_PACKED;
        /* Wraps around on the way; the result fits. */
        int32_t d = (int32_t)(class0_left * total - left * class0);
        if (two_class_promises(&t, (double)d, (double)left)) {
            int row = (int)(uint32_t)entries[i];
            if (values_differ(s, feature, row, (int)(uint32_t)entries[i + 1])) {
                two_class_evaluate(s, &t, class0_left, left, feature, column_key(s->cols, feature, row));
            }
        }
    }
}

/* ---- any number of classes, any weights ---------------------------------------------------------------------------- */

typedef struct scan_sums {
    double left_squares, left, right_squares, right; /* R's rln, rld, rrn, rrd */
} scan_sums;

static double general_threshold(const splitter *s, double penalty)
{
    return penalty > 0.0 && s->best.crit > 0.0 ? s->best.crit / penalty * (1.0 - SLACK) : -INFINITY;
}

static inline bool general_promises(const scan_sums *sum, double threshold)
{
    double weight = sum->left * sum->right;
    return !(sum->left_squares * sum->right + sum->right_squares * sum->left <= threshold * weight);
}

/* `rows` are the node's, by ascending key. The sums are R's, in R's order. */
static void scan_general(splitter *s, const node_view *node, int feature, const int32_t *rows)
{
    double factor = penalty(s, feature), threshold = general_threshold(s, factor);
    scan_sums sum = {0.0, 0.0, node->sum_squares, node->sum};
    memset(s->left_total, 0, (size_t)s->nclass * sizeof *s->left_total);
    memcpy(s->right_total, node->class_total, (size_t)s->nclass * sizeof *s->right_total);
    for (int i = 0; i < node->size - 1; ++i) {
        int row = rows[i], k = s->bag->y[row];
        double weight = s->bag->weight[row];
        sum.left_squares += weight * (2 * s->left_total[k] + weight);
        sum.right_squares += weight * (-2 * s->right_total[k] + weight);
        sum.left += weight;
        sum.right -= weight;
        s->left_total[k] += weight;
        s->right_total[k] -= weight;
        if (!general_promises(&sum, threshold) || !values_differ(s, feature, row, rows[i + 1])) {
            continue;
        }
        if (sum.right > MIN_WEIGHT && sum.left > MIN_WEIGHT) {
            double crit = factor * (sum.left_squares / sum.left + sum.right_squares / sum.right);
            if (splitter_offer(s, crit, feature, column_key(s->cols, feature, row))) {
                threshold = general_threshold(s, factor);
            }
        }
    }
}

/* The rows of a stream's range. */
static void unpack_rows(splitter *s, const uint64_t *entries, int size)
{
    for (int i = 0; i < size; ++i) {
        s->sorted[i] = (int32_t)(uint32_t)entries[i];
    }
}

void sort_rows(splitter *s, const node_view *node, int feature)
{
    const uint64_t *entries = stream_range(&s->streams, feature, node->start);
    if (entries) {
        unpack_rows(s, entries, node->size);
    } else if (s->cols->n_keys[feature] / 64 > 16 * node->size) {
        sort_by_comparison(s, node, feature);
    } else {
        sort_by_bitmap(s, node, feature);
    }
}

void split_numeric(splitter *s, const node_view *node, int feature)
{
    s->ntie = 1;
    if (!s->two_class) {
        sort_rows(s, node, feature);
        scan_general(s, node, feature, s->sorted);
        return;
    }
    const uint64_t *entries = stream_range(&s->streams, feature, node->start);
    if (entries) {
        stream_two_class(s, node, feature, entries);
    } else {
        scan_two_class(s, node, feature);
    }
}

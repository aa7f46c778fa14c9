/* Sums by class. SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree/class_sums.h"

/* The bag has summed them draw by draw, as R does. */
void class_sum_bag(const bag *b, double *sums)
{
    memcpy(sums, b->class_total, (size_t)b->nclass * sizeof *sums);
}

/* Two classes in whole numbers: no sum waits for the one before it to be stored. */
static void count_two_classes(const bag *b, const int32_t *rows, int n_rows, double *sums)
{
    int64_t all = 0, second = 0;
    for (int i = 0; i < n_rows; ++i) {
        int32_t count = b->count[rows[i]];
        all += count;
        second += -b->y[rows[i]] & count;
    }
    sums[0] = (double)(all - second);
    sums[1] = (double)second;
}

int class_sum_rows(const search_input *in, const int32_t *rows, int n_rows, double *sums)
{
    const bag *b = in->bag;
    if (weights_are_counts(b) && b->nclass == 2) {
        count_two_classes(b, rows, n_rows, sums);
        return n_rows;
    }
    memset(sums, 0, (size_t)b->nclass * sizeof *sums);
    for (int i = 0; i < n_rows; ++i) {
        sums[b->y[rows[i]]] += weight_in_bag(b, rows[i]);
    }
    return n_rows;
}

bool class_is_pure(const double *sums, int nclass)
{
    double sum = 0.0;
    bool pure = false;
    for (int k = 0; k < nclass; ++k) {
        sum += sums[k];
    }
    for (int k = 0; k < nclass; ++k) {
        pure = pure || sums[k] == sum;
    }
    return pure;
}

void class_sum_levels(const search_input *in, const node_view *node, int feature, level_mean *means)
{
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        double weight = weight_in_bag(in->bag, row);
        level_mean *mean = means + rank_of(in->ranks, feature, row);
        mean->weight += weight;
        mean->sum += in->bag->y[row] == 0 ? weight : 0.0;
    }
}

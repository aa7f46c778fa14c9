/* Two classes: bounds on the cuts of a bin from the counts at its ends.
 *
 * A cut inside a bin sends left the a cases of class 0 and b of class 1 of the bins before, and some of the bin's own. The
 * strength d^2 / (l r) of two_class.h is convex in the two counts left of the cut, for it is a sum of squares divided by sums
 * less a linear part. Over the rectangle of what the bin may add it is highest in a corner: all of the bin's class 0 and none
 * of its class 1, or the reverse; the two ends of the bin are the other corners. A bin of which no corner promises anything
 * holds no cut that does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters/columns/coarse_ranks.h"
#include "filters/counts/split_coarse.h"
#include "tree/row_order.h"

/* Bins with rows are listed. A sum has class 0 in the upper half, all cases in the lower. */
typedef struct coarse_bins {
    uint64_t sum[MAX_BINS];     /* by bin; zeros between uses */
    uint64_t left[MAX_BINS];    /* by bin: of the bins before */
    uint8_t promises[MAX_BINS]; /* by bin */
    uint64_t used[BIN_WORDS];   /* a bit for each bin that may have rows */
    int n;
    uint8_t bin[MAX_BINS]; /* n */
    bin_cases cases;       /* n */
    double strength[MAX_BINS];
} coarse_bins;

coarse_bins *coarse_bins_new(arena *memory)
{
    coarse_bins *bins;
    TAKE_ZEROS(memory, bins, 1);
    return bins;
}

bool coarse_can_scan(const scan *c)
{
    return coarse_bins_of(c) && c->read->rows_pack > 0;
}

/* ---- bins ------------------------------------------------------------------------------------------------------------ */

static void count_bins(coarse_bins *b, const uint8_t *bin, const uint32_t *payload, int n)
{
    uint64_t used[BIN_WORDS];
    begin_marks(used, n);
    for (int i = 0; i < n && n < MAX_BINS; ++i) {
        b->sum[bin[i]] += widen(payload[i]);
        mark_bin(used, bin[i]);
    }
    for (int i = 0; i < n && n >= MAX_BINS; ++i) {
        b->sum[bin[i]] += widen(payload[i]);
    }
    memcpy(b->used, used, sizeof used);
}

static void add_to_list(coarse_bins *b, int bin, uint64_t left)
{
    uint64_t sum = b->sum[bin];
    int at = b->n++;
    b->sum[bin] = 0;
    b->left[bin] = left;
    b->bin[at] = (uint8_t)bin;
    b->cases.left0[at] = (double)(int32_t)(left >> 32);
    b->cases.left[at] = (double)(int32_t)left;
    b->cases.own0[at] = (double)(int32_t)(sum >> 32);
    b->cases.own1[at] = (double)((int32_t)sum - (int32_t)(sum >> 32));
}

static void list_bins(coarse_bins *b)
{
    uint64_t left = 0;
    b->n = 0;
    for (int word = 0; word < BIN_WORDS; ++word) {
        for (uint64_t bits = b->used[word]; bits; bits &= bits - 1) {
            int bin = word << 6 | __builtin_ctzll(bits);
            uint64_t sum = b->sum[bin];
            if (sum) {
                add_to_list(b, bin, left);
                left += sum;
            }
        }
    }
    for (int i = b->n; i % BIN_BLOCK; ++i) { /* no cut between bins */
        b->cases.left0[i] = b->cases.left[i] = 0.0;
    }
}

/* Cuts weaker than the strongest one between bins cannot be the best of the feature (Gini's criterion only). If all
 * have strength 0, one may still be the best: with flagReg = 0 a coefficient multiplies more than the gain. */
static void raise_threshold(two_class *t, double strongest)
{
    float bar = (float)(strongest * (1.0 - SINGLE_SLACK));
    bool only_best = t->scan.in->rule->only_best_counts && t->scan.read->counts->sums_squares;
    only_best = only_best && t->scan.column.inverse > 0.0;
    if (only_best && bar > 0.0F && bar > t->filter.threshold) {
        t->filter.threshold = bar;
    }
}

/* Marks the bins that may have a cut. Returns their number. */
static int choose_bins(two_class *t, coarse_bins *b)
{
    int n_promising = 0;
    raise_threshold(t, t->scan.read->simd->bin_strengths(&b->cases, b->n, t->total, t->class0, b->strength));
    for (int i = 0; i < b->n; ++i) {
        bool promises = b->strength[i] >= (double)t->filter.threshold;
        b->promises[b->bin[i]] = promises;
        n_promising += promises;
    }
    return n_promising;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* Lists the rows of promising bins: the rank in the upper half, the payload in the lower. Returns their number. */
static int list_rows(const scan *c, const coarse_bins *b, const uint8_t *bin, const uint32_t *payload)
{
    splitter *s = c->own->splitter;
    int n = 0;
    int32_t *place = s->sorted;
    for (int i = 0; i < c->node->size; ++i) {
        place[n] = i;
        n += b->promises[bin[i]];
    }
    s->sorted_by = -1;
    for (int i = 0; i < n; ++i) {
        s->packed[i] = (uint64_t)scan_rank(c, c->node->rows[place[i]]) << 32 | payload[place[i]];
    }
    return n;
}

static void offer_cuts(two_class *t, const coarse_bins *b, const uint64_t *items, int n)
{
    uint64_t sum = 0, scale = coarse_scale(scan_profile(&t->scan)->n_ranks);
    uint32_t last = MAX_BINS;
    for (int i = 0; i < n; ++i) {
        uint32_t rank = (uint32_t)(items[i] >> 32), at = coarse_bin(rank, scale);
        sum = (at == last ? sum : b->left[at]) + widen((uint32_t)items[i]);
        last = at;
        bool ends = i + 1 == n || (uint32_t)(items[i + 1] >> 32) != rank;
        if (ends && two_class_promises_wide(sum, &t->filter)) {
            two_class_evaluate_wide(t, sum, rank);
        }
    }
}

void coarse_scan(two_class *t)
{
    const scan *c = &t->scan;
    const node_view *node = c->node;
    coarse_bins *b = c->own->coarse;
    uint8_t *bin = c->own->bin;
    const uint32_t *payload = node_rows_payload(&c->own->node_rows, node, c->read->payload);
    coarse_ranks_read(c->in->ranks, c->column.feature, node->rows, node->size, bin);
    count_bins(b, bin, payload, node->size);
    list_bins(b);
    if (choose_bins(t, b) > 0) {
        int n = list_rows(c, b, bin, payload);
        offer_cuts(t, b, sort_packed_ranks(c->own->splitter, n, scan_profile(c)->n_ranks), n);
    }
}

/* Split points of a numeric feature. Both scans evaluate the criterion exactly, as R does, only where a comparison
 * without divisions says that the best so far may be equalled. SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "tree/splitter.h"

/* Room that the comparisons leave for their own rounding; what passes is evaluated exactly. */
#define SLACK 1.0e-12
/* R's 1.0e-5, single precision: neither daughter may weigh less. */
#define MIN_WEIGHT ((double)1.0e-5F)

/* ---- ordering a node's rows ---------------------------------------------------------------------------------------- */

/* Adds the payload of each row at the slot of its key; where asked, marks the key as well. */
#define FILL_SLOTS(type, with_mark)                                                                                    \
    for (int i = 0; i < node->size; ++i) {                                                                             \
        uint32_t key = ((const type *)ranks->key + base)[node->rows[i]];                                               \
        s->slot[key] += payload[node->rows[i]];                                                                        \
        if (with_mark) {                                                                                               \
            s->mark[key >> 6] |= (uint64_t)1 << (key & 63);                                                            \
        }                                                                                                              \
    }

static inline void fill_slots(splitter *s, const node_view *node, int feature, const uint32_t *payload, bool with_mark)
{
    const rrf_ranks *ranks = s->ranks;
    size_t base = (size_t)feature * (size_t)ranks->n;
    if (ranks->wide) {
        FILL_SLOTS(uint32_t, with_mark)
    } else {
        FILL_SLOTS(uint16_t, with_mark)
    }
}

/* Gathers the keys present in the node, in order, with what stands at them. Returns how many they are. */
static int gather_keys(splitter *s, const node_view *node, int feature, const uint32_t *payload)
{
    fill_slots(s, node, feature, payload, true);
    return s->simd->gather(s->mark, (s->profile[feature].n_ranks + 63) / 64, s->slot, s->keys, s->present);
}

/* Keys are unique here. */
static void sort_by_bitmap(splitter *s, const node_view *node, int feature)
{
    int size = gather_keys(s, node, feature, s->row_itself);
    for (int i = 0; i < size; ++i) {
        s->sorted[i] = (int32_t)s->present[i];
    }
}

/* A bitmap pays where the node's rows are not too few for the keys that it has to be walked for. */
enum { MAX_INSERTION = 40, RANKS_PER_ROW = 128, WIDE_RANKS_PER_ROW = 16 };

static bool is_sparse(const splitter *s, const node_view *node, int feature)
{
    /* Slots of more than 65,536 keys do not stay in the processor's cache. */
    int64_t per_row = s->ranks->wide ? WIDE_RANKS_PER_ROW : RANKS_PER_ROW;
    return s->profile[feature].n_ranks > per_row * node->size;
}

static void sort_by_insertion(uint64_t *items, int n)
{
    for (int i = 1; i < n; ++i) {
        uint64_t item = items[i];
        int at = i;
        for (; at > 0 && items[at - 1] > item; --at) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

enum { MAX_DIGIT_BITS = 9 };

/* One pass of a radix sort by the digit at `shift`. */
static void sort_by_digit(const uint64_t *items, uint64_t *sorted, int n, int shift)
{
    uint32_t next[1 << MAX_DIGIT_BITS] = {0}, total = 0;
    for (int i = 0; i < n; ++i) {
        ++next[items[i] >> shift & ((1 << MAX_DIGIT_BITS) - 1)];
    }
    for (int digit = 0; digit < 1 << MAX_DIGIT_BITS; ++digit) {
        uint32_t size = next[digit];
        next[digit] = total;
        total += size;
    }
    for (int i = 0; i < n; ++i) {
        sorted[next[items[i] >> shift & ((1 << MAX_DIGIT_BITS) - 1)]++] = items[i];
    }
}

/* The node's rows by ascending key into s->packed: the key in the upper half, what belongs to the row in the lower. */
static void sort_packed(splitter *s, const node_view *node, int feature, const uint32_t *of_row)
{
    for (int i = 0; i < node->size; ++i) {
        int row = node->rows[i];
        s->packed[i] = (uint64_t)rank_of(s->ranks, feature, row) << 32 | of_row[row];
    }
    if (node->size <= MAX_INSERTION) {
        sort_by_insertion(s->packed, node->size);
        return;
    }
    for (int bits = 0; s->profile[feature].n_ranks >> bits; bits += MAX_DIGIT_BITS) {
        uint64_t *swap = s->packed;
        sort_by_digit(s->packed, s->packed_spare, node->size, 32 + bits);
        s->packed = s->packed_spare;
        s->packed_spare = swap;
    }
}

/* Keys are unique here. */
static void sort_sparse(splitter *s, const node_view *node, int feature)
{
    sort_packed(s, node, feature, s->row_itself);
    for (int i = 0; i < node->size; ++i) {
        s->sorted[i] = (int32_t)(uint32_t)s->packed[i];
    }
}

/* As gather_keys: rows of one key are taken together. */
static int gather_sparse(splitter *s, const node_view *node, int feature, const uint32_t *payload)
{
    int n_ranks = 0;
    sort_packed(s, node, feature, payload);
    for (int i = 0; i < node->size; ++i) {
        uint32_t key = (uint32_t)(s->packed[i] >> 32), own = (uint32_t)s->packed[i];
        if (n_ranks > 0 && s->keys[n_ranks - 1] == key) {
            s->present[n_ranks - 1] += own;
        } else {
            s->keys[n_ranks] = key;
            s->present[n_ranks++] = own;
        }
    }
    return n_ranks;
}

static inline bool values_differ(const splitter *s, int feature, int row, int next)
{
    /* A missing value is no value's equal. */
    return !s->ranks->has_ties[feature] || !(data_value(s->data, feature, next) <= data_value(s->data, feature, row));
}

/* ---- two classes, exact sums --------------------------------------------------------------------------------------- */

/* With a of the left's l cases in class 0, and A of the node's N, the criterion is N - 2AB/N + 2 d^2 / (N l r) where
 * d = aN - lA. */
typedef struct two_class {
    splitter *s;
    int feature;
    double total, class0; /* N, A */
    double base;          /* N - 2AB/N, which is the criterion of the node itself */
    const node_view *node;
    double slack; /* how far R's criterion may lie from the one of whole numbers */
    double penalty, inverse;
    two_class_filter filter;
} two_class;

/* The filter works in single precision: a few parts in 10^7. */
#define FILTER_SLACK 4.0e-6

static void set_threshold(two_class *t)
{
    double threshold = -INFINITY;
    if (t->inverse > 0.0) {
        threshold = (t->s->best.crit * t->inverse + t->node->offset - t->base - t->slack) * t->total / 2;
    }
    t->filter.threshold = (float)(threshold > 0.0 ? threshold * (1.0 - FILTER_SLACK) : threshold);
}

/* The count that a sum next to it stands for; round() is a call into the library. */
static inline double whole(double sum)
{
    return (double)(int64_t)(sum + 0.5);
}

/* Written in place: the structure is too large to be handed back in registers. */
static inline void two_class_begin(two_class *t, splitter *s, const node_view *node, int feature)
{
    t->s = s;
    t->node = node;
    t->feature = feature;
    t->total = whole(node->sum);
    t->class0 = whole(node->class_total[0]);
    t->base = node->crit;
    t->penalty = s->factor;
    t->inverse = s->inverse;
    /* Sums that are not exact err by half an ulp of N^2 a row, and a daughter of one case does not make that smaller. */
    t->slack = SLACK * t->total + (s->bag->exact ? 0.0 : 8.0 * DBL_EPSILON * node->size * t->total * t->total);
    t->filter.total = (int32_t)t->total;
    t->filter.class0 = (int32_t)t->class0;
    set_threshold(t);
}

/* R's expressions, on whole numbers. */
static void two_class_evaluate(two_class *t, double class0_left, double left, uint32_t cut_rank)
{
    double class1_left = left - class0_left, right = t->total - left;
    double class0_right = t->class0 - class0_left, class1_right = right - class0_right;
    if (left <= 0.0 || right <= 0.0) {
        return;
    }
    double left_squares = class0_left * class0_left + class1_left * class1_left;
    double right_squares = class0_right * class0_right + class1_right * class1_right;
    double gain = left_squares / left + right_squares / right - t->node->offset;
    if (gain > t->node->least_gain && splitter_offer(t->s, t->penalty * gain, t->feature, cut_rank)) {
        set_threshold(t);
    }
}

static inline void evaluate_packed(two_class *t, uint32_t sum, uint32_t cut_rank)
{
    two_class_evaluate(t, sum >> 16, sum & 0xffff, cut_rank);
}

static inline int block_end(int block, int size)
{
    return block + SIMD_BLOCK < size ? block + SIMD_BLOCK : size;
}

/* payload: what stands at each of `size` keys, zeros for keys that are absent, in whole blocks; keys NULL: 0, 1, 2, ...
 * sum: what goes left in any case. */
static void scan_payload(two_class *t, const uint32_t *payload, const uint32_t *keys, int size, uint32_t sum)
{
    int whole = (size + SIMD_BLOCK - 1) / SIMD_BLOCK * SIMD_BLOCK;
    int block = t->s->simd->find_promising(payload, 0, whole, &sum, &t->filter);
    while (block < whole) {
        for (int i = block; i < block_end(block, size); ++i) {
            sum += payload[i];
            if (payload[i] && two_class_promises(sum, &t->filter)) {
                evaluate_packed(t, sum, keys ? keys[i] : (uint32_t)i);
            }
        }
        block = t->s->simd->find_promising(payload, block + SIMD_BLOCK, whole, &sum, &t->filter);
    }
}

/* Keys that the slots may number for each row of the node before the present ones are gathered first. */
enum { MAX_SPARSENESS = 8 };

/* The packed counts of the node by key, with the number of keys that they stand for. */
typedef struct payload_list {
    uint32_t *payload;
    const uint32_t *keys; /* NULL: 0, 1, 2, ... */
    int size;
} payload_list;

static payload_list list_payload(splitter *s, const node_view *node, int feature)
{
    int n_ranks = s->profile[feature].n_ranks;
    if (n_ranks <= MAX_SPARSENESS * node->size) {
        fill_slots(s, node, feature, s->payload, false);
        return (payload_list){s->slot, NULL, n_ranks};
    }
    int size = is_sparse(s, node, feature) ? gather_sparse(s, node, feature, s->payload)
                                           : gather_keys(s, node, feature, s->payload);
    memset(s->present + size, 0, SIMD_BLOCK * sizeof *s->present);
    return (payload_list){s->present, s->keys, size};
}

static void clear_payload(splitter *s, const payload_list *list)
{
    if (!list->keys) {
        memset(s->slot, 0, (size_t)list->size * sizeof *s->slot);
    }
}

/* What stands at the key of the missing values, and NULL where the node has none. */
static uint32_t *missing_payload(const splitter *s, const payload_list *list, int feature)
{
    uint32_t key = (uint32_t)s->ranks->n_present[feature];
    int at = list->keys ? list->size - 1 : (int)key;
    bool present = !list->keys || list->keys[at] == key;
    return ranks_have_missing(s->ranks, feature) && present && list->payload[at] ? list->payload + at : NULL;
}

static void scan_slots(splitter *s, const node_view *node, int feature)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    payload_list list = list_payload(s, node, feature);
    scan_payload(&t, list.payload, list.keys, list.size, 0);
    uint32_t *missing = missing_payload(s, &list, feature);
    if (missing) {
        uint32_t sum = *missing;
        *missing = 0;
        s->missing_left = true;
        scan_payload(&t, list.payload, list.keys, list.size, sum);
        s->missing_left = false;
    }
    clear_payload(s, &list);
}

static void scan_stream(splitter *s, const node_view *node, int feature, const uint64_t *entries)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    int size = node->size - 1;
    uint32_t sum = 0;
    int block = s->simd->find_promising_entry(entries, 0, size, &sum, &t.filter);
    while (block < size) {
        for (int i = block; i < block_end(block, size); ++i) {
            int row = (int)(uint32_t)entries[i];
            sum += (uint32_t)(entries[i] >> 32);
            if (two_class_promises(sum, &t.filter) && values_differ(s, feature, row, (int)(uint32_t)entries[i + 1])) {
                evaluate_packed(&t, sum, rank_of(s->ranks, feature, row));
            }
        }
        block = s->simd->find_promising_entry(entries, block + SIMD_BLOCK, size, &sum, &t.filter);
    }
}

/* ---- two classes, exact sums, more cases than the kernels can pack -------------------------------------------------- */

/* Class 0 in the upper half, all cases in the lower. Read from the bag: 16 bits may not hold what one row counts for. */
static inline uint64_t wide_count(const splitter *s, int row)
{
    uint64_t count = (uint64_t)s->bag->count[row];
    return s->bag->y[row] == 0 ? count << 32 | count : count;
}

static inline bool wide_promises(const two_class *t, uint64_t sum)
{
    double left = (double)(uint32_t)sum, d = (double)(sum >> 32) * t->total - left * t->class0;
    return d * d > (double)t->filter.threshold * left * (t->total - left);
}

/* Returns the sum over the `size` slots, on top of `sum`. */
static void scan_wide(two_class *t, const uint64_t *slot, int size, uint64_t sum)
{
    for (int key = 0; key < size; ++key) {
        sum += slot[key];
        if (slot[key] && wide_promises(t, sum)) {
            two_class_evaluate(t, (double)(sum >> 32), (double)(uint32_t)sum, (uint32_t)key);
        }
    }
}

static void scan_wide_slots(splitter *s, const node_view *node, int feature)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    uint64_t *slot = s->wide_slot;
    int n_ranks = s->profile[feature].n_ranks, n_present = s->ranks->n_present[feature];
    for (int i = 0; i < node->size; ++i) {
        slot[rank_of(s->ranks, feature, node->rows[i])] += wide_count(s, node->rows[i]);
    }
    scan_wide(&t, slot, n_present, 0);
    if (n_present < n_ranks && slot[n_present]) {
        s->missing_left = true;
        scan_wide(&t, slot, n_present, slot[n_present]);
        s->missing_left = false;
    }
    memset(slot, 0, (size_t)n_ranks * sizeof *slot);
}

static void scan_wide_stream(splitter *s, const node_view *node, int feature, const uint64_t *entries)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    uint64_t sum = 0;
    for (int i = 0; i < node->size - 1; ++i) {
        int row = (int)(uint32_t)entries[i];
        sum += wide_count(s, row);
        if (wide_promises(&t, sum) && values_differ(s, feature, row, (int)(uint32_t)entries[i + 1])) {
            two_class_evaluate(&t, (double)(sum >> 32), (double)(uint32_t)sum, rank_of(s->ranks, feature, row));
        }
    }
}

/* ---- two classes, sums that are not exact -------------------------------------------------------------------------- */

/* Weights next to 1.0: whole numbers tell whether any split of the feature can equal the best. Boundaries between equal
 * values count, too; the scan that follows knows better. */
static bool may_equal_best(splitter *s, const node_view *node, int feature)
{
    two_class t;
    two_class_begin(&t, s, node, feature);
    const uint64_t *entries = sorted_rows_range(&s->sorted_rows, feature, node->start);
    uint32_t sum = 0;
    if (entries) {
        int size = node->size - 1;
        return s->simd->find_promising_entry(entries, 0, size, &sum, &t.filter) < size;
    }
    payload_list list = list_payload(s, node, feature);
    int whole = (list.size + SIMD_BLOCK - 1) / SIMD_BLOCK * SIMD_BLOCK;
    bool found = s->simd->find_promising(list.payload, 0, whole, &sum, &t.filter) < whole;
    clear_payload(s, &list);
    return found;
}

/* ---- any number of classes, any weights ---------------------------------------------------------------------------- */

typedef struct scan_sums {
    double left_squares, left, right_squares, right; /* R's rln, rld, rrn, rrd */
} scan_sums;

/* A criterion times less than this may lose digits to gradual underflow: no comparison then. */
#define MIN_PENALTY 1.0e-200

static double general_threshold(const splitter *s, double offset)
{
    bool known = s->factor > MIN_PENALTY && s->best.crit > 0.0;
    return known ? (s->best.crit / s->factor + offset) * (1.0 - SLACK) : -INFINITY;
}

static inline bool general_promises(const scan_sums *sum, double threshold)
{
    double weight = sum->left * sum->right;
    return !(sum->left_squares * sum->right + sum->right_squares * sum->left <= threshold * weight);
}

/* The node's rows as a scan takes them: by ascending key, the missing ones last or first. A cut may lie behind the rows
 * `first` to `last`. */
typedef struct row_order {
    const int32_t *rows;
    int first, last;
} row_order;

static inline bool may_cut(const splitter *s, int feature, const row_order *order, int i)
{
    return i >= order->first && values_differ(s, feature, order->rows[i], order->rows[i + 1]);
}

/* The sums are R's, in R's order. */
static void scan_general(splitter *s, const node_view *node, int feature, const row_order *order)
{
    double threshold = general_threshold(s, node->offset);
    const int32_t *rows = order->rows;
    scan_sums sum = {0.0, 0.0, node->sum_squares, node->sum};
    memset(s->left_total, 0, (size_t)s->nclass * sizeof *s->left_total);
    memcpy(s->right_total, node->class_total, (size_t)s->nclass * sizeof *s->right_total);
    for (int i = 0; i <= order->last; ++i) {
        int row = rows[i], k = s->bag->y[row];
        double weight = s->bag->weight[row];
        sum.left_squares += weight * (2 * s->left_total[k] + weight);
        sum.right_squares += weight * (-2 * s->right_total[k] + weight);
        sum.left += weight;
        sum.right -= weight;
        s->left_total[k] += weight;
        s->right_total[k] -= weight;
        if (!general_promises(&sum, threshold) || !may_cut(s, feature, order, i)) {
            continue;
        }
        if (sum.right > MIN_WEIGHT && sum.left > MIN_WEIGHT) {
            double gain = sum.left_squares / sum.left + sum.right_squares / sum.right - node->offset;
            if (gain > node->least_gain &&
                splitter_offer(s, s->factor * gain, feature, rank_of(s->ranks, feature, row))) {
                threshold = general_threshold(s, node->offset);
            }
        }
    }
}

/* ---- entropy ---------------------------------------------------------------------------------------------------------- */

/* The criterion is the sum over both daughters of sum_k n_k log n_k - n log n, which is the negative of their entropies. */
static void scan_entropy(splitter *s, const node_view *node, int feature, const row_order *order)
{
    double left = 0.0, right = node->sum, left_logs = 0.0, right_logs = node->sum_squares;
    memset(s->left_total, 0, (size_t)s->nclass * sizeof *s->left_total);
    memcpy(s->right_total, node->class_total, (size_t)s->nclass * sizeof *s->right_total);
    for (int i = 0; i <= order->last; ++i) {
        int row = order->rows[i], k = s->bag->y[row];
        double weight = s->bag->weight[row];
        left_logs += v_log_v(s->left_total[k] + weight) - v_log_v(s->left_total[k]);
        right_logs += v_log_v(s->right_total[k] - weight) - v_log_v(s->right_total[k]);
        s->left_total[k] += weight;
        s->right_total[k] -= weight;
        left += weight;
        right -= weight;
        if (right > MIN_WEIGHT && left > MIN_WEIGHT && may_cut(s, feature, order, i)) {
            double gain = left_logs - v_log_v(left) + right_logs - v_log_v(right) - node->offset;
            if (gain > node->least_gain) {
                splitter_offer(s, s->factor * gain, feature, rank_of(s->ranks, feature, row));
            }
        }
    }
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

/* The decrease of the sum of squares. */
static void scan_numbers(splitter *s, const node_view *node, int feature, const row_order *order)
{
    double left = 0.0, left_sum = 0.0, total_sum = node->class_total[1];
    double threshold = general_threshold(s, node->offset);
    for (int i = 0; i <= order->last; ++i) {
        int row = order->rows[i];
        left += s->moments[2 * (size_t)row];
        left_sum += s->moments[2 * (size_t)row + 1];
        double right = node->sum - left, right_sum = total_sum - left_sum;
        const scan_sums sum = {left_sum * left_sum, left, right_sum * right_sum, right};
        if (!general_promises(&sum, threshold) || right <= MIN_WEIGHT || left <= MIN_WEIGHT ||
            !may_cut(s, feature, order, i)) {
            continue;
        }
        double gain = left_sum * left_sum / left + right_sum * right_sum / right - node->offset;
        if (gain > node->least_gain && splitter_offer(s, s->factor * gain, feature, rank_of(s->ranks, feature, row))) {
            threshold = general_threshold(s, node->offset);
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
    const uint64_t *entries = sorted_rows_range(&s->sorted_rows, feature, node->start);
    if (entries) {
        unpack_rows(s, entries, node->size);
    } else if (is_sparse(s, node, feature)) {
        sort_sparse(s, node, feature);
    } else {
        sort_by_bitmap(s, node, feature);
    }
}

static void scan_order(splitter *s, const node_view *node, int feature, const row_order *order)
{
    if (s->bag->response) {
        scan_numbers(s, node, feature, order);
    } else if (s->parallel && s->parallel->entropy) {
        scan_entropy(s, node, feature, order);
    } else {
        scan_general(s, node, feature, order);
    }
}

/* Moves the missing rows from the end of s->sorted to its front. */
static void missing_first(splitter *s, int size, int n_missing)
{
    int32_t *moved = (int32_t *)s->packed;
    memcpy(moved, s->sorted + size - n_missing, (size_t)n_missing * sizeof *moved);
    memmove(s->sorted + n_missing, s->sorted, (size_t)(size - n_missing) * sizeof *moved);
    memcpy(s->sorted, moved, (size_t)n_missing * sizeof *moved);
}

static void scan_sorted(splitter *s, const node_view *node, int feature)
{
    int size = node->size, n_missing = 0;
    sort_rows(s, node, feature);
    while (ranks_have_missing(s->ranks, feature) && n_missing < size &&
           rank_of(s->ranks, feature, s->sorted[size - n_missing - 1]) >= (uint32_t)s->ranks->n_present[feature]) {
        ++n_missing;
    }
    if (n_missing == size) {
        return;
    }
    /* The cut behind the last value parts it from the missing ones. */
    scan_order(s, node, feature, &(row_order){s->sorted, 0, n_missing ? size - n_missing - 1 : size - 2});
    if (n_missing) {
        missing_first(s, size, n_missing);
        s->missing_left = true;
        scan_order(s, node, feature, &(row_order){s->sorted, n_missing, size - 2});
        s->missing_left = false;
    }
}

static void split_merged(splitter *s, const node_view *node, int feature)
{
    const uint64_t *entries = sorted_rows_range(&s->sorted_rows, feature, node->start);
    bool wide = node->sum > MAX_PACKED;
    if (wide && entries) {
        scan_wide_stream(s, node, feature, entries);
    } else if (wide) {
        scan_wide_slots(s, node, feature);
    } else if (entries) {
        scan_stream(s, node, feature, entries);
    } else {
        scan_slots(s, node, feature);
    }
}

void split_numeric(splitter *s, const node_view *node, int feature)
{
    s->ntie = 1;
    if (s->ranks->ties == TIES_MERGED) {
        split_merged(s, node, feature);
    } else if (s->parallel || !s->packs || may_equal_best(s, node, feature)) {
        scan_sorted(s, node, feature);
    }
}

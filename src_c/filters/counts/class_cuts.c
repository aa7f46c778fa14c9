/* The cuts of a feature, evaluated together: a filter in single precision; cuts that pass it are counted again and
 * evaluated exactly. SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>

#include "filters/counts/class_cuts.h"

/* Largest numbers of rows of a node, and of cuts of a feature, for which this is faster than a table, or than sorting. */
enum { MAX_ROWS = 1 << 12, MAX_CUTS = 8 * CUT_LANES };

/* ---- a fit ----------------------------------------------------------------------------------------------------------- */

void class_cuts_init(class_cuts *c, int n, int nclass, arena *memory)
{
    *c = (class_cuts){.max_rows = n < MAX_ROWS ? n : MAX_ROWS};
    TAKE(memory, c->row, c->max_rows);
    TAKE(memory, c->weight, c->max_rows);
    TAKE(memory, c->key, c->max_rows);
    TAKE(memory, c->cut, MAX_CUTS);
    TAKE(memory, c->ascending, MAX_CUTS);
    TAKE(memory, c->worth, MAX_CUTS);
    TAKE(memory, c->right, MAX_CUTS * MAX_ADDED);
    TAKE(memory, c->listed, MAX_CUTS);
    TAKE(memory, c->next, nclass);
    TAKE(memory, c->end, nclass);
    TAKE(memory, c->name, nclass);
    TAKE(memory, c->total, nclass);
    TAKE(memory, c->price, nclass);
    for (int i = 0; c->ascending && i < MAX_CUTS; ++i) {
        c->ascending[i] = cut_key((uint32_t)i);
    }
}

rrf_status class_cuts_reserve(class_cuts *c, int n, arena *memory)
{
    rrf_status status = RRF_OK;
    if (n > c->max_rows) {
        status = RENEW(memory, c->row, n);
        status = status ? status : RENEW(memory, c->weight, n);
        c->max_rows = n;
    }
    return status;
}

/* ---- a node ---------------------------------------------------------------------------------------------------------- */

/* Skips classes without rows. Even: a squared count has the price 1 in all others. */
static void list_classes(class_cuts *c, const class_counts *counts, int nclass)
{
    bool even = true;
    int n_classes = 0, at = 0;
    for (int k = 0; k < nclass; ++k) {
        int size = c->next[k];
        c->next[k] = at;
        at += size;
        if (size) {
            c->name[n_classes] = k;
            c->end[n_classes] = at;
            c->total[n_classes] = (float)counts->total[k];
            c->price[n_classes++] = (float)counts->price[k];
            even = even && counts->price[k] == 1.0;
        }
    }
    c->rows = (class_rows){n_classes, c->end, c->total, c->price, c->weight, (float)counts->weight, even};
}

void class_cuts_begin_node(class_counts *counts, int nclass, const node_view *node)
{
    class_cuts *c = &counts->cuts;
    const uint32_t *payload = counts->payload;
    c->by_class = counts->weight <= MAX_CUT_CASES && (c->lists_all || node->size <= MAX_ROWS);
    c->fits = false;
    if (!c->by_class) {
        return;
    }
    memset(c->next, 0, (size_t)nclass * sizeof *c->next);
    for (int i = 0; i < node->size; ++i) {
        ++c->next[payload[i] & (MAX_CLASSES - 1)];
    }
    list_classes(c, counts, nclass);
    c->by_class = c->rows.n_classes <= MAX_ADDED;
    c->fits = c->by_class && node->size <= MAX_ROWS;
    for (int i = 0; c->by_class && i < node->size; ++i) {
        int at = c->next[payload[i] & (MAX_CLASSES - 1)]++;
        c->row[at] = node->rows[i];
        c->weight[at] = (payload[i] >> CLASS_BITS) * 0x10001U;
    }
}

/* ---- a feature ------------------------------------------------------------------------------------------------------- */

static int blocks(int n_cuts)
{
    return (n_cuts + CUT_LANES - 1) / CUT_LANES;
}

/* Cuts after each rank need no list; there may be fewer rows. */
static bool cuts_by_rank(const scan *c)
{
    return blocks(scan_profile(c)->n_ranks) <= blocks(c->node->size);
}

bool class_cuts_are_few(const scan *c)
{
    int n_ranks = scan_profile(c)->n_ranks, n_cuts = cuts_by_rank(c) ? n_ranks : c->node->size;
    bool listed = node_list(c->own, c->node, c->column.feature);
    return FILTER_CLASS_CUTS && c->own->classes->cuts.fits && !listed && n_cuts <= MAX_CUTS && n_ranks <= 1 << 16 &&
           !ranks_have_missing(c->in->ranks, c->column.feature);
}

#define READ_KEYS(type)                                                                                                \
    for (int i = 0; i < size; ++i) {                                                                                   \
        key[i] = cut_key_twice(((const type *)ranks->rank + base)[row[i]]);                                            \
    }

static void read_keys(class_cuts *c, const rrf_ranks *ranks, int size, int feature)
{
    size_t base = (size_t)feature * (size_t)ranks->n;
    const int32_t *row = c->row;
    uint32_t *restrict key = c->key;
    if (ranks->wide) {
        READ_KEYS(uint32_t)
    } else {
        READ_KEYS(uint16_t)
    }
}

/* Lists a cut after each row, padded to the end of the block with cuts that leave nothing on the right. */
static const int16_t *list_cuts(class_cuts *c, int size)
{
    for (int i = 0; i < size; ++i) {
        c->cut[i] = (int16_t)c->key[i];
    }
    for (int i = size; i < blocks(size) * CUT_LANES; ++i) {
        c->cut[i] = INT16_MAX;
    }
    return c->cut;
}

/* Writes the cases that cut i sends left to left_of(). Returns their sum. */
static double count_left(const class_scan *scan, int i)
{
    const class_cuts *c = &scan->counts->cuts;
    const uint16_t *right = c->right + i / CUT_LANES * CUT_LANES * c->rows.n_classes + i % CUT_LANES;
    double all = 0.0, *left_total = left_of(scan);
    memset(left_total, 0, (size_t)scan->scan.in->nclass * sizeof *left_total);
    for (int k = 0; k < c->rows.n_classes; ++k) {
        double left = (double)(c->total[k] - (float)right[k * CUT_LANES]);
        left_total[c->name[k]] = left;
        all += left;
    }
    return all;
}

/* Lists the cuts that may equal the best. Returns their number. */
static int list_promising(class_cuts *c, int n_cuts, float threshold)
{
    int n = 0;
    for (int i = 0; i < n_cuts; ++i) {
        c->listed[n] = i;
        n += c->worth[i] >= threshold;
    }
    return n;
}

/* Returns the first listed cut after `last` that may still equal the best; -1: none. */
static int next_promising(const class_cuts *c, const int16_t *cut, int n_listed, int last, float threshold)
{
    int found = -1;
    for (int i = 0; i < n_listed; ++i) {
        int at = c->listed[i];
        if (c->worth[at] >= threshold && cut[at] > last && (found < 0 || cut[at] < cut[found])) {
            found = at;
        }
    }
    return found;
}

/* Offers the listed cuts in ascending order. A rank without rows has no cut: it sends the same cases left as the one
 * before. */
static bool offer_listed(class_scan *scan, const int16_t *cut, int n_listed)
{
    const class_cuts *c = &scan->counts->cuts;
    bool done = false;
    double before = 0.0;
    for (int at, last = INT_MIN; !done; last = cut[at]) {
        at = next_promising(c, cut, n_listed, last, class_scan_least_worth(scan));
        if (at < 0) {
            break;
        }
        double left = count_left(scan, at);
        if (left > before) {
            done = class_scan_meet(scan, left, (uint16_t)cut[at] ^ 0x8000U);
        }
        before = left;
    }
    return done;
}

bool class_cuts_scan(class_scan *scan)
{
    const struct scan *base = &scan->scan;
    class_cuts *c = &base->own->classes->cuts;
    bool by_rank = cuts_by_rank(base);
    int size = base->node->size, n_cuts = by_rank ? scan_profile(base)->n_ranks : size;
    float threshold = class_scan_least_worth(scan);
    read_keys(c, base->in->ranks, size, base->column.feature);
    const int16_t *cut = by_rank ? c->ascending : list_cuts(c, size);
    if (base->read->simd->class_cuts_worth(c->key, cut, n_cuts, &c->rows, c->right, c->worth) < threshold) {
        return false;
    }
    return offer_listed(scan, cut, list_promising(c, n_cuts, threshold));
}

/* Counts only for cuts that may equal the best. */
bool class_cuts_offer_lane(class_scan *scan, const cuts_of_lane *lane)
{
    class_cuts *c = &scan->scan.own->classes->cuts;
    int n_classes = c->rows.n_classes;
    for (int i = 0; i < lane->n_cuts; ++i) {
        c->cut[i] = lane->rank ? cut_key((uint32_t)lane->rank[i * CUT_LANES]) : c->ascending[i];
        c->worth[i] = lane->worth[i * CUT_LANES];
    }
    int n_listed = list_promising(c, lane->n_cuts, class_scan_least_worth(scan));
    for (int i = 0; i < n_listed; ++i) {
        int at = c->listed[i];
        uint16_t *right = c->right + at / CUT_LANES * CUT_LANES * n_classes + at % CUT_LANES;
        for (int k = 0; k < n_classes; ++k) {
            right[k * CUT_LANES] = lane->right[(at * n_classes + k) * CUT_LANES];
        }
    }
    return offer_listed(scan, c->cut, n_listed);
}

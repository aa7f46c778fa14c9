/* A node's in-bag rows, laid out for columns of few values. SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "filters/columns/few_values.h"
#include "filters/counts/node_rows.h"

static int bits_of_counts(const bag *bag)
{
    int32_t all = 1;
    for (int i = 0; i < bag->size; ++i) {
        all |= bag->count[bag->rows[i]];
    }
    return 32 - __builtin_clz((unsigned)all);
}

/* Allocates the arrays needed from the first tree with columns of few values. */
static rrf_status take_rows(node_rows *n, const bag *bag, arena *memory)
{
    n->stride = plane_words(bag->n);
    TAKE(memory, n->payload, bag->n);
    TAKE_ZEROS(memory, n->part, N_PARTS * MAX_BYTE_RANKS);
    /* If sums depend on R's order, the rows of a node do not ascend. */
    if (!bag->exact) {
        TAKE_ZEROS(memory, n->row_bits, n->stride);
        TAKE(memory, n->ascending, bag->n);
    }
    bool ready = n->payload && n->part && (bag->exact || (n->row_bits && n->ascending));
    return ready ? RRF_OK : RRF_ERR_MEMORY;
}

/* Rows ascend, so that a group lists a word once. */
static rrf_status reserve_groups(node_rows *n, arena *memory)
{
    size_t words = 2 * (size_t)n->n_bits * (size_t)n->stride;
    if (2 * n->n_bits <= n->max_groups) {
        return RRF_OK;
    }
    rrf_status status = RENEW(memory, n->word, words);
    status = status ? status : RENEW(memory, n->mask, words);
    n->max_groups = status ? 0 : 2 * n->n_bits;
    return status;
}

/* Groups of class 0 come first, each with the payload that its bit represents. */
static void set_units(node_rows *n)
{
    for (int bit = 0; bit < n->n_bits; ++bit) {
        uint64_t count = (uint64_t)1 << bit;
        n->unit[bit] = count << 32 | count;
        n->unit[n->n_bits + bit] = count;
    }
}

rrf_status node_rows_begin_tree(node_rows *n, const rrf_ranks *ranks, const bag *bag, arena *memory)
{
    n->payload_node = n->masks_node = -1;
    if (ranks->filter->n_few == 0 && !ranks->filter->coarse) {
        return RRF_OK;
    }
    n->n_bits = bits_of_counts(bag);
    set_units(n);
    rrf_status status = n->max_groups ? RRF_OK : take_rows(n, bag, memory);
    return status ? status : reserve_groups(n, memory);
}

const uint32_t *node_rows_payload(node_rows *n, const node_view *node, const uint32_t *payload)
{
    if (n->payload_node != node->number) {
        n->payload_node = node->number;
        for (int i = 0; i < node->size; ++i) {
            n->payload[i] = payload[node->rows[i]];
        }
    }
    return n->payload;
}

/* Ends the lists of a word. used: the groups that have bits of it. */
static void list_word(node_rows *n, int word, uint64_t used, const uint64_t *bits)
{
    for (; used; used &= used - 1) {
        int group = __builtin_ctzll(used);
        size_t at = (size_t)group * (size_t)n->stride + (size_t)n->n_masks[group]++;
        n->word[at] = word;
        n->mask[at] = bits[group];
    }
}

static const int32_t *sort_ascending(node_rows *n, const node_view *node)
{
    int size = 0;
    for (int i = 0; i < node->size; ++i) {
        n->row_bits[node->rows[i] >> 6] |= (uint64_t)1 << (node->rows[i] & 63);
    }
    for (int word = 0; size < node->size; ++word) {
        for (uint64_t bits = n->row_bits[word]; bits; bits &= bits - 1) {
            n->ascending[size++] = word << 6 | __builtin_ctzll(bits);
        }
        n->row_bits[word] = 0;
    }
    return n->ascending;
}

static void list_rows(node_rows *n, const node_view *node, const bag *bag)
{
    const int32_t *rows = n->ascending ? sort_ascending(n, node) : node->rows;
    uint64_t bits[MAX_GROUPS], used = 0;
    int word = -1;
    memset(n->n_masks, 0, sizeof n->n_masks);
    for (int i = 0; i < node->size; ++i) {
        int row = rows[i], first = bag->y[row] == 0 ? 0 : n->n_bits;
        if (row >> 6 != word) {
            list_word(n, word, used, bits);
            word = row >> 6;
            used = 0;
        }
        for (unsigned count = (unsigned)bag->count[row]; count; count &= count - 1) {
            int group = first + __builtin_ctz(count);
            uint64_t before = used >> group & 1 ? bits[group] : 0;
            bits[group] = before | (uint64_t)1 << (row & 63);
            used |= (uint64_t)1 << group;
        }
    }
    list_word(n, word, used, bits);
}

node_masks node_rows_masks(node_rows *n, const node_view *node, const bag *bag)
{
    if (n->masks_node != node->number) {
        n->masks_node = node->number;
        list_rows(n, node, bag);
    }
    return (node_masks){2 * n->n_bits, n->stride, n->n_masks, n->unit, n->word, n->mask};
}

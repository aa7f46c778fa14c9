/* A node's in-bag rows, laid out for columns of few values. SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "data/few_values.h"
#include "tree/node_rows.h"

void node_rows_free(node_rows *n)
{
    free(n->payload);
    free(n->row_bits);
    free(n->ascending);
    free(n->part);
    free(n->word);
    free(n->mask);
    *n = (node_rows){0};
}

static int bits_of_counts(const bag *bag)
{
    int32_t all = 1;
    for (int i = 0; i < bag->size; ++i) {
        all |= bag->count[bag->rows[i]];
    }
    return 32 - __builtin_clz((unsigned)all);
}

/* Where R's order matters, the rows of a node do not ascend. */
static rrf_status reserve_order(node_rows *n, const bag *bag)
{
    if (bag->exact || n->ascending) {
        return RRF_OK;
    }
    n->row_bits = calloc((size_t)plane_words(bag->n), sizeof *n->row_bits);
    n->ascending = malloc((size_t)bag->n * sizeof *n->ascending);
    return n->row_bits && n->ascending ? RRF_OK : RRF_ERR_MEMORY;
}

/* Rows ascend, so that a group lists a word once. */
static rrf_status reserve(node_rows *n, const bag *bag)
{
    size_t rows = (size_t)bag->n, words = (size_t)plane_words(bag->n);
    n->stride = (int)words;
    n->payload = n->payload ? n->payload : malloc(rows * sizeof *n->payload);
    n->part = n->part ? n->part : calloc((size_t)N_PARTS * MAX_BYTE_RANKS, sizeof *n->part);
    if (2 * n->n_bits > n->max_groups) {
        free(n->word);
        free(n->mask);
        n->word = malloc(words * 2 * (size_t)n->n_bits * sizeof *n->word);
        n->mask = malloc(words * 2 * (size_t)n->n_bits * sizeof *n->mask);
        n->max_groups = n->word && n->mask ? 2 * n->n_bits : 0;
    }
    return n->payload && n->part && n->max_groups ? reserve_order(n, bag) : RRF_ERR_MEMORY;
}

/* Groups of class 0 come first, each with the payload that its bit stands for. */
static void set_units(node_rows *n)
{
    for (int bit = 0; bit < n->n_bits; ++bit) {
        uint64_t count = (uint64_t)1 << bit;
        n->unit[bit] = count << 32 | count;
        n->unit[n->n_bits + bit] = count;
    }
}

rrf_status node_rows_begin_tree(node_rows *n, const rrf_ranks *ranks, const bag *bag)
{
    n->payload_node = n->masks_node = -1;
    if (ranks->n_few == 0) {
        return RRF_OK;
    }
    n->n_bits = bits_of_counts(bag);
    set_units(n);
    return reserve(n, bag);
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

/* Ends the lists of a word. used: which groups have bits of it. */
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

/* Items drawn in proportion to their probabilities. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "random/chances.h"

/* Sum of the weights of all items, except for rounding. */
#define WHOLE 0x1p52
/* Cells of the guide for each item, so that few steps of the search remain. */
enum { CELLS_PER_ITEM = 4 };
/* Share of excluded items from which rebuilding the tree is faster than updating it. */
enum { MENDED_PART = 8 };

rrf_status chances_init(chances *c, int capacity, arena *memory)
{
    size_t n = (size_t)capacity;
    *c = (chances){.capacity = capacity};
    TAKE(memory, c->probability, n);
    TAKE(memory, c->weight, n);
    TAKE(memory, c->items, n);
    TAKE(memory, c->upto, n);
    TAKE(memory, c->guide, CELLS_PER_ITEM * n + 2);
    /* A power of two above n, so that a search needs no bound. */
    TAKE(memory, c->left, 2 * n + 1);
    TAKE(memory, c->out, n);
    return arena_status(memory);
}

/* ---- items that can be drawn
 * ----------------------------------------------------------------------------------------- */

static int64_t total(const chances *c)
{
    return c->n > 0 ? c->upto[c->n - 1] : 0;
}

/* Each position is stored in the first cell that begins in it or after it; an empty cell belongs to the position of the
 * cell before. */
static void make_guide(chances *c)
{
    c->shift = 0;
    while (total(c) >> c->shift > CELLS_PER_ITEM * (int64_t)c->n) {
        ++c->shift;
    }
    int n_cells = (int)(total(c) >> c->shift) + 1;
    int64_t before_next = ((int64_t)1 << c->shift) - 1, begin = 0;
    memset(c->guide, 0, (size_t)n_cells * sizeof *c->guide);
    for (int place = 0; place < c->n; ++place) {
        c->guide[(begin + before_next) >> c->shift] = place;
        begin = c->upto[place];
    }
    for (int cell = 1; cell < n_cells; ++cell) {
        c->guide[cell] = c->guide[cell] > c->guide[cell - 1] ? c->guide[cell] : c->guide[cell - 1];
    }
}

/* All items can be drawn. The sums beyond them exceed any number that is searched. */
static void make_tree(chances *c)
{
    for (c->top = 1; c->top <= c->n / 2;) {
        c->top *= 2;
    }
    for (int i = 1; i <= c->n; ++i) {
        int before = i - (i & -i);
        c->left[i] = c->upto[i - 1] - (before > 0 ? c->upto[before - 1] : 0);
    }
    for (int i = c->n + 1; i < 2 * c->top; ++i) {
        c->left[i] = INT64_MAX;
    }
    c->n_left = total(c);
    c->n_out = 0;
}

static void sum_weights(chances *c)
{
    int64_t sum = 0;
    for (int place = 0; place < c->n; ++place) {
        c->upto[place] = sum += c->weight[c->items[place]];
    }
    make_guide(c);
    make_tree(c);
}

static rrf_status weigh(chances *c, const double *probability)
{
    double sum = 0.0;
    c->is_weighed = false;
    for (int item = 0; item < c->capacity; ++item) {
        sum += probability[item];
    }
    if (!isfinite(sum)) {
        return RRF_ERR_ARGUMENT;
    }
    for (int item = 0; item < c->capacity; ++item) {
        c->weight[item] = sum > 0.0 ? (int64_t)(probability[item] / sum * WHOLE) : 0;
    }
    memcpy(c->probability, probability, (size_t)c->capacity * sizeof *probability);
    c->is_weighed = true;
    return RRF_OK;
}

static void list_items(chances *c)
{
    int n = 0;
    for (int item = 0; item < c->capacity; ++item) {
        int64_t weight = c->weight[item] < 0 ? -c->weight[item] : c->weight[item];
        c->weight[item] = weight;
        c->items[n] = item;
        n += weight > 0;
    }
    c->n = n;
    c->excludes = false;
    sum_weights(c);
}

rrf_status chances_take(chances *c, const double *probability)
{
    bool is_known =
        c->is_weighed && memcmp(c->probability, probability, (size_t)c->capacity * sizeof *probability) == 0;
    rrf_status status = is_known ? RRF_OK : weigh(c, probability);
    if (!status && (!is_known || c->excludes)) {
        list_items(c);
    }
    chances_put_back(c);
    return status;
}

void chances_exclude(chances *c, const uint8_t *has)
{
    int n = 0;
    for (int place = 0; place < c->n; ++place) {
        int item = c->items[place];
        c->weight[item] *= has[item] ? -1 : 1;
        c->items[n] = item;
        n += !has[item];
    }
    c->n = n;
    c->excludes = true;
    sum_weights(c);
}

/* ---- draws ----------------------------------------------------------------------------------------------------------- */

static int find_by_guide(const chances *c, int64_t number)
{
    int place = c->guide[number >> c->shift];
    while (c->upto[place] <= number) {
        ++place;
    }
    return place;
}

static int find_in_tree(const chances *c, int64_t number)
{
    int place = 0;
    for (int step = c->top; step > 0; step /= 2) {
        int64_t sum = c->left[place + step];
        bool beyond = sum <= number;
        place += beyond ? step : 0;
        number -= beyond ? sum : 0;
    }
    return place;
}

int chances_find(const chances *c, uint64_t word)
{
    int64_t number = (int64_t)(chances_unit(word) * (double)c->n_left);
    number = number < c->n_left ? number : c->n_left - 1;
    return c->n_out > 0 ? find_in_tree(c, number) : find_by_guide(c, number);
}

static void change(chances *c, int place, int64_t weight)
{
    c->n_left += weight;
    for (int i = place + 1; i <= c->n; i += i & -i) {
        c->left[i] += weight;
    }
}

void chances_take_out(chances *c, int place)
{
    change(c, place, -c->weight[c->items[place]]);
    c->out[c->n_out++] = place;
}

void chances_put_back(chances *c)
{
    if (c->n_out > c->n / MENDED_PART) {
        make_tree(c);
    }
    for (; c->n_out > 0; --c->n_out) {
        int place = c->out[c->n_out - 1];
        change(c, place, c->weight[c->items[place]]);
    }
}

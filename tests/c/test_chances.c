/* Random items against sums from left to right. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "random/chances.h"
#include "random/splitmix.h"

enum { MOST = 700, DRAWS = 300 };

static const int sizes[] = {1, 2, 3, 7, 8, 9, 64, 255, MOST};
static bool gone[MOST]; /* items that are out */

/* Kind 0: all alike; 1: some are 0; 2: from 1 to 2^-60. */
static void draw_probabilities(double *probability, int n, int kind)
{
    for (int item = 0; item < n; ++item) {
        uint64_t word = splitmix_word((uint64_t)(n + kind), (uint64_t)item);
        double some = kind == 1 ? (double)(word % 3) : ldexp(1.0, -(int)(word % 61));
        probability[item] = kind == 0 || item == n - 1 ? 1.0 : some;
    }
}

/* The item whose share of the weights that are left holds the random number. */
static int find_slowly(const chances *c, uint64_t word)
{
    int64_t sum = 0, left = 0, number;
    for (int item = 0; item < c->capacity; ++item) {
        left += gone[item] ? 0 : c->weight[item];
    }
    CHECK(left == c->n_left, "the weights left are %lld rather than %lld", (long long)c->n_left, (long long)left);
    number = (int64_t)(chances_unit(word) * (double)left);
    number -= number == left;
    for (int item = 0; item < c->capacity; ++item) {
        sum += gone[item] ? 0 : c->weight[item];
        if (number < sum) {
            return item;
        }
    }
    return -1;
}

static int check_draw(const chances *c, uint64_t word, int kind)
{
    int place = chances_find(c, word), item = c->items[place], expected = find_slowly(c, word);
    CHECK(item == expected, "n = %d, kind %d, %d out: item %d rather than %d", c->capacity, kind, c->n_out, item,
          expected);
    return place;
}

/* Draws with all items; then takes out whatever comes up, until one is left; then with all again. */
static void check_draws(chances *c, int kind)
{
    for (uint64_t i = 0; i < DRAWS; ++i) {
        check_draw(c, splitmix_word(1, i), kind);
    }
    for (int n_left = c->n; n_left > 1; --n_left) {
        int place = check_draw(c, splitmix_word(2, (uint64_t)n_left), kind);
        gone[c->items[place]] = true;
        chances_take_out(c, place);
    }
    check_draw(c, UINT64_MAX, kind);
    memset(gone, 0, sizeof gone);
    chances_put_back(c);
    check_draw(c, UINT64_MAX, kind);
    check_draw(c, 0, kind);
}

static void check_size(int n, int kind)
{
    double probability[MOST];
    uint8_t excluded[MOST] = {0};
    arena memory = {0};
    chances c;
    CHECK(chances_init(&c, n, &memory) == RRF_OK, "memory");
    draw_probabilities(probability, n, kind);
    CHECK(chances_take(&c, probability) == RRF_OK, "n = %d, kind %d", n, kind);
    check_draws(&c, kind);
    for (int item = 0; item < n - 1; ++item) {
        excluded[item] = gone[item] = item % 2;
    }
    chances_exclude(&c, excluded);
    for (uint64_t i = 0; i < DRAWS; ++i) {
        check_draw(&c, splitmix_word(3, i), kind);
    }
    memset(gone, 0, sizeof gone);
    arena_free(&memory);
}

static void test_what_has_no_chance(void)
{
    static const double none[] = {0.0, 0.0, 0.0}, endless[] = {1e308, 1e308, 1.0}, least[] = {0.0, 5e-324, 0.0},
                        lost[] = {1.0, 1e-17, 1.0};
    arena memory = {0};
    chances c;
    CHECK(chances_init(&c, 3, &memory) == RRF_OK, "memory");
    CHECK(chances_take(&c, endless) == RRF_ERR_ARGUMENT, "the sum is infinite");
    CHECK(chances_take(&c, none) == RRF_OK && c.n == 0 && c.n_left == 0, "%d items", c.n);
    CHECK(chances_take(&c, least) == RRF_OK && c.n == 1 && c.items[chances_find(&c, 7)] == 1, "%d items", c.n);
    CHECK(chances_take(&c, lost) == RRF_OK && c.n == 2 && c.weight[1] == 0, "%d items", c.n);
    arena_free(&memory);
}

int main(void)
{
    for (int i = 0; i < COUNT(sizes); ++i) {
        for (int kind = 0; kind < 3; ++kind) {
            check_size(sizes[i], kind);
        }
    }
    test_what_has_no_chance();
    return 0;
}

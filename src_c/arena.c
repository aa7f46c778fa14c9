/* Each block is one of malloc(), so that the address sanitizer sees where it ends. SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "arena.h"

typedef struct arena_block {
    struct arena_block *before;
    max_align_t items[];
} arena_block;

static void *keep(arena *a, arena_block *block)
{
    if (!block) {
        a->failed = true;
        return NULL;
    }
    block->before = a->last;
    a->last = block;
    return block->items;
}

static bool fits(size_t n, size_t size)
{
    return n <= (SIZE_MAX - sizeof(arena_block)) / size;
}

void *arena_take(arena *a, size_t n, size_t size)
{
    return keep(a, fits(n, size) ? malloc(sizeof(arena_block) + n * size) : NULL);
}

void *arena_take_zeros(arena *a, size_t n, size_t size)
{
    return keep(a, fits(n, size) ? calloc(1, sizeof(arena_block) + n * size) : NULL);
}

void arena_free(arena *a)
{
    while (a->last) {
        arena_block *block = a->last;
        a->last = block->before;
        free(block);
    }
    *a = (arena){0};
}

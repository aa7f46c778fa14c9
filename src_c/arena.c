/* Each block is one of malloc(), so that the address sanitizer sees where it ends. SPDX-License-Identifier: GPL-2.0-or-later */
#ifdef __linux__
#define _DEFAULT_SOURCE /* for madvise() */
#include <sys/mman.h>
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

typedef struct arena_block {
    struct arena_block *before, *after;
    max_align_t items[];
} arena_block;

static void *keep(arena *a, arena_block *block)
{
    if (!block) {
        a->failed = true;
        return NULL;
    }
    *block = (arena_block){.before = a->last};
    if (a->last) {
        a->last->after = block;
    }
    a->last = block;
    return block->items;
}

/* Returns the size of a block for n items; 0 on overflow. */
static size_t block_size(size_t n, size_t size)
{
    return n <= (SIZE_MAX - sizeof(arena_block)) / size ? sizeof(arena_block) + n * size : 0;
}

void *arena_take(arena *a, size_t n, size_t size)
{
    size_t bytes = block_size(n, size);
    return keep(a, bytes ? malloc(bytes) : NULL);
}

void *arena_take_zeros(arena *a, size_t n, size_t size)
{
    size_t bytes = block_size(n, size);
    return keep(a, bytes ? calloc(1, bytes) : NULL);
}

#ifdef MADV_HUGEPAGE
#define LARGE_PAGE ((uintptr_t)1 << 21)
static void advise(void *items, size_t bytes)
{
    uintptr_t first = ((uintptr_t)items + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t last = ((uintptr_t)items + bytes) / LARGE_PAGE * LARGE_PAGE;
    if (last > first) {
        madvise((void *)first, last - first, MADV_HUGEPAGE); /* madvise is only a hint, so errors are ignored */
    }
}
#else
static void advise(void *items, size_t bytes)
{
    (void)items, (void)bytes;
}
#endif

void *arena_take_large(arena *a, size_t n, size_t size)
{
    void *items = arena_take(a, n, size);
    if (items) {
        advise(items, n * size);
    }
    return items;
}

/* Links the neighbours of a position in the list of blocks: the block before it to `next`, the block after it to
 * `previous`. */
static void join(arena *a, const arena_block *place, arena_block *next, arena_block *previous)
{
    if (place->before) {
        place->before->after = next;
    }
    *(place->after ? &place->after->before : &a->last) = previous;
}

/* Updates the list after a block has been moved by realloc. */
static void relink(arena *a, arena_block *block)
{
    join(a, block, block, block);
}

static void unlink_block(arena *a, const arena_block *block)
{
    join(a, block, block->after, block->before);
}

/* Returns the block that contains an array; array: address of the pointer to it. */
static arena_block *block_of(const void *array)
{
    char *items;
    memcpy(&items, array, sizeof items);
    return items ? (arena_block *)(void *)(items - offsetof(arena_block, items)) : NULL;
}

rrf_status arena_grow(arena *a, void *array, size_t n, size_t size)
{
    size_t bytes = block_size(n, size);
    arena_block *old = block_of(array), *block = bytes ? realloc(old, bytes) : NULL;
    if (!block) {
        return RRF_ERR_MEMORY;
    }
    if (old) {
        relink(a, block);
    } else {
        keep(a, block);
    }
    void *items = block->items;
    memcpy(array, &items, sizeof items);
    return RRF_OK;
}

rrf_status arena_renew(arena *a, void *array, size_t n, size_t size)
{
    arena_block *old = block_of(array);
    if (old) {
        unlink_block(a, old);
        free(old);
        memset(array, 0, sizeof(void *));
    }
    return arena_grow(a, array, n, size);
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

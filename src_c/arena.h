/* Memory that is given back at once: an arena for a fit, one for each of its threads, one for what outlives a call.
 *
 * Whoever needs memory takes it, block after block, and asks once whether all was there:
 *
 *     TAKE(memory, s->drawn, p);
 *     TAKE_ZEROS(memory, s->slot, n);
 *     return arena_status(memory);
 *
 * Nothing is given back on its own. An arena belongs to one thread at a time; {0} is an empty one.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_ARENA_H
#define RRF_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "rrf.h"

typedef struct arena {
    struct arena_block *last;
    bool failed; /* once a block was not to be had */
} arena;

/* Room for n items of `size` bytes, with undefined contents or all zero; NULL where there is none. */
void *arena_take(arena *a, size_t n, size_t size);
void *arena_take_zeros(arena *a, size_t n, size_t size);
#define TAKE(a, array, n) ((array) = arena_take((a), (size_t)(n), sizeof *(array)))
#define TAKE_ZEROS(a, array, n) ((array) = arena_take_zeros((a), (size_t)(n), sizeof *(array)))

/* Room that will be filled to the end, and then read here and there: in large pages where the system has them, so that it knows
 * where they are. */
void *arena_take_large(arena *a, size_t n, size_t size);
#define TAKE_LARGE(a, array, n) ((array) = arena_take_large((a), (size_t)(n), sizeof *(array)))

/* Whether every block so far was to be had. */
static inline rrf_status arena_status(const arena *a)
{
    return a->failed ? RRF_ERR_MEMORY : RRF_OK;
}

/* Makes room for n items in an array of the arena that grows from tree to tree; array: where the pointer to it is, NULL at
 * first. What it holds stays, also when memory is short. That is not counted as a failure of the arena: the next tree may
 * try again. */
rrf_status arena_grow(arena *a, void *array, size_t n, size_t size);
#define GROW(a, array, n) arena_grow((a), &(array), (size_t)(n), sizeof *(array))
/* The same for an array whose contents are not needed any more: it is given back before a larger one is asked for, and is
 * NULL where there is none. */
rrf_status arena_renew(arena *a, void *array, size_t n, size_t size);
#define RENEW(a, array, n) arena_renew((a), &(array), (size_t)(n), sizeof *(array))

/* Gives all blocks back and leaves an empty arena. */
void arena_free(arena *a);

#endif

/* Memory that is freed at once: an arena for a fit, one for each of its threads, one for results that outlive a call.
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
    bool failed; /* an allocation has failed */
} arena;

/* Allocates n items of `size` bytes, with undefined contents or zeroed; NULL if there is no memory. */
void *arena_take(arena *a, size_t n, size_t size);
void *arena_take_zeros(arena *a, size_t n, size_t size);
#define TAKE(a, array, n) ((array) = arena_take((a), (size_t)(n), sizeof *(array)))
#define TAKE_ZEROS(a, array, n) ((array) = arena_take_zeros((a), (size_t)(n), sizeof *(array)))

/* Allocates memory for sequential writes and random reads, in large pages if the system has them, which reduces misses
 * of address translation. */
void *arena_take_large(arena *a, size_t n, size_t size);
#define TAKE_LARGE(a, array, n) ((array) = arena_take_large((a), (size_t)(n), sizeof *(array)))

/* Returns whether every allocation so far succeeded. */
static inline rrf_status arena_status(const arena *a)
{
    return a->failed ? RRF_ERR_MEMORY : RRF_OK;
}

/* Ensures room for n items in an array of the arena that grows from tree to tree; array: address of the pointer to it,
 * NULL at first. The contents are preserved, also if memory is short. Such a failure is not recorded in the arena: the
 * next tree may try again. */
rrf_status arena_grow(arena *a, void *array, size_t n, size_t size);
#define GROW(a, array, n) arena_grow((a), &(array), (size_t)(n), sizeof *(array))
/* Ensures room for n items in an array whose contents are not needed: it is freed before a larger one is allocated, and
 * is NULL if that fails. */
rrf_status arena_renew(arena *a, void *array, size_t n, size_t size);
#define RENEW(a, array, n) arena_renew((a), &(array), (size_t)(n), sizeof *(array))

/* Frees all blocks and leaves an empty arena. */
void arena_free(arena *a);

#endif

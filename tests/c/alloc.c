/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stddef.h>

#include "alloc.h"

/* The linker gives every malloc of the program to __wrap_malloc, and the C library's to __real_malloc. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static long failing;
static _Atomic long calls, live; /* threads allocate, too */
static int failing_lasts;

void alloc_fail_at(long first, int lasting)
{
    failing = first;
    failing_lasts = lasting;
    calls = 0;
}

long alloc_calls(void)
{
    return calls;
}

long alloc_live(void)
{
    return live;
}

static bool refused(void)
{
    long call = ++calls;
    return failing > 0 && (call == failing || (failing_lasts && call > failing));
}

void *__wrap_malloc(size_t size)
{
    void *block = refused() ? NULL : __real_malloc(size);
    live += block != NULL;
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *block = refused() ? NULL : __real_calloc(count, size);
    live += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    void *grown = refused() ? NULL : __real_realloc(block, size);
    live += grown && !block;
    return grown;
}

void __wrap_free(void *block)
{
    live -= block != NULL;
    __real_free(block);
}

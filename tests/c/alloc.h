/* malloc, calloc, realloc and free as the core and the tests see them: linked in with -Wl,--wrap, they fail on request
 * and count the blocks that live. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ALLOC_H
#define ALLOC_H

/* From now on the allocation number `first` (from 1) fails and, when `lasting`, so do all after it; 0: none fails. */
void alloc_fail_at(long first, int lasting);
/* Allocations asked for since then. */
long alloc_calls(void);
/* Blocks allocated and not freed. */
long alloc_live(void);

#endif

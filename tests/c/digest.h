/* A digest of answers: the same bits give the same number. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DIGEST_H
#define DIGEST_H

#include "rrf.h"

/* What a digest begins with. */
static const uint64_t EMPTY_DIGEST = 0xcbf29ce484222325;

/* FNV-1a. bytes NULL: an array that was not asked for. */
static inline void digest_add(uint64_t *digest, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; byte && i < size; ++i) {
        *digest = (*digest ^ byte[i]) * 0x100000001b3;
    }
}

static inline void digest_forest(uint64_t *digest, const rrf_forest *f)
{
    size_t nodes = f->ntree ? (size_t)f->offset[f->ntree] : 0;
    digest_add(digest, f->left, nodes * sizeof *f->left);
    digest_add(digest, f->split_var, nodes * sizeof *f->split_var);
    digest_add(digest, f->split_point, nodes * sizeof *f->split_point);
    digest_add(digest, f->status, nodes * sizeof *f->status);
    digest_add(digest, f->prediction, nodes * sizeof *f->prediction);
}

#endif

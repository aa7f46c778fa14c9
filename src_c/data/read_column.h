/* Columns of any layout as contiguous numbers. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_READ_COLUMN_H
#define RRF_READ_COLUMN_H

#include "arena.h"
#include "data/ranks.h"

/* Buffers of a thread for reading the columns of a range. */
typedef struct column_reader {
    const rrf_data *data;
    rrf_ranks *ranks; /* ranks of the same columns, which are written in order */
    int last;         /* the column after the range */
    double *batch;    /* columns read ahead, each n */
    int batch_first, batch_last;
    double *copy; /* n: of one column; NULL until it is needed */
    arena *memory;
} column_reader;

/* Returns whether the values of a row are closer together in memory than those of a column. */
bool is_row_major(const rrf_data *data);
/* Returns the n values of a column; the columns of a range are requested in order. A column of floats is copied to
 * `brief`, n numbers which the caller may overwrite, unless that is NULL. NULL: memory is short. */
const double *read_column(column_reader *reader, int feature, double *brief);

#endif

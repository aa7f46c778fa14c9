/* Columns of any layout as numbers next to each other. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_READ_COLUMN_H
#define RRF_READ_COLUMN_H

#include "arena.h"
#include "data/ranks.h"

/* What a thread reads the columns of a range with. */
typedef struct column_reader {
    const rrf_data *data;
    rrf_ranks *ranks; /* of the same columns, which are written one after the other */
    int last;         /* the column after the range */
    double *batch;    /* columns read ahead, each n */
    int batch_first, batch_last;
    double *copy; /* n: of one column; NULL until it is needed */
    arena *memory;
} column_reader;

/* Whether a row's values lie closer together than those of a column. */
bool is_row_major(const rrf_data *data);
/* The n values of a column; the columns of a range are asked for in their order. A column of floats goes into `brief`, n
 * numbers which the caller overwrites, unless that is NULL. NULL: memory is short. */
const double *read_column(column_reader *reader, int feature, double *brief);

#endif

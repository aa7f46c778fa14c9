/* Columns of any layout as contiguous numbers.
 *
 * In a matrix that lies row by row, the values of a column are far apart, and a line of memory that is fetched for one of
 * them holds those of its neighbours. Several columns are therefore read at a time. They wait where the ranks of later
 * columns will stand. SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/read_column.h"
#include "data/sparse.h"

/* Columns that are read at once: one cache line. */
enum { MAX_BATCH = 8 };

bool is_row_major(const rrf_data *data)
{
    ptrdiff_t row = data->row_step, feature = data->feature_step;
    return (row < 0 ? -row : row) > (feature < 0 ? -feature : feature);
}

/* The address of a column's first value, and the stride between its values. */
typedef struct place {
    ptrdiff_t start, step;
} place;

static place place_of(const rrf_data *data, int feature)
{
    bool plain = data->row_step == 0 && data->feature_step == 0;
    return plain ? (place){(ptrdiff_t)feature * data->n, 1}
                 : (place){(ptrdiff_t)feature * data->feature_step, data->row_step};
}

#define COPY_COLUMN(from)                                                                                              \
    for (int row = 0; row < data->n; ++row) {                                                                          \
        column[row] = (from)[at.start + row * at.step];                                                                \
    }

static void write_column(const rrf_data *data, int feature, double *column)
{
    place at = place_of(data, feature);
    if (data->column_start) {
        sparse_column(data, feature, column);
    } else if (data->x32) {
        COPY_COLUMN(data->x32)
    } else {
        COPY_COLUMN(data->x)
    }
}

#define COPY_BATCH(from)                                                                                               \
    for (size_t row = 0; row < n; ++row) {                                                                             \
        for (size_t i = 0; i < width; ++i) {                                                                           \
            batch[i * n + row] = (from)[start + (ptrdiff_t)row * data->row_step + (ptrdiff_t)i * data->feature_step];  \
        }                                                                                                              \
    }

static void write_batch(const rrf_data *data, int first, size_t width, double *batch)
{
    size_t n = (size_t)data->n;
    ptrdiff_t start = first * data->feature_step;
    if (data->x32) {
        COPY_BATCH(data->x32)
    } else {
        COPY_BATCH(data->x)
    }
}

/* The batch begins behind the ranks of its first column, so that no ranks are written over values that are still to be read.
 */
static void read_batch(column_reader *reader, int feature)
{
    rrf_ranks *ranks = reader->ranks;
    size_t bytes = (size_t)ranks->n * rank_width(ranks), start = (size_t)(feature + 1) * bytes;
    size_t end = (size_t)reader->last * bytes, fit;
    start = (start + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    fit = end > start ? (end - start) / ((size_t)ranks->n * sizeof(double)) : 0;
    fit = fit < MAX_BATCH ? fit : MAX_BATCH;
    reader->batch = (double *)(void *)((char *)ranks->rank + start);
    reader->batch_first = feature;
    reader->batch_last = feature + (int)fit;
    write_batch(reader->data, feature, fit, reader->batch);
}

static const double *copy_column(column_reader *reader, int feature)
{
    if (!reader->copy) {
        TAKE(reader->memory, reader->copy, reader->data->n);
    }
    if (reader->copy) {
        write_column(reader->data, feature, reader->copy);
    }
    return reader->copy;
}

const double *read_column(column_reader *reader, int feature, double *brief)
{
    const rrf_data *data = reader->data;
    place at = place_of(data, feature);
    if (data->x && !data->column_start && at.step == 1) {
        return data->x + at.start;
    }
    if (feature >= reader->batch_last && is_row_major(data)) {
        read_batch(reader, feature);
    }
    if (feature < reader->batch_last) {
        return reader->batch + (size_t)(feature - reader->batch_first) * (size_t)data->n;
    }
    if (!data->x32 || !brief) {
        return copy_column(reader, feature);
    }
    write_column(data, feature, brief);
    return brief;
}

/* The second class of unsupervised mode: rows sampled from the columns of the data. SPDX-License-Identifier:
 * GPL-2.0-or-later */
#include "engine_r/synthetic.h"

rrf_status synthetic_init(synthetic *s, const rrf_data *stacked, bool quirks, arena *memory)
{
    size_t cells = (size_t)stacked->n * (size_t)stacked->p;
    *s = (synthetic){.n_real = stacked->n / 2, .quirks = quirks, .data = *stacked};
    TAKE(memory, s->x, cells);
    if (!s->x) {
        return RRF_ERR_MEMORY;
    }
    memcpy(s->x, stacked->x, cells * sizeof *s->x);
    s->data.x = s->x;
    return RRF_OK;
}

/* R's createClass draws a number for every cell and casts it to int before scaling, so that all cells come from the
 * first row. The intended draw is a new row for each cell: sampling from the product of the marginals. */
void synthetic_draw(synthetic *s, rrf_rng *rng)
{
    for (int row = s->n_real; row < s->data.n; ++row) {
        for (int feature = 0; feature < s->data.p; ++feature) {
            double *column = s->x + (size_t)feature * (size_t)s->data.n;
            uint32_t word = rng_word(rng);
            column[row] = column[s->quirks ? 0 : word_to_index(word, s->n_real)];
        }
    }
}

/* Random fits of classes give the same bits on every processor: a digest of their answers against a recorded one.
 * Make ctest-arm64 runs this on another kind of processor. SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "problem.h"

enum { SEEDS = 400 };
/* Of a run on x86-64; the same on aarch64 and on Windows. */
static const uint64_t RECORDED = 0xd25e06993acdd7cd;

/* FNV-1a. */
static void add(uint64_t *digest, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; byte && i < size; ++i) {
        *digest = (*digest ^ byte[i]) * 0x100000001b3;
    }
}

static void add_forest(uint64_t *digest, const rrf_forest *f)
{
    size_t nodes = f->ntree ? (size_t)f->offset[f->ntree] : 0;
    add(digest, f->left, nodes * sizeof *f->left);
    add(digest, f->split_var, nodes * sizeof *f->split_var);
    add(digest, f->split_point, nodes * sizeof *f->split_point);
    add(digest, f->status, nodes * sizeof *f->status);
    add(digest, f->prediction, nodes * sizeof *f->prediction);
}

static void add_result(uint64_t *digest, const rrf_class_result *r, const spec *s, int ntree)
{
    size_t n = (size_t)s->n, p = (size_t)s->p, m = (size_t)s->n_test, nclass = (size_t)s->nclass;
    size_t measures = p * (nclass + 1), errors = (size_t)ntree * (nclass + 1);
    add(digest, r->predicted, n * sizeof *r->predicted);
    add(digest, r->votes, n * nclass * sizeof *r->votes);
    add(digest, r->error, errors * sizeof *r->error);
    add(digest, r->decrease, p * sizeof *r->decrease);
    add(digest, r->used, p * sizeof *r->used);
    add(digest, r->importance, measures * sizeof *r->importance);
    add(digest, r->importance_sd, measures * sizeof *r->importance_sd);
    add(digest, r->local_importance, p * n * sizeof *r->local_importance);
    add(digest, r->test_votes, m * nclass * sizeof *r->test_votes);
    add(digest, r->test_error, errors * sizeof *r->test_error);
}

int main(void)
{
    uint64_t digest = 0xcbf29ce484222325;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        spec s = spec_draw(seed);
        problem p;
        answer a;
        problem_make(&p, &s, seed);
        answer_make(&a, &p, NULL);
        answer_fit(&a, &p, NULL);
        /* Some problems have nothing to split: that is an answer too. */
        CHECK(a.status == RRF_OK || a.status == RRF_ERR_NO_SPLIT, "seed %d: %s", (int)seed, rrf_strerror(a.status));
        add(&digest, &a.status, sizeof a.status);
        add_forest(&digest, &a.forest);
        add_result(&digest, &a.result, &s, p.params.ntree);
        add(&digest, a.rng.state, sizeof a.rng.state);
        answer_free(&a);
        problem_free(&p);
    }
    CHECK(digest == RECORDED, "digest of %d fits: 0x%016llx", SEEDS, (unsigned long long)digest);
}

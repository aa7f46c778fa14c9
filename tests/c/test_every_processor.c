/* Random fits of classes give the same bits on every processor: a digest of their answers against a recorded one.
 * Make ctest-arm64 runs this on another kind of processor. SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "digest.h"
#include "problem.h"

enum { SEEDS = 400 };
/* Of a run on x86-64; the same on aarch64 and on Windows. */
static const uint64_t RECORDED = 0xd25e06993acdd7cd;

static void add_result(uint64_t *digest, const rrf_class_result *r, const spec *s, int ntree)
{
    size_t n = (size_t)s->n, p = (size_t)s->p, m = (size_t)s->n_test, nclass = (size_t)s->nclass;
    size_t measures = p * (nclass + 1), errors = (size_t)ntree * (nclass + 1);
    digest_add(digest, r->predicted, n * sizeof *r->predicted);
    digest_add(digest, r->votes, n * nclass * sizeof *r->votes);
    digest_add(digest, r->error, errors * sizeof *r->error);
    digest_add(digest, r->decrease, p * sizeof *r->decrease);
    digest_add(digest, r->used, p * sizeof *r->used);
    digest_add(digest, r->importance, measures * sizeof *r->importance);
    digest_add(digest, r->importance_sd, measures * sizeof *r->importance_sd);
    digest_add(digest, r->local_importance, p * n * sizeof *r->local_importance);
    digest_add(digest, r->test_votes, m * nclass * sizeof *r->test_votes);
    digest_add(digest, r->test_error, errors * sizeof *r->test_error);
}

int main(void)
{
    uint64_t digest = EMPTY_DIGEST;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        spec s = spec_draw(seed);
        problem p;
        answer a;
        problem_make(&p, &s, seed);
        answer_make(&a, &p, NULL);
        answer_fit(&a, &p, NULL);
        /* Some problems have nothing to split: that is an answer too. */
        CHECK(a.status == RRF_OK || a.status == RRF_ERR_NO_SPLIT, "seed %d: %s", (int)seed, rrf_strerror(a.status));
        digest_add(&digest, &a.status, sizeof a.status);
        digest_forest(&digest, &a.forest);
        add_result(&digest, &a.result, &s, p.params.ntree);
        digest_add(&digest, a.rng.state, sizeof a.rng.state);
        answer_free(&a);
        problem_free(&p);
    }
    CHECK(digest == RECORDED, "digest of %d fits: 0x%016llx", SEEDS, (unsigned long long)digest);
}

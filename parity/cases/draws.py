"""R's distributions, the kinds of the stream and its state."""

from __future__ import annotations

from typing import Any

from parity.steps import Labels, Named, Part, Ref, Step, case, fit, refused, rnorm, runif, sample, seed

NAN, INF = float("nan"), float("inf")
ITEMS = Labels(("b", "a", "c", "b"), ("c", "b", "a"))
WEIGHTS = [((i * 37) % 101 + 1) / 7 for i in range(250)]


def draw(law: str, n: Any, name: str = "", **args: Any) -> Step:
    return Step(law, {"n": n, **args}, name or law)


def seeded(n: int, **kinds: str) -> Step:
    return Step("set_seed", {"seed": n, **kinds}, "seed")


def kinds(name: str = "kinds", **args: str) -> Step:
    return Step("RNGkind", args, name)


def state(name: str = "state") -> Step:
    return Step("get_random_seed", {}, name)


CASES = [
    case(
        "draws_of_numbers",
        "two",
        seed(31),
        draw("rlnorm", 4, meanlog=[0.0, 2.0], sdlog=0.5),
        draw("rexp", 6, rate=[1.0, 0.01, 30.0]),
        draw("rgamma", 12, shape=[0.3, 1.0, 3.0, 9.0, 80.0, 1e6]),
        draw("rgamma", 5, "by_rate", shape=2.5, rate=[0.5, 4.0]),
        draw("rgamma", 5, "by_scale", shape=[0.1, 12.0], scale=3.0),
        draw("rbeta", 12, shape1=[0.4, 2.0, 0.4, 5.0], shape2=[0.7, 3.5, 8.0, 0.9]),
        draw("rchisq", 6, df=[0.5, 3.0, 40.0]),
        draw("rt", 6, df=[1.0, 4.5, INF]),
        draw("rf", 6, df1=[2.0, 7.0], df2=[3.0, INF]),
        draw("rlogis", 4, location=1, scale=[2.0, -2.0]),
        draw("rweibull", 4, shape=[0.5, 3.0], scale=2),
        draw("rcauchy", 4, location=[0.0, 5.0], scale=2),
        runif(1, "last"),
    ),
    case(
        "draws_of_counts",
        "two",
        seed(32),
        draw("rbinom", 12, size=[10.0, 1.0, 200.0, 5000.0, 0.0, 2e9], prob=[0.2, 0.5, 0.9, 0.4]),
        draw("rpois", 12, lambda_=[0.4, 3.0, 9.99, 10.0, 55.0, 1e5]),
        draw("rpois", 2, "beyond_integers", lambda_=[4.0, 1e10]),
        draw("rgeom", 6, prob=[0.9, 0.05, 1.0]),
        draw("rnbinom", 6, size=[3.0, 0.4], prob=0.3),
        draw("rnbinom", 6, "by_mean", size=[3.0, 0.4, INF], mu=[12.0, 0.5]),
        draw("rmultinom", 4, size=20, prob=[1.0, 0.0, 3.0, 2.5]),
        draw("rmultinom", 2, "of_names", size=7, prob=Named({"a": 0.25, "b": 0.75})),
        runif(1, "last"),
    ),
    case(
        "draws_of_other_centres",
        "two",
        seed(33),
        draw("rbeta", 5, shape1=2, shape2=[0.5, 3.0], ncp=1.5),
        draw("rchisq", 6, df=[0.0, 2.0, 9.0], ncp=[0.0, 4.0]),
        draw("rt", 5, df=[3.0, 8.0], ncp=-1),
        draw("rf", 4, df1=3, df2=[5.0, 10.0], ncp=0),
        draw("rt", 2, "longer_than_asked", df=[3.0, 4.0, 5.0], ncp=0),
        runif(1, "last"),
    ),
    case(
        "draws_without_distribution",
        "two",
        seed(34),
        *[
            draw(law, 5, **dict(zip(names, values, strict=False)))
            for law, names in [
                ("rexp", ["rate"]),
                ("rgamma", ["shape", "scale"]),
                ("rbeta", ["shape1", "shape2"]),
                ("rchisq", ["df"]),
                ("rt", ["df"]),
                ("rf", ["df1", "df2"]),
                ("rlogis", ["location", "scale"]),
                ("rweibull", ["shape", "scale"]),
                ("rcauchy", ["location", "scale"]),
                ("rlnorm", ["meanlog", "sdlog"]),
                ("rbinom", ["size", "prob"]),
                ("rpois", ["lambda_"]),
                ("rgeom", ["prob"]),
                ("rnbinom", ["size", "prob"]),
            ]
            for values in [([-1.0, 0.0, NAN, INF, 0.5], [1.0, -1.0, INF, 0.0, 0.5])]
        ],
        runif(1, "last"),
    ),
    case(
        "lengths_of_draws",
        "two",
        seed(35),
        draw("rexp", [4.0, 9.0, 2.0], "as_many_as_n"),
        draw("rpois", 2.9, "cut_off", lambda_=3),
        draw("rgamma", 0, "none", shape=1),
        runif([1.0, 2.0], "uniform"),
        rnorm([5.0], "normal"),
    ),
    case(
        "sampling_by_rounding",
        "classes3",
        seeded(36, sample_kind="Rounding"),
        sample(x=10),
        sample("again", x=7, size=9, replace=True),
        sample("large", x=20000000, size=4),
        sample("beyond_a_word", x=5000000000, size=4, replace=True),
        sample("scan", x=5, size=6, replace=True, prob=[1, 2, 3, 4, 5]),
        sample("alias", x=250, size=30, replace=True, prob=WEIGHTS),
        sample("removal", x=5, prob=[1, 2, 3, 4, 5]),
        fit(ntree=4),
        state(),
        seed(36),
        sample("stays", x=10),
        seeded(36, sample_kind="Rejection"),
        sample("since_3.6", x=10),
    ),
    case(
        "folds_by_rounding",
        "two",
        seeded(37, sample_kind="Rounding"),
        Step("rrfcv", {"trainx": Part("x"), "trainy": Part("y"), "cv_fold": 3, "ntree": 3}, "folds"),
        runif(1),
    ),
    case("sampling_factors", "two", seed(38), sample(x=ITEMS), sample("more", x=ITEMS, size=9, replace=True), runif(1)),
    case(
        "numbers_of_samples",
        "two",
        seed(39),
        Step("sample_int", {"n": 12}, "all"),
        Step("sample_int", {"n": 12, "size": 3}, "some"),
        Step("sample_int", {"n": 3, "size": 8, "replace": True, "prob": [0.5, 0.0, 1.0]}, "weighted"),
        runif(1),
    ),
    case(
        "kinds_of_streams",
        "two",
        seed(40),
        kinds("at_first"),
        kinds("samples", sample_kind="Rounding"),
        sample(x=9),
        kinds("then"),
        kinds("seeded_anew", kind="Mersenne-Twister", normal_kind="Inversion"),
        rnorm(2),
        kinds("short", kind="default", sample_kind="Rej"),
        sample("rejecting", x=9),
        Step("RNGversion", {"vstr": "3.5.1"}, "old"),
        sample("as_of_old", x=9),
        Step("RNGversion", {"vstr": "4.0.0"}, "new"),
        sample("as_of_now", x=9),
        state(),
    ),
    case(
        "states_got_and_set",
        "two",
        seed(41),
        runif(3),
        state(),
        rnorm(700, "ahead"),
        Step("set_random_seed", {"words": Ref("state")}, "set"),
        rnorm(4, "again"),
        seeded(41, sample_kind="Rounding"),
        state("rounding"),
        seeded(42, sample_kind="default"),
        Step("set_random_seed", {"words": Ref("rounding")}, "kind_comes_with_it"),
        kinds(),
        sample(x=9),
    ),
    case(
        "seeds_cut_off",
        "two",
        seed(10.9),
        runif(2),
        seed(-10.9),
        runif(2, "negative"),
        seed(True),
        runif(2, "true"),
        refused(seed(NAN), "seed", "supplied seed is not a valid integer", "TypeError"),
        runif(1, "goes_on"),
    ),
    case(
        "refused_draws",
        "two",
        seed(43),
        refused(draw("rgamma", 2, shape=1, rate=2, scale=2), "rate", "specify 'rate' or 'scale' but not both"),
        refused(draw("rnbinom", 2, size=1, prob=0.5, mu=2), "prob", "'prob' and 'mu' both specified"),
        refused(draw("rmultinom", 2, size=3, prob=[1.0, -1.0]), "prob", "negative probability"),
        refused(draw("rmultinom", 2, "no_weight", size=3, prob=[0.0, 0.0]), "prob", "no positive probabilities"),
        refused(draw("rexp", -1), "n", "invalid arguments"),
        refused(kinds(kind="nonsense"), "kind", "is not a valid abbreviation of an RNG"),
        refused(kinds(sample_kind="R"), "sample_kind", "is not a valid choice"),
        refused(Step("RNGversion", {"vstr": "3"}, "version"), "vstr", "malformed version string"),
        runif(1),
    ),
]

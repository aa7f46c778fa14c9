"""What randomForest() has and RRF() has not: weights, factors of up to 53 levels, its own ways; both on one stream."""

from typing import Any

from parity.steps import Part, Ref, Step, case, compute, get_tree, importance, predict, printed, refused, runif, seed

NONE = {"y": None}


def forest(name: str = "fit", keep: tuple[str, ...] | None = None, **args: Any) -> Step:
    """randomForest(x, y, ...) on the parts "x" and "y" unless others are named."""
    return Step("randomForest", {"x": Part("x"), "y": Part("y"), **args}, name, keep)


def weights(n: int) -> list[float]:
    """Weights of many sizes."""
    return [((i * 37) % 101 + 1) / 7 for i in range(n)]


def combined(*fits: str) -> Step:
    """Several fits put into one."""
    return Step("combine", {f"a{i}": Ref(name) for i, name in enumerate(fits)}, "both")


CASES = [
    case("forest_weights", "two", seed(1), forest(ntree=15, weights=weights(60), keep_inbag=True), runif(1)),
    case("forest_weights_whole", "classes3", seed(2), forest(ntree=12, weights=[1 + i % 3 for i in range(75)])),
    case("forest_weights_equal", "two", seed(3), forest(ntree=10, weights=[1.0] * 60, keep_inbag=True)),
    case(
        "forest_weights_far_apart",
        "two",
        seed(4),
        forest(ntree=10, weights=[10.0 ** (i % 13 - 6) for i in range(60)], keep_inbag=True),
    ),
    case(
        "forest_weights_without_replacement",
        "two",
        seed(5),
        forest(ntree=12, weights=weights(60), replace=False, keep_inbag=True),
        runif(1),
    ),
    case(
        "forest_weights_nearly_all_rows",
        "classes3",
        seed(6),
        forest(ntree=8, weights=weights(75), replace=False, sampsize=74, keep_inbag=True),
    ),
    case(
        "forest_weights_by_class",
        "two",
        seed(7),
        forest(ntree=12, weights=weights(60), sampsize=[12, 20], keep_inbag=True),
    ),
    case(
        "forest_weights_by_stratum",
        "strata",
        seed(8),
        forest(
            ntree=14,
            weights=weights(90),
            strata=Part("strata"),
            sampsize=[8, 8, 8],
            replace=False,
            keep_inbag=True,
        ),
        runif(1),
    ),
    case(
        "forest_weights_and_classwt",
        "two",
        seed(9),
        forest(ntree=10, weights=weights(60), classwt=[2, 1], importance=True),
    ),
    case(
        "forest_weights_refused",
        "two",
        seed(10),
        refused(forest("short", weights=[1, 2]), "weights", "length of weights must match number of data points"),
        refused(forest("zero", weights=[0.0] + [1.0] * 59), "weights", "All weights must be positive"),
        runif(1),
    ),
    case("forest_factor_40_levels", "factor40", seed(11), forest(ntree=10), predict(newdata=Part("x"), type="vote")),
    case(
        "forest_factor_53_levels",
        "factor53",
        seed(12),
        forest(ntree=8, importance=True),
        get_tree(k=2),
        predict(newdata=Part("xtest"), predict_all=True),
    ),
    case(
        "forest_factor_53_levels_three_classes",
        "factor53_3",
        seed(13),
        forest(ntree=6, mtry=3, xtest=Part("xtest"), ytest=Part("ytest"), keep_forest=True, importance=True),
        get_tree(k=1, labelVar=True),
        predict(newdata=Part("xtest"), nodes=True),
        runif(1),
    ),
    case("forest_factor_53_levels_weighted", "factor53_3", seed(14), forest(ntree=4, mtry=2, classwt=[1, 3, 2])),
    case("forest_factor_53_levels_unsupervised", "factor53", seed(15), forest(**NONE, ntree=4, keep_forest=True)),
    case("forest_factor_54_levels", "factor54", seed(16), refused(forest(), "x", "more than 53 categories")),
    case("forest_nodesize_above_n", "two", seed(17), forest(ntree=8, nodesize=100)),
    case("forest_nodesize_zero", "two", seed(18), forest(ntree=8, nodesize=0)),
    case("forest_nodesize_fraction", "classes3", seed(19), forest(ntree=8, nodesize=4.7)),
    case(
        "forest_bag_of_one_class",
        "rare_class",
        seed(20),
        forest(ntree=25, sampsize=8, keep_inbag=True),
        runif(1),
    ),
    case(
        "forest_bag_always_of_one_class",
        "one_of_many",
        seed(21),
        refused(forest(ntree=40, sampsize=2), "sampsize", "Still have fewer than two classes"),
    ),
    case(
        "forest_combined_part_of_bags",
        "two",
        seed(22),
        forest("one", ntree=3, keep_inbag=True),
        forest("two", ntree=4),
        combined("one", "two"),
        combined("two", "one"),
    ),
    case(
        "forest_predict_ordered_levels",
        "part_of_levels",
        seed(23),
        forest(ntree=8),
        predict("same", newdata=Part("xtest"), type="vote"),
        predict("part", newdata=Part("fewer"), type="prob"),
        runif(1),
    ),
    case("forest_seed_in_the_call", "two", seed(24), runif(1), forest(ntree=5, seed=7), runif(1, "after")),
    case(
        "forest_oob_proximity_importance",
        "small",
        seed(25),
        forest(ntree=9, proximity=True, oob_prox=True, localImp=True, norm_votes=False),
        importance(scale=True),
        importance("accuracy", type=1, scale=False),
        printed(),
    ),
    case(
        "forest_refused",
        "two",
        seed(26),
        refused(forest("cutoff", cutoff=[0.7, 0.4]), "cutoff", "Incorrect cutoff specified."),
        refused(forest("classwt", classwt=[1, 0]), "classwt", "classwt must be positive"),
        refused(forest("sampsize", sampsize=61), "sampsize", "sampsize too large"),
        refused(forest("sizes", sampsize=[40, 20]), "sampsize", "sampsize can not be larger than class frequency"),
        refused(forest("strata", sampsize=[1, 2, 3]), "sampsize", "sampsize has too many elements."),
        runif(1),
    ),
    case(
        "forest_and_rrf_on_one_stream",
        "two",
        seed(27),
        forest("one", ntree=5),
        Step("RRF", {"x": Part("x"), "y": Part("y"), "ntree": 5}, "two"),
        predict("by_one", of="one", newdata=Part("x")),
        predict("by_two", of="two", newdata=Part("x")),
        forest("three", ntree=5, importance=True),
        Step("RRF", {"x": Part("x"), "y": Part("y"), "ntree": 5, "flagReg": 0}, "four"),
        runif(1),
    ),
    # The experiments of the guided forest: folds, an ordinary forest that guides, and randomForest on what was kept.
    case("forest_selection_in_folds", "sonar", seed(28), compute("folds", "errors", x=Part("x"), y=Part("y"), k=3)),
    case(
        "forest_selection_in_folds_ties",
        "ties_integers",
        seed(29),
        compute("folds", "errors", x=Part("x"), y=Part("y"), k=4),
    ),
]

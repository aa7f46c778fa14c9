"""outlier, classCenter, and the numbers behind the plots: varImpPlot, plot, partialPlot."""

from __future__ import annotations

from typing import Any

from parity.steps import Part, Ref, Step, case, compute, fit, predict, refused, runif, seed


def outlier(name: str = "outlier", **args: Any) -> Step:
    return Step("outlier", {"x": Ref("fit"), **args}, name)


def partial(x_var: str, name: str = "curve", **args: Any) -> Step:
    args = {"x": Ref("fit"), "pred_data": Part("x"), "x_var": x_var, "plot": False, **args}
    return Step("partialPlot", args, name)


def shown(name: str = "shown", **args: Any) -> Step:
    return Step("varImpPlot", {"x": Ref("fit"), **args}, name)


CASES = [
    case("outliers", "classes4", seed(1), fit(ntree=12, proximity=True), outlier()),
    case("outliers_row_names", "iris_labelled", seed(2), fit(ntree=6, proximity=True), outlier()),
    case(
        "outliers_of_matrix",
        "small",
        seed(3),
        fit(ntree=8, proximity=True),
        compute("outlying", "all", fit=Ref("fit")),
        compute("outlying", "classes", fit=Ref("fit"), cls=Part("y")),
    ),
    case("outliers_without_spread", "iris", seed(4), fit(ntree=3, proximity=True), outlier()),
    case(
        "refused_outliers",
        "rare_class",
        seed(5),
        fit(ntree=3),
        refused(outlier(), "x", "no proximity measures available"),
        runif(1),
    ),
    case(
        "centres",
        "iris",
        seed(6),
        fit(ntree=15, proximity=True),
        compute("centres", "c", x=Part("x"), y=Part("y"), fit=Ref("fit")),
        compute("centres", "near", x=Part("x"), y=Part("y"), fit=Ref("fit"), nNbr=7),
        compute("centres", "few", x=Part("x"), y=Part("y"), fit=Ref("fit"), nNbr=2),
        runif(1),
    ),
    case(
        "centres_of_matrix",
        "classes5",
        seed(7),
        fit(ntree=10, proximity=True),
        compute("centres", "c", x=Part("x"), y=Part("y"), fit=Ref("fit")),
        runif(1),
    ),
    case(
        "importances_shown",
        "classes3",
        seed(8),
        fit(ntree=8, importance=True),
        shown(),
        shown("raw", scale=False),
        shown("one", type=1),
        shown("impurity", type=2, n_var=2),
        shown("class", type=1, class_="b"),
        shown("unsorted", sort=False, n_var=3),
    ),
    case("importances_shown_wide", "wide", seed(9), fit(ntree=8), shown(), shown("three", n_var=3)),
    case("errors_shown", "classes4", seed(10), fit(ntree=12), Step("plot", {"x": Ref("fit")}, "errors")),
    case(
        "errors_shown_test_set",
        "small",
        seed(11),
        fit(ntree=6, xtest=Part("xtest"), ytest=Part("ytest")),
        Step("plot", {"x": Ref("fit")}, "errors"),
    ),
    case("partial_number", "iris", seed(12), fit(ntree=15), partial("Petal.Length"), partial("Sepal.Width", "second")),
    case("partial_zeros", "signed_zeros", seed(26), fit(ntree=6), partial("a"), partial("b", "other", n_pt=2)),
    case(
        "partial_classes",
        "iris",
        seed(13),
        fit(ntree=15),
        partial("Petal.Width", which_class="versicolor"),
        partial("Petal.Width", "short", which_class="virg", n_pt=7),
        partial("Petal.Width", "one", n_pt=1),
        partial("Petal.Width", "two", n_pt=2),
    ),
    case(
        "partial_types",
        "each_type",
        seed(14),
        fit(ntree=12, flagReg=0),
        *[partial(name, name) for name in ("number", "count", "flag", "colour", "size")],
        partial("colour", "blue", which_class="c"),
        partial("size", "points", n_pt=6),
    ),
    case(
        "partial_weights",
        "each_type",
        seed(15),
        fit(ntree=12),
        partial("number", w=Part("w"), n_pt=9),
        partial("colour", "bars", w=Part("w")),
    ),
    case(
        "partial_matrix",
        "two",
        seed(16),
        fit(ntree=10),
        compute("partial_column", "curve", fit=Ref("fit"), x=Part("x")),
    ),
    # Few trees make many ties, each of which draws from the generator's memory; the prediction after
    # the curve draws from where the curve left it.
    case(
        "partial_ties",
        "small_frame",
        seed(17),
        fit(ntree=2),
        partial("x1", n_pt=6),
        predict(newdata=Part("xtest")),
        partial("x0", "other"),
        predict("after", newdata=Part("xtest")),
        fit("next", ntree=2),
    ),
    case(
        "refused_curves",
        "iris",
        seed(18),
        fit(ntree=3, keep_forest=False),
        refused(partial("Petal.Width"), "x", "The RRF object must contain the forest."),
        runif(1),
    ),
]

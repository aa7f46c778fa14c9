"""MDSplot, margins of votes and their plot, and companions called on what is no forest."""

from parity.steps import Part, Ref, Step, case, compute, fit, refused, runif, seed

VOTES = ("votes",)


def mapped(k: int = 2, name: str = "map") -> Step:
    return compute("mapped", name, fit=Ref("fit"), y=Part("y"), k=k)


def drawn(name: str = "drawn") -> Step:
    return compute("drawn_margins", name, fit=Ref("fit"))


def of_votes(name: str = "margins", y: str = "y") -> Step:
    return compute("margins_of_votes", name, fit=Ref("fit"), y=Part(y))


CASES = [
    case("mapped", "classes3", seed(1), fit(ntree=20, proximity=True, keep=VOTES), mapped(), mapped(3, "three")),
    case("mapped_oob", "classes4", seed(2), fit(ntree=30, proximity=True, oob_prox=False, keep=VOTES), mapped(4)),
    case(
        "mapped_without_proximity",
        "small",
        seed(3),
        fit(ntree=5, keep=VOTES),
        refused(mapped(), "rf", "fit does not contain a proximity matrix"),
        runif(1),
    ),
    case("margins_shown", "iris", seed(4), fit(ntree=20, keep=VOTES), drawn()),
    case("margins_shown_classes", "classes5", seed(5), fit(ntree=30, keep=VOTES), drawn()),
    case("margins_of_votes", "classes4", seed(6), fit(ntree=20, keep=VOTES), of_votes()),
    case("margins_of_counts", "iris", seed(7), fit(ntree=20, norm_votes=False, keep=VOTES), of_votes()),
    case(
        "refused_other_objects",
        "small",
        seed(8),
        refused(
            Step("importance", {"x": Part("y")}, "imp"),
            "x",
            "No method implemented for this class of object",
            "TypeError",
        ),
        refused(
            Step("grow", {"x": Part("y"), "how_many": 2}, "grown"),
            "x",
            "grow has not been implemented for this class of object",
            "TypeError",
        ),
        refused(
            Step("partialPlot", {"x": Part("y"), "pred_data": Part("x"), "x_var": 0}, "curve"),
            "x",
            "partial dependence plot not implemented for this class of objects.",
            "TypeError",
        ),
        runif(1),
    ),
]

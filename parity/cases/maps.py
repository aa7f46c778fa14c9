"""What MDSplot and the plot of margins show."""

from parity.steps import Part, Ref, case, compute, fit, seed


def mapped(k: int = 2, name: str = "map") -> object:
    return compute("mapped", name, fit=Ref("fit"), y=Part("y"), k=k)


CASES = [
    case("mapped", "iris", seed(1), fit(ntree=20, proximity=True, keep=("votes",)), mapped(), mapped(3, "three")),
    case("mapped_oob", "classes4", seed(2), fit(ntree=30, proximity=True, oob_prox=False, keep=("votes",)), mapped(4)),
    case(
        "margins_shown", "iris", seed(3), fit(ntree=20, keep=("votes",)), compute("drawn_margins", "m", fit=Ref("fit"))
    ),
    case(
        "margins_shown_classes",
        "classes5",
        seed(4),
        fit(ntree=30, keep=("votes",)),
        compute("drawn_margins", "m", fit=Ref("fit")),
    ),
]

"""Cases of the parity suite are read from text, and what is no case is shown with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from parity.case_text import CaseError, read_cases, read_step, read_steps
from parity.steps import Bare, Case, Labels, Named, Part, Positions, Ref, Refusal, Step

TEXT = """# A comment.
&new | predict newdata=$new | runif 1

one* | iris | seed 1 | RRF ntree=3 coefReg=0.5
  | &new
two | iris in en_US | first: RRF.formula `y ~ a | b` importance -> votes mtry | predict @first
"""


def read(text: str, folder: Path) -> list[Case]:
    path = folder / "some.txt"
    path.write_text(text)
    return list(read_cases(path))


def test_cases_are_read_with_shared_steps_and_those_of_random_forest(tmp_path: Path) -> None:
    one, forest, two = read(TEXT, tmp_path)
    data = {"x": Part("x"), "y": Part("y"), "ntree": 3}
    asked = Step("predict", {"object": Ref("fit"), "newdata": Part("new")}, "prediction")
    steps = (Step("set_seed", {"seed": 1}, "seed"), asked, Step("runif", {"n": 1}, "u"))
    assert one == Case("one", "iris", (steps[0], Step("RRF", {**data, "coefReg": 0.5}, "fit"), *steps[1:]))
    assert forest == Case("forest_one", "iris", (steps[0], Step("randomForest", data, "fit"), *steps[1:]))
    assert (two.name, two.data, two.collate) == ("two", "iris", "en_US")
    fit, prediction = two.steps
    assert fit == Step(
        "RRF", {"formula": Bare("y ~ a | b"), "data": Part("data"), "importance": True}, "first", ("votes", "mtry")
    )
    assert prediction.args == {"object": Ref("first")}


def test_values_are_read() -> None:
    text = "RRF $xtest mtry=2 y=None a=[1,2.5]*2 b={u:0.5,v:1} c=word d=positions(range(3)) e=labels([p,q],[q,p]) f='1'"
    assert read_step(text).args == {
        "x": Part("x"), "y": None, "xtest": Part("xtest"), "mtry": 2, "a": [1, 2.5, 1, 2.5],
        "b": Named({"u": 0.5, "v": 1}),
        "c": "word", "d": Positions((0, 1, 2)), "e": Labels(("p", "q"), ("q", "p")), "f": "1",
    }  # fmt: skip


def test_several_fits_are_combined_and_errors_stated() -> None:
    combined, refused, typed = read_steps("combine @one @two | RRF ! x: is not | RRF ! fit 2 (TypeError): a: b")
    assert combined == Step("combine", {"fit0": Ref("one"), "fit1": Ref("two")}, "both")
    assert refused.refusal == Refusal("x", "is not")
    assert typed.refusal == Refusal("fit 2", "a: b", "TypeError")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("name | iris", "'name' is not a case"),
        ("name | iris | | RRF", "'name' is not a case"),
        ("name | iris | Forest ntree=1", "'Forest' is not a step; known are seed, RRF"),
        ("name | iris | &more", "no steps are called &more; known are none"),
        ("name | iris | runif", "runif needs n"),
        ("name | iris | runif 1 2", "runif has no place for '2'"),
        ("name | iris | RRF ntree=[1", "'\\[1' is not a value"),
        ("name | iris | RRF.formula `y ~ .", "a backtick is missing"),
        ("name | iris | RRF ! why", "'why' is not `argument: message`"),
    ],
)
def test_what_is_no_case_is_shown_with_its_line(line: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=f"^some.txt:3: {said}"):
        read(f"# One.\n\n{line}\n", tmp_path)

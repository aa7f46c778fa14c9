"""report(): what the page says of each selector, that it is whole and sound, and what is refused."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.datasets import load_diabetes, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import pyrrf
from pyrrf.reports.summary import with_article
from pyrrf.sklearn import (
    EliminationSelector,
    GRRFSelector,
    GRRFSelectorCV,
    RRFClassifier,
    RRFRegressor,
    StabilitySelector,
)
from tests.reports.pages import Read, faults

X, Y = load_wine(return_X_y=True, as_frame=True)
CLASSES = np.array(["barolo", "grignolino", "barbera"])[Y]
SMALL: dict[str, Any] = {"guide": 15, "n_estimators": 8, "random_state": 1}
COST = {"proline": 2.0, "hue": 3.0}


@pytest.fixture(scope="module")
def chosen() -> Any:
    return GRRFSelectorCV(gammas=[0.1, 0.9], cv=3, forest=RRFClassifier(feature_cost=COST), **SMALL).fit(X, CLASSES)


@pytest.fixture(scope="module")
def stable() -> Any:
    few = GRRFSelector(
        gamma=0.9, guide=10, n_estimators=5, forest=RRFClassifier(feature_groups={"hue": "g", "ash": "g"})
    )
    return StabilitySelector(few, n_pairs=4, threshold=0.5, n_removals=1, random_state=1).fit(X, CLASSES)


@pytest.fixture(scope="module")
def chosen_page(tmp_path_factory: pytest.TempPathFactory, chosen: Any) -> Read:
    return read(tmp_path_factory.mktemp("chosen"), chosen, X, CLASSES)


@pytest.fixture(scope="module")
def stable_page(tmp_path_factory: pytest.TempPathFactory, stable: Any) -> Read:
    return read(tmp_path_factory.mktemp("stable"), stable)


def read(path: Path, *arguments: Any) -> Read:
    """The page of a selector, which is sound."""
    page = Read(pyrrf.report(arguments[0], path / "page.html", *arguments[1:]))
    assert faults(page) == []
    assert len(page.source.encode()) < 2_000_000
    return page


def cells(page: Read, heading: str) -> list[list[str]]:
    """The rows of the table below which a caption begins with these words."""
    block = page.source.split(f">{heading}", 1)[1].split("</table>")[0]
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", block)
    return [[re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]


# ---- what it says ---------------------------------------------------------------------------------


def test_a_choice_of_gamma(chosen: Any, chosen_page: Read) -> None:
    page = chosen_page
    assert page.texts["h1"] == [f"GRRFSelectorCV: {chosen.n_features_} of 13 features selected"]
    titles = [
        "Selected features, and why",
        "Expected error on new data",
        "Importance, tree by tree",
        "Substitutes",
        "Cost",
    ]
    assert page.texts["h2"] == [*titles, "The data", "Reproduce this fit", "Not in this report"]
    error = f"{1 - chosen.nested_score_:.3g} ± {chosen.nested_std_ / 3**0.5:.2g}"
    assert page.texts["dd"][2] == error
    assert f"Expected error on new data: {error} (mean" in page.source
    heads, *rows = cells(page, "Selected features")
    assert heads == ["feature", "importance", "guide importance", "coefficient", "cost"]
    order = np.argsort(-chosen.feature_importances_)[: chosen.n_features_]
    assert [row[0] for row in rows] == X.columns[order].tolist()
    shown = np.array([[float(cell) for cell in row[1:]] for row in rows])
    costs = np.array([COST.get(name, 1.0) for name in X.columns])
    parts = (chosen.feature_importances_, chosen.guide_importances_, chosen.coef_reg_, costs)
    np.testing.assert_allclose(shown, np.stack(parts, axis=1)[order], atol=0.006)
    _, *rows = cells(page, "Cross-validation over 3 folds, by gamma")
    np.testing.assert_allclose([float(row[2]) for row in rows], 1 - chosen.cv_results_["mean_test_score"], atol=5e-4)
    assert len(page.texts["svg"]) == 3
    assert "out-of-bag" not in page.source


def test_stable_features(stable: Any, stable_page: Read) -> None:
    page = stable_page
    _, *rows = cells(page, "Selected features")
    found = dict(zip(X.columns, stable.selection_frequencies_, strict=True))
    assert {row[0]: float(row[1]) for row in rows} == {
        name: round(found[name], 3) for name, kept in zip(X.columns, stable.support_, strict=True) if kept
    }
    assert "group" in cells(page, "Selected features")[0]
    assert {"Stability", "Substitutes"} <= {*page.texts["h2"]}
    first = stable.substitutes_.iloc[0]
    assert f"{first.substitute} ({first.correlation:.2f}" in page.source
    assert "not estimated" in page.texts["dd"]


@pytest.mark.parametrize("coef_reg", [0.8, None])
def test_a_forest_has_its_caveat(tmp_path: Path, coef_reg: Any) -> None:
    forest = RRFClassifier(40, coef_reg=coef_reg, random_state=1, oob_score=True).fit(X, CLASSES)
    page = read(tmp_path, forest)
    note = "the out-of-bag error is optimistic (for two classes, 60 rows and 2,000 random columns it is about .3"
    assert (note in page.source) == (coef_reg is not None)
    assert ("selects nothing" in page.source) == (coef_reg is None)
    assert f"{forest.oob_score_:.3g}" not in " ".join(page.texts["dd"])
    assert any("use StabilitySelector" in line for line in page.texts["li"])


def test_numbers_without_names(tmp_path: Path) -> None:
    x, y = load_diabetes(return_X_y=True)
    page = read(tmp_path, RRFRegressor(6, coef_reg=0.5, random_state=1).fit(x[:80], y[:80]), x[:80], y[:80])
    assert cells(page, "Target: numeric (regression)")[1][0] == "minimum"
    assert all(row[0].isdigit() for row in cells(page, "Selected features")[1:])


def test_a_choice_that_was_not_judged(tmp_path: Path) -> None:
    lone = GRRFSelectorCV(gammas=[0.1, 0.9], cv=2, nested=False, **SMALL).fit(X, CLASSES)
    page = read(tmp_path, lone)
    assert "The fit had nested=False, so there is no unbiased estimate" in page.source
    assert "not estimated" in page.texts["dd"]


def test_the_size_that_folds_chose(tmp_path: Path) -> None:
    chance = np.random.default_rng(17)
    x = chance.standard_normal((80, 5))
    y = x[:, 0] + 0.5 * chance.standard_normal(80) > 0
    few = EliminationSelector(cv=2, n_estimators=4, n_features="best", nested=True, random_state=1).fit(x, y)
    page = read(tmp_path, few)
    assert "selected: cross-validation chose 5, and 3 of them with a negative credit were dropped" in page.source
    assert "In the folds, features with a negative credit were not dropped." in page.source
    heads, *rows = cells(page, "Cross-validation over 2 folds, by size")
    assert (heads[0], [row[0] for row in rows]) == ("features", few.cv_results_["n_features"].astype(str).tolist())
    few.set_params(feature_groups=[0, 0, 1, 1, 2]).fit(x, y)
    page = read(tmp_path, few)
    assert cells(page, "Cross-validation over 2 folds, by size")[0][0] == "groups"
    assert "Loss with fewer groups than the chosen 3: 2: " in page.source


def test_the_error_of_a_given_size_is_not_nested(tmp_path: Path) -> None:
    few = EliminationSelector(2, cv=2, n_estimators=4, nested=True, random_state=1).fit(X, CLASSES)
    page = read(tmp_path, few)
    assert "by cross-validation: features were selected on the training part of each fold" in page.source
    assert cells(page, "Cross-validation: error per fold")[0] == ["fold", "error"]
    assert "How many are selected: the number requested" in page.source


@pytest.mark.parametrize(
    ("y", "more", "caption"),
    [
        (Y, {"task": "regression"}, "Target: numeric (regression)"),
        (Y, {"judge": RRFRegressor(2)}, "Target: numeric (regression)"),
        (Y.astype(float), {}, "Target: 3 classes"),
        (pd.qcut(X["proline"], 25, labels=False), {"task": "classification"}, "Target: 25 classes"),
    ],
)
def test_what_is_predicted(tmp_path: Path, y: Any, more: dict[str, Any], caption: str) -> None:
    """As the fit had it, whatever type y has."""
    few = EliminationSelector(1, n_estimators=2, random_state=1, **more).fit(X, y)
    assert f">{caption}<" in read(tmp_path, few, X, y).source


def test_other_selectors_and_sparse_rows(tmp_path: Path) -> None:
    rows = scipy.sparse.csr_array(np.round(X.to_numpy()))
    page = read(tmp_path, SelectKBest(k=2).fit(rows, Y), rows, CLASSES)
    assert "The features selected by SelectKBest." in page.source
    assert page.texts["h1"] == ["SelectKBest: 2 of 13 features selected"]
    forest = RRFClassifier(4, random_state=1).fit(rows, CLASSES)
    dense, sparse = (read(tmp_path, forest, x, CLASSES) for x in (rows.toarray(), rows))
    assert sparse.texts["svg"] == dense.texts["svg"]
    assert "density (share of stored values)" in sparse.texts["th"]


def test_the_article_of_the_selector(tmp_path: Path) -> None:
    inner = EliminationSelector(2, n_estimators=3)
    halves = StabilitySelector(inner, n_pairs=1, threshold=1.0, n_removals=0, random_state=1).fit(X, CLASSES)
    assert "An EliminationSelector was fitted to 2 half-samples" in read(tmp_path, halves).source
    names = ["GRRFSelector", "RRFClassifier", "SVC", "SelectKBest"]
    assert [with_article(name)[:3].strip() for name in names] == ["A G", "An", "An", "A S"]


def test_nothing_kept(tmp_path: Path) -> None:
    x = np.random.default_rng(1).random((30, 40))
    few = GRRFSelector(gamma=1.0, guide=2, n_estimators=2)
    none = StabilitySelector(few, n_pairs=3, threshold=1.0, n_removals=0, random_state=1).fit(x, np.arange(30) % 2)
    assert none.n_features_ == 0
    assert "No feature was selected." in read(tmp_path, none, x).source


def test_data_in_brief(tmp_path: Path) -> None:
    table = X[["ash", "hue"]].assign(one=1.0, kind=pd.Categorical(CLASSES))
    table.iloc[:3, 0] = np.nan
    page = read(tmp_path, RRFClassifier(4, random_state=1).fit(table, CLASSES), table, CLASSES)
    said = dict(cells(page, "Rows and features")[1:])
    assert said["rows used in the fit"] == "178"
    assert [said[name] for name in ("categorical features", "constant features", "missing values")] == [
        "1", "1", "3",
    ]  # fmt: skip
    assert dict(cells(page, "Target: 3 classes")[1:]) == {
        "barolo": "59",
        "grignolino": "71",
        "barbera": "48",
    }


# ---- names of users ---------------------------------------------------------------------------------

NAMES = [
    "<script>alert(1)</script>", "</style><b>", '" onload="alert(1)', "a&amp;b", "{{ 7 * 7 }}", "$a$ $b", "x" * 5000,
    "two\nlines\x00\x1b[0m", "gène 特徴 🧬", "http://example.org/a.js", "]]>", "url(#no)", "'; import os #",
]  # fmt: skip


def test_names_are_shown_and_never_obeyed(tmp_path: Path) -> None:
    table = X.set_axis(NAMES, axis=1)
    labels = np.array(["<i>one</i>", "two & three", "\x00"])[Y]
    every = StabilitySelector(SelectKBest(k="all"), n_pairs=1, threshold=1.0, n_removals=0, random_state=1)
    page = read(tmp_path, every.fit(table, labels), table, labels)
    shown = [text for text in page.texts["th"] if text in NAMES]
    assert {*shown} == {*NAMES} - {NAMES[6], NAMES[7]}
    assert {f"{'x' * 30}…{'x' * 29}", "two lines[0m", "<i>one</i>"} <= {*page.texts["th"]}
    assert not {"script", "b", "i"} & {tag for tag, _ in page.elements}
    # In the pictures, too.
    assert {*NAMES[:6]} <= {*page.texts["text"]}
    assert "\x00" not in page.source


def test_many_features_are_cut(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    x = pd.DataFrame(random.random((40, 3000)), columns=[f"{'long name ' * 30}{at}" for at in range(3000)])
    every = SelectKBest(k=2500).fit(x, np.arange(40) % 2)
    page = read(tmp_path, every)
    assert "Selected features, the first 200 of 2,500" in page.source
    assert len(cells(page, "Selected features")) == 201
    assert "the first 2,000" in page.texts["code"][0]


# ---- it is repeated ---------------------------------------------------------------------------------


def test_the_code_repeats_the_fit(chosen: Any, chosen_page: Read, stable: Any, stable_page: Read) -> None:
    for selector, page in ((chosen, chosen_page), (stable, stable_page)):
        names: dict[str, Any] = {"X": X, "y": CLASSES}
        exec(page.texts["code"][0], names)
        assert names["kept"] == X.columns[selector.support_].tolist()
        np.testing.assert_array_equal(names["selector"].support_, selector.support_)


def test_the_same_page_again_whatever_style_the_user_has(tmp_path: Path, stable: Any, stable_page: Read) -> None:
    with mpl.rc_context({"text.color": "red", "font.size": 30, "svg.fonttype": "path"}):
        assert read(tmp_path, stable).source == stable_page.source


# ---- what is refused ----------------------------------------------------------------------------------


def test_what_is_refused(tmp_path: Path, chosen: Any) -> None:
    page = tmp_path / "page.html"
    for selector, error, message in (
        (GRRFSelector(), NotFittedError, "not fitted"),
        (make_pipeline(GRRFSelector()), TypeError, r"pass its step, as pipeline\[-1\]"),
        (pyrrf.RRF(X, CLASSES, ntree=2), TypeError, "fitted selector .* not a result of pyrrf.RRF"),
        (SVC().fit(X, CLASSES), TypeError, r"must have get_support\(\) or a mask support_"),
        (StabilitySelector, TypeError, "not the class StabilitySelector; pass a fitted instance, "),
    ):
        with pytest.raises(error, match=message):
            pyrrf.report(selector, page)
    with pytest.raises(ValueError, match="the 13 columns seen in fit"):
        pyrrf.report(chosen, page, X.iloc[:, 1:])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        pyrrf.report(chosen, page, X, CLASSES[1:])
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        pyrrf.report(chosen, tmp_path / "none" / "page.html")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["jinja2", "matplotlib", "sklearn"])
def test_without_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: Any, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=rf'needs {name}; pip install "pyrrf\[report\]"'):
        pyrrf.report(chosen, tmp_path / "page.html")


def test_the_heading_names_the_data_and_the_target(tmp_path: Path, chosen: Any) -> None:
    kept = f"{chosen.n_features_} of 13 features selected"
    for named, heading in (
        ({"source": "wine.csv", "target": "cultivar"}, "wine.csv, target cultivar"),
        ({"source": "<wine>.csv"}, "&lt;wine&gt;.csv"),
        ({"target": "cultivar"}, "cultivar"),
    ):
        page = pyrrf.report(chosen, tmp_path / "page.html", **named).read_text()
        assert f"<h1>{heading}: {kept}</h1>" in page

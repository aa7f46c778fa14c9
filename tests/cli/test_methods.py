"""`pyrrf select` by elimination, Boruta and stability selection: sizes, errors, chance, expected time."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pyrrf.sklearn import (
    BorutaSelector,
    EliminationSelector,
    GRRFSelector,
    StabilitySelector,
)
from pyrrf.sklearn.selection_report import score_lost_at
from tests.cli.command import DIABETES, FEW, WINE, refused, run, runner

ELIMINATION = ("--method", "elimination")


def test_a_size_that_is_asked_for(wine: str, tmp_path: Path) -> None:
    at = tmp_path / "kept.csv"
    result = run(wine, "--target", "cultivar", *ELIMINATION, "--features", "3", "--json", "--output", str(at))
    selector = EliminationSelector(3, n_estimators=3, random_state=1)
    selector.fit(WINE.drop(columns="cultivar"), WINE["cultivar"])
    table = selector.credits_of_kept()
    found = json.loads(result.stdout)
    assert [one["feature"] for one in found["kept"]] == table["feature"].tolist()
    assert [one["importance"] for one in found["kept"]] == table["credit"].tolist()
    assert all(sum(one["credits"].values()) == pytest.approx(one["importance"]) for one in found["kept"])
    assert (found["settings"]["features"], found["settings"]["gamma"], found["error"]) == (3, None, None)
    assert at.read_text().splitlines()[0].count(",") == 3
    shown = run(wine, "--target", "cultivar", *ELIMINATION, "--features", "3").stdout.splitlines()
    assert shown[1] == "Elimination selects 3 of 13 features: the number requested"
    (tmp_path / "groups.csv").write_text("feature,group\nhue,a\nproline,a\n")
    grouped = run(
        wine, "--target", "cultivar", *ELIMINATION, "--features", "2", "--groups", str(tmp_path / "groups.csv")
    )
    assert grouped.stdout.splitlines()[1].endswith(" of 13 features in 2 groups: the number requested")
    assert shown[3].split() == ["feature", "credit", "forest", "ridge"]
    assert shown[8].startswith("credit = forest + ridge: how much the feature improves the prediction of held-out rows")


def test_elimination_is_the_default() -> None:
    from pyrrf.cli.app import app

    told = ["select", "-", "--target", "cultivar", "--trees", "3", "--features", "2"]
    assert "Elimination selects 2 of 13 features" in runner.invoke(app, told, input=WINE.to_csv(index=False)).stdout


def test_the_size_and_its_error_by_folds(few: str, tmp_path: Path) -> None:
    files = ["--report", str(tmp_path / "r.html"), "--plot", str(tmp_path / "p.svg")]
    result = run(few, "--target", "cultivar", *ELIMINATION, "--cv", "--fast", "--jobs", "2", "--json", *files)
    found = json.loads(result.stdout)
    selector = EliminationSelector(n_estimators=3, cv=3, step=0.3, nested=True, random_state=1).fit(
        FEW.drop(columns="cultivar"), FEW["cultivar"]
    )
    assert {one["feature"] for one in found["kept"]} == set(selector.get_feature_names_out())
    assert found["error"] == {
        "measure": "misclassified", "value": 1 - selector.nested_score_, "sd": selector.nested_std_, "folds": 3,
    }  # fmt: skip
    assert found["compared"] == {
        "all_features": 1 - selector.all_scores_.mean(), "guess": 1 - selector.guess_scores_.mean(),
        "better_than_guess": True,
    }  # fmt: skip
    assert {one["size"]: one["more"] for one in found["sizes"]} == score_lost_at(selector)
    results = selector.cv_results_
    assert [one["error"] for one in found["sizes"]] == (1 - results["mean_test_score"]).tolist()
    # numpy's deviation has the divisor n; that of a sample has n - 1
    errors = results["std_test_score"] / np.sqrt(3 - 1)
    assert [one["se"] for one in found["sizes"]] == pytest.approx(errors.tolist())
    page = (tmp_path / "r.html").read_text()
    assert {"Rounds", "Substitutes", "Expected error on new data"} <= {*re.findall(r"<h2[^>]*>([^<]*)", page)}
    assert (tmp_path / "p.svg").stat().st_size > 5000


def test_the_rule_of_the_size(few: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted, fit = [], EliminationSelector.fit
    monkeypatch.setattr(EliminationSelector, "fit", lambda self, x, y: fitted.append(fit(self, x, y)))
    told = ("--target", "cultivar", *ELIMINATION, "--fast", "--json")
    for rule in (None, "best", "paired", "1se"):
        found = json.loads(run(few, *told, *(("--rule", rule) if rule else ())).stdout)
        size = None if rule == "paired" else rule
        assert (fitted[-1].n_features, found["settings"]["rule"]) == (size, rule or "paired")
    refused(run(few, *told, "--rule", "best", "--features", "2"), 2, "--features and --rule cannot be combined")
    refused(run(few, "--target", "cultivar", "--rule", "best"), 2, "--rule does not apply to --method grrf")


def test_the_error_of_a_given_size(tmp_path: Path) -> None:
    DIABETES.to_csv(tmp_path / "d.csv", index=False)
    told = ("--target", "target", *ELIMINATION, "--features", "2", "--cv")
    shown = run(str(tmp_path / "d.csv"), *told).stdout
    wanted = r"Cross-validated error \(1 - R²; features selected anew in each fold\): 0\.\d+ "
    wanted += r"\(standard deviation over 5 folds .*\); "
    assert re.search(wanted + r"with all 10 features: 0\.\d+; predicting the mean: 1\.\d+$", shown.strip())


def test_the_table_of_sizes(wine: str) -> None:
    told = ("--target", "cultivar", *ELIMINATION, "--fast", "--trees", "20")
    lines = run(wine, *told).stdout.splitlines()
    first = lines.index("Cross-validated error (misclassification rate) by number of features") + 2
    assert lines[first].split() == ["features", "error", "standard", "error"]
    found = json.loads(run(wine, *told, "--json").stdout)["sizes"]
    table = [line.split() for line in lines[first + 1 : lines.index("", first)]]
    wanted = [[f"{one['size']}", f"{one['error']:.3f}", f"{one['se']:.3f}"] for one in found]
    assert [row[:3] for row in table] == wanted
    (chosen,) = (row[0] for row in table if row[3:] == ["chosen"])
    assert {one["size"]: one["more"] for one in found}[int(chosen)] == 0
    assert sum(len(row) for row in table) == 3 * len(table) + 1


def test_features_dropped_after_the_choice_are_counted(tmp_path: Path) -> None:
    chance = np.random.default_rng(12)
    x = pd.DataFrame(chance.standard_normal((100, 12)), columns=list("abcdefghijkl"))
    x.assign(y=np.where(x["a"] + x["b"] > 0, "u", "v")).to_csv(tmp_path / "d.csv", index=False)
    more = ("--target", "y", *ELIMINATION, "--fast", "--rule", "best", "--trees", "20")
    shown = run(str(tmp_path / "d.csv"), *more).stdout
    wanted = r"^Elimination selects (\d+) of 12 features: cross-validation chose (\d+), and (\d+) of them with a "
    match = re.search(wanted + r"negative credit (was|were) dropped$", shown, re.M)
    assert match
    selected, chosen, dropped = map(int, match.groups()[:3])
    assert selected == chosen - dropped
    assert re.search(rf"^ +{chosen} .*  chosen$", shown, re.M)
    assert match[4] == ("was" if dropped == 1 else "were")


def test_a_feature_that_errs_less_than_a_guess_is_not_chance(tmp_path: Path) -> None:
    """Although the class probabilities of a forest on it are worse than the shares of the classes."""
    WINE[["alcohol", "cultivar"]].to_csv(tmp_path / "one.csv", index=False)
    told = (str(tmp_path / "one.csv"), "--target", "cultivar", *ELIMINATION)
    compared = json.loads(run(*told, "--json").stdout)["compared"]
    assert (compared["better_than_guess"], compared["all_features"] < compared["guess"] - 0.2) == (True, True)
    assert "Elimination selects the only feature" in run(*told).stdout


def test_where_nothing_is_found(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    noise = pd.DataFrame(chance.standard_normal((60, 6)), columns=list("abcdef"))
    noise.assign(y=chance.permutation(list("uv") * 30)).to_csv(tmp_path / "n.csv", index=False)
    found = run(
        str(tmp_path / "n.csv"), "--target", "y", *ELIMINATION, "--fast", "--cv", "--report", str(tmp_path / "n.html")
    )
    assert found.stdout.splitlines()[1] == (
        "Elimination finds evidence for none of 6 features: no subset predicts significantly better than a baseline "
        "without features (at level .01). Do not rely on what is listed below"
    )
    assert found.stderr == f"note: wrote {tmp_path / 'n.html'}\n"
    assert "No subset is significantly better than the baseline" in (tmp_path / "n.html").read_text()
    every = run(str(tmp_path / "n.csv"), "--target", "y", *ELIMINATION, "--features", "6").stdout
    assert "Elimination selects 6 of 6 features: the number requested" in every
    assert re.search(r"^Negative credit \([a-f](, [a-f])*\): held-out rows are predicted no better with", every, re.M)


def test_boruta(few: str, tmp_path: Path) -> None:
    told = ("--target", "cultivar", "--method", "boruta")
    page = tmp_path / "r.html"
    found = json.loads(run(few, *told, "--json", "--report", str(page), "--plot", str(tmp_path / "p.svg")).stdout)
    selector = BorutaSelector(n_estimators=3, random_state=1)
    selector.fit(FEW.drop(columns="cultivar"), FEW["cultivar"])
    names = selector.feature_names_in_
    assert [one["feature"] for one in found["kept"]] == names[selector.selected_].tolist()
    assert found["tentative"] == names[selector.support_weak_].tolist()
    assert (found["settings"]["guide_trees"], found["error"]) == (None, None)
    shown = run(few, *told).stdout.splitlines()
    assert shown[1].startswith(f"Boruta confirms {selector.n_features_} of 5 features and leaves ")
    assert shown[-1].startswith("Tentative, not selected: ")
    assert "Decisions" in re.findall(r"<h2[^>]*>([^<]*)", page.read_text())
    refused(run(few, *told, "--cost", few), 2, "--cost does not apply to --method boruta")


def test_where_nothing_is_kept_that_is_drawn_too(tmp_path: Path) -> None:
    x = pd.DataFrame(np.random.default_rng(1).standard_normal((60, 3)), columns=list("abc"))
    x.assign(y=np.arange(60) % 2).to_csv(tmp_path / "n.csv", index=False)
    files = [tmp_path / name for name in ("p.svg", "r.html", "o.csv")]
    more = [
        one for name, file in zip(("--plot", "--report", "--output"), files, strict=True) for one in (name, str(file))
    ]
    found = run(str(tmp_path / "n.csv"), "--target", "y", "--method", "boruta", *more)
    assert "Boruta confirms none of 3 features" in found.stdout
    assert all(file.exists() for file in files)
    assert files[2].read_text().splitlines()[0] == "y"
    stable = ("--method", "stability", "--gamma", "0.9", "--fast")
    lines = run(str(tmp_path / "n.csv"), "--target", "y", *stable).stdout.splitlines()
    assert lines[-1] == "No feature was selected often enough; a larger --pfer may select some."


def test_of_one_feature_no_other_size_is_listed(tmp_path: Path) -> None:
    WINE[["alcohol", "cultivar"]].to_csv(tmp_path / "one.csv", index=False)
    found = run(str(tmp_path / "one.csv"), "--target", "cultivar", *ELIMINATION)
    assert "Elimination selects the only feature" in found.stdout
    assert "Cross-validated error by" not in found.stdout


def test_stability(few: str, tmp_path: Path) -> None:
    told = ("--target", "cultivar", "--method", "stability", "--gamma", "0.7", "--fast")
    result = run(few, *told, "--json", "--plot", str(tmp_path / "p.png"))
    inner = GRRFSelector(gamma=0.7, n_estimators=3)
    selector = StabilitySelector(inner, n_pairs=15, random_state=1).fit(FEW.drop(columns="cultivar"), FEW["cultivar"])
    found = json.loads(result.stdout)["kept"]
    assert {one["feature"] for one in found} == set(selector.get_feature_names_out())
    assert [one["importance"] for one in found] == sorted((one["importance"] for one in found), reverse=True)
    lines = run(few, *told).stdout.splitlines()
    assert lines[1].startswith("Stability selection (GRRF with gamma 0.7 on 30 half-samples) selects ")
    assert lines[-1].startswith("Expected number of features independent of the target among them: at most ")


def test_the_limit_of_a_stable_selection(wine: str) -> None:
    told = ("--target", "cultivar", "--method", "stability", "--gamma", "0.7", "--fast")
    inner = GRRFSelector(gamma=0.7, n_estimators=3)
    selector = StabilitySelector(inner, n_pairs=15, pfer=4, random_state=1)
    selector.fit(WINE.drop(columns="cultivar"), WINE["cultivar"])
    found = json.loads(run(wine, *told, "--pfer", "4", "--json").stdout)
    assert {one["feature"] for one in found["kept"]} == set(selector.get_feature_names_out()) != set()
    assert found["settings"]["pfer"] == 4
    # What is advised can be given, and is enough.
    note = run(wine, *told, "--pfer", "0.0001").stderr
    (advised,) = re.findall(r"by --pfer 0\.0001; .*give --pfer (\S+) or more\. Only features that were", note)
    assert "pfer" not in run(wine, *told, "--pfer", advised).stderr
    refused(run(wine, *told, "--pfer", "1e-30"), 3, "by --pfer 1e-30; give a larger --pfer")
    refused(run(wine, *told, "--pfer", "0"), 2, "--pfer must be a number above 0, not 0")
    refused(run(wine, "--target", "cultivar", "--pfer", "2"), 2, "--pfer does not apply to --method grrf")


def test_time_is_told_before_it_is_spent(few: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyrrf.cli import methods

    monkeypatch.setattr(methods, "_LONG", 0.0)
    told = ("--target", "cultivar", *ELIMINATION, "--trees", "30")
    assert re.search(r"^note: estimated time: \d+ s; --fast is faster$", run(few, *told).stderr, re.M)
    assert "takes" not in run(few, *told, "--features", "2").stderr
    assert [methods.in_words(seconds) for seconds in (40.2, 600, 9000)] == ["40 s", "10 min", "2.5 h"]

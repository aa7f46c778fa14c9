"""What the functions of the chain refuse, leave out and show, beside what R answers (`test_recorded.py`)."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf import rules
from pyrrf.rbase.arithmetic import mean as mean_of
from pyrrf.rules.conditions import among, pieces, read_piece
from tests.refusals import refused

X = pd.DataFrame({"a": [0.1, 0.2, 0.6, 0.7, 0.8, np.nan], "b": pd.Categorical([*"uvuvu", None])})
Y = ["low", "low", "high", "high", "low", "high"]
METRIC = rules.getRuleMetric(["X[,1]<=0.5", "X[,1]>0.5 & X[,2] %in% c('u')"], X, Y)


# ---- texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "level", ["plain", "it's", "a & b", "back\\slash", "c('x')", "", "X[,1]<=2", "line\nbreak", "é"]
)
def test_any_level_is_written_and_read_back(level: str) -> None:
    text = among(6, [level, "other"], missing=True)
    assert pieces(f"X[,1]<=2 & {text} & X[,9]>1") == ["X[,1]<=2", text, "X[,9]>1"]
    assert read_piece(text).levels == {level, "other"}
    assert read_piece(text).missing
    assert read_piece(text).column == 6


@pytest.mark.parametrize("text", ["X[,1] <= 2", "a<=2", "X[,1]<=b", "", "X[,1]>=2", "Else", "TRUE", "X[,0]<=2,X"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not one that extractRules"):
        rules.getRuleMetric([text], X, Y)


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("X[,1]<=0.6", [1, 1, 1, 0, 0, 0]),
        ("X[,1]>0.6", [0, 0, 0, 1, 1, 0]),
        ("(X[,1]>0.6|is.na(X[,1]))", [0, 0, 0, 1, 1, 1]),
        ("is.na(X[,1])", [0, 0, 0, 0, 0, 1]),
        ("!is.na(X[,2])", [1, 1, 1, 1, 1, 0]),
        ("X[,2] %in% c('u')", [1, 0, 1, 0, 1, 0]),
        ("X[,2] %in% c('v',NA)", [0, 1, 0, 1, 0, 1]),
        ("X[,1] %in% c('0.1','0.7')", [1, 0, 0, 1, 0, 0]),
        ("X[,1]==X[,1]", [1, 1, 1, 1, 1, 1]),
        ("X[,1]<=1e-01 & X[,2] %in% c('u')", [1, 0, 0, 0, 0, 0]),
    ],
)
def test_rows_that_match(text: str, flags: list[int]) -> None:
    table = pd.DataFrame({"condition": [text], "pred": ["yes"]})
    assert (rules.applyLearner(table, X) == "yes").tolist() == [bool(flag) for flag in flags]


# ---- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "argument", "code"),
    [
        (lambda: rules.getRuleMetric(["X[,3]<=1"], X, Y), ValueError, "X", "columns"),
        (lambda: rules.getRuleMetric(["X[,2]<=1"], X, Y), TypeError, "X", "columns"),
        (lambda: rules.getRuleMetric([], X, Y), ValueError, "ruleExec", "empty"),
        (lambda: rules.getRuleMetric([1], X, Y), TypeError, "ruleExec", "type"),
        (lambda: rules.getRuleMetric(pd.DataFrame({"rule": ["X[,1]<=1"]}), X, Y), TypeError, "ruleExec", "columns"),
        (lambda: rules.getRuleMetric(["X[,1]<=1"], X, Y[:3]), ValueError, "target", "length"),
        (lambda: rules.getRuleMetric(["X[,1]<=1"], X, [*Y[:5], None]), ValueError, "target", "missing"),
        (lambda: rules.pruneRule(METRIC, X, Y, typeDecay=3), ValueError, "typeDecay", "choice"),
        (lambda: rules.pruneRule(METRIC, X, Y, maxDecay=math.nan), ValueError, "maxDecay", "range"),
        (lambda: rules.pruneRule(METRIC[["condition"]], X, Y), TypeError, "rules", "columns"),
        (lambda: rules.selectRuleRRF(METRIC[["condition"]], X, Y), TypeError, "ruleMetric", "columns"),
        (lambda: rules.selectRuleRRF(METRIC.iloc[:0], X, Y), ValueError, "ruleMetric", "empty"),
        (lambda: rules.selectRuleRRF(METRIC, X, ["low"] * 6), ValueError, "y", "constant"),
        (lambda: rules.buildLearner(METRIC, X, Y, minFreq=2), ValueError, "minFreq", "range"),
        (lambda: rules.buildLearner(METRIC[["condition"]], X, Y), TypeError, "ruleMetric", "columns"),
        (lambda: rules.buildLearner(METRIC.iloc[:0], X, Y), ValueError, "ruleMetric", "empty"),
        (lambda: rules.applyLearner(METRIC[["condition"]], X), TypeError, "learner", "columns"),
        (lambda: rules.voteAllRules(METRIC, X, "x"), ValueError, "type", "choice"),
        (lambda: rules.presentRules(METRIC, ["a"]), ValueError, "colN", "length"),
        (lambda: rules.sortRule(METRIC[["len"]]), TypeError, "M", "columns"),
        (lambda: rules.as_strings([1]), TypeError, "rules", "type"),
        (lambda: rules.RuleTable(METRIC[["condition"]]), TypeError, "rules", "columns"),
    ],
)
def test_refused(call: Any, error: type[Exception], argument: str, code: str) -> None:
    with refused(argument, code, error):
        call()


def fit(**named: Any) -> tuple[pd.DataFrame, Any]:
    x = pd.DataFrame({"a": np.arange(20.0), "t": list("uvwx") * 5})
    with pytest.warns(UserWarning, match="string column"):
        return x, pyrrf.RRF(x, list("aabb") * 5, ntree=2, seed=1, **named)


def test_strings_are_refused_where_a_rule_asks_for_them() -> None:
    x, grown = fit()
    with pytest.raises(TypeError, match="column 't' of X holds strings"):
        rules.extractRules(grown, x)


@pytest.mark.parametrize(
    ("named", "argument", "code"),
    [
        ({"ntree": 0}, "ntree", "range"),
        ({"maxdepth": 0}, "maxdepth", "range"),
        ({"maxdepth": 2.5}, "maxdepth", "range"),
        ({"maxdepth": math.inf, "random": True}, "maxdepth", "range"),
        ({"digits": math.nan}, "digits", "range"),
    ],
)
def test_arguments_out_of_range(named: dict[str, Any], argument: str, code: str) -> None:
    grown = pyrrf.RRF(np.arange(20.0).reshape(10, 2), list("aaaaabbbbb"), ntree=2, seed=1)
    with refused(argument, code):
        rules.extractRules(grown, np.arange(20.0).reshape(10, 2), **named)


def test_other_columns_are_refused_and_trees_without_a_split_have_no_rules() -> None:
    x = np.arange(20.0).reshape(10, 2)
    grown = pyrrf.RRF(x, list("aaaaabbbbb"), ntree=2, seed=1)
    with pytest.raises(ValueError, match="X has 1 columns, but the model has 2"):
        rules.extractRules(grown, x[:, :1])
    with pytest.warns(UserWarning, match="five or fewer"):
        constant = pyrrf.RRF(x, np.ones(10), ntree=2, seed=1)
    with refused("treeList", "constant"):
        rules.extractRules(constant, x)


# ---- answers -------------------------------------------------------------------------------------


def test_rules_that_match_no_row_are_left_out() -> None:
    found = rules.getRuleMetric(["X[,1]>9", "X[,1]<=0.5"], X, Y)
    assert found["condition"].tolist() == ["X[,1]<=0.5"]
    pruned = rules.pruneRule(METRIC, X.assign(a=5.0), Y)
    assert pruned["condition"].tolist() == METRIC["condition"].tolist()[1:]


def test_what_r_prints_is_printed_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    rules.getRuleMetric(["X[,1]>9", "X[,1]<=0.5"], X, Y)
    assert capsys.readouterr().out == ""
    rules.getRuleMetric(["X[,1]>9", "X[,1]<=0.5"], X, Y, verbose=True)
    assert capsys.readouterr().out == '[1] "1 paths are ignored."\n'


@pytest.mark.parametrize(
    ("target", "labels"),
    [(np.array([True, True, False, False, True, False]), [True, False]), (pd.Categorical([1, 1, 2, 2, 1, 2]), [1, 2])],
)
def test_labels_stay_what_they_are(target: Any, labels: list[Any]) -> None:
    metric = rules.getRuleMetric(METRIC["condition"], X, target)
    learner = rules.buildLearner(metric, X, target)
    assert {*rules.applyLearner(learner, X).tolist()} == {*labels}
    assert (rules.applyLearner(learner, X) == np.asarray(target)).mean() >= 0.5


def test_a_learner_after_a_csv_predicts_the_same(tmp_path: Path) -> None:
    learner = rules.buildLearner(METRIC, X, Y)
    learner.to_csv(tmp_path / "learner.csv", index=False)
    again = pd.read_csv(tmp_path / "learner.csv")
    assert rules.applyLearner(again, X).tolist() == rules.applyLearner(learner, X).tolist()


def test_one_rule_goes_through_the_chain() -> None:
    one = METRIC.iloc[:1]
    x, y = pd.concat([X] * 6, ignore_index=True), Y * 6
    with pytest.warns(UserWarning, match="mtry"):
        selected = rules.selectRuleRRF(rules.pruneRule(one, x, y), x, y, seed=1)
    assert len(rules.buildLearner(selected, x, y)) == 2


def test_long_lists_are_worked_on_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    x, number = rng.normal(size=(130, 3)), rng.normal(size=130)
    y = np.where(x[:, 0] * x[:, 1] > 0, "in", "out")
    found = rules.extractRules(pyrrf.RRF(x, y, ntree=4, seed=1), x)
    targets = (y, number)
    whole = [rules.getRuleMetric(found, x, target) for target in targets]
    pruned = [rules.pruneRule(metric, x, target) for metric, target in zip(whole, targets, strict=True)]
    monkeypatch.setattr("pyrrf.rules.matches._MOST", 700)
    for target, metric, shorter in zip(targets, whole, pruned, strict=True):
        pd.testing.assert_frame_equal(rules.getRuleMetric(found, x, target), metric)
        pd.testing.assert_frame_equal(rules.pruneRule(metric, x, target), shorter)


def test_numbers_are_added_up_in_order_with_one_rounding() -> None:
    target = np.array([1e16, 1.0, -1e16, 3.0, 0.1, 0.2])
    metric = rules.getRuleMetric(["X[,1]==X[,1]"], X, target)
    mean = mean_of(target)
    assert metric["pred"].tolist() == [float(f"{mean:.15g}")]


@pytest.mark.parametrize(("minsup", "minconf", "minlen", "maxlen"), [(0.02, 0.5, 1, 4), (0.1, 0.6, 3, 3), (0, 0, 2, 2)])
def test_patterns_are_those_of_a_count(minsup: float, minconf: float, minlen: int, maxlen: int) -> None:
    rng = np.random.default_rng(2)
    names = [f"X[,{k}]>0" for k in range(1, 7)]
    sets = [sorted({*rng.choice(names, 4)}) for _ in range(60)]
    table = pd.DataFrame({"condition": [" & ".join(own) for own in sets], "pred": rng.choice(["a", "b"], 60)})
    wanted = set()
    for size in range(max(minlen - 1, 1), maxlen):
        for chosen in itertools.combinations(names, size):
            held = [label for own, label in zip(sets, table["pred"], strict=True) if {*chosen} <= {*own}]
            for label in "ab":
                both = held.count(label)
                if both >= max(minsup * 60, 1) and both / len(held) >= minconf:
                    wanted.add((" & ".join(chosen), label, round(both / 60, 3), round(both / len(held), 3)))
    found = rules.getFreqPattern(table, minsup, minconf, minlen, maxlen)
    assert {*found[["condition", "pred", "sup", "conf"]].itertuples(index=False, name=None)} == wanted
    assert len(found) == len(wanted) > 0
    assert found["sup"].is_monotonic_decreasing


# ---- shown ---------------------------------------------------------------------------------------


def test_page_escapes_what_data_may_hold() -> None:
    table = METRIC.assign(pred="<b>", condition=["X[,1]<=0.5", "X[,2] %in% c('<i>')"])
    page = rules.RuleTable(table, ["<script>", "b&c"], title="a < b").to_html()
    assert "<script>" not in page
    assert "<b>" not in page
    assert "<i>" not in page.replace("<i style", "")
    assert "&lt;script&gt; ≤ 0.5" in page
    assert "b&amp;c is &lt;i&gt;" in page
    assert "://" not in page


def test_page_holds_all_rules_and_a_notebook_the_first(tmp_path: Path) -> None:
    table = pd.concat([METRIC] * 40, ignore_index=True)
    shown = rules.RuleTable(table, X)
    page = shown.to_html(tmp_path / "rules.html")
    assert (tmp_path / "rules.html").read_text(encoding="utf-8") == page
    assert page.count("<tr>") == 81
    assert shown._repr_html_().count("<tr>") == 51
    assert "30 more" in shown._repr_html_()


def test_words_join_the_pieces_of_a_column() -> None:
    table = METRIC.iloc[:1].assign(condition="X[,1]>0.1 & X[,1]<=0.9 & (X[,1]<=0.8|is.na(X[,1])) & !is.na(X[,2])")
    page = rules.RuleTable(table, X).to_html()
    assert "<span>0.1 &lt; a ≤ 0.9 and (a ≤ 0.8 or missing)</span><span>b is known</span>" in page


@pytest.mark.parametrize("target", [Y, np.arange(6.0)], ids=["classes", "numbers"])
def test_picture_shows_each_rule(target: Any) -> None:
    metric = rules.getRuleMetric(["X[,1]<=0.5", "X[,1]>0.5"], X, target)
    axes = rules.RuleTable(metric, X).plot()
    points = np.concatenate([group.get_offsets() for group in axes.collections])
    assert sorted(points[:, 0].tolist()) == sorted(metric["freq"].tolist())
    assert [text.get_text() for text in axes.texts] == ["1", "2"]

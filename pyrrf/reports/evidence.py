"""Sections with the evidence for a selection: errors, stability, importances, substitutes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyrrf.plots.panels import plain_text
from pyrrf.plots.selection import chart_height
from pyrrf.reports.blocks import Block, Figure, Section, Table, Text, Tile, align_numbers, format_short
from pyrrf.reports.pictures import picture
from pyrrf.reports.summary import LONGEST, MOST_ROWS, SelectionSummary, chosen_and_harmful

_MOST_LINES, _MOST_COLUMNS = 20, 6
# Most sizes below the chosen one in the text.
_MOST_SIZES = 6
# Most features in the line of a round.
_MOST_DROPPED = 6


def error_section(summary: SelectionSummary) -> Section | None:
    """Return the section on the error of the features; None if the selector has no estimate."""
    selector = summary.selector
    if hasattr(selector, "cv_results_") and (hasattr(selector, "gamma_") or summary.is_elimination):
        return _chosen_size(selector)
    if summary.is_elimination:
        return _given_size(selector)
    if hasattr(summary.selector, "result_"):
        return _out_of_bag(summary)
    return None


def _chosen_size(selector: Any) -> Section:
    from pyrrf.sklearn.displays.path import PathDisplay, standard_error
    from pyrrf.sklearn.selection_report import score_lost_at

    displays: list[PathDisplay] = []
    svg = picture(
        lambda ax: displays.append(PathDisplay.from_estimator(selector, ax=ax)),
        3.6,
        "path",
        "The mean cross-validated score or error against the subset size; the table has the numbers.",
    )
    display = displays[0]
    name, scores, nested = display.score_name, display.scores, display.nested_scores
    assert scores is not None
    criterion = "size" if display.gammas is None else "gamma"
    columns = [display.n_features, scores.mean(axis=1), standard_error(scores)]
    unit = "groups" if criterion == "size" and selector.feature_groups is not None else "features"
    heads = [unit, f"mean {name}", "standard error"]
    if display.gammas is not None:
        columns, heads = [display.gammas, *columns], ["gamma", *heads]
    blocks: list[Block] = [Text(_nested_text(name, nested, criterion), note=nested is None)]
    if criterion == "size" and nested is not None and chosen_and_harmful(selector)[1]:
        blocks.append(Text("In the folds, features with a negative credit were not dropped."))
    if criterion == "size":
        losses = score_lost_at(selector)
        columns, heads = [*columns, np.array(list(losses.values()))], [*heads, "loss against the chosen size"]
        blocks += [Text(words, note=noted) for words, noted in _comparison_texts(selector, losses, unit)]
    rows = list(zip(*map(align_numbers, columns), strict=True))
    caption = f"Cross-validation over {scores.shape[1]} folds, by {criterion}; the chosen {criterion} is marked"
    dashed = "" if nested is None else " Dashed line and band: nested cross-validation, ± one standard error."
    blocks.append(Figure(svg, f"Mean cross-validated {name} against the number of {unit}.{dashed}"))
    blocks.append(Table(caption=caption, heads=heads, rows=rows, marked=display.taken))
    if nested is not None:
        blocks.append(
            _folds(name, nested, criterion, selector.nested_sizes_ if criterion == "size" else selector.nested_gammas_)
        )
    return Section("error", "No unbiased estimate" if nested is None else f"Expected {name} on new data", blocks)


def _folds(name: str, nested: ArrayLike, by: str = "", chosen_values: ArrayLike = ()) -> Table:
    """Return a table of the score of each fold, and the gamma or size that was chosen on its training part."""
    scores = align_numbers(nested)
    chosen, heads = ([align_numbers(chosen_values)], [f"chosen {by}"]) if by else ([], [])
    rows = list(zip(map(str, range(1, len(scores) + 1)), *chosen, scores, strict=True))
    caption = f"Nested cross-validation: {by} and {name} per fold" if by else f"Cross-validation: {name} per fold"
    return Table(caption=caption, heads=["fold", *heads, name], rows=rows)


def _given_size(selector: Any) -> Section:
    """Return the section on the error of a selection of a requested size."""
    if not hasattr(selector, "nested_scores_"):
        text = (
            "This fit has no unbiased error estimate: its features were selected on all rows. nested=True estimates "
            "the error by cross-validation."
        )
        return Section("error", "No unbiased estimate", [Text(text, note=True)])
    from pyrrf.sklearn.displays.path import score_name

    name = score_name(selector)
    scores = 1 - selector.nested_scores_ if name == "error" else selector.nested_scores_
    blocks: list[Block] = [Text(_nested_text(name, scores, ""))]
    blocks += [Text(text, note=noted) for text, noted in _comparison_texts(selector)]
    return Section("error", f"Expected {name} on new data", [*blocks, _folds(name, scores)])


def _nested_text(name: str, nested: ArrayLike | None, by: str) -> str:
    """Return a text on the error on new data; `by` is "gamma", "size" or "", the parameter that folds chose."""
    if nested is None:
        return (
            f"The fit had nested=False, so there is no unbiased estimate: the cross-validated {name} of the chosen "
            f"{by} is optimistic, because the {by} was chosen by it."
        )
    selected = {"gamma": "guide, gamma and features", "size": "size and features"}.get(by, "features")
    alone = f" The cross-validated {name} of the chosen {by} alone would be optimistic." if by else ""
    return (
        f"Expected {name} on new data: {mean_and_error(nested)} (mean ± standard error over the folds), by "
        f"{'nested ' * bool(by)}cross-validation: {selected} were selected on the training part of each fold, and the "
        f"{name} was measured on its test part.{alone}"
    )


def _comparison_texts(
    selector: Any, losses: dict[int, float] | None = None, unit: str = "features"
) -> list[tuple[str, bool]]:
    """Return texts that compare the score with other subsets, each with whether it is a warning."""
    from pyrrf.sklearn.displays.path import score_name

    name = score_name(selector)
    all_scores, baseline = (
        1 - each if name == "error" else each for each in (selector.all_scores_, selector.guess_scores_)
    )
    pool, p = len(selector.path_), selector.n_features_in_
    what = f"all {pool:,} " + ("preselected " if pool < p else "") + "features"
    texts = [
        (
            f"On the same folds the {name} with {what} is {format_short(all_scores.mean())}, and "
            f"{format_short(baseline.mean())} for a baseline without features, which predicts the most frequent class "
            "or the mean.",
            False,
        )
    ]
    if not selector.better_than_guess_:
        texts.append(("No subset is significantly better than the baseline: do not rely on these features.", True))
    if not losses:
        return texts
    chosen, _ = chosen_and_harmful(selector)
    fewer = [f"{size:,}: {round(loss, 3) + 0.0:+.3f}" for size, loss in losses.items() if size < chosen][:_MOST_SIZES]
    if fewer:
        texts.append((f"Loss with fewer {unit} than the chosen {chosen:,}: {', '.join(fewer)}.", False))
    return texts


def mean_and_error(scores: ArrayLike) -> str:
    """Return a mean and its standard error as text."""
    from pyrrf.sklearn.displays.path import standard_error

    values = np.asarray(scores, np.float64)
    mean, error = float(values.mean()), float(standard_error(values))
    return format_short(mean) if len(values) < 2 else f"{format_short(mean)} ± {format_short(error, 2)}"


def _out_of_bag(summary: SelectionSummary) -> Section:
    from pyrrf.sklearn.displays.forest_error import ForestErrorDisplay

    svg = picture(
        lambda ax: ForestErrorDisplay.from_estimator(summary.selector, ax=ax),
        4.2,
        "trees",
        "The error out of bag against the number of trees.",
    )
    if not summary.is_regularized:
        return Section("error", "Out-of-bag error", [Figure(svg, "Out-of-bag error against the number of trees.")])
    text = (
        "This fit has no unbiased error estimate: its features were selected on all rows, so the out-of-bag error is "
        "optimistic (for two classes, 60 rows and 2,000 random columns it is about .3 instead of .5). GRRFSelectorCV "
        "estimates the error by nested cross-validation."
    )
    caption = "The out-of-bag error shows whether there are enough trees, not the error on new data."
    return Section("error", "No unbiased estimate", [Text(text, note=True), Figure(svg, caption)])


def error_tile(selector: Any) -> Tile:
    """Return the tile of the error, or one with "not estimated"."""
    if not hasattr(selector, "nested_scores_"):
        source = "pass nested=True" if hasattr(selector, "nested") else "cross-validate a pipeline with it"
        return Tile("error on new data", "not estimated", source)
    from pyrrf.sklearn.displays.path import score_name

    name = score_name(selector)
    scores = 1 - selector.nested_scores_ if name == "error" else selector.nested_scores_
    return Tile(f"expected {name}", mean_and_error(scores), "by cross-validation, ± standard error")


def importance_section(summary: SelectionSummary, X: Any, y: Any) -> Section | None:
    """Return the section on the variation of importances between trees; None without a forest and rows."""
    if X is None or y is None or not hasattr(summary.selector, "result_") or not summary.support.any():
        return None
    from pyrrf.sklearn.displays.importance import ImportanceDisplay

    lines = min(int(summary.support.sum()), _MOST_LINES)
    svg = picture(
        lambda ax: ImportanceDisplay.from_estimator(summary.selector, X, y, max_features=lines, ax=ax),
        chart_height(lines),
        "trees-importance",
        "A box for each feature: its importance in each tree.",
    )
    caption = (
        "Decrease of impurity by each feature in each tree, on the rows passed to report(), scaled so that the trees' "
        "totals are 1 on average. Boxes show the quartiles over the trees."
    )
    return Section("importance", "Importance, tree by tree", [Figure(svg, caption)])


def rounds_section(summary: SelectionSummary) -> Section | None:
    """Return the section on the rounds of an elimination; None for other selectors."""
    selector = summary.selector
    if not summary.is_elimination:
        return None
    weights = selector.weights_
    rounds = selector.credits_.groupby("round")["feature"].apply(list).tolist()
    dropped = [
        *(
            [name for name in features if name not in set(next_features)]
            for features, next_features in pairwise(rounds)
        ),
        rounds[-1],
    ]
    numbers = [align_numbers(weights[name]) for name in ("n_features", "forest", "ridge")]
    names = ["; ".join(plain_text(name, LONGEST) for name in features[:_MOST_DROPPED]) for features in dropped]
    more = [
        f" and {len(features) - _MOST_DROPPED:,} more" if len(features) > _MOST_DROPPED else "" for features in dropped
    ]
    rows = [
        [str(round_number), *line, text + rest]
        for round_number, (*line, text, rest) in enumerate(zip(*numbers, names, more, strict=True), start=1)
    ]
    words = (
        "The weights say how well the forest and the ridge regression predict held-out rows; the credit of a "
        "feature is the weighted sum of those in both. Dropped features are listed best first; the last round lists "
        "what was left."
    )
    heads = ["round", "features", "weight of forest", "weight of ridge", "dropped in this round"]
    table = Table(caption="The rounds", heads=heads, rows=rows, words=[4])
    return Section("rounds", "Rounds", [Text(words), table])


def decisions_section(summary: SelectionSummary) -> Section | None:
    """Return the section on the decisions of Boruta, with tentative features; None for other selectors."""
    selector = summary.selector
    if not hasattr(selector, "decisions_"):
        return None
    counts = [(int((selector.decisions_ == word).sum()), word) for word in ("confirmed", "tentative", "rejected")]
    sentence = ", ".join(f"{number:,} {word}" for number, word in counts)
    blocks: list[Block] = [Text(f"After {selector.n_iter_} rounds: {sentence}.")]
    weak = np.flatnonzero(selector.support_weak_)[:MOST_ROWS]
    if len(weak):
        rows = [
            [summary.feature_name(position), f"{selector.hits_[position]} of {selector.n_iter_}"]
            for position in weak.tolist()
        ]
        blocks.append(Table(caption="Tentative features, not selected", heads=["feature", "hits"], rows=rows, words=[]))
    return Section("decisions", "Decisions", blocks)


def stability_section(summary: SelectionSummary) -> Section | None:
    """Return the section on selection frequencies; None if the selector has none."""
    selector = summary.selector
    if not hasattr(selector, "selection_frequencies_"):
        return None
    from pyrrf.sklearn.displays.stability import StabilityDisplay

    lines = min(int((selector.selection_frequencies_ > 0).sum()), _MOST_LINES)
    svg = picture(
        lambda ax: StabilityDisplay.from_estimator(selector, max_features=_MOST_LINES, ax=ax),
        chart_height(lines),
        "stability",
        "Selection frequency of each feature over the half-samples, and the threshold.",
    )
    q, p = selector.n_features_half_, len(summary.support)
    text = (
        f"A half-sample selects {format_short(q)} of {p:,} features on average. The expected number of noise features "
        f"among those selected is at most {format_short(selector.pfer_bound_)} (assumption: {selector.assumption}). "
        "Noise features are independent of the target; those correlated with relevant ones are not."
    )
    return Section(
        "stability", "Stability", [Text(text), Figure(svg, "The most frequent features, and the threshold.")]
    )


def substitutes_section(summary: SelectionSummary, X: Any) -> Section | None:
    """Return the section on substitutes for the selected features; None if they are unknown."""
    selector = summary.selector
    if not summary.support.any() or (X is None and not hasattr(selector, "substitutes_")):
        return None
    from pyrrf.sklearn.displays.redundancy import RedundancyDisplay, substitutes_of

    table = substitutes_of(selector, X)
    if not len(table):
        text = "No other feature has a rank correlation of at least .7 (absolute) with a selected one."
        return Section("substitutes", "Substitutes", [Text(text)])
    columns = min(table["feature"].nunique(), _MOST_COLUMNS)
    shown = table[table["feature"].isin(table["feature"].drop_duplicates()[:columns])]
    lines = min(shown["substitute"].nunique(), _MOST_LINES)
    svg = picture(
        lambda ax: RedundancyDisplay.from_estimator(selector, X, max_features=columns, max_substitutes=lines, ax=ax),
        chart_height(lines) + 2.2,
        "substitutes",
        "Heat map of rank correlations of features not selected with selected ones; the table has the closest ones.",
    )
    was_replaced = bool(table["replaces"].notna().any())
    caption = (
        "Rank correlations of features not selected (rows) with selected ones (columns)."
        + was_replaced * " A star: selected when the column's feature is removed."
    )
    return Section(
        "substitutes",
        "Substitutes",
        [Text(_substitutes_text(was_replaced)), Figure(svg, caption), _substitutes_table(table, was_replaced)],
    )


def _substitutes_text(was_replaced: bool) -> str:
    text = "Features that were not selected, but could replace a selected one that is costly or hard to measure."
    if not was_replaced:
        return f"{text} Listed are Spearman correlations of at least .7 (absolute)."
    return (
        f"{text} Replaces: increase of the substitute's selection frequency when the selected feature is removed. "
        "Listed are Spearman correlations of at least .7 (absolute), and increases of at least .4."
    )


def _substitutes_table(table: Any, was_replaced: bool) -> Table:
    """Return a table of the selected features and their substitutes, with correlations and replacement shares."""
    substitutes: dict[Any, list[str]] = {}
    for feature, other, correlation, share in table.itertuples(index=False):
        replaces = f", replaces {share:.2f}" if was_replaced and share else ""
        substitutes.setdefault(feature, []).append(f"{plain_text(other, LONGEST)} ({correlation:.2f}{replaces})")
    rows = [
        [plain_text(feature, LONGEST), "; ".join(others)] for feature, others in list(substitutes.items())[:MOST_ROWS]
    ]
    more = f", of the first {MOST_ROWS} of {len(substitutes):,} features" if len(substitutes) > MOST_ROWS else ""
    heads = ["selected", "substitutes (rank correlation)"]
    return Table(caption=f"Substitutes{more}, the closest first", heads=heads, rows=rows, words=[1])

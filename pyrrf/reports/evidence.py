"""What speaks for a selection: errors, stability, importances, and what could stand for what was kept."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyrrf.plots.panels import plain_text
from pyrrf.plots.selection import chart_height
from pyrrf.reports.blocks import Block, Figure, Section, Table, Text, Tile, aligned, short
from pyrrf.reports.facts import LONGEST, MOST_ROWS, Facts, chosen_and_harmful
from pyrrf.reports.pictures import picture

_MOST_LINES, _MOST_COLUMNS = 20, 6
# Sizes below the one taken of which the text speaks.
_MOST_SIZES = 6
# Features that the line of a round names.
_MOST_GONE = 6


def error_section(facts: Facts) -> Section | None:
    """Return how well the features predict, as far as the selector knows."""
    selector = facts.selector
    if hasattr(selector, "cv_results_") and (hasattr(selector, "gamma_") or facts.eliminated):
        return _chosen_size(selector)
    if facts.eliminated:
        return _given_size(selector)
    if hasattr(facts.selector, "result_"):
        return _out_of_bag(facts)
    return None


def _chosen_size(selector: Any) -> Section:
    from pyrrf.sklearn.displays.path import PathDisplay, standard_error
    from pyrrf.sklearn.kept import score_lost_at

    drawn: list[PathDisplay] = []
    svg = picture(
        lambda ax: drawn.append(PathDisplay.from_estimator(selector, ax=ax)),
        3.6,
        "path",
        "The mean cross-validated score or error against the subset size; the table has the numbers.",
    )
    display = drawn[0]
    name, scores, nested = display.score_name, display.scores, display.nested_scores
    assert scores is not None
    by = "size" if display.gammas is None else "gamma"
    columns = [display.n_features, scores.mean(axis=1), standard_error(scores)]
    unit = "groups" if by == "size" and selector.feature_groups is not None else "features"
    heads = [unit, f"mean {name}", "standard error"]
    if display.gammas is not None:
        columns, heads = [display.gammas, *columns], ["gamma", *heads]
    blocks: list[Block] = [Text(_nested_words(name, nested, by), note=nested is None)]
    if by == "size" and nested is not None and chosen_and_harmful(selector)[1]:
        blocks.append(Text("In the folds, features with a negative score were not dropped."))
    if by == "size":
        losses = score_lost_at(selector)
        columns, heads = [*columns, np.array(list(losses.values()))], [*heads, "loss against the chosen size"]
        blocks += [Text(words, note=noted) for words, noted in _compared_words(selector, losses, unit)]
    rows = list(zip(*map(aligned, columns), strict=True))
    caption = f"Cross-validation over {scores.shape[1]} folds, by {by}; the chosen {by} is marked"
    dashed = "" if nested is None else " Dashed line and band: nested cross-validation, ± one standard error."
    blocks.append(Figure(svg, f"Mean cross-validated {name} against the number of {unit}.{dashed}"))
    blocks.append(Table(caption=caption, heads=heads, rows=rows, marked=display.taken))
    if nested is not None:
        blocks.append(_folds(name, nested, by, selector.nested_sizes_ if by == "size" else selector.nested_gammas_))
    return Section("error", "No unbiased estimate" if nested is None else f"Expected {name} on new data", blocks)


def _folds(name: str, nested: ArrayLike, by: str = "", taken: ArrayLike = ()) -> Table:
    """Return the score of each fold, and the gamma or the size that was chosen on its training part."""
    scores = aligned(nested)
    chosen, heads = ([aligned(taken)], [f"chosen {by}"]) if by else ([], [])
    rows = list(zip(map(str, range(1, len(scores) + 1)), *chosen, scores, strict=True))
    caption = f"Nested cross-validation: {by} and {name} per fold" if by else f"Cross-validation: {name} per fold"
    return Table(caption=caption, heads=["fold", *heads, name], rows=rows)


def _given_size(selector: Any) -> Section:
    """Return the error of a choice whose size was asked for."""
    if not hasattr(selector, "nested_scores_"):
        words = (
            "This fit has no unbiased error estimate: its features were selected on all rows. nested=True estimates "
            "the error by cross-validation."
        )
        return Section("error", "No unbiased estimate", [Text(words, note=True)])
    from pyrrf.sklearn.displays.path import score_name

    name = score_name(selector)
    scores = 1 - selector.nested_scores_ if name == "error" else selector.nested_scores_
    blocks: list[Block] = [Text(_nested_words(name, scores, ""))]
    blocks += [Text(words, note=noted) for words, noted in _compared_words(selector)]
    return Section("error", f"Expected {name} on new data", [*blocks, _folds(name, scores)])


def _nested_words(name: str, nested: ArrayLike | None, by: str) -> str:
    """Return what is known of the error on new data; `by`: whether a gamma, a size or nothing was chosen by folds."""
    if nested is None:
        return (
            f"The fit had nested=False, so there is no unbiased estimate: the cross-validated {name} of the chosen "
            f"{by} is optimistic, because the {by} was chosen by it."
        )
    what = {"gamma": "guide, gamma and features", "size": "size and features"}.get(by, "features")
    alone = f" The cross-validated {name} of the chosen {by} alone would be optimistic." if by else ""
    return (
        f"Expected {name} on new data: {mean_and_error(nested)} (mean ± standard error over the folds), by "
        f"{'nested ' * bool(by)}cross-validation: {what} were selected on the training part of each fold, and the "
        f"{name} was measured on its test part.{alone}"
    )


def _compared_words(
    selector: Any, losses: dict[int, float] | None = None, unit: str = "features"
) -> list[tuple[str, bool]]:
    """Return what all features, a baseline and fewer features are worth, in words, and whether they are a caution."""
    from pyrrf.sklearn.displays.path import score_name

    name = score_name(selector)
    every, guess = (1 - each if name == "error" else each for each in (selector.all_scores_, selector.guess_scores_))
    pool, p = len(selector.path_), selector.n_features_in_
    what = f"all {pool:,} " + ("preselected " if pool < p else "") + "features"
    said = [
        (
            f"On the same folds the {name} with {what} is {short(every.mean())}, and {short(guess.mean())} for a "
            "baseline without features, which predicts the most frequent class or the mean.",
            False,
        )
    ]
    if not selector.better_than_guess_:
        said.append(("No subset is significantly better than the baseline: do not rely on these features.", True))
    if not losses:
        return said
    taken, _ = chosen_and_harmful(selector)
    fewer = [f"{size:,}: {round(loss, 3) + 0.0:+.3f}" for size, loss in losses.items() if size < taken][:_MOST_SIZES]
    if fewer:
        said.append((f"Loss with fewer {unit} than the chosen {taken:,}: {', '.join(fewer)}.", False))
    return said


def mean_and_error(scores: ArrayLike) -> str:
    """Return a mean and its standard error in words."""
    from pyrrf.sklearn.displays.path import standard_error

    values = np.asarray(scores, np.float64)
    mean, error = float(values.mean()), float(standard_error(values))
    return short(mean) if len(values) < 2 else f"{short(mean)} ± {short(error, 2)}"


def _out_of_bag(facts: Facts) -> Section:
    from pyrrf.sklearn.displays.forest_error import ForestErrorDisplay

    svg = picture(
        lambda ax: ForestErrorDisplay.from_estimator(facts.selector, ax=ax),
        4.2,
        "trees",
        "The error out of bag against the number of trees.",
    )
    if not facts.regularized:
        return Section("error", "Out-of-bag error", [Figure(svg, "Out-of-bag error against the number of trees.")])
    words = (
        "This fit has no unbiased error estimate: its features were selected on all rows, so the out-of-bag error is "
        "optimistic (for two classes, 60 rows and 2,000 random columns it is about .3 instead of .5). GRRFSelectorCV "
        "estimates the error by nested cross-validation."
    )
    caption = "The out-of-bag error shows whether there are enough trees, not the error on new data."
    return Section("error", "No unbiased estimate", [Text(words, note=True), Figure(svg, caption)])


def error_tile(selector: Any) -> Tile:
    """Return the error as a figure at the head of the page, or that it is not estimated."""
    if not hasattr(selector, "nested_scores_"):
        source = "pass nested=True" if hasattr(selector, "nested") else "cross-validate a pipeline with it"
        return Tile("error on new data", "not estimated", source)
    from pyrrf.sklearn.displays.path import score_name

    name = score_name(selector)
    scores = 1 - selector.nested_scores_ if name == "error" else selector.nested_scores_
    return Tile(f"expected {name}", mean_and_error(scores), "by cross-validation, ± standard error")


def importance_section(facts: Facts, X: Any, y: Any) -> Section | None:
    """Return how the importances vary from tree to tree; None without a forest and rows."""
    if X is None or y is None or not hasattr(facts.selector, "result_") or not facts.support.any():
        return None
    from pyrrf.sklearn.displays.importance import ImportanceDisplay

    lines = min(int(facts.support.sum()), _MOST_LINES)
    svg = picture(
        lambda ax: ImportanceDisplay.from_estimator(facts.selector, X, y, max_features=lines, ax=ax),
        chart_height(lines),
        "trees-importance",
        "A box for each feature: its importance in each tree.",
    )
    caption = (
        "Decrease of impurity by each feature in each tree, on the rows passed to report(), scaled so that the trees' "
        "totals are 1 on average. Boxes show the quartiles over the trees."
    )
    return Section("importance", "Importance, tree by tree", [Figure(svg, caption)])


def rounds_section(facts: Facts) -> Section | None:
    """Return the rounds of an elimination; None for other selectors."""
    selector = facts.selector
    if not facts.eliminated:
        return None
    weights = selector.weights_
    last = selector.scores_.groupby("round")["feature"].apply(list).tolist()
    gone = [*([name for name in one if name not in set(other)] for one, other in pairwise(last)), last[-1]]
    numbers = [aligned(weights[name]) for name in ("n_features", "forest", "ridge")]
    names = ["; ".join(plain_text(name, LONGEST) for name in one[:_MOST_GONE]) for one in gone]
    more = [f" and {len(one) - _MOST_GONE:,} more" if len(one) > _MOST_GONE else "" for one in gone]
    rows = [
        [str(at), *line, text + rest]
        for at, (*line, text, rest) in enumerate(zip(*numbers, names, more, strict=True), start=1)
    ]
    words = (
        "The weights say how well the forest and the ridge regression predict held-out rows; a score is the weighted "
        "sum of a feature's credit in both. Dropped features are listed best first; the last round lists what was left."
    )
    heads = ["round", "features", "weight of forest", "weight of ridge", "dropped in this round"]
    table = Table(caption="The rounds", heads=heads, rows=rows, words=[4])
    return Section("rounds", "Rounds", [Text(words), table])


def decisions_section(facts: Facts) -> Section | None:
    """Return what Boruta says of the features that are not kept; None for other selectors."""
    selector = facts.selector
    if not hasattr(selector, "decisions_"):
        return None
    counts = [(int((selector.decisions_ == word).sum()), word) for word in ("confirmed", "tentative", "rejected")]
    said = ", ".join(f"{number:,} {word}" for number, word in counts)
    blocks: list[Block] = [Text(f"After {selector.n_iter_} rounds: {said}.")]
    weak = np.flatnonzero(selector.support_weak_)[:MOST_ROWS]
    if len(weak):
        rows = [[facts.name(at), f"{selector.hits_[at]} of {selector.n_iter_}"] for at in weak.tolist()]
        blocks.append(Table(caption="Tentative features, not selected", heads=["feature", "hits"], rows=rows, words=[]))
    return Section("decisions", "Decisions", blocks)


def stability_section(facts: Facts) -> Section | None:
    """Return how often features are selected; None if that was not tried."""
    selector = facts.selector
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
    q, p = selector.n_features_half_, len(facts.support)
    words = (
        f"A half-sample selects {short(q)} of {p:,} features on average. The expected number of noise features among "
        f"those selected is at most {short(selector.pfer_bound_)} (assumption: {selector.assumption}). Noise features "
        "are independent of the target; those correlated with relevant ones are not."
    )
    return Section(
        "stability", "Stability", [Text(words), Figure(svg, "The most frequent features, and the threshold.")]
    )


def substitutes_section(facts: Facts, X: Any) -> Section | None:
    """Return what could stand for the features kept; None if that is not known."""
    selector = facts.selector
    if not facts.support.any() or (X is None and not hasattr(selector, "substitutes_")):
        return None
    from pyrrf.sklearn.displays.redundancy import RedundancyDisplay, substitutes_of

    table = substitutes_of(selector, X)
    if not len(table):
        words = "No other feature has a rank correlation of at least .7 (absolute) with a selected one."
        return Section("substitutes", "Substitutes", [Text(words)])
    columns = min(table["feature"].nunique(), _MOST_COLUMNS)
    shown = table[table["feature"].isin(table["feature"].drop_duplicates()[:columns])]
    lines = min(shown["substitute"].nunique(), _MOST_LINES)
    svg = picture(
        lambda ax: RedundancyDisplay.from_estimator(selector, X, max_features=columns, max_substitutes=lines, ax=ax),
        chart_height(lines) + 2.2,
        "substitutes",
        "Heat map of rank correlations of features not selected with selected ones; the table has the closest ones.",
    )
    tried = bool(table["replaces"].notna().any())
    caption = (
        "Rank correlations of features not selected (rows) with selected ones (columns)."
        + tried * " A star: selected when the column's feature is removed."
    )
    return Section(
        "substitutes",
        "Substitutes",
        [Text(_substitutes_words(tried)), Figure(svg, caption), _substitutes_table(table, tried)],
    )


def _substitutes_words(tried: bool) -> str:
    words = "Features that were not selected, but could replace a selected one that is costly or hard to measure."
    if not tried:
        return f"{words} Listed are Spearman correlations of at least .7 (absolute)."
    return (
        f"{words} Replaces: increase of the substitute's selection frequency when the selected feature is removed. "
        "Listed are Spearman correlations of at least .7 (absolute), and increases of at least .4."
    )


def _substitutes_table(table: Any, tried: bool) -> Table:
    """Return a line for each kept feature: its substitutes, each with its correlation and how often it replaces."""
    said: dict[Any, list[str]] = {}
    for feature, other, correlation, share in table.itertuples(index=False):
        replaces = f", replaces {share:.2f}" if tried and share else ""
        said.setdefault(feature, []).append(f"{plain_text(other, LONGEST)} ({correlation:.2f}{replaces})")
    rows = [[plain_text(feature, LONGEST), "; ".join(others)] for feature, others in list(said.items())[:MOST_ROWS]]
    more = f", of the first {MOST_ROWS} of {len(said):,} features" if len(said) > MOST_ROWS else ""
    heads = ["selected", "substitutes (rank correlation)"]
    return Table(caption=f"Substitutes{more}, the closest first", heads=heads, rows=rows, words=[1])

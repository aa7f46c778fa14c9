"""What speaks for a selection: errors, stability, importances, and what could stand for what was kept."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyrrf.plots.panels import plain_text
from pyrrf.plots.selection import chart_height
from pyrrf.reports.blocks import Block, Figure, Section, Table, Text, Tile, aligned, short
from pyrrf.reports.facts import LONGEST, MOST_ROWS, Facts
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
        "The mean score of each gamma against the number of features that it keeps; the table has the numbers.",
    )
    display = drawn[0]
    name, scores, nested = display.score_name, display.scores, display.nested_scores
    assert scores is not None
    by = "size" if display.gammas is None else "gamma"
    columns = [display.n_features, scores.mean(axis=1), standard_error(scores)]
    heads = ["features", f"mean {name}", "standard error"]
    if display.gammas is not None:
        columns, heads = [display.gammas, *columns], ["gamma", *heads]
    blocks: list[Block] = [Text(_nested_words(name, nested, by), note=nested is None)]
    if by == "size":
        losses = score_lost_at(selector)
        columns, heads = [*columns, np.array(list(losses.values()))], [*heads, "more error than the one taken"]
        blocks += [Text(words, note=noted) for words, noted in _compared_words(selector, losses)]
    rows = list(zip(*map(aligned, columns), strict=True))
    caption = f"By {by}, over {scores.shape[1]} folds; the line that was taken is marked"
    dashed = "" if nested is None else " The dashed line is that of the whole choice."
    blocks.append(Figure(svg, f"Mean {name} against the number of features.{dashed}"))
    blocks.append(Table(caption=caption, heads=heads, rows=rows, marked=display.taken))
    if nested is not None:
        blocks.append(_folds(name, nested, by, selector.nested_sizes_ if by == "size" else selector.nested_gammas_))
    return Section("error", f"The {name} {'is not known' if nested is None else 'to expect'}", blocks)


def _folds(name: str, nested: ArrayLike, by: str, taken: ArrayLike) -> Table:
    """Return the score of the whole choice on each fold."""
    scores = aligned(nested)
    folds = list(zip(map(str, range(1, len(scores) + 1)), aligned(taken), scores, strict=True))
    return Table(
        caption=f"The whole choice: {by} and {name} of each fold", heads=["fold", f"{by} taken", name], rows=folds
    )


def _given_size(selector: Any) -> Section:
    """Return the error of a choice whose size was asked for."""
    if not hasattr(selector, "nested_scores_"):
        words = (
            "This fit has no unbiased error estimate: its features were selected on all rows. nested=True estimates "
            "the error by nested cross-validation."
        )
        return Section("error", "The error is not known", [Text(words, note=True)])
    from pyrrf.sklearn.displays.path import score_name

    name = score_name(selector)
    scores = 1 - selector.nested_scores_ if name == "error" else selector.nested_scores_
    blocks: list[Block] = [Text(_nested_words(name, scores, "size"))]
    blocks += [Text(words, note=noted) for words, noted in _compared_words(selector, {})]
    return Section("error", f"The {name} to expect", [*blocks, _folds(name, scores, "size", selector.nested_sizes_)])


def _nested_words(name: str, nested: ArrayLike | None, by: str) -> str:
    """Return what is known of the error of a whole choice; `by`: whether a gamma or a size was taken."""
    if nested is None:
        return (
            "How well the whole choice does is not known, because the fit had nested=False. The "
            f"{name} of the {by} taken is too good: it was taken for it."
        )
    what = "guide, gamma and features" if by == "gamma" else "the features, and their number unless it was given,"
    return (
        f"The {name} to expect is {mean_and_error(nested)} (mean and standard error over the folds). It is that of the "
        f"whole choice: {what} were found anew inside the training part of each fold, and rows that had no part in it "
        f"judged. The {name} of a single {by} would be too good for the one that was taken."
    )


def _compared_words(selector: Any, losses: dict[int, float]) -> list[tuple[str, bool]]:
    """Return what all features, a guess and fewer features are worth, in words, and whether they are a caution."""
    from pyrrf.sklearn.displays.path import score_name

    name = score_name(selector)
    every, guess = (1 - each if name == "error" else each for each in (selector.all_scores_, selector.guess_scores_))
    pool, p = len(selector.path_), selector.n_features_in_
    what = f"all {pool:,} features" + (" of the pool" if pool < p else "")
    said = [
        (
            f"On the same folds the {name} of {what} is {short(every.mean())}, and that of a guess from the target "
            f"alone {short(guess.mean())}.",
            False,
        )
    ]
    if not selector.better_than_guess_:
        said.append(("No subset predicts better than that guess: do not rely on these features.", True))
    taken = int(selector.cv_results_["n_features"][selector.best_index_]) if losses else 0
    fewer = [f"{size:,}: {loss:+.3f}" for size, loss in losses.items() if size < taken][:_MOST_SIZES]
    if fewer:
        said.append((f"What fewer features than {taken:,} would cost: {', '.join(fewer)}.", False))
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
        return Section(
            "error", "The error out of bag", [Figure(svg, "The error out of bag against the number of trees.")]
        )
    words = (
        "This fit has no unbiased error estimate. Its features were selected on all rows, so the error out of bag is "
        "optimistic: on 60 rows of 2,000 random columns it is about .3, and the true error is .5. GRRFSelectorCV "
        "estimates the error by nested cross-validation."
    )
    caption = "The error out of bag shows whether there are enough trees, not how well they predict."
    return Section("error", "The error is not known", [Text(words, note=True), Figure(svg, caption)])


def error_tile(selector: Any) -> Tile:
    """Return the error as a figure at the head of the page, or that it is not known."""
    if not hasattr(selector, "nested_scores_"):
        source = "nested=True" if hasattr(selector, "nested") else "GRRFSelectorCV"
        return Tile("error to expect", "not known", f"{source} estimates it")
    from pyrrf.sklearn.displays.path import score_name

    name = score_name(selector)
    scores = 1 - selector.nested_scores_ if name == "error" else selector.nested_scores_
    return Tile(f"nested {name}", mean_and_error(scores), "of the whole choice, on rows that had no part in it")


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
        "What the splits by each feature are worth in each tree on the rows given, by Gini index or squares; those of "
        "a tree are 1 on average. A box holds half of the trees."
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
        "The weights say how well forest and regression predict rows that they did not see; a score is the sum of both "
        "credits by these weights. What a round drops is listed with the best first; the last round has what is left."
    )
    heads = ["round", "features", "weight of the forest", "of the regression", "dropped after it"]
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
        blocks.append(Table(caption="Tentative features, not kept", heads=["feature", "hits"], rows=rows, words=[]))
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
        "The share of the halves that keep each feature, and the threshold.",
    )
    q, p = selector.n_features_half_, len(facts.support)
    words = (
        f"A half keeps {short(q)} of {p:,} features on average. At most {short(selector.pfer_bound_)} of the features "
        f"kept are expected to be seldom selected, that is, not more often than by lot ({short(q / p)} of the halves). "
        f"The bound assumes: {selector.assumption}. It does not cover features correlated with true ones."
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
        words = "No dropped feature comes close to one that was kept: no rank correlation is .7 or more."
        return Section("substitutes", "Substitutes", [Text(words)])
    columns = min(table["feature"].nunique(), _MOST_COLUMNS)
    shown = table[table["feature"].isin(table["feature"].drop_duplicates()[:columns])]
    lines = min(shown["substitute"].nunique(), _MOST_LINES)
    svg = picture(
        lambda ax: RedundancyDisplay.from_estimator(selector, X, max_features=columns, max_substitutes=lines, ax=ax),
        chart_height(lines) + 1.6,
        "substitutes",
        "A heat map of the rank correlations of dropped features with kept ones; the table has the closest ones.",
    )
    tried = bool(table["replaces"].notna().any())
    caption = (
        "Dropped features (rows) and kept ones (columns): rank correlations."
        + tried * " A star: selected in its place."
    )
    return Section(
        "substitutes",
        "Substitutes",
        [Text(_substitutes_words(tried)), Figure(svg, caption), _substitutes_table(table, tried)],
    )


def _substitutes_words(tried: bool) -> str:
    words = "Dropped features that order the rows much as a kept one does, and could stand for it if it is hard to get."
    if not tried:
        return f"{words} Listed are rank correlations of at least .7."
    return (
        f"{words} Replaces: by how much more often the substitute is selected when the kept feature is removed, of the "
        "halves that were tried. Listed are rank correlations of at least .7, and what replaces on at least .4 of them."
    )


def _substitutes_table(table: Any, tried: bool) -> Table:
    """Return a line for each kept feature: its substitutes, each with its correlation and how often it replaces."""
    said: dict[Any, list[str]] = {}
    for feature, other, correlation, share in table.itertuples(index=False):
        replaces = f", replaces {share:.2f}" if tried and share else ""
        said.setdefault(feature, []).append(f"{plain_text(other, LONGEST)} ({correlation:.2f}{replaces})")
    rows = [[plain_text(feature, LONGEST), "; ".join(others)] for feature, others in list(said.items())[:MOST_ROWS]]
    more = f", of the first {MOST_ROWS} of {len(said):,} features" if len(said) > MOST_ROWS else ""
    heads = ["kept", "substitutes, with their correlations"]
    return Table(caption=f"Substitutes{more}, the closest first", heads=heads, rows=rows, words=[1])

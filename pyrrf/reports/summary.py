"""Results of a fitted selector for each feature, and the sections on the selected features and their cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.data.alignment import per_label
from pyrrf.plots.panels import plain_text
from pyrrf.reports.blocks import Bar, Block, Lines, Section, Table, Text, align_numbers, count_noun, format_short
from pyrrf.types import Floats

# Most rows of a table, and the longest name in it, in letters.
MOST_ROWS, LONGEST = 200, 60
# Attributes with a number for each feature, and the headings of their columns; shares are shown with a bar.
_ATTRIBUTES = {
    "selection_frequencies_": "frequency",
    "feature_importances_": "importance",
    "guide_importances_": "guide importance",
    "coef_reg_": "coefficient",
    "hits_": "hits",
}
_SHARES = ("frequency", "importance", "credit", "guide importance", "hits")


@dataclass(frozen=True, eq=False, kw_only=True)
class SelectionSummary:
    """A fitted selector and the results for its features.

    `inner` has the parameters of the forest: the selector itself, or the one inside. `numbers` has an array for each
    column, with one value per feature.
    """

    selector: Any
    inner: Any
    labels: list[Any]
    support: np.ndarray
    numbers: dict[str, Floats]
    groups: list[Any] | None

    @property
    def selected_positions(self) -> np.ndarray:
        """Positions of the selected features, the most important first."""
        by = next((self.numbers[name] for name in _SHARES if name in self.numbers), np.zeros(len(self.support)))
        order = np.argsort(-by, kind="stable")
        return np.asarray(order[self.support[order]])

    @property
    def is_regularized(self) -> bool:
        """Whether the features were selected, and not only used."""
        return not hasattr(self.selector, "coef_reg") or self.selector.coef_reg is not None

    @property
    def is_elimination(self) -> bool:
        """Whether features were eliminated in rounds."""
        return hasattr(self.selector, "credits_of_kept")

    def feature_name(self, position: int) -> str:
        """Return the name of a feature for a table."""
        return plain_text(self.labels[position], LONGEST)


def summarize(selector: Any) -> SelectionSummary:
    """Return the results of a fitted selector or forest.

    TypeError if it has no selected features.
    """
    from pyrrf.sklearn.displays.base import feature_labels, fitted_support

    support, labels = fitted_support(selector), feature_labels(selector)
    inner = selector if hasattr(selector, "feature_cost") else getattr(selector, "selector", selector)
    numbers = {
        word: np.asarray(getattr(selector, name), np.float64)
        for name, word in _ATTRIBUTES.items()
        if hasattr(selector, name) and np.shape(getattr(selector, name)) == support.shape
    }
    if hasattr(selector, "credits_of_kept"):
        from pyrrf.sklearn.selection_report import parts_of_credit

        numbers |= {word: np.nan_to_num(values) for word, values in parts_of_credit(selector).items()}
    index = pd.Index(labels, dtype=object)  # pandas' strings cannot hold lone surrogates
    cost, groups = getattr(inner, "feature_cost", None), getattr(inner, "feature_groups", None)
    if cost is not None:
        numbers["cost"] = np.asarray(per_label(cost, "feature_cost", index, 1.0), np.float64)
    return SelectionSummary(
        selector=selector,
        inner=inner,
        labels=labels,
        support=support,
        numbers=numbers,
        groups=None if groups is None else per_label(groups, "feature_groups", index, None),
    )


def selected_section(summary: SelectionSummary) -> Section:
    """Return the section with the table of selected features and the reason of the selection."""
    selected, blocks = summary.selected_positions, list[Block]([Text(describe_selection(summary))])
    if len(selected) == 0:
        return Section("kept", "Selected features, and why", [*blocks, Text("No feature was selected.", note=True)])
    listed = selected[:MOST_ROWS]
    heads = ["feature", *summary.numbers, *(["group"] if summary.groups is not None else [])]
    largest = {name: summary.numbers[name][selected].max() or 1.0 for name in _SHARES if name in summary.numbers}
    largest |= dict.fromkeys(largest.keys() & {"frequency"}, 1.0)
    texts = {name: align_numbers(values[listed]) for name, values in summary.numbers.items()}
    rows = [
        _row(summary, position, {name: text[line] for name, text in texts.items()}, largest)
        for line, position in enumerate(listed)
    ]
    more = f", the first {MOST_ROWS} of {len(selected):,}" if len(selected) > len(listed) else ""
    blocks.append(Table(caption=f"Selected features{more}", heads=heads, rows=rows, words=[len(summary.numbers) + 1]))
    return Section("kept", "Selected features, and why", [*blocks, Lines(_column_texts(summary))])


def _row(summary: SelectionSummary, position: int, texts: dict[str, str], largest: dict[str, float]) -> list[str | Bar]:
    """Return the row of a feature."""
    row: list[str | Bar] = [summary.feature_name(position)]
    for name, text in texts.items():
        row.append(Bar(text, summary.numbers[name][position] / largest[name]) if name in largest else text)
    if summary.groups is not None:
        missing = summary.groups[position] is None or summary.groups[position] != summary.groups[position]
        row.append("-" if missing else plain_text(summary.groups[position], LONGEST))
    return row


def _column_texts(summary: SelectionSummary) -> list[str]:
    """Return a sentence for each column of the table."""
    sentences = {
        "frequency": "Frequency: share of the half-samples on which the feature was selected.",
        "importance": "Importance: share of the decrease of impurity by all splits of the regularized forest.",
        "guide importance": "Guide importance: importance in the guide, divided by the largest.",
        "coefficient": "Coefficient: factor on its splits until it is first used; a lower one is a larger penalty.",
        "hits": "Hits: number of rounds in which it was more important than the shuffled copies.",
        "credit": "Credit: improvement of the prediction of held-out rows, in the last round with all those selected.",
        "forest": "Forest: the forest's part of the credit.",
        "ridge": "Ridge: the ridge regression's part of the credit.",
        "cost": "Cost: by which the coefficient, or the credit, is divided.",
    }
    if not summary.is_regularized:
        sentences["importance"] = "Importance: share of the decrease of impurity by all splits."
    texts = [sentences[name] for name in summary.numbers]
    if "credit" in summary.numbers and (summary.numbers["credit"][summary.selected_positions] < 0).any():
        texts.append("Negative credit: held-out rows are predicted no better with the feature.")
    if summary.groups is None:
        return texts
    if summary.is_elimination:
        return [*texts, "Group: its members were kept or dropped together."]
    return [*texts, "Group: after the first split on a member, no member is penalized."]


def describe_selection(summary: SelectionSummary) -> str:
    """Return a text with the reason why features were selected."""
    selector, divided = summary.selector, ", divided by its cost" if "cost" in summary.numbers else ""
    if hasattr(selector, "guide_importances_"):
        return (
            "A guide gave the importance of each feature. Then a regularized forest was grown: until a feature is "
            f"first used, its splits are penalized by its coefficient, (1 - gamma) · {format_short(selector.lambda0)} "
            f"+ gamma · guide importance{divided}. Here gamma is {format_short(selector.gamma_)}; larger values select "
            "fewer features. Selected are the features that its trees split on."
        )
    if summary.is_elimination:
        return (
            f"Backward elimination in {count_noun(len(selector.weights_), 'round')}. Each round fitted a random forest "
            "and a ridge regression to the remaining features, and dropped those that improve the prediction of "
            f"held-out rows least. How many are selected: {describe_size(selector)}."
        )
    if hasattr(selector, "decisions_"):
        return (
            f"In {count_noun(selector.n_iter_, 'round')} forests were grown on the features and on shuffled copies of "
            "them. Selected are the features that were more important than all copies in significantly more than half "
            "of the rounds, redundant ones too."
        )
    if hasattr(selector, "selection_frequencies_"):
        halves = count_noun(2 * int(selector.n_pairs), "half-sample")
        return (
            f"{with_article(type(selector.selector).__name__)} was fitted to {halves} of the rows. Selected are the "
            f"features that were selected on at least {100 * selector.threshold_:.3g}% of them."
        )
    if not summary.is_regularized:
        return "An ordinary forest was grown, which selects nothing: these are the features that its trees split on."
    if hasattr(selector, "coef_reg_"):
        return (
            "A regularized forest was grown: until a feature is first used, its splits are penalized by its "
            f"coefficient{divided}. Selected are the features that its trees split on."
        )
    return f"The features selected by {type(selector).__name__}."


def describe_size(selector: Any) -> str:
    """Return a text with the source of the size of an elimination."""
    if not hasattr(selector, "cv_results_"):
        return "the number requested"
    chosen, harmful = chosen_and_harmful(selector)
    if not harmful:
        return "the number chosen by cross-validation"
    was = "was" if harmful == 1 else "were"
    return f"cross-validation chose {chosen}, and {harmful} of them with a negative credit {was} dropped"


def chosen_and_harmful(selector: Any) -> tuple[int, int]:
    """Return the size that folds chose, and the number of features of that subset dropped for a negative credit."""
    chosen = int(selector.cv_results_["n_features"][selector.best_index_])
    return chosen, chosen - selector._count_units()


def with_article(name: str) -> str:
    """Return the name of a class with its article by pronunciation: An SVC, A Pipeline."""
    vowels = "AEFHILMNORSX" if name[1:2].isupper() else "AEIOU"  # letters whose names begin with a vowel
    return f"{'An' if name[0] in vowels else 'A'} {name}"


def cost_section(summary: SelectionSummary) -> Section | None:
    """Return the section on the cost of the features; None without costs."""
    if "cost" not in summary.numbers:
        return None
    cost = summary.numbers["cost"]
    selected_cost, total = cost[summary.support].sum(), cost.sum()
    expensive = np.argsort(-cost, kind="stable")[:10]
    expensive = expensive[cost[expensive] > cost.min()]
    rows = [
        [summary.feature_name(position), format_short(cost[position]), "yes" if summary.support[position] else "no"]
        for position in expensive.tolist()
    ]
    divided = "credit" if summary.is_elimination else "coefficient"
    blocks: list[Block] = [
        Text(
            f"The selected features cost {format_short(selected_cost)} in total, {selected_cost / total:.0%} of the "
            f"cost of all features ({format_short(total)}). The {divided} of each feature is divided by its cost, so a "
            "costly one must add more."
        )
    ]
    if rows:
        blocks.append(
            Table(caption="The most expensive features", heads=["feature", "cost", "selected"], rows=rows, words=[2])
        )
    if summary.groups is not None:
        blocks.append(Text("These totals add up the costs of all members of a group."))
    return Section("cost", "Cost", blocks)

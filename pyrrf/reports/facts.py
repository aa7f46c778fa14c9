"""Results of a fitted selector or forest for each feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.data.alignment import per_label
from pyrrf.plots.panels import plain_text
from pyrrf.reports.blocks import Bar, Block, Lines, Section, Table, Text, aligned, counted, short
from pyrrf.types import Floats

# Of a table, and the letters of a name in it.
MOST_ROWS, LONGEST = 200, 60
# Where the numbers of each feature are, and what they are called; a bar goes with those that are shares.
_ATTRIBUTES = {
    "selection_frequencies_": "frequency",
    "feature_importances_": "importance",
    "guide_importances_": "guide importance",
    "coef_reg_": "coefficient",
    "hits_": "hits",
}
_SHARES = ("frequency", "importance", "score", "guide importance", "hits")


@dataclass(frozen=True, eq=False, kw_only=True)
class Facts:
    """A fitted selector, and its features.

    `inner` has the parameters of a forest: the selector, or the one that it holds. `numbers` has those of each feature.
    """

    selector: Any
    inner: Any
    labels: list[Any]
    support: np.ndarray
    numbers: dict[str, Floats]
    groups: list[Any] | None

    @property
    def kept(self) -> np.ndarray:
        """Positions of the features kept, the most important ones first."""
        by = next((self.numbers[name] for name in _SHARES if name in self.numbers), np.zeros(len(self.support)))
        order = np.argsort(-by, kind="stable")
        return np.asarray(order[self.support[order]])

    @property
    def regularized(self) -> bool:
        """Whether the features were chosen, and not only used."""
        return not hasattr(self.selector, "coef_reg") or self.selector.coef_reg is not None

    @property
    def eliminated(self) -> bool:
        """Whether the other features were dropped round by round."""
        return hasattr(self.selector, "credits_of_kept")

    def name(self, at: int) -> str:
        """Return what a feature is called in a table."""
        return plain_text(self.labels[at], LONGEST)


def read_facts(selector: Any) -> Facts:
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
        from pyrrf.sklearn.kept import parts_of_score

        numbers |= {word: np.nan_to_num(values) for word, values in parts_of_score(selector).items()}
    index = pd.Index(labels, dtype=object)  # half of a letter is no string of pandas
    cost, groups = getattr(inner, "feature_cost", None), getattr(inner, "feature_groups", None)
    if cost is not None:
        numbers["cost"] = np.asarray(per_label(cost, "feature_cost", index, 1.0), np.float64)
    return Facts(
        selector=selector,
        inner=inner,
        labels=labels,
        support=support,
        numbers=numbers,
        groups=None if groups is None else per_label(groups, "feature_groups", index, None),
    )


def kept_section(facts: Facts) -> Section:
    """Return the table of the features kept, and why they were."""
    kept, blocks = facts.kept, list[Block]([Text(reason(facts))])
    if len(kept) == 0:
        return Section("kept", "Selected features, and why", [*blocks, Text("No feature was selected.", note=True)])
    shown = kept[:MOST_ROWS]
    heads = ["feature", *facts.numbers, *(["group"] if facts.groups is not None else [])]
    most = {name: facts.numbers[name][kept].max() or 1.0 for name in _SHARES if name in facts.numbers}
    most |= dict.fromkeys(most.keys() & {"frequency"}, 1.0)
    texts = {name: aligned(values[shown]) for name, values in facts.numbers.items()}
    rows = [_row(facts, at, {name: text[line] for name, text in texts.items()}, most) for line, at in enumerate(shown)]
    more = f", the first {MOST_ROWS} of {len(kept):,}" if len(kept) > len(shown) else ""
    blocks.append(Table(caption=f"Selected features{more}", heads=heads, rows=rows, words=[len(facts.numbers) + 1]))
    return Section("kept", "Selected features, and why", [*blocks, Lines(_words(facts))])


def _row(facts: Facts, at: int, texts: dict[str, str], most: dict[str, float]) -> list[str | Bar]:
    """Return the line of a feature."""
    row: list[str | Bar] = [facts.name(at)]
    for name, text in texts.items():
        row.append(Bar(text, facts.numbers[name][at] / most[name]) if name in most else text)
    if facts.groups is not None:
        missing = facts.groups[at] is None or facts.groups[at] != facts.groups[at]
        row.append("-" if missing else plain_text(facts.groups[at], LONGEST))
    return row


def _words(facts: Facts) -> list[str]:
    """Return a sentence for each column of the table."""
    said = {
        "frequency": "Frequency: share of the half-samples on which the feature was selected.",
        "importance": "Importance: share of the decrease of impurity by all splits of the regularized forest.",
        "guide importance": "Guide importance: importance in the guide, divided by the largest.",
        "coefficient": "Coefficient: factor on its splits until it is first used; a lower one is a larger penalty.",
        "hits": "Hits: number of rounds in which it was more important than the shuffled copies.",
        "score": "Score: improvement of the prediction of held-out rows, in the last round with all selected features.",
        "forest": "Forest: the forest's part of the score.",
        "ridge": "Ridge: the ridge regression's part of the score.",
        "cost": "Cost: by which the coefficient, or the score, is divided.",
    }
    if not facts.regularized:
        said["importance"] = "Importance: share of the decrease of impurity by all splits."
    words = [said[name] for name in facts.numbers]
    if "score" in facts.numbers and (facts.numbers["score"][facts.kept] < 0).any():
        words.append("Negative score: held-out rows are predicted better without the feature.")
    if facts.groups is None:
        return words
    if facts.eliminated:
        return [*words, "Group: its members were kept or dropped together."]
    return [*words, "Group: after the first split on a member, no member is penalized."]


def reason(facts: Facts) -> str:
    """Return why features were kept, in words."""
    selector, divided = facts.selector, ", divided by its cost" if "cost" in facts.numbers else ""
    if hasattr(selector, "guide_importances_"):
        return (
            "A guide gave the importance of each feature. Then a regularized forest was grown: until a feature is "
            f"first used, its splits are penalized by its coefficient, (1 - gamma) · {short(selector.lambda0)} + "
            f"gamma · guide importance{divided}. Here gamma is {short(selector.gamma_)}; larger values select fewer "
            "features. Selected are the features that its trees split on."
        )
    if facts.eliminated:
        return (
            f"Backward elimination in {counted(len(selector.weights_), 'round')}. Each round fitted a random forest "
            "and a ridge regression to the remaining features, and dropped those that improve the prediction of "
            f"held-out rows least. How many are selected: {how_many(selector)}."
        )
    if hasattr(selector, "decisions_"):
        return (
            f"In {counted(selector.n_iter_, 'round')} forests were grown on the features and on shuffled copies of "
            "them. Selected are the features that were more important than all copies in significantly more than half "
            "of the rounds, redundant ones too."
        )
    if hasattr(selector, "selection_frequencies_"):
        halves = counted(2 * int(selector.n_pairs), "half-sample")
        return (
            f"{with_article(type(selector.selector).__name__)} was fitted to {halves} of the rows. Selected are the "
            f"features that were selected on at least {100 * selector.threshold_:.3g}% of them."
        )
    if not facts.regularized:
        return "An ordinary forest was grown, which selects nothing: these are the features that its trees split on."
    if hasattr(selector, "coef_reg_"):
        return (
            "A regularized forest was grown: until a feature is first used, its splits are penalized by its "
            f"coefficient{divided}. Selected are the features that its trees split on."
        )
    return f"The features selected by {type(selector).__name__}."


def how_many(selector: Any) -> str:
    """Return where the size of an elimination comes from."""
    if selector.n_features is not None:
        return "the number requested"
    chosen, harmful = chosen_and_harmful(selector)
    if not harmful:
        return "the number chosen by cross-validation"
    return f"{chosen} chosen by cross-validation, less {harmful} with a negative score"


def chosen_and_harmful(selector: Any) -> tuple[int, int]:
    """Return the size that folds chose, and how many of that subset were dropped for their negative scores."""
    chosen = int(selector.cv_results_["n_features"][selector.best_index_])
    return chosen, chosen - int(selector.ranking_[selector.support_].max())


def with_article(name: str) -> str:
    """Return the name of a class with the article at the head of a sentence, by how it is read: An SVC, A Pipeline."""
    vowels = "AEFHILMNORSX" if name[1:2].isupper() else "AEIOU"  # of letters that are read one by one
    return f"{'An' if name[0] in vowels else 'A'} {name}"


def cost_section(facts: Facts) -> Section | None:
    """Return what the features cost; None where nothing was said of costs."""
    if "cost" not in facts.numbers:
        return None
    cost = facts.numbers["cost"]
    paid, whole = cost[facts.support].sum(), cost.sum()
    dear = np.argsort(-cost, kind="stable")[:10]
    dear = dear[cost[dear] > cost.min()]
    rows = [[facts.name(at), short(cost[at]), "yes" if facts.support[at] else "no"] for at in dear.tolist()]
    what = "score" if facts.eliminated else "coefficient"
    blocks: list[Block] = [
        Text(
            f"The selected features cost {short(paid)} in total, {paid / whole:.0%} of the cost of all features "
            f"({short(whole)}). The {what} of each feature is divided by its cost, so a costly one must add more."
        )
    ]
    if rows:
        blocks.append(
            Table(caption="The most expensive features", heads=["feature", "cost", "selected"], rows=rows, words=[2])
        )
    if facts.groups is not None:
        blocks.append(Text("These totals add up the costs of all members of a group."))
    return Section("cost", "Cost", blocks)

"""The selected features, as text, as JSON and as a picture."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pyrrf.cli.columns import Problem
from pyrrf.cli.messages import DataError, count_text
from pyrrf.cli.methods import trees_of
from pyrrf.cli.order import Order
from pyrrf.escapes import escape_control_chars
from pyrrf.plots.charts import varImpPlot
from pyrrf.plots.panels import render_svg
from pyrrf.plots.selection import draw_bars
from pyrrf.reports.page import report
from pyrrf.reports.summary import describe_size
from pyrrf.sklearn.displays.path import standard_error
from pyrrf.sklearn.selection_report import columns_of, score_lost_at

if TYPE_CHECKING:
    from rich.table import Table

# Version of the keys of the JSON.
SCHEMA = "pyrrf.select/2"
_PACKAGES = ("pyrrf", "numpy", "pandas", "scikit-learn")
_LEGEND = (
    "credit = forest + ridge: how much the feature improves the prediction of held-out rows by a random forest and by "
    "a ridge regression"
)
# Line width without a terminal: nothing is cut.
_WIDE = 100_000
# Lines of the picture, and inches for each.
_MOST_DOTS = 50
_LINE = 0.22


@dataclass(frozen=True, eq=False, kw_only=True)
class Selection:
    """The selected features, with the order, the data and the selector."""

    order: Order
    source: str
    problem: Problem
    selector: Any

    @cached_property
    def features(self) -> list[dict[str, Any]]:
        """The features kept, the best first: ``feature``, ``importance``, ``credits``, ``cost``, ``group``."""
        names, columns = list(self.problem.x.columns), columns_of(self.selector)
        inner = getattr(self.selector, "selector", self.selector)
        costs, groups = (getattr(inner, name, None) or {} for name in ("feature_cost", "feature_groups"))
        first, *parts = columns
        ordered = np.argsort(-columns[first], kind="stable")
        return [
            {
                "feature": names[index],
                "importance": float(columns[first][index]),
                "credits": {measure: float(columns[measure][index]) for measure in parts} or None,
                "cost": costs.get(names[index], 1.0),
                "group": groups.get(names[index]),
            }
            for index in ordered[self.selector.support_[ordered]].tolist()
        ]

    @property
    def gamma(self) -> float | None:
        """The gamma with which features were kept; None without one."""
        gamma = getattr(self.selector, "gamma_", getattr(getattr(self.selector, "selector", None), "gamma", None))
        return None if gamma is None else float(gamma)

    @property
    def tentative(self) -> list[str]:
        """The features that Boruta neither confirms nor rejects."""
        weak = getattr(self.selector, "support_weak_", np.zeros(self.problem.x.shape[1], np.bool_))
        return [str(name) for name in self.problem.x.columns[weak]]

    @property
    def error(self) -> dict[str, Any] | None:
        """The error of the whole selection, on rows not used by it; None without --cv."""
        if not self.order.cv:
            return None
        return {
            "measure": "1 - R2" if self.problem.numeric else "misclassified",
            "value": 1.0 - self.selector.nested_score_,
            "sd": self.selector.nested_std_,
            "folds": self.selector.n_splits_,
        }

    @property
    def comparison(self) -> dict[str, Any] | None:
        """The errors of all features and of a guess from y alone, on the same folds; None without folds."""
        if not hasattr(self.selector, "guess_scores_"):
            return None
        return {
            "all_features": 1.0 - float(self.selector.all_scores_.mean()),
            "guess": 1.0 - float(self.selector.guess_scores_.mean()),
            "better_than_guess": self.selector.better_than_guess_,
        }

    @property
    def is_chance(self) -> bool:
        """Whether no subset is significantly better than a guess from y alone; False without folds."""
        return bool(self.comparison and not self.comparison["better_than_guess"])

    @property
    def sizes(self) -> list[dict[str, Any]] | None:
        """The error of each size, also less that of the chosen one; None unless chosen by folds."""
        if self.order.method != "elimination" or self.order.features:
            return None
        results = self.selector.cv_results_
        folds = np.array([results[f"split{fold}_test_score"] for fold in range(self.selector.n_splits_)])
        errors = zip(results["mean_test_score"], standard_error(folds.T), strict=True)
        return [
            {"size": size, "error": 1.0 - float(score), "se": float(se), "more": more}
            for (size, more), (score, se) in zip(score_lost_at(self.selector).items(), errors, strict=True)
        ]

    @property
    def summary(self) -> str:
        """The selection in words, with the number of features kept."""
        k, p, order = len(self.features), self.problem.x.shape[1], self.order
        selection = f"selects {k or 'none'} of {count_text(p, 'feature')}"
        if order.method == "grrf":
            return f"GRRF with gamma {self.gamma:.4g} {selection}"
        if order.method == "stability":
            halves = 2 * self.selector.n_pairs
            return f"Stability selection (GRRF with gamma {self.gamma:.4g} on {halves} half-samples) {selection}"
        if order.method == "boruta":
            answer = f"Boruta confirms {k or 'none'} of {count_text(p, 'feature')}"
            return f"{answer} and leaves {len(self.tentative) or 'none'} tentative, in {self.selector.n_iter_} rounds"
        if self.is_chance:
            return (
                f"Elimination finds evidence for none of {count_text(p, 'feature')}: no subset predicts significantly "
                "better than a baseline without features (at level .01). Do not rely on what is listed below"
            )
        if p == 1:
            return "Elimination selects the only feature"
        among = f" in {self.selector._count_units()} groups" if order.groups else ""
        return f"Elimination {selection}{among}: {describe_size(self.selector)}"

    # ---- shown -----------------------------------------------------------------------------------

    def show(self) -> None:
        """Write the results to standard output."""
        if sys.stdout is None:
            raise DataError("standard output is closed")
        # Names may hold what the terminal's encoding lacks.
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="backslashreplace")
        # Not by rich, which would leave with 1 where a pipe is closed.
        sys.stdout.write(json.dumps(self.record(), indent=2, allow_nan=False) if self.order.as_json else self.text())
        sys.stdout.write("\n")

    def record(self) -> dict[str, Any]:
        """Return the results as JSON has them; docs/command.md describes the keys."""
        from pyrrf.sklearn.guided import guide_trees

        inner = getattr(self.selector, "selector", self.selector)
        order, problem = self.order, self.problem
        classes = None if problem.numeric else [_plain(one) for one in np.unique(np.asarray(problem.y))]
        categories = [name for name in problem.x if isinstance(problem.x[name].dtype, pd.CategoricalDtype)]
        return {
            "schema": SCHEMA,
            "versions": {"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}},
            "data": {
                "source": self.source,
                "rows": len(problem.x),
                "features": problem.x.shape[1],
                "categories": categories,
                "dropped": list(problem.dropped),
                "unreadable": problem.unreadable,
                "na": list(order.form.na),
                **{name: getattr(order.form, name) for name in ("separator", "decimal", "thousands", "encoding")},
                "target": order.target,
                "holds": "numbers" if problem.numeric else "classes",
                "classes": classes,
            },
            "settings": {
                "method": order.method,
                "features": order.features,
                "rule": (self.selector.n_features or "paired") if self.sizes else None,
                "gamma": self.gamma,
                "gamma_chosen": order.method == "grrf" and order.cv,
                "pfer": self.selector.pfer if order.method == "stability" else None,
                "fast": order.fast,
                "seed": order.seed,
                "trees": trees_of(order),
                "guide_trees": guide_trees(inner.guide, trees_of(order)) if hasattr(inner, "guide") else None,
                "engine": order.engine,
                "cost": order.cost,
                "groups": order.groups,
            },
            "kept": self.features,
            "tentative": self.tentative,
            "error": self.error and _finite(self.error),
            "compared": self.comparison and _finite(self.comparison),
            "sizes": self.sizes and [_finite(one) for one in self.sizes],
        }

    def text(self) -> str:
        """Return the results as text for a terminal, or, where there is none, with lines as long as they need be."""
        problem, k = self.problem, len(self.features)
        held = "regression" if problem.numeric else f"{problem.y.nunique()} classes"
        n, p = problem.x.shape
        source, target = escape_control_chars(self.source), escape_control_chars(self.order.target)
        lines = [f"{source}: {n} rows, {count_text(p, 'feature')}; target {target}: {held}"]
        lines += [self.summary, ""]
        if k:
            from rich.console import Console

            console = Console(width=None if sys.stdout.isatty() else _WIDE)
            with console.capture() as captured:
                console.print(self._rows())
            lines += [captured.get()]
            if self.features[0]["credits"]:
                lines += [_LEGEND, *self._harm_lines(), ""]
        return "\n".join([*lines, *self._size_lines(), self._error_line()])

    def _rows(self) -> Table:
        """Return the features kept as rows for a terminal."""
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False)
        table.add_column("feature", overflow="fold")
        for heading in columns_of(self.selector):
            table.add_column(heading, justify="right", no_wrap=True)
        if self.order.cost:
            table.add_column("cost", justify="right", no_wrap=True)
        if self.order.groups:
            table.add_column("group", overflow="fold")
        for one in self.features:
            row = [
                escape_control_chars(one["feature"]),
                *(f"{round(value, 4) + 0.0:.4f}" for value in (one["importance"], *(one["credits"] or {}).values())),
            ]
            row += [f"{one['cost']:g}"] if self.order.cost else []
            row += [escape_control_chars(one["group"] or "")] if self.order.groups else []
            table.add_row(*map(Text, row))
        return table

    def _harm_lines(self) -> list[str]:
        """Return lines about selected features with a credit below 0."""
        harmful = [escape_control_chars(one["feature"]) for one in self.features if one["importance"] < 0]
        if not harmful:
            return []
        return [f"Negative credit ({', '.join(harmful)}): held-out rows are predicted no better with the feature"]

    def _size_lines(self) -> list[str]:
        """Return the table of the errors of all sizes."""
        lines = []
        if self.sizes and len(self.sizes) > 1:
            unit = "groups" if self.order.groups else "features"
            taken = int(self.selector.cv_results_["n_features"][self.selector.best_index_])
            lines += [
                f"Cross-validated error ({self._measure}) by number of {unit}",
                "",
                f"{unit:>8}   error  standard error",
            ]
            lines += [
                f"{one['size']:>8}  {one['error']:>6.3f}  {one['se']:>14.3f}{'  chosen' * (one['size'] == taken)}"
                for one in self.sizes
            ]
            lines.append("")
        return lines

    @property
    def _measure(self) -> str:
        return "1 - R²" if self.problem.numeric else "misclassification rate"

    def _error_line(self) -> str:
        error = self.error
        if error is None:
            if self.order.method == "stability":
                if not self.features:
                    return "No feature was selected often enough; a larger --pfer may select some."
                bound = self.selector.pfer_bound_
                return f"Expected number of features independent of the target among them: at most {bound:.3g}."
            if self.order.method == "boruta":
                return f"Tentative, not selected: {', '.join(map(escape_control_chars, self.tentative)) or 'none'}."
            return "No error estimate: the features were selected on all rows. --cv estimates it by cross-validation."
        line = (
            f"Cross-validated error ({self._measure}; features selected anew in each fold): {error['value']:.3f} "
            f"(standard deviation over {error['folds']} folds {error['sd']:.3f})"
        )
        if self.comparison is None:
            return line
        pool = len(self.selector.path_)
        every = f"all {pool} " + ("preselected " if pool < self.problem.x.shape[1] else "") + "features"
        baseline = "the mean" if self.problem.numeric else "the most frequent class"
        return (
            f"{line}; with {every}: {self.comparison['all_features']:.3f}; "
            f"predicting {baseline}: {self.comparison['guess']:.3f}"
        )

    # ---- drawn -----------------------------------------------------------------------------------

    def draw(self, path: Path) -> None:
        """Draw the importances of the features kept, at most 50, to a file; its extension decides the format."""
        import matplotlib
        from matplotlib.figure import Figure

        lines = min(max(len(self.features), 1), _MOST_DOTS)
        title = f"{len(self.features)} of {self.problem.x.shape[1]} features selected"
        # A dollar sign in a name is no formula.
        with matplotlib.rc_context({"text.parse_math": False, "svg.hashsalt": SCHEMA}):
            figure = Figure(figsize=(7.0, 1.6 + _LINE * lines), layout="constrained")
            axes = figure.subplots()
            if self.order.method == "grrf":
                varImpPlot(self.selector.result_, n_var=lines, main=f"{title}, gamma {self.gamma:.4g}", ax=axes)
            else:
                rows = self.features[:lines]
                parts = [list((one["credits"] or {"": one["importance"]}).values()) for one in rows]
                headings = self._headings()
                table = np.array(parts, np.float64).reshape(len(rows), len(headings))  # perhaps without rows
                draw_bars(table, [one["feature"] for one in rows], headings, axes)
                figure.suptitle(title)
            if path.suffix == ".svg":
                path.write_text(render_svg(figure, dpi=120, metadata={"Date": None}), encoding="utf-8")
            else:
                figure.savefig(path, dpi=120)

    def _headings(self) -> list[str]:
        """Return the labels of the bars of the picture."""
        names = list(columns_of(self.selector))
        return names[1:] or names

    def describe(self, path: Path) -> None:
        """Write the page of `pyrrf.report`."""
        problem = self.problem
        report(
            self.selector, path, problem.x, problem.y,
            source=self.source, target=self.order.target, left_out=problem.unreadable,
        )  # fmt: skip


def _finite(error: dict[str, Any]) -> dict[str, Any]:
    """Return an error without NaN, which JSON does not know; R2 of one row is NaN."""
    return {key: None if value != value else value for key, value in error.items()}


def _plain(value: Any) -> Any:
    """Return a class label as a value of JSON."""
    value = value.item() if isinstance(value, np.generic) else value
    return value if isinstance(value, bool | int | float | str) else str(value)

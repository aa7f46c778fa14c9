"""report(): a selection, its reasons and its reliability as one page of HTML."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from pyrrf.data.alignment import check_rows, row_labels
from pyrrf.files import check_target, write_all
from pyrrf.plots.panels import plain_text
from pyrrf.reports.blocks import Block, Code, Lines, Page, Section, Table, Text, Tile, count_noun, format_short
from pyrrf.reports.data import data_section
from pyrrf.reports.evidence import (
    decisions_section,
    error_section,
    error_tile,
    importance_section,
    rounds_section,
    stability_section,
    substitutes_section,
)
from pyrrf.reports.settings import describe_seed, estimator_code, list_code, versions
from pyrrf.reports.summary import SelectionSummary, cost_section, selected_section, summarize

# Most names in the code at the end.
_MOST_NAMES = 2000
# Longest names of the file and of the target in the heading.
_LONGEST_NAME = 80


def report(
    selector: Any,
    path: str | os.PathLike[str],
    X: Any = None,
    y: Any = None,
    *,
    source: str | None = None,
    target: str | None = None,
    left_out: Mapping[str, str] | None = None,
) -> Path:
    """Write a report of a selection, and the evidence for it, as one page of HTML. R has no such function.

    The page has the selected features and why (importance, coefficient, frequency, cost), the expected error, the error
    against the number of features, stability, substitutes, a summary of the data, and the settings and versions that
    repeat the fit, if the selector has them. It contains its pictures, needs no network, and is below 2 MB.

    Parameters
    ----------
    selector : estimator
        Fitted: a selector or a forest of `pyrrf.sklearn`, or anything with ``get_support()`` or a mask ``support_``.
    path : str or path
        The file, which is replaced if it is there; it is written whole or not at all.
    X : array_like, table or sparse matrix, shape (n, p), optional
        The rows of the fit. With them the page describes the data, lists substitutes for any selector, and, with y,
        shows how importances vary from tree to tree.
    y : array_like, shape (n,), optional
        Classes, or numbers, of the rows of X.
    source : str, optional
        Where the data come from, such as the name of a file, for the heading.
    target : str, optional
        Name of y, for the heading; by default that of a Series.
    left_out : dict of str, optional
        Columns of the source that are not features, each with the reason; the page lists them.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ImportError
        A package that the page needs is not installed; ``pip install "pyrrf[report]"``.
    OSError
        The folder does not exist, or the file cannot be written.
    TypeError, ValueError
        The selector has no mask of the selected features, or X has other columns.
    NotFittedError
        The selector was not fitted.

    Examples
    --------
    >>> import tempfile
    >>> import pyrrf
    >>> from pyrrf.sklearn import GRRFSelector
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = GRRFSelector(50, n_estimators=20, random_state=1).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = pyrrf.report(selector, f"{folder}/wine.html", X, y)
    ...     page.name, page.stat().st_size < 2e6
    ('wine.html', True)
    """
    environment = _template_engine()
    check_target(path)
    summary = summarize(selector)
    heading = _heading(source, target if target is not None else getattr(y, "name", None))
    check_rows(y, "y", row_labels(X), "X")
    X, y = _check_data(summary, X, y)
    page = make_page(summary, X, y, heading, left_out or {})
    html = environment.from_string(_read_resource("page.html")).render(page=page, css=_read_resource("page.css"))
    write_all({os.fspath(path): lambda target_path: target_path.write_text(html, encoding="utf-8", newline="\n")})
    return Path(path)


def make_page(summary: SelectionSummary, X: Any, y: Any, heading: str, left_out: Mapping[str, str]) -> Page:
    """Return the page of a fitted selector, headed by the data and the target, or else by the selector."""
    n_selected, p = int(summary.support.sum()), len(summary.support)
    name = type(summary.selector).__name__
    verb = "selects" if summary.is_regularized else "splits on"
    sections = [
        selected_section(summary),
        error_section(summary),
        rounds_section(summary),
        decisions_section(summary),
        stability_section(summary),
        importance_section(summary, X, y),
        substitutes_section(summary, X),
        cost_section(summary),
        data_section(summary, X, y, left_out),
        settings_section(summary),
    ]
    sections_present = [section for section in sections if section is not None]
    action = "selected" if summary.is_regularized else "used"
    return Page(
        title=f"{heading or name}: {n_selected:,} of {count_noun(p, 'feature')} {action}",
        lead=f"Which features {name} {verb}, why, and how reliable that is.",
        tiles=_tiles(summary),
        sections=[*sections_present, *_missing_section(sections_present)],
        version=versions().get("pyrrf", "unknown"),
    )


def _heading(source: str | None, target: Any) -> str:
    """Return the names of the data and of the target, without those that are unknown."""
    target_name = "" if target is None or target == "" else plain_text(target, _LONGEST_NAME)
    return ", target ".join(filter(None, [plain_text(source, _LONGEST_NAME), target_name])) if source else target_name


def _tiles(summary: SelectionSummary) -> list[Tile]:
    """Return the key figures at the top of the page."""
    selector, p = summary.selector, len(summary.support)
    n_selected = int(summary.support.sum())
    tiles = [Tile("selected features" if summary.is_regularized else "features used", f"{n_selected:,}", f"of {p:,}")]
    if summary.is_regularized:
        tiles.append(error_tile(selector))
    if hasattr(selector, "gamma_") and hasattr(selector, "rule"):
        tiles.append(Tile("gamma", format_short(selector.gamma_), f"chosen by rule={selector.rule!r}"))
    if hasattr(selector, "pfer_bound_"):
        tiles.append(
            Tile("noise features", f"≤ {format_short(selector.pfer_bound_)}", "expected among them (PFER bound)")
        )
    if "cost" in summary.numbers:
        cost = summary.numbers["cost"]
        tiles.append(Tile("cost", format_short(cost[summary.support].sum()), f"of {format_short(cost.sum())}"))
    return tiles


def settings_section(summary: SelectionSummary) -> Section:
    """Return settings and versions as a table, and code that repeats the fit."""
    names = [[name, value] for name, value in versions().items()]
    selected = [summary.labels[label] for label in np.flatnonzero(summary.support)[:_MOST_NAMES]]
    labels = [label if isinstance(label, int) else plain_text(label, 200) for label in selected]
    more = f"  # the first {_MOST_NAMES:,}" if summary.support.sum() > _MOST_NAMES else ""
    code = f"{estimator_code(summary.selector)}\n\n{list_code('kept', labels)}{more}"
    blocks: list[Block] = [
        Text("This code repeats the fit; X and y are the data. " + describe_seed(summary.selector)),
        Code("Code that repeats the fit", code),
        Table(caption="Versions", heads=["package", "version"], rows=names),
    ]
    return Section("settings", "Reproduce this fit", blocks)


def _missing_section(sections: list[Section]) -> list[Section]:
    """Return a section that lists the missing sections and how to obtain them."""
    present = {section.name for section in sections}
    missing = {
        "stability": "Stability of the selection under resampling: use StabilitySelector.",
        "substitutes": "Substitutes for the selected features: pass X to report().",
        "importance": "Variation of importances between trees: pass X and y of a forest or a guided selector.",
        "error": "Error on new data: use EliminationSelector(nested=True) or GRRFSelectorCV.",
    }
    lines = [line for name, line in missing.items() if name not in present]
    return [Section("silent", "Not in this report", [Lines(lines)])] if lines else []


# ---- requirements --------------------------------------------------------------------------------


def _template_engine() -> Any:
    """Return the template engine, which escapes all values."""
    try:
        import jinja2
        import matplotlib  # noqa: F401
        import sklearn  # noqa: F401
    except ImportError as error:
        raise ImportError(f'report() needs {error.name}; pip install "pyrrf[report]"') from error
    return jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)


def _read_resource(name: str) -> str:
    return resources.files("pyrrf.reports").joinpath(name).read_text(encoding="utf-8")


def _check_data(summary: SelectionSummary, X: Any, y: Any) -> tuple[Any, Any]:
    """Return X and y after a check that they match the fit; each may be None."""
    from sklearn.utils.validation import check_consistent_length, column_or_1d

    from pyrrf.sklearn.displays.base import checked_rows

    if X is not None:
        X = checked_rows(X, summary.labels, hasattr(summary.selector, "feature_names_in_"))
    if y is not None:
        y = column_or_1d(y)
    if X is not None and y is not None:
        check_consistent_length(X, y)
    return X, y

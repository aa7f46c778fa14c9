"""report(): what was kept, why, and how sure that is, as one page of HTML."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from pyrrf.data.alignment import check_rows, row_labels
from pyrrf.files import check_target, write_all
from pyrrf.plots.panels import plain_text
from pyrrf.reports.blocks import Block, Code, Lines, Page, Section, Table, Text, Tile, counted, short
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
from pyrrf.reports.facts import Facts, cost_section, kept_section, read_facts
from pyrrf.reports.settings import code_of, code_of_list, seed_of, versions

# Names that the code at the end lists at most.
_MOST_NAMES = 2000
# Letters of the file and of the target in the heading.
_LONGEST_NAME = 80


def report(
    selector: Any,
    path: str | os.PathLike[str],
    X: Any = None,
    y: Any = None,
    *,
    source: str | None = None,
    target: str | None = None,
) -> Path:
    """Write a report of a selection, and the evidence for it, as one page of HTML. R has no such function.

    The page has the selected features and why (importance, coefficient, frequency, cost), the expected error, the error
    against the number of features, stability, substitutes, a summary of the data, and settings and versions that repeat
    the fit, as far as the selector knows them. It contains its pictures, needs no network, and is below 2 MB.

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
    source : str, optional
        Where the data come from, such as the name of a file, for the heading.
    target : str, optional
        Name of y, for the heading; by default that of a Series.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ImportError
        What the page is made with is not installed; ``pip install "pyrrf[report]"``.
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
    >>> selector = GRRFSelector(guide_n_estimators=50, n_estimators=20, random_state=1).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = pyrrf.report(selector, f"{folder}/wine.html", X, y)
    ...     page.name, page.stat().st_size < 2e6
    ('wine.html', True)
    """
    environment = _template_engine()
    check_target(path)
    facts = read_facts(selector)
    heading = _heading(source, target if target is not None else getattr(y, "name", None))
    check_rows(y, "y", row_labels(X), "X")
    X, y = _checked(facts, X, y)
    page = make_page(facts, X, y, heading)
    html = environment.from_string(_part("page.html")).render(page=page, css=_part("page.css"))
    write_all({os.fspath(path): lambda at: at.write_text(html, encoding="utf-8", newline="\n")})
    return Path(path)


def make_page(facts: Facts, X: Any, y: Any, heading: str = "") -> Page:
    """Return the page of a fitted selector, headed by the data and the target, or else by the selector."""
    kept, p = int(facts.support.sum()), len(facts.support)
    name = type(facts.selector).__name__
    verb = "selects" if facts.regularized else "splits on"
    sections = [
        kept_section(facts),
        error_section(facts),
        rounds_section(facts),
        decisions_section(facts),
        stability_section(facts),
        importance_section(facts, X, y),
        substitutes_section(facts, X),
        cost_section(facts),
        data_section(facts, X, y),
        settings_section(facts),
    ]
    found = [section for section in sections if section is not None]
    return Page(
        title=f"{heading or name}: {kept:,} of {counted(p, 'feature')} {'selected' if facts.regularized else 'used'}",
        lead=f"Which features {name} {verb}, why, and how reliable that is.",
        tiles=_tiles(facts),
        sections=[*found, *_silent(found)],
        version=versions().get("pyrrf", "unknown"),
    )


def _heading(source: str | None, target: Any) -> str:
    """Return the data and the target in words, as far as they are known."""
    named = "" if target is None or target == "" else plain_text(target, _LONGEST_NAME)
    return ", target ".join(filter(None, [plain_text(source, _LONGEST_NAME), named])) if source else named


def _tiles(facts: Facts) -> list[Tile]:
    """Return the figures at the head of the page."""
    selector, p = facts.selector, len(facts.support)
    kept = int(facts.support.sum())
    tiles = [Tile("selected features" if facts.regularized else "features used", f"{kept:,}", f"of {p:,}")]
    if facts.regularized:
        tiles.append(error_tile(selector))
    if hasattr(selector, "gamma_") and hasattr(selector, "rule"):
        tiles.append(Tile("gamma", short(selector.gamma_), f"chosen by rule={selector.rule!r}"))
    if hasattr(selector, "pfer_bound_"):
        tiles.append(Tile("noise features", f"≤ {short(selector.pfer_bound_)}", "expected among them (PFER bound)"))
    if "cost" in facts.numbers:
        cost = facts.numbers["cost"]
        tiles.append(Tile("cost", short(cost[facts.support].sum()), f"of {short(cost.sum())}"))
    return tiles


def settings_section(facts: Facts) -> Section:
    """Return settings and versions as a table, and code that repeats the fit."""
    names = [[name, value] for name, value in versions().items()]
    kept = [facts.labels[at] for at in np.flatnonzero(facts.support)[:_MOST_NAMES]]
    shown = [at if isinstance(at, int) else plain_text(at, 200) for at in kept]
    more = f"  # the first {_MOST_NAMES:,}" if facts.support.sum() > _MOST_NAMES else ""
    code = f"{code_of(facts.selector)}\n\n{code_of_list('kept', shown)}{more}"
    blocks: list[Block] = [
        Text("This code repeats the fit; X and y are the data. " + seed_of(facts.selector)),
        Code("Code that repeats the fit", code),
        Table(caption="Versions", heads=["package", "version"], rows=names),
    ]
    return Section("settings", "Reproduce this fit", blocks)


def _silent(sections: list[Section]) -> list[Section]:
    """Return a section with missing parts, and how to obtain them."""
    there = {section.name for section in sections}
    missing = {
        "stability": "Stability of the selection under resampling: use StabilitySelector.",
        "substitutes": "Substitutes for the selected features: pass X to report().",
        "importance": "Variation of importances between trees: pass X and y of a forest or a guided selector.",
        "error": "Error on new data: use EliminationSelector(nested=True) or GRRFSelectorCV.",
    }
    lines = [line for name, line in missing.items() if name not in there]
    return [Section("silent", "Not in this report", [Lines(lines)])] if lines else []


# ---- what is needed --------------------------------------------------------------------------------


def _template_engine() -> Any:
    """Return what fills the template, which escapes all that it is given."""
    try:
        import jinja2
        import matplotlib  # noqa: F401
        import sklearn  # noqa: F401
    except ImportError as error:
        raise ImportError(f'report() needs {error.name}; pip install "pyrrf[report]"') from error
    return jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)


def _part(name: str) -> str:
    return resources.files("pyrrf.reports").joinpath(name).read_text(encoding="utf-8")


def _checked(facts: Facts, X: Any, y: Any) -> tuple[Any, Any]:
    """Return X and y as far as they are given, once it is seen that they go with the fit."""
    from sklearn.utils.validation import check_consistent_length, column_or_1d

    from pyrrf.sklearn.displays.base import checked_rows

    if X is not None:
        X = checked_rows(X, facts.labels, hasattr(facts.selector, "feature_names_in_"))
    if y is not None:
        y = column_or_1d(y)
    if X is not None and y is not None:
        check_consistent_length(X, y)
    return X, y

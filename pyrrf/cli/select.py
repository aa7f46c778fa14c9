"""``pyrrf select``: from the command line to the features kept."""

from __future__ import annotations

import sys
from typing import Any

from pyrrf.cli.columns import Problem, read_problem
from pyrrf.cli.files import table_writer, write_all
from pyrrf.cli.messages import DataError, note
from pyrrf.cli.order import Order, check_order
from pyrrf.cli.prices import read_costs, read_groups
from pyrrf.cli.reading import Table, read_table
from pyrrf.cli.results import Selection

# --cv parts the rows in five, and four of the parts in five again. So many rows leave two numbers to judge by in each;
# so many of the largest class and of the next leave two classes to learn from.
_FEWEST_NUMBERS = 13
_FEWEST_OF_CLASS = (7, 3)


def select(order: Order) -> None:
    """Read, select, write the files, then show the results."""
    check_order(order)
    table = read_table(order.data)
    problem = read_problem(table, order.target, order.drop, order.numbers, missing=order.engine != "r")
    if order.cv:
        check_rows(problem, table.source)
    selector = selector_for(order, problem)
    if order.gamma is None and not order.cv:
        note(f"gamma is {selector.gamma}; no value is right for all data, and --cv chooses one")
    try:
        selector.fit(problem.x, problem.y)
    except ValueError as error:
        raise DataError(f"{table.source}: {error}") from None
    selection = Selection(order=order, source=table.source, problem=problem, selector=selector)
    write_files(selection, table)
    selection.show()


def check_rows(problem: Problem, source: str) -> None:
    """See that there are enough rows for a cross-validation inside another."""
    if problem.numeric:
        enough, few = len(problem.y) >= _FEWEST_NUMBERS, f"{len(problem.y)} rows"
        least = str(_FEWEST_NUMBERS)
    else:
        sizes = problem.y.value_counts().head(2)
        enough = all(size >= least for size, least in zip(sizes, _FEWEST_OF_CLASS, strict=True))
        few = " and ".join(f"{size} of class {str(name)!r}" for name, size in sizes.items())
        least = " and ".join(map(str, _FEWEST_OF_CLASS))
    if not enough:
        raise DataError(f"{source}: it has {few}; --cv needs at least {least}, so give --gamma")


def selector_for(order: Order, problem: Problem) -> Any:
    """Return the selector that carries out an order, not yet fitted."""
    same: dict[str, Any] = {
        "n_estimators": order.trees,
        "criterion": "variance" if problem.numeric else "gini",
        "feature_cost": read_costs(order.cost, problem) if order.cost else None,
        "feature_groups": read_groups(order.groups, problem) if order.groups else None,
        # For numbers R knows no other.
        "candidates": "mtry" if problem.numeric and order.engine == "r" else "selected",
        "engine": order.engine,
        "n_jobs": order.jobs,
        "random_state": order.seed,
        # Bars would be lines of a log.
        "verbose": int(sys.stderr.isatty()),
    }
    from pyrrf.sklearn import GRRFSelector, GRRFSelectorCV
    from pyrrf.sklearn.guided import DEFAULT_GAMMAS

    if order.cv:
        return GRRFSelectorCV(**same)
    return GRRFSelector(gamma=DEFAULT_GAMMAS[problem.numeric] if order.gamma is None else order.gamma, **same)


def write_files(selection: Selection, table: Table) -> None:
    """Write the files that were asked for, all or none."""
    order, files = selection.order, {}
    if order.output:
        chosen = {order.target, *(one["feature"] for one in selection.kept)}
        names = [name for name in map(str, table.frame.columns) if name in chosen]
        files[order.output] = table_writer(table.columns(names), order.output)
    if order.plot:
        files[order.plot] = selection.draw
    if order.report:
        files[order.report] = selection.describe
    write_all(files)

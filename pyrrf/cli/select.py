"""``pyrrf select``: from the command line to the features kept."""

from __future__ import annotations

import warnings

from pyrrf.cli.columns import Problem, read_problem
from pyrrf.cli.files import table_writer, write_all
from pyrrf.cli.messages import DataError, in_options, note
from pyrrf.cli.methods import announce, selector_for
from pyrrf.cli.order import Order, check_order
from pyrrf.cli.reading import SEPARATORS, Table, ending, read_table
from pyrrf.cli.results import Selection

# Minimum numbers of rows for 5 folds, and for nested folds (True), which split four of the folds into 5 again: in
# regression for two test rows in each fold; of the largest class and the next for two classes in each training part.
_FEWEST_NUMBERS = {False: 10, True: 13}
_FEWEST_OF_CLASS = {False: (5, 2), True: (7, 3)}


def select(order: Order) -> None:
    """Read, select, write the files, then show the results."""
    check_order(order)
    table = read_table(order.data, order.form)
    problem = read_problem(
        table, order.target, order.drop, order.numbers,
        missing=order.engine != "r", drop_unreadable=order.drop_unreadable,
    )  # fmt: skip
    by_folds = order.method == "elimination" and order.features is None
    if order.cv or by_folds:
        check_rows(problem, table.source, order, within=order.cv and (by_folds or order.method == "grrf"))
    selector = selector_for(order, problem)
    for said in (
        "no subset predicts y significantly better",
        "selected feature.* have a negative credit",
    ):  # the results say so
        warnings.filterwarnings("ignore", said)
    try:
        announce(order, selector, problem)
        selector.fit(problem.x, problem.y)
    except ValueError as error:
        raise DataError(f"{table.source}: {in_options(str(error))}") from None
    selection = Selection(order=order, source=table.source, problem=problem, selector=selector)
    write_files(selection, table)
    selection.show()


def check_rows(problem: Problem, source: str, order: Order, within: bool) -> None:
    """Check that there are enough rows for a cross-validation; `within`: for a nested one."""
    if problem.numeric:
        least = _FEWEST_NUMBERS[within]
        enough, few, wanted = len(problem.y) >= least, f"{len(problem.y)} rows", f"{least} rows"
    else:
        sizes = problem.y.value_counts().head(2)
        enough = all(size >= least for size, least in zip(sizes, _FEWEST_OF_CLASS[within], strict=True))
        few = " and ".join(f"{size} rows of class {str(name)!r}" for name, size in sizes.items())
        wanted = "{} rows of the most frequent class and {} of the next".format(*_FEWEST_OF_CLASS[within])
    if not enough:
        remedy = "give --gamma in place of --cv" if order.method == "grrf" else "give --features, without --cv"
        raise DataError(f"{source}: {few} are too few for cross-validation, which needs {wanted}; {remedy}")


def write_files(selection: Selection, table: Table) -> None:
    """Write the files that were asked for, all or none."""
    order, files = selection.order, {}
    if order.output:
        chosen = {order.target, *(one["feature"] for one in selection.features)}
        names = [name for name in map(str, table.frame.columns) if name in chosen]
        # Text formats keep the text of the cells; in other formats numbers would become words.
        output = table.columns(names) if ending(order.output) in SEPARATORS else table.frame[names]
        files[order.output] = table_writer(output, order.output)
    if order.plot:
        files[order.plot] = selection.draw
    if order.report:
        files[order.report] = selection.describe
    write_all(files)
    if files:
        note(f"wrote {', '.join(files)}")

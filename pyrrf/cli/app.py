"""The command line: options and their help."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, NoReturn

try:
    import rich  # noqa: F401
    import typer
    from typer import Argument, Option
except ImportError as error:
    raise ImportError(f'the command pyrrf needs {error.name}; pip install "pyrrf[cli]"') from error

from pyrrf.cli.messages import guarded
from pyrrf.cli.order import Order, ParityOrder, texts_of

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)


class Engine(StrEnum):
    """Which of the two engines grows the trees."""

    parallel = "parallel"
    r = "r"


class Task(StrEnum):
    """What is learnt from the target."""

    auto = "auto"
    classification = "classification"
    regression = "regression"


class Rule(StrEnum):
    """How the size of a subset is taken by its scores on folds."""

    best = "best"
    paired = "paired"
    one_error = "1se"


class Method(StrEnum):
    """How features are selected."""

    elimination = "elimination"
    grrf = "grrf"
    stability = "stability"
    boruta = "boruta"


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pyrrf {version('pyrrf')}")
        raise typer.Exit


Version = Annotated[bool, Option("--version", callback=_show_version, is_eager=True, help="Show the version.")]


def main(version: Version = False) -> None:
    """Regularized random forests for feature selection.

    Exit codes: 0 all went well; 2 the command line is wrong, or an extra is not installed; 3 a file is not as it
    should be; 130 stopped by Ctrl-C. 1 is for commands that
    compare or move: something differs, or was left over.
    """


def _run(command: str, *given: object) -> NoReturn:
    """Load a command, carry it out, and leave with its code."""
    raise typer.Exit(guarded(lambda: getattr(import_module(f"pyrrf.cli.{command}"), command)(*given)))


Data = Annotated[
    str,
    Argument(
        metavar="DATA", help="CSV, TSV, JSON lines, Parquet, Arrow or Feather file, .rds of R; - is CSV on stdin."
    ),
]
Target = Annotated[str, Option(metavar="NAME", help="Column to be predicted.")]
WhichMethod = Annotated[
    Method,
    Option(help="elimination: a small subset; grrf: R's; stability: what many halves keep; boruta: all relevant ones."),
]
Features = Annotated[
    int | None, Option(metavar="K", min=1, help="Keep so many.  [default: chosen by cross-validation]")
]
WhichRule = Annotated[
    Rule | None,
    Option(
        help="Of elimination: how much worse than the best size a smaller one may do. best: no worse; 1se: one "
        "standard error; paired: pays for each feature.  [default: paired]"
    ),
]
Pfer = Annotated[
    float | None,
    Option(
        metavar="N",
        help="Of stability: how many features kept by chance are allowed, on average; more keeps more.  [default: 1]",
    ),
]
Gamma = Annotated[
    float | None,
    Option(metavar="G", min=0, max=1, help="Of GRRF: how much the guide counts.  [default: 0.5; 0.9 for regression]"),
]
Cv = Annotated[
    bool, Option("--cv", help="Estimate the error of the whole choice by cross-validation; of GRRF, choose gamma.")
]
Fast = Annotated[bool, Option("--fast", help="Fewer trees, rounds and folds.")]
Separator = Annotated[
    str | None, Option("--sep", metavar="C", help="Between values, a character or 'tab'.  [default: by the ending]")
]
Na = Annotated[
    list[str] | None,
    Option(
        "--na",
        metavar="TEXT",
        help="What stands for a missing value, such as '?'; several with commas, or given several times.",
    ),
]
MaxBytes = Annotated[
    int | None,
    Option(
        metavar="N",
        min=1,
        help="Bytes that DATA may take unpacked.  [default: 2**28 and 100 more for each byte of the file]",
    ),
]
Cost = Annotated[str | None, Option(metavar="FILE", help="CSV of two columns: feature, and its cost of at least 1.")]
Groups = Annotated[str | None, Option(metavar="FILE", help="CSV of two columns: feature, and its group.")]
Drop = Annotated[list[str] | None, Option(metavar="NAME", help="Column to leave out; may be given several times.")]
WhichTask = Annotated[Task, Option(help="What the target means; auto: as its values look.")]
Seed = Annotated[int, Option(metavar="N", min=-(2**31) + 1, max=2**31 - 1, help="Of the random numbers.")]
Trees = Annotated[
    int | None, Option(metavar="N", min=1, help="Trees of a round, or of the forest.  [default: 150; 500 for grrf]")
]
WhichEngine = Annotated[Engine, Option(help="r gives the answer of R's RRF.")]
Jobs = Annotated[int, Option(metavar="N", help="Threads; -1 for all cores. The answer does not depend on it.")]
Plot = Annotated[str | None, Option(metavar="FILE", help="Draw the importances of the features kept: .png or .svg.")]
Report = Annotated[str | None, Option(metavar="FILE", help="Write what was selected, and why, as a page: .html.")]
Json = Annotated[bool, Option("--json", help="Write the results as JSON.")]
Output = Annotated[
    str | None,
    Option(metavar="FILE", help="Write the target and the features kept: .csv, .tsv, .parquet, .arrow or .feather."),
]

Script = Annotated[
    str, Argument(metavar="SCRIPT", help="An R script; it is read, and run only with --check. - is standard input.")
]
MovedTo = Annotated[str | None, Option("--output", "-o", metavar="FILE", help="Write the Python here.")]
Check = Annotated[bool, Option("--check", help="Run the script in R, compare every value, and keep R's where needed.")]
Force = Annotated[bool, Option("--force", help="Write a file anew that was edited since.")]
Outside = Annotated[
    bool, Option("--source-outside", help="Let source() read files outside of the script's folder, too.")
]
Limit = Annotated[float, Option(metavar="S", min=1, help="Seconds that a script may take; CRAN RRF may never return.")]


def select(
    data: Data,
    target: Target,
    method: WhichMethod = Method.elimination,
    features: Features = None,
    rule: WhichRule = None,
    cv: Cv = False,
    fast: Fast = False,
    gamma: Gamma = None,
    pfer: Pfer = None,
    cost: Cost = None,
    groups: Groups = None,
    drop: Drop = None,
    task: WhichTask = Task.auto,
    seed: Seed = 1,
    trees: Trees = None,
    engine: WhichEngine = Engine.parallel,
    jobs: Jobs = 1,
    plot: Plot = None,
    report: Report = None,
    json: Json = False,
    output: Output = None,
    sep: Separator = None,
    na: Na = None,
    max_bytes: MaxBytes = None,
) -> None:
    """Select features of a table: a small subset that predicts the target."""
    numbers = None if task is Task.auto else task is Task.regression
    order = Order(
        data=data, target=target, method=method.value, features=features, rule=rule and rule.value, gamma=gamma,
        pfer=pfer, cv=cv, fast=fast, separator=sep, na=texts_of(na), max_bytes=max_bytes,
        cost=cost, groups=groups, drop=tuple(drop or ()), numbers=numbers, seed=seed, trees=trees,
        engine=engine.value, jobs=jobs, plot=plot, report=report, output=output, as_json=json,
    )  # fmt: skip
    _run("select", order)


def migrate(
    script: Script,
    output: MovedTo = None,
    check: Check = False,
    limit: Limit = 600,
    force: Force = False,
    source_outside: Outside = False,
) -> None:
    """Turn an R script into Python that calls pyrrf. What cannot be translated stays as a comment, with the reason.

    With --check, R runs the script once and the Python runs in step with it. Values that differ are replaced by R's.
    """
    _run("migrate", script, output, check, limit, force, source_outside)


Files = Annotated[
    list[str], Argument(metavar="FILES", help="A script of R, or a recording .rds, and one of Python; or a table.")
]
TableTarget = Annotated[str | None, Option("--target", metavar="NAME", help="Of a table: column to be predicted.")]
Labels = Annotated[bool, Option("--classes", help="Of a table: the numbers of the target are labels.")]
TableTrees = Annotated[int, Option("--trees", metavar="N", min=1, help="Of a table: trees of each forest.")]
Record = Annotated[str | None, Option(metavar="FILE", help="Keep the calls of R and their answers: .rds.")]


def parity(
    files: Files,
    target: TableTarget = None,
    classes: Labels = False,
    seed: Seed = 1,
    trees: TableTrees = 100,
    limit: Limit = 600,
    record: Record = None,
) -> None:
    """Compare a script of R with one of Python, forest by forest, and name the first value that differs."""
    order = ParityOrder(tuple(files), target, classes, seed, trees, limit, record)
    _run("parity", order)


app.callback()(main)
app.command()(parity)
app.command()(select)
app.command()(migrate)

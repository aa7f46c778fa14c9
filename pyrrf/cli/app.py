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

from pyrrf.cli.messages import run_guarded

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)


class Engine(StrEnum):
    """The engine that grows the trees."""

    parallel = "parallel"
    r = "r"


class Task(StrEnum):
    """The kind of target."""

    auto = "auto"
    classification = "classification"
    regression = "regression"


class Rule(StrEnum):
    """The rule that chooses the size of a subset by its scores on folds."""

    best = "best"
    paired = "paired"
    one_error = "1se"


class Method(StrEnum):
    """The method that selects features."""

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
    """Select features with random forests, and translate and compare scripts of R's packages RRF and randomForest.

    Exit codes: 0 success; 1 parity found a difference, or migrate left lines untranslated; 2 wrong usage, or an
    optional dependency is missing; 3 a file cannot be read, used or written; 70 internal error; 130 stopped by Ctrl-C.
    """


def _run(command: str, *arguments: object) -> NoReturn:
    """Load a command, carry it out, and leave with its code."""
    raise typer.Exit(run_guarded(lambda: getattr(import_module(f"pyrrf.cli.{command}"), command)(*arguments)))


Data = Annotated[
    str,
    Argument(
        metavar="DATA",
        help="Table: CSV, TSV, JSON or JSON lines (also .gz, .bz2, .xz), Excel's .xlsx, Parquet, Arrow, Feather or R's "
        ".rds; - reads CSV from standard input.",
    ),
]
Target = Annotated[str, Option(metavar="NAME", help="Column to predict.")]
WhichMethod = Annotated[
    Method,
    Option(
        help="elimination: backward elimination to a small subset; grrf: guided regularized random forest, as in R's "
        "RRF; stability: GRRF on many half-samples; boruta: all relevant features, redundant ones too."
    ),
]
Features = Annotated[
    int | None,
    Option(
        metavar="K",
        min=1,
        help="elimination: number of features (with --groups, of groups) to select.  [default: chosen by "
        "cross-validation]",
    ),
]
WhichRule = Annotated[
    Rule | None,
    Option(
        help="elimination without --features: how much worse than the best size a smaller one may score. best: not at "
        "all; 1se: one standard error; paired: one standard error of the paired difference, within 1 to 2 % of the "
        "gain over the baseline.  [default: paired]"
    ),
]
Pfer = Annotated[
    float | None,
    Option(
        metavar="N",
        help="stability: largest expected number of selected features that are independent of the target; a larger N "
        "selects more.  [default: 1]",
    ),
]
Gamma = Annotated[
    float | None,
    Option(
        metavar="G",
        min=0,
        max=1,
        help="grrf and stability: weight of the guide forest's importances in the penalty; a larger G selects fewer "
        "features.  [default: 0.5; 0.9 for regression]",
    ),
]
Cv = Annotated[
    bool,
    Option(
        "--cv",
        help="elimination and grrf: estimate the error by cross-validation, with features selected anew in each fold; "
        "with grrf, choose gamma, too.",
    ),
]
Fast = Annotated[bool, Option("--fast", help="Save time by fewer trees, rounds, folds, gammas and half-samples.")]
Separator = Annotated[
    str | None,
    Option(
        "--sep",
        metavar="C",
        help="Delimiter: one character, or 'tab'.  [default: comma, semicolon, tab or |, as in the lines of the file]",
    ),
]
Decimal = Annotated[str | None, Option(metavar="C", help="Decimal mark of delimited text: '.' or ','.  [default: .]")]
Thousands = Annotated[
    str | None, Option(metavar="C", help="Mark between thousands in delimited text, as ',' in 1,234.  [default: none]")
]
Encoding = Annotated[
    str | None,
    Option(
        metavar="NAME",
        help="Encoding of text, such as cp1252 or latin-1.  [default: utf-8, or what a byte order mark says]",
    ),
]
Na = Annotated[
    list[str] | None,
    Option(
        "--na",
        metavar="TEXT",
        help="Text that means a missing value, such as '?'; separate several by commas, or repeat the option.",
    ),
]
MaxBytes = Annotated[
    int | None,
    Option(
        metavar="N",
        min=1,
        help="Largest size of DATA in bytes, once decompressed.  [default: 2**28, plus 100 per byte of the file]",
    ),
]
Cost = Annotated[
    str | None,
    Option(metavar="FILE", help="CSV with columns feature and cost (at least 1): a costly feature must add more."),
]
Groups = Annotated[
    str | None,
    Option(metavar="FILE", help="CSV with columns feature and group: a group is selected, or penalized, as a whole."),
]
Drop = Annotated[
    list[str] | None,
    Option(metavar="NAME", help="Column to exclude; separate several by commas, or repeat the option."),
]
DropUnreadable = Annotated[
    bool,
    Option(
        "--drop-unreadable",
        help="Exclude each column that cannot be read, such as dates, free text and names of rows; they are listed.",
    ),
]
WhichTask = Annotated[Task, Option(help="Kind of target; auto: inferred from its values.")]
Seed = Annotated[int, Option(metavar="N", min=-(2**31) + 1, max=2**31 - 1, help="Random seed.")]
Trees = Annotated[
    int | None,
    Option(
        metavar="N",
        min=1,
        help="Trees per round (elimination, boruta) or forest (grrf, stability).  [default: 500 for grrf, 100 "
        "for the others; fewer with --fast]",
    ),
]
WhichEngine = Annotated[Engine, Option(help="grrf: r grows the same forests as R's RRF, and refuses missing values.")]
Jobs = Annotated[int, Option(metavar="N", help="Number of threads; -1 for all cores. Results do not depend on it.")]
Plot = Annotated[str | None, Option(metavar="FILE", help="Plot the selected features' scores: .png or .svg.")]
Report = Annotated[str | None, Option(metavar="FILE", help="Write a report of the selection: .html.")]
Json = Annotated[bool, Option("--json", help="Print the results as JSON.")]
Output = Annotated[
    str | None,
    Option(metavar="FILE", help="Write selected features and target: .csv, .tsv, .parquet, .arrow or .feather."),
]

Script = Annotated[
    str, Argument(metavar="SCRIPT", help="R script; it is run only with --check. - reads standard input.")
]
MovedTo = Annotated[str | None, Option("--output", "-o", metavar="FILE", help="Output file.  [default: stdout]")]
Check = Annotated[bool, Option("--check", help="Run the script in R, too, and use R's values where they differ.")]
Force = Annotated[bool, Option("--force", help="Overwrite the output file even if it was edited.")]
Outside = Annotated[
    bool, Option("--source-outside", help="Let source() read files outside of the script's folder, too.")
]
WithR = Annotated[
    bool, Option("--with-r", help="Let R compute what cannot be translated, when the Python runs; R must be there.")
]
Limit = Annotated[float, Option(metavar="S", min=1, help="Time limit of a script, in seconds; CRAN RRF may hang.")]


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
    drop_unreadable: DropUnreadable = False,
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
    decimal: Decimal = None,
    thousands: Thousands = None,
    encoding: Encoding = None,
    na: Na = None,
    max_bytes: MaxBytes = None,
) -> None:
    """Select the features of a table that predict its target column."""
    from pyrrf.cli.order import Order, texts_of  # late: they take pandas, and --help does not
    from pyrrf.cli.text import Format

    numbers = None if task is Task.auto else task is Task.regression
    order = Order(
        data=data, target=target, method=method.value, features=features, rule=rule and rule.value, gamma=gamma,
        pfer=pfer, cv=cv, fast=fast, cost=cost, groups=groups, drop=tuple(drop or ()),
        drop_unreadable=drop_unreadable, numbers=numbers, seed=seed, trees=trees, engine=engine.value, jobs=jobs,
        plot=plot, report=report, output=output, as_json=json,
        form=Format(separator=sep, decimal=decimal, thousands=thousands, encoding=encoding, na=texts_of(na),
                    max_bytes=max_bytes),
    )  # fmt: skip
    _run("select", order)


def migrate(
    script: Script,
    output: MovedTo = None,
    check: Check = False,
    limit: Limit = 600,
    force: Force = False,
    source_outside: Outside = False,
    with_r: WithR = False,
) -> None:
    """Translate an R script into Python that uses pyrrf. Lines that cannot be translated stay as comments.

    With --with-r, R computes them when the Python runs: on the same variables, with the same random stream.

    With --check, R runs the script once, Python runs the same statements, and values that differ are replaced by R's.
    """
    _run("migrate", script, output, check, limit, force, source_outside, with_r)


Files = Annotated[
    list[str], Argument(metavar="FILES", help="R script or recording (.rds), and Python script; or one table.")
]
TableTarget = Annotated[str | None, Option("--target", metavar="NAME", help="If FILES is a table: column to predict.")]
Labels = Annotated[bool, Option("--classes", help="If FILES is a table: treat a numeric target as classes.")]
TableTrees = Annotated[int, Option("--trees", metavar="N", min=1, help="If FILES is a table: trees of each forest.")]
Record = Annotated[str | None, Option(metavar="FILE", help="Save R's calls and results: .rds.")]


def parity(
    files: Files,
    target: TableTarget = None,
    classes: Labels = False,
    seed: Seed = 1,
    trees: TableTrees = 100,
    limit: Limit = 600,
    record: Record = None,
) -> None:
    """Compare an R script with a Python script, forest by forest. The first value that differs is shown."""
    from pyrrf.cli.order import ParityOrder

    order = ParityOrder(tuple(files), target, classes, seed, trees, limit, record)
    _run("parity", order)


app.callback()(main)
app.command()(parity)
app.command()(select)
app.command()(migrate)

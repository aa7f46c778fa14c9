"""`python -m benchmarks.selection`: let selectors choose features and judge what they choose.

It goes on where it was: what the store has is not run again. Exit status 1: a job failed in a way that no answer could
be kept; 130: it was interrupted.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from benchmarks.jobs import store
from benchmarks.jobs.job import Answers, Job, Options
from benchmarks.jobs.run import Run
from benchmarks.origin import ROOT
from benchmarks.selection import confirmation, goals, report
from benchmarks.selection.cases import CASES, ENOUGH, SPLITS, at_hand, made_by
from benchmarks.selection.kept import LIMIT
from benchmarks.selection.methods import CONFIRM_SPLITS, METHODS, is_at_hand, splits_of, try_again, try_method
from benchmarks.selection.summary import Cell, Results, cell_of

STORE = ROOT / "build" / "selection"


def job_of(case: str, method: str, split: int) -> Job:
    """Return the job of a split; those of one case after the first know what became of that."""
    again = split > 1 and not CASES[case].confirm
    return Job(
        f"{case}/{method}/{split}",
        try_again if again else try_method,
        (case, split, method, list(METHODS[method].settings), LIMIT, *made_by(case)),
        needs=(f"{case}/{method}/1",) if again else (),
        cost=CASES[case].cost * METHODS[method].cost,
    )


def jobs_of(told: Options, confirm: bool = False) -> list[Job]:
    """Return all jobs of the goals, and those of the cells in rounds, so that a run that is cut short is even.

    A round is as many splits as a comparison needs, of all cells, the cheapest cells first; of the cases that confirm
    it is one, and there are no jobs of the goals.
    """
    cells = [(case, method) for case in CASES if CASES[case].confirm is confirm for method in METHODS]
    whole = 1 if confirm else ENOUGH
    cells.sort(key=lambda cell: CASES[cell[0]].cost * METHODS[cell[1]].cost)
    return ([] if confirm else goals.jobs(told)) + [
        job_of(case, method, split)
        for begun in range(1, SPLITS + 1, whole)
        for case, method in cells
        for split in range(begun, min(begun + whole, told.count(splits_of(case, method)) + 1))
    ]


def results_of(answers: Answers) -> Results:
    """Return what is at hand, by case and method."""
    found: dict[str, dict[str, Cell]] = {}
    for case in CASES:
        for method in METHODS:
            kept = {key: answers[key] for key in answers if key.startswith(f"{case}/{method}/")}
            by_split = {int(key.rsplit("/", 1)[1]): answer for key, answer in kept.items()}
            if by_split:
                cell = cell_of(dict(sorted(by_split.items())), METHODS[method].settings)
                found.setdefault(case, {})[method] = cell
    return found


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.selection", description=__doc__)
    add = parser.add_argument
    add("--data", type=Path, help="folder with the data sets, NAME.csv.gz; without it the simulated truths alone")
    add("--splits", type=int, default=SPLITS, help=f"of each cell; fewer than {SPLITS} are a trial, which is printed")
    add("--confirm", action="store_true", help=f"the cases that confirm, {CONFIRM_SPLITS} splits, and their page")
    add("--cases", nargs="+", choices=CASES, default=list(CASES), metavar="CASE", help=", ".join(CASES))
    add("--methods", nargs="+", choices=METHODS, default=list(METHODS), metavar="METHOD", help=", ".join(METHODS))
    add("--goals", action=argparse.BooleanOptionalAction, default=True, help="the jobs of the goals' table, too")
    add("--jobs", type=int, default=1, help="processes; the times are truest with one")
    add("--store", type=Path, default=STORE, help="folder of the answers; build/selection by default")
    add("--report", action="store_true", help="run nothing; write the page of what is kept")
    add("--output", type=Path, help="the page; benchmarks/SELECTION.md by default, CONFIRMATION.md with --confirm")
    options = parser.parse_args(arguments)
    options.whole = CONFIRM_SPLITS if options.confirm else SPLITS
    options.output = options.output or (confirmation.PAGE if options.confirm else report.REPORT)
    if options.splits < 1 or options.jobs < 1:
        parser.error("--splits and --jobs must be at least 1")
    return options


def wanted(job: Job, options: argparse.Namespace) -> bool:
    """Whether a job is asked for and can be run."""
    if job.key.startswith("goals/"):
        return options.goals
    case, _, method, *_ = job.args
    asked = case in options.cases and method in options.methods
    return asked and at_hand(case, options.data) and is_at_hand(METHODS[method].package)


def write(told: Options, options: argparse.Namespace) -> None:
    """Write the page from all that is kept; of a trial, print the page."""
    jobs = jobs_of(told, confirm=options.confirm)
    answers, made = store.load_all(options.store, jobs)
    origin = store.origins(made)
    if options.confirm:
        text = confirmation.render(answers, len(jobs), origin)
    else:
        text = report.render(results_of(answers), answers, len(jobs), min(options.splits, options.whole), origin)
    if options.splits < options.whole:
        print(text)
    else:
        options.output.write_text(text)
        print(f"{len(answers):,} of {len(jobs):,} jobs: {options.output}")


def main(arguments: list[str] | None = None) -> int:
    options = read_options(arguments)
    told = Options(data=options.data, splits=options.splits if options.splits < options.whole else None)
    jobs = [job for job in jobs_of(told, confirm=options.confirm) if wanted(job, options)]
    run = Run("selection", jobs, options.store, told, store.origin())
    try:
        failed = {} if options.report else run.go(options.jobs)
    except KeyboardInterrupt:
        print("\nInterrupted; the same command goes on from here.", file=sys.stderr)
        return 130
    finally:
        write(told, options)
    return 1 if failed else 0


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())

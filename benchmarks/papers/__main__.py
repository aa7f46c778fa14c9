"""`python -m benchmarks.papers`: make a paper's tables again; `benchmarks/papers/__init__.py` says how one is added.

Exit status 1: a job failed; 130: it was interrupted. What was answered by then is kept.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from pathlib import Path

from benchmarks import papers
from benchmarks.jobs import store
from benchmarks.jobs.job import Options
from benchmarks.jobs.run import Run
from benchmarks.papers import section
from benchmarks.papers.table import Table


def find_tables() -> list[str]:
    """Return the names of the tables of this folder: that of p003_table1.py is 003-table1."""
    modules = sorted(module.name for module in pkgutil.iter_modules(papers.__path__))
    return [name[1:].replace("_", "-", 1) for name in modules if name.startswith("p0")]


def load_table(name: str) -> Table:
    """Return a table; the modules of the others are not imported."""
    module = importlib.import_module(f"benchmarks.papers.p{name.replace('-', '_', 1)}")
    if module.TABLE.name != name:
        raise ValueError(f"{module.__name__} must call its table {name}, not {module.TABLE.name}")
    return module.TABLE


def read_options(arguments: list[str] | None, tables: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=__doc__)
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help=f"all, or of {', '.join(tables)}")
    add("--data", type=Path, help="folder with the data sets, NAME.csv.gz")
    add("--splits", type=int, help="a trial of so many splits or replicates; printed, not written to PAPERS.md")
    add("--engine", choices=("r", "parallel"), help="where a table leaves the choice; its first by default")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="processes; one for each core by default")
    add("--store", type=Path, default=section.STORE, help="folder of the answers; build/papers by default")
    add("--report", action="store_true", help="run nothing; write the sections of what is kept")
    add("--output", type=Path, default=section.PAPERS, help="the report; benchmarks/PAPERS.md by default")
    options = parser.parse_args(arguments)
    names = tables if options.names == ["all"] else options.names
    unknown = [name for name in names if name not in tables]
    if unknown or not (names or options.report):
        parser.error(f"{unknown[0] if unknown else 'no name'}: choose of {', '.join(tables)}, or all")
    options.names = names
    return options


def engine_of(table: Table, asked: str | None) -> str:
    """Return the engine that a table is made with."""
    if not table.engines:
        return ""
    return asked if asked in table.engines else table.engines[0]


def make(table: Table, options: argparse.Namespace) -> bool:
    """Run what is missing of a table, and write its section; say whether nothing failed."""
    told = Options(data=options.data, splits=options.splits, engine=engine_of(table, options.engine))
    folder, jobs = table.folder(options.store, told.engine), table.jobs(told)
    run = Run(table.name, jobs, folder, told, store.origin())
    try:
        failed = {} if options.report else run.go(options.jobs)
    finally:
        text = section.write(table, jobs, folder, told, None if options.splits else options.output)
    print(text if options.splits else section.headline(text))
    return not failed


def main(arguments: list[str] | None = None) -> int:
    options = read_options(arguments, find_tables())
    try:
        sound = [make(load_table(name), options) for name in options.names]
    except KeyboardInterrupt:
        print("\nInterrupted; the same command goes on from here.", file=sys.stderr)
        return 130
    if options.report:
        section.put(options.output)
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main())

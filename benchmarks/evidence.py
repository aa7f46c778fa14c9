"""Make every table and picture that README and the pages quote, on one commit: `make evidence ARGS="--data FOLDER"`.

Pages that hold for this commit are not made again. A page of times holds as long as the code that it measures is the
same; any other page, as far as the C core is concerned, as long as the tests expect the same forests. Each command
keeps what it has measured, in build/evidence, so that a run that was ended goes on where it was.
benchmarks/EVIDENCE.md lists the pages, and how long each took.
--list measures nothing: it says which pages hold, and which do not and why. Exit status 1: a command failed.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from benchmarks.jobs.run import clock
from benchmarks.markdown import rows_of, table
from benchmarks.origin import ROOT, machine

FOLDER = ROOT / "benchmarks"
LIST = FOLDER / "EVIDENCE.md"
STORE = ROOT / "build" / "evidence"
CORE = ("src_c", "pyrrf/_core")
# What defines the forests of the core, apart from R: the slow programs with which the tests compare it.
ORACLES = ("tests/c/*oracle*", "tests/parallel/oracle*")
FITS = ("pyrrf/data", "pyrrf/fit", "pyrrf/random")
TREES = (*CORE, *FITS)
SELECTORS = (*TREES, "pyrrf/selectors", "pyrrf/sklearn")
# In place of SELECTORS for figures that are not times: a faster core with the same forests does not change them.
ANSWERS = (*ORACLES, *FITS, "pyrrf/selectors", "pyrrf/sklearn")
SELECTION = ("benchmarks/jobs", "benchmarks/selection")
CALLS = tuple(
    f"benchmarks/{name}"
    for name in ("call*", "cases.py", "data.py", "peers.py", "runner.py", "scaling.py", "shapes.py", "worker.py")
)


@dataclass(frozen=True)
class Page:
    """A page of tables, and what it takes to make it again."""

    name: str
    minutes: int  # on two cores with nothing else running, as far as it is not on the list
    measures: tuple[str, ...]  # files and folders; the page holds as long as they are those of its commit
    command: str = ""  # arguments of Python; {data} and {store} are filled in; by default those of a study
    then: str = ""  # run afterwards
    alone: bool = True  # no other page beside it: its figures are times, or it uses all cores
    makers: tuple[str, ...] = ()  # what makes the answers that are kept in {store}; they hold as long as it does

    @property
    def file(self) -> Path:
        """Path of the page."""
        return FOLDER / f"{self.name}.md"

    def commands(self, data: Path, store: Path) -> list[list[str]]:
        """Return the command lines."""
        told = self.command or f"-m benchmarks.{self.name.lower()}"
        places = {"data": shlex.quote(str(data)), "store": shlex.quote(str(store / self.name.lower()))}
        return [[sys.executable, *shlex.split(each.format(**places))] for each in (told, self.then) if each]


def of_data(name: str, minutes: int, measures: tuple[str, ...], *, alone: bool = True) -> Page:
    """Return the page of a study that takes the folder with the data sets."""
    return Page(name, minutes, measures, f"-m benchmarks.{name.lower()} --data {{data}}", alone=alone)


# The shortest first. What each one measures is what its figures depend on, times included.
PAGES = (
    of_data("CLUSTER", 2, (*SELECTORS, "pyrrf/threads.py")),
    Page("NOISE", 3, ANSWERS, alone=False),
    of_data("PATHS", 2, SELECTORS),
    Page("SYSTEMS", 3, (*SELECTORS, "pyrrf/papers")),
    Page("PREDICTION", 4, (*TREES, "pyrrf/result")),
    Page("COMPANIONS", 4, (*TREES, "pyrrf/companions", "pyrrf/plots", "pyrrf/result", "pyrrf/rds")),
    of_data("OVERLAP", 5, ANSWERS, alone=False),
    of_data("FORESTS", 6, TREES),
    of_data("BORUTA", 8, SELECTORS),
    Page("GAMMAS", 8, ANSWERS, alone=False),
    of_data("GUIDES", 10, SELECTORS),
    of_data("SIZES", 12, ANSWERS, alone=False),
    of_data("FALSE_SELECTIONS", 15, ANSWERS, alone=False),
    Page(
        "CONFIRMATION", 55, SELECTORS,
        "-m benchmarks.selection --confirm --jobs 2 --data {data} --store {store}",
        "-m benchmarks.selection.pictures", makers=SELECTION,
    ),
    Page(
        "RESULTS", 93, (*TREES, "pyrrf/result"),
        "-m benchmarks.bench --resume --growth --readme --data {data} --store {store}",
        makers=CALLS,
    ),
    Page(
        "PAPERS", 65, (*SELECTORS, "pyrrf/papers"),
        "-m benchmarks.papers all --jobs 2 --data {data} --store {store}",
        makers=("benchmarks/jobs", "benchmarks/papers"),
    ),
    Page(
        "SELECTION", 70, SELECTORS, "-m benchmarks.selection --jobs 2 --data {data} --store {store}",
        makers=SELECTION,
    ),
)  # fmt: skip
STRING_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|/\*.*?\*/|//[^\n]*', re.DOTALL)  # of C
COMMIT = re.compile(r"\bcommit ([0-9a-f]{7,40})\b( with changes)?")


def commits_of(text: str) -> list[str]:
    """Return the commits that a page was measured at; "" stands for changes that no commit has."""
    return sorted({"" if changed else name for name, changed in COMMIT.findall(text)})


def git(*arguments: str) -> str | None:
    """Return the output of a git command; None if it fails."""
    told = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return None if told.returncode else told.stdout


def code_of(text: str, suffix: str) -> str:
    """Return Python and C without comments, docstrings and layout, nothing of a page, other text as it is."""
    if suffix in (".c", ".h"):
        return " ".join(STRING_OR_COMMENT.sub(lambda found: found[1] or " ", text).split())
    if suffix == ".md":
        return ""
    if suffix != ".py":
        return text
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def is_reworded(name: str, file: str) -> bool:
    """Whether a file differs from that of a commit in words alone."""
    before, path = git("show", f"{name}:{file}"), ROOT / file
    if before is None or not path.exists():
        return False
    return code_of(before, path.suffix) == code_of(path.read_text(), path.suffix)


def first_change(name: str, paths: tuple[str, ...]) -> str | None:
    """Return the first file that changed since a commit, "" if none did; None if the commit is not here."""
    told = git("diff", "--name-only", name or "no commit", "--", *paths)
    if told is None:
        return None
    files = sorted(told.split(), key=lambda file: file.endswith(".py"))  # Python last, since it has to be read
    return next((file for file in files if not is_reworded(name, file)), "")


def trouble(page: Page) -> str:
    """Return the reason why a page does not hold; "" if it holds."""
    if not page.file.exists():
        return "never made"
    text = page.file.read_text()
    changes = {name: first_change(name, page.measures) for name in commits_of(text)}
    found = [f"{file} changed since {name}" for name, file in changes.items() if file][:1]
    if None in changes.values():
        found.append("measured at a state that is no commit here")
    if "**Unfinished**" in text:
        found.append("unfinished")
    return "; ".join(found) or ("" if changes else "says no commit")


def minutes_of(page: Page) -> float:
    """Return the minutes of the last run, or a guess before the first."""
    known = rows_of(LIST.read_text()) if LIST.exists() else {}
    return float(known[page.name]["minutes"]) if page.name in known else page.minutes


def write_list(taken: dict[str, float]) -> None:
    """Write the list, with the minutes of pages that were made now in place of those before."""
    known = rows_of(LIST.read_text()) if LIST.exists() else {}
    rows = []
    for page in PAGES:
        row = known.get(page.name)
        if page.name in taken:
            row = {"date": time.strftime("%Y-%m-%d"), "minutes": f"{taken[page.name]:.0f}", "machine": machine()}
        if row:
            commits = ", ".join(commits_of(page.file.read_text())) if page.file.exists() else "-"
            rows.append([page.name, commits, row["date"], row["minutes"], row["machine"]])
    LIST.write_text(
        "# The tables, and when they were made\n\nMade by `make evidence`; `make evidence ARGS=--list` says which of "
        "them still hold.\n\n" + table(["page", "commit", "date", "minutes", "machine"], rows, words=5) + "\n"
    )


def store_of(page: Page) -> Path:
    """Return the folder of the measurements of this code; pages, tests and words are not part of the code."""
    digest = hashlib.sha256()
    for name in (git("ls-files", "--", *page.measures, *page.makers) or "").splitlines():
        file = ROOT / name
        if file.exists() and file.suffix not in (".md", ".svg") and not file.name.startswith("test_"):
            digest.update(f"{name}\n{code_of(file.read_text(), file.suffix)}".encode())
    return STORE / digest.hexdigest()[:12]


def make(page: Page, options: argparse.Namespace) -> float | None:
    """Run the commands of a page; return the minutes, with those of runs that were ended before; None if one failed."""
    store, begun = store_of(page), time.monotonic()
    kept = store / f"{page.name}.minutes"
    before = float(kept.read_text()) if kept.exists() else 0.0
    commands = page.commands(options.data.resolve(), store)
    try:
        done = all(subprocess.run(command, cwd=ROOT, check=False).returncode == 0 for command in commands)
    finally:
        minutes = before + (time.monotonic() - begun) / 60
        if page.makers:  # else the next run begins anew
            store.mkdir(parents=True, exist_ok=True)
            kept.write_text(f"{minutes:.1f}")
    return minutes if done else None


def make_all(pages: list[Page], options: argparse.Namespace) -> bool:
    """Make pages, those that need not be alone on all cores at once; say whether every command succeeded."""
    begun, lock = time.monotonic(), Lock()

    def try_page(page: Page) -> bool:
        left = options.minutes - (time.monotonic() - begun) / 60
        if minutes_of(page) > left:
            print(f"{page.name} does not fit into the {left:.0f} minutes that are left; the same command makes it.")
            return True
        minutes = make(page, options)
        if minutes is None:
            print(f"FAILED: {page.name}", file=sys.stderr)
            return False
        with lock:
            write_list({page.name: minutes})
        return True

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        together = list(pool.map(try_page, (page for page in pages if not page.alone)))
    return all([*together, *(try_page(page) for page in pages if page.alone)])


def show(pages: dict[Page, str]) -> None:
    """Print the state of each page, and the minutes to make those that do not hold."""
    for page, reason in pages.items():
        print(f"{page.name}: {reason or 'holds'}" + (f"; about {minutes_of(page):.0f} min" if reason else ""))
    cores = os.cpu_count() or 1
    total = sum(minutes_of(page) / (1 if page.alone else cores) for page, reason in pages.items() if reason)
    stale = sum(map(bool, pages.values()))
    print(f"{stale} of {len(pages)} do not hold; to make them takes about {clock(60 * total)}.")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="make evidence", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--data", type=Path, help="folder with the data sets, NAME.csv.gz")
    add(
        "--only", nargs="+", choices=[page.name for page in PAGES], metavar="PAGE", help="of the pages that do not hold"
    )
    add("--minutes", type=float, default=120, help="begin no page that would not end within them; 120 by default")
    add("--list", action="store_true", help="say which pages hold, and why others do not")
    options = parser.parse_args(arguments)
    pages = {page: trouble(page) for page in PAGES if not options.only or page.name in options.only}
    show(pages)
    if options.list:
        return 0
    if options.data is None:
        parser.error("--data names the folder with the data sets")
    return 0 if make_all([page for page, reason in pages.items() if reason], options) else 1


if __name__ == "__main__":
    sys.exit(main())

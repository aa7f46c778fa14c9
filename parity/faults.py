"""Faults seeded one at a time in copies of the checkout: which tests see each.

``python -m parity.faults`` seeds each fault of ``faults.txt``, builds what it changes, runs the lanes that could see
it, each up to its first failure, and writes its line into ``RESULTS.md``. With words it seeds only the faults whose
titles hold one of them; ``--statistics`` also runs the statistical comparison, which takes longer than all else. It
needs the environment of ``make test``.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from parity.report import RESULTS, replace_section

ROOT = Path(__file__).parent.parent
TABLE = Path(__file__).with_suffix(".txt")
HEADING = "## Tests that see a fault"
LANES = {
    "unit": "unit tests of the area",
    "recorded": "`tests/test_recorded.py`, R's answers",
    "oracle": "`tests/parallel/test_oracle.py`, engine parallel grown slowly",
    "C": "C tests, without sanitizers",
    "filters": "`tools/filters.sh`: forests grown without a filter of the search are the same",
    "statistics": "`parity/test_statistics.py` with R's recorded runs",
    "doctests": "examples of the module; for C those of `RRF()`, `randomForest()` and the forests of scikit-learn",
}
FILES = {
    "tests/test_recorded.py": "recorded",
    "tests/parallel/test_oracle.py": "oracle",
    "parity/test_statistics.py": "statistics",
    "tests/prose/test_docs.py": "doctests",
}
# Where R's answers, and where the oracle say nothing.
OURS = ("pyrrf/selectors", "pyrrf/papers", "pyrrf/sklearn", "pyrrf/rds", "src_c/engine_parallel")
LIKE_R = ("pyrrf", "src_c/engine_r")
EXAMPLES = ("pyrrf.fit.rrf", "pyrrf.fit.random_forest", "pyrrf.sklearn.forests")
# Seconds of the processor, and by the clock, after which a fault is seen because it hangs.
MOST_SECONDS, MOST_WAITING = 240, 2400
# As in tools/ctest.sh: threads and bins for data as small as those of the tests.
SMALL = """-DCOARSE_BINS=8 -DMIN_COARSE=8 -DROWS_PER_LINE=2 -DMIN_BINNED=2
-DIMPORTANCE_MIN_DESCENTS=1 -DPAIRS_MIN=1""".split()
COMPILER = """cc -std=c11 -O1 -ffp-contract=off -fno-math-errno -pthread -Isrc_c -Itests/c
-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free""".split()
# The editable install of the checkout stands aside for the copy.
ASIDE = """import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "MesonpyMetaFinder"]
"""
SECTION = """Made by `make faults`: {n} faults of `parity/faults.txt`, seeded one at a time; each lane runs up to its
first failure. What crashes or hangs a lane is seen by it. Empty: not run, since the lane does not reach the code, or
with `--quick` another lane had seen the fault.

| lane | what it runs | seen | of | by it alone |
|---|---|---|---|---|
{counts}

Seen by none: {unseen}.

| fault | file | {heads} |
|{rule}
{lines}
"""


@dataclass(frozen=True)
class Fault:
    """A text that stands once in a file, and what takes its place."""

    title: str
    file: str
    old: str
    new: str
    see: tuple[str, ...]  # files of the area's unit tests, names of C tests, and filters

    @property
    def in_c(self) -> bool:
        """Whether it is in the core."""
        return self.file.startswith("src_c/")

    def tests(self) -> list[str]:
        """Return the tests that pytest runs."""
        paths = [path for path in self.see if "/" in path]
        if not self.file.startswith(OURS):
            paths.append("tests/test_recorded.py")
        if not self.file.startswith(LIKE_R):
            paths.append("tests/parallel/test_oracle.py")
        return list(dict.fromkeys([*paths, *self.examples()]))

    def examples(self) -> list[str]:
        """Return the doctests that are to run."""
        module = self.file.removesuffix(".py").replace("/", ".")
        has_examples = not self.in_c and ">>> " in (ROOT / self.file).read_text()
        modules = EXAMPLES if self.in_c else (module,) if has_examples else ()
        return [f"tests/prose/test_docs.py::test_examples_run[{name}]" for name in modules]

    def c_tests(self) -> list[str]:
        """Return the C tests that are to run."""
        return [name for name in self.see if name.startswith("test_")]

    def filters(self) -> list[str]:
        """Return the filters without which forests are to be grown."""
        return [name for name in self.see if name.startswith("FILTER_")]


def read_faults() -> list[Fault]:
    """Return the faults of the table; a file, an old and a new text, and tests each."""
    return [_fault(block.split("\n")) for block in TABLE.read_text().split("\n== ")[1:]]


def _fault(lines: list[str]) -> Fault:
    parts = {
        key: "\n".join(line.removeprefix(key) for line in lines[1:] if line.startswith(key))
        for key in ("file: ", "- ", "+ ", "see: ")
    }
    return Fault(lines[0], parts["file: "], parts["- "], parts["+ "], tuple(parts["see: "].split()))


def faulty(fault: Fault, text: str) -> str:
    """Return a file with the fault.

    Raises
    ------
    ValueError
        The old text does not stand there exactly once, or nothing changes.
    """
    if text.count(fault.old) != 1 or not fault.old or fault.old == fault.new:
        raise ValueError(f"{fault.title}: the old text must stand once in {fault.file}; mend parity/faults.txt")
    return text.replace(fault.old, fault.new)


# ---- processes -------------------------------------------------------------------------------------


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a copy, which has no R: the statistical comparison takes R's recorded runs."""
    tools = str(Path(sys.executable).parent)
    return os.environ | {"PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1", "PATH": tools}


def must(command: Sequence[str], folder: Path) -> None:
    """Run a command of the build, which must succeed."""
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, cwd=folder, env=os.environ | {"PATH": tools}, text=True, capture_output=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")


def ended(command: Sequence[str], folder: Path, given: dict[str, str]) -> str:
    """Run tests; return how they ended: "", "fails", "crashes" or "hangs"."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        code = subprocess.run(
            command, cwd=folder, env=given, capture_output=True, preexec_fn=limit, timeout=MOST_WAITING
        ).returncode
    except subprocess.TimeoutExpired:
        return "hangs"
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "hangs"
    return "crashes" if code < 0 else "fails" if code else ""


# ---- a copy of the checkout ------------------------------------------------------------------------


class Copy:
    """A copy of the checkout, built for Python and, with small thresholds, for C tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
        for name in names:
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        (folder / "sitecustomize.py").write_text(ASIDE)
        must(["meson", "setup", "build/python"], folder)
        must(["meson", "setup", "build/c", "--optimization=1", f"-Dc_args={' '.join(SMALL)}"], folder)
        self.build()
        for module in (folder / "build/python").glob("*.so"):
            (folder / "pyrrf/_core" / module.name).symlink_to(module)

    def build(self) -> None:
        """Compile the changed files."""
        must(["ninja", "-C", "build/python"], self.folder)
        must(["ninja", "-C", "build/c", "librrf_core.a"], self.folder)

    @contextmanager
    def seeded(self, fault: Fault) -> Iterator[None]:
        """Have the fault in the copy, built."""
        place = self.folder / fault.file
        before = place.read_text()
        place.write_text(faulty(fault, before))
        try:
            self.build()
            yield
        finally:
            place.write_text(before)

    def see(self, fault: Fault, more: Sequence[str], quick: bool) -> dict[str, str]:
        """Return by lane the first test that fails, "" where none does, without the lanes that cannot see the fault.

        `quick`: up to the first lane that sees it.
        """
        tests = [*fault.tests(), *more]
        fails = {"C": self._run_c(fault.c_tests())} if fault.c_tests() else {}
        if fault.filters() and not (quick and any(fails.values())):
            fails["filters"] = ended(["tools/filters.sh", *fault.filters()], self.folder, dict(os.environ))
        while left := [test for test in tests if lane_of(test) not in fails]:
            if quick and any(fails.values()):
                break
            lanes = {lane_of(test) for test in (left[:1] if quick else left)}
            fails |= self._run_python([test for test in left if lane_of(test) in lanes])
        return fails

    def _run_python(self, tests: list[str]) -> dict[str, str]:
        """Return the first failures of one process of pytest by lane; for a hang or a crash, of the lane it was in."""
        notes = self.folder / "notes"
        notes.write_text("")
        command = [sys.executable, "-m", "parity.faults", "--notes", str(notes), *tests]
        how = ended(command, self.folder, environment(self.folder))
        fails = {} if how else {lane_of(test): "" for test in tests}
        kind, test = "began", tests[0]
        for line in notes.read_text().splitlines():
            kind, _, test = line.partition(" ")
            if kind == "failed":
                fails.setdefault(lane_of(test), "")
                fails[lane_of(test)] = fails[lane_of(test)] or test
        return fails | ({lane_of(test): fails.get(lane_of(test)) or f"{test} {how}"} if how else {})

    def _run_c(self, names: list[str]) -> str:
        """Return the first C test that fails, crashes or hangs."""
        shared = {*self.folder.glob("tests/c/*.c")} - {*self.folder.glob("tests/c/test_*.c")}
        for name in names:
            program = str(self.folder / "build" / name)
            sources = [f"tests/c/{name}.c", *map(str, shared), "build/c/librrf_core.a"]
            must([*COMPILER, *SMALL, *sources, "-lm", "-o", program], self.folder)
            if how := ended([program], self.folder, environment(self.folder)):
                return f"tests/c/{name}.c {how}"
        return ""


# ---- one process of pytest ---------------------------------------------------------------------------


def lane_of(test: str) -> str:
    """Return the lane of a test by its file."""
    return FILES.get(test.partition("::")[0], "unit")


class Notes:
    """Writes down which test begins and which fails; the rest of a lane that has seen the fault is passed over."""

    def __init__(self, file: Path) -> None:
        self.file, self.seen = file, set[str]()

    def add(self, kind: str, test: str) -> None:
        """Write it down at once, for the process may crash."""
        with self.file.open("a") as file:
            file.write(f"{kind} {test}\n")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip the tests of a lane that has seen the fault."""
        if lane_of(item.nodeid) in self.seen:
            pytest.skip("seen")
        self.add("began", item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails."""
        self.note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be imported."""
        self.note(report)

    def note(self, report: Any) -> None:
        """Note a failure."""
        if report.failed:
            self.seen.add(lane_of(report.nodeid))
            self.add("failed", report.nodeid)


def noted(file: Path, tests: list[str]) -> int:
    """Run tests and write notes; return 0 unless pytest itself cannot work."""
    options = ["-q", "-p", "no:cacheprovider", "--continue-on-collection-errors", *tests]
    return 0 if int(pytest.main(options, plugins=[Notes(file)])) <= 1 else 1


# ---- the table ---------------------------------------------------------------------------------------


def nothing(faults: Sequence[Fault]) -> Fault:
    """Return a change of nothing, which no test of these faults may see."""
    see = sorted({test for fault in faults for test in (*fault.see, *fault.examples())})
    return Fault("nothing", "src_c/example.c", "SPDX", "SPDX ", tuple(see))


def seen_by(
    faults: Sequence[Fault], jobs: int, more: Sequence[str], quick: bool
) -> Iterator[tuple[Fault, dict[str, str]]]:
    """Yield each fault and what saw it, as `Copy.see`; `jobs` copies share them out."""
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(jobs) as pool:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for copy in pool.map(Copy, [Path(scratch) / str(number) for number in range(jobs)]):
            copies.put(copy)

        def one(fault: Fault) -> dict[str, str]:
            copy = copies.get()
            try:
                with copy.seeded(fault):
                    return copy.see(fault, more, quick)
            finally:
                copies.put(copy)

        yield from zip(faults, pool.map(one, faults), strict=True)


def cells(fails: dict[str, str], before: list[str]) -> list[str]:
    """Return the cells of a fault's line, by lane; what was not run stays as it was."""
    return [
        ("seen" if fails[lane] else "no") if lane in fails else old for lane, old in zip(LANES, before, strict=True)
    ]


def read_page() -> dict[str, list[str]]:
    """Return the cells of RESULTS.md by the title of the fault."""
    lines = RESULTS.read_text().partition(HEADING)[2].splitlines()
    parts = [text.removeprefix("| ").removesuffix(" |").split(" | ") for text in lines if text.startswith("| ")]
    return {title: marks for title, _, *marks in parts if len(marks) == len(LANES)}


def write_page(known: dict[str, list[str]]) -> None:
    """Write the section of RESULTS.md, in the order of the table of faults."""
    faults = [fault for fault in read_faults() if fault.title in known]
    marks = [known[fault.title] for fault in faults]
    counts = [
        f"| {lane} | {what} | {sum(of[i] == 'seen' for of in marks)} | {sum(of[i] != '' for of in marks)} | "
        f"{sum(of[i] == 'seen' and of.count('seen') == 1 for of in marks)} |"
        for i, (lane, what) in enumerate(LANES.items())
    ]
    lines = [f"| {fault.title} | `{fault.file}` | {' | '.join(known[fault.title])} |" for fault in faults]
    text = SECTION.format(
        n=len(faults),
        counts="\n".join(counts),
        unseen="; ".join(fault.title for fault in faults if "seen" not in known[fault.title]) or "nothing",
        heads=" | ".join(LANES),
        rule="---|" * (2 + len(LANES)),
        lines="\n".join(lines),
    )
    replace_section(HEADING, f"{HEADING}\n\n{text}")


def main() -> int:
    """Seed faults, or run tests in a copy."""
    parser = argparse.ArgumentParser(prog="python -m parity.faults", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("words", nargs="*", metavar="WORD", help="seed only the faults whose titles hold one of them")
    parser.add_argument("--jobs", type=int, default=2, help="copies that share the faults out")
    parser.add_argument("--statistics", action="store_true", help="run the statistical comparison, too")
    parser.add_argument("--quick", action="store_true", help="run lanes up to the first that sees a fault")
    parser.add_argument("--notes", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.notes:
        return noted(given.notes, given.words)
    faults = [each for each in read_faults() if not given.words or any(word in each.title for word in given.words)]
    control, missed, more = nothing(faults), 0, ["parity/test_statistics.py"] if given.statistics else []
    for fault, fails in seen_by([control, *faults], given.jobs, more, given.quick):
        print(fault.title, *(f"    {lane}: {test or 'no'}" for lane, test in fails.items()), sep="\n", flush=True)
        if fault is not control:
            known = read_page()
            known[fault.title] = cells(fails, known.get(fault.title, [""] * len(LANES)))
            write_page(known)
            missed += not any(fails.values())
        elif any(fails.values()):
            raise RuntimeError("a test fails without a fault")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())

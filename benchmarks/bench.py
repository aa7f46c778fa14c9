"""Time whole calls of pyrrf beside CRAN RRF, ranger, scikit-learn, scikit-learn-intelex and LightGBM on the same data.

Each case is kept in --store as soon as it is measured, and benchmarks/RESULTS.md is made anew from all that is
kept. Without --case and --resume what was kept before is forgotten, and the growth of cost is measured too.
--quick measures nothing: tiny cases, once, nothing kept, no file written but --output.
Exit status 1: answers differ that must be identical, or a call failed.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import scaling, store
from benchmarks.cases import CASES, QUICK_CASES
from benchmarks.data import is_real, real_file
from benchmarks.goals import ratios, summary
from benchmarks.origin import origin
from benchmarks.peers import FAMILIES, available_families, make_peers
from benchmarks.report import put_summary, report
from benchmarks.runner import measure
from benchmarks.shapes import Case
from benchmarks.tables import Results

RESULTS = Path(__file__).with_name("RESULTS.md")
README = RESULTS.parent.parent / "README.md"
GROWTH_SECONDS = 600


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add(
        "--case", action="append", choices=[*CASES, *QUICK_CASES], metavar="CASE", help="only this one; may be repeated"
    )
    add("--list", action="store_true", help="name the cases and what they take, and end")
    add("--data", type=Path, help="folder with real data, NAME.csv.gz; without it such cases are left out")
    add("--peer", action="append", choices=FAMILIES, help="only this one; may be repeated")
    add("--repeats", type=int, default=3, help="3 at most, by default")
    add("--budget", type=float, default=5.0, help="seconds after which a peer is not called a second time; 5")
    add("--minutes", type=float, default=float("inf"), help="begin no case that would not end within them")
    add("--resume", action="store_true", help="measure what is not kept yet")
    add("--report", action="store_true", help="measure nothing; write the report of what is kept")
    add("--readme", action="store_true", help="also put the summary into README.md")
    add("--growth", action="store_true", help="with --case or --resume: measure the growth of cost, if it is not kept")
    add("--store", type=Path, default=store.STORE, help="folder of what is kept; build/bench by default")
    add("--quick", action="store_true", help="tiny cases: shows that it runs")
    add("--output", type=Path, help="the report, if not benchmarks/RESULTS.md; scaling.svg is put beside it")
    options = parser.parse_args(arguments)
    options.table = QUICK_CASES if options.quick else CASES
    unknown = [key for key in options.case or [] if key not in options.table]
    if unknown:
        parser.error(f"--quick and {unknown[0]} do not go together; --list names the cases")
    if options.quick:
        options.repeats = 1
    elif options.output is None:
        options.output = RESULTS
    return options


def choose(options: argparse.Namespace, kept: Results) -> dict[str, Case]:
    """Return the cases to measure."""
    if options.report:
        return {}
    wanted = options.case or [key for key, case in options.table.items() if not case.asked]
    cases = {key: options.table[key] for key in wanted if not (options.resume and key in kept)}
    for key, case in list(cases.items()):
        if is_real(case.shape) and real_file(case.shape, options.data) is None:
            print(f"{key}: {case.shape.kind}.csv.gz is not in --data: left out.", file=sys.stderr)
            del cases[key]
    return cases


def plan(cases: dict[str, Case], growth: bool) -> str:
    """Say how long it takes."""
    total = sum(case.expected for case in cases.values()) + GROWTH_SECONDS * growth
    return f"{len(cases)} cases, about {total / 60:.0f} minutes with nothing else running on two cores."


def write(options: argparse.Namespace, folder: Path) -> str:
    """Make the report of all that is kept."""
    text = report(store.load_all(options.table, folder), folder, options.repeats, options.budget)
    if options.output:
        options.output.write_text(text)
        if (folder / store.PICTURE).exists():
            shutil.copy(folder / store.PICTURE, options.output.with_name(store.PICTURE))
    return text


def measure_cases(cases: dict[str, Case], families: list[str], options: argparse.Namespace, folder: Path) -> bool:
    """Measure, keep and report case by case; say whether all answers agreed."""
    sound, ends = True, time.monotonic() + 60 * options.minutes
    for number, (key, case) in enumerate(cases.items(), 1):
        if time.monotonic() + case.expected > ends:
            print(f"{key} does not fit into --minutes: left out; --resume measures it.", file=sys.stderr)
            continue
        print(f"{number} of {len(cases)}, {key}: {case}, about {case.expected} s ...", file=sys.stderr)
        begun, peers, real = origin(), make_peers(families, case), real_file(case.shape, options.data)
        result = measure(case, peers, options.repeats, options.budget, real)
        result.origin = begun
        sound &= result.sound
        print(f"  {result.wall:.0f} s", file=sys.stderr)
        store.save(result, key, folder)
        write(options, folder)
    return sound


def run(options: argparse.Namespace, folder: Path) -> int:
    """Measure what is asked for; return the exit status."""
    fresh = not (options.case or options.resume or options.report)
    if fresh:
        store.clear(folder)
    families = available_families(options.peer)
    cases = choose(options, store.load_all(options.table, folder))
    kept = options.resume and (folder / store.GROWTH).exists()
    growth = (fresh or options.growth) and not options.report and not kept
    print(plan(cases, growth), file=sys.stderr)
    sound = True
    if growth:
        sound = scaling.measure_growth(families, options.quick, folder)
    sound &= measure_cases(cases, families, options, folder)
    text = write(options, folder)
    print(text if options.quick else summary(ratios(store.load_all(options.table, folder))))
    return 0 if sound else 1


def main(arguments: list[str] | None = None) -> int:
    options = read_options(arguments)
    if options.list:
        for key, case in options.table.items():
            print(f"{key}: {case.group}, {case}, {case.expected} s{', only with --case' if case.asked else ''}")
        print(plan({key: case for key, case in options.table.items() if not case.asked}, growth=True))
        return 0
    if options.quick:
        with tempfile.TemporaryDirectory() as folder:
            return run(options, Path(folder))
    status = run(options, options.store)
    if options.readme:
        README.write_text(put_summary(README.read_text(), options.output.read_text()))
    return status


if __name__ == "__main__":
    sys.exit(main())

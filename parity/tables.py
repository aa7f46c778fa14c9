"""`python -m parity.tables [RUN ...]` measures what the statistical comparison sees, and writes its part of RESULTS.md.

Needs no R, and a quarter of an hour for all runs; RUN names those to be measured anew.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np

from parity.power import BLOCKS, DRAWS, FAULT_BLOCKS, FAULTS, OF_ENGINE, POWER, measure
from parity.report import replace_section
from parity.statistics import (
    EQUIVALENCE_BOUND,
    EQUIVALENCE_LIMIT,
    FAMILY_LEVEL,
    FIRST_SEED,
    LIMIT,
    R_SEEDS,
    RUNS,
    SEEDS,
    SIDES,
    STANDARD_ERROR,
    TESTS,
    block,
    data,
    differences,
    names,
)
from parity.store import RECORDED

HEADING = "## Statistical comparison"
MEASURED_FILE = RECORDED / "statistics_power.json"
Measured = dict[str, dict[str, Any]]


def section(measured: Measured) -> str:
    """All of it; `measured` is what `power.measure` found, by run and engine."""
    blocks = [_INTRODUCTION, _own(), _unchanged(measured)]
    blocks += [_power(measured, engine) for engine in FIRST_SEED]
    return "\n".join([*blocks, _misses(measured)])


_INTRODUCTION = f"""{HEADING}

CRAN RRF with seeds {R_SEEDS.start} to {R_SEEDS.stop - 1} beside pyrrf with {SEEDS} seeds from {FIRST_SEED["r"]}
(engine r) and from {FIRST_SEED["parallel"]} (engine parallel): means over seeds of out-of-bag error, votes for a row's
own class, nodes of a tree, sum and largest of the importances, subset size, and selection of each feature (of
randomForest its rank by importance). Differences are in standard deviations (SD) of R's forests. {TESTS} tests together
reject with probability {FAMILY_LEVEL} at most if nothing differs: each rejects from {LIMIT:.3f} SD on, and finds a
difference of {LIMIT + 1.2816 * STANDARD_ERROR:.2f} SD with a chance of {POWER}. Equivalent: the 90 % interval lies
within {EQUIVALENCE_BOUND} SD, so the difference is at most {EQUIVALENCE_LIMIT:.3f} SD. `parity/statistics.py` holds
data and tests. `python -m parity.tables` wrote this section.
"""


def _own() -> str:
    """Table of the comparison of block 0 of seeds, as in the lane."""
    lines = ["| run | call | x | engine | largest difference, SD | of | equivalent |", "|---|---|---|---|---|---|---|"]
    for name, engine in SIDES:
        gaps = differences(name, block(name, engine))
        top = int(np.argmax(np.abs(gaps)))
        given = ", ".join(f"{key}={value}" for key, value in RUNS[name].arguments.items())
        shape = " x ".join(map(str, data(name)["x"].shape))
        within = "yes" if abs(gaps[top]) < EQUIVALENCE_LIMIT else "no"
        cells = [name, f"`{RUNS[name].call}({given})`", shape, engine, f"{gaps[top]:+.3f}", names(name)[top], within]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _unchanged(measured: Measured) -> str:
    """Text on how often the lane rejects a build without a fault."""
    largest = np.array([measured[name][engine]["unchanged"] for name, engine in SIDES]).max(axis=0)
    sound, equivalent = int((largest <= LIMIT).sum()), int((largest < EQUIVALENCE_LIMIT).sum())
    return f"""Without a fault, {BLOCKS} blocks of {SEEDS} other seeds: in {sound} of them nothing is rejected, in
{equivalent} all is equivalent; the largest difference of all is {largest.max():.3f} SD.
"""


def _faults(engine: str) -> list[str]:
    return [*FAULTS, *OF_ENGINE[engine]]


def _anywhere(measured: Measured, engine: str, fault: str) -> float:
    """Chance that any run of an engine rejects; the runs are independent."""
    chances = [measured[name][of]["faults"].get(fault, 0.0) for name, of in SIDES if of == engine]
    return float(1 - np.prod(1 - np.array(chances)))


def _power(measured: Measured, engine: str) -> str:
    """Chance of rejection by fault and run."""
    runs = [name for name, of in SIDES if of == engine]
    lines = [
        f"Chance of rejection by fault, engine {engine}: the share of {DRAWS} blocks drawn from",
        f"{FAULT_BLOCKS * SEEDS} forests with it; -: does not apply, or was not grown in this run.\n",
        f"| fault | any run | {' | '.join(runs)} |",
        f"|---|---|{'---|' * len(runs)}",
    ]
    for fault in _faults(engine):
        chances = [measured[name][engine]["faults"].get(fault) for name in runs]
        cells = ["-" if chance is None else f"{chance:.2f}" for chance in chances]
        lines.append(f"| {fault} | {_anywhere(measured, engine, fault):.2f} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _misses(measured: Measured) -> str:
    """Text on the faults that are not seen."""
    missed = {
        engine: [fault for fault in _faults(engine) if _anywhere(measured, engine, fault) < POWER]
        for engine in FIRST_SEED
    }
    by_engine = "; ".join(f"engine {engine}: {', '.join(faults) or 'none'}" for engine, faults in missed.items())
    return f"""`coefReg` of a guided run is its `lambda0`; `nodesize + 1` is 2 for classes and 6 for numbers.

What it does not see:

- Faults of the table with a chance below {POWER}. {by_engine[0].upper()}{by_engine[1:]}.
- What these runs do not do: test sets, `predict`, permutation importance, proximity, strata, `maxnodes`, `feaIni`,
  `corr_bias`, factors of more than ten levels, missing values, several threads.
- What leaves means alone: other spreads, other subsets of the same frequencies, one seed's forest taken for another's.
- A fault of both sides, and one that shifts every mean by less than about {LIMIT:.2f} SD.
- Unsupervised mode of engine parallel, which is not R's: R's synthetic rows all copy row 1
  (`docs/differences/parallel.md`, "unsupervised mode"). randomForest() has engine r alone.
"""


def main() -> None:
    """Measure the runs that are named, or all, and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m parity.tables", description=__doc__)
    parser.add_argument("runs", nargs="*", metavar="RUN", help=f"of {', '.join(RUNS)}; all by default")
    named = parser.parse_args().runs
    if unknown := sorted(set(named) - set(RUNS)):
        parser.error(f"no run is called {', '.join(unknown)}")
    measured = json.loads(MEASURED_FILE.read_text()) if named and MEASURED_FILE.exists() else {}
    for name in named or RUNS:
        measured[name] = {engine: measure(name, engine) for engine in RUNS[name].engines}
    lines = [f"{json.dumps(name)}: {json.dumps(measured[name])}" for name in RUNS if name in measured]
    MEASURED_FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    replace_section(HEADING, section(measured))


if __name__ == "__main__":
    main()

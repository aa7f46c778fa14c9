"""The report: tables, what was computed, and on which machine."""

from __future__ import annotations

import datetime
import os
import platform
import shutil
import statistics
import subprocess
from pathlib import Path

from benchmarks import tables
from benchmarks.runner import COMPARISONS, ROOT
from benchmarks.tables import Results

MEANING = """\
Every call runs in a process of its own, after the data are loaded and the package imported; the peers take turns,
repeat by repeat. Whole calls are timed, from the data in memory to the fit. Equal everywhere: data, number of trees,
mtry (classes: root of p; numbers: p / 3), bootstrap with replacement, as many cases as rows, and the size up to which a
node is not split (1; numbers: 5). Classes by Gini, numbers by variance; no bound on depth.

- pyrrf: `RRF(x, y, ...)`; x is a float64 array in Fortran order, classes are a pandas Categorical. Computes the
  out-of-bag votes, the error after each tree and the decrease in impurity, and keeps the trees.
- CRAN RRF: `RRF(x, y, ...)`; a matrix of doubles, classes are a factor. Computes the same.
- ranger: `ranger(x =, y =, ...)`; the same matrix, with column names. Out-of-bag error, no importance, keeps the trees.
  Regularized: `regularization.factor`, without depth.
- scikit-learn: `RandomForestClassifier` or `-Regressor`, ordinary only; x is a float64 array in Fortran order, classes
  are integers. No out-of-bag votes (its default). Scans x as float32.

coefReg, and ranger's regularization.factor, is 0.9."""

MEMORY = """\
Largest resident memory in MiB during the call, medians (VmHWM of /proc/self/status, begun anew before the call).
"whole" is the process with interpreter, packages and data; "added" is that minus the resident memory before the
call."""

THREADS = "The number beside a name is that of its threads; regrown: share of the trees that were grown more than once."
GOALS = "Memory: at the number of threads where the ratio is largest."

QUIET_LOAD = 0.3


def machine() -> str:
    """Return processor, number of cores and system in one line."""
    model = platform.processor() or platform.machine()
    try:
        text = Path("/proc/cpuinfo").read_text()
        model = next(line for line in text.splitlines() if line.startswith("model name"))
        model = model.split(":", 1)[1].strip()
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


def commit() -> str:
    """Return the commit, and whether what is measured differs from it."""
    if shutil.which("git") is None:
        return "commit unknown"
    here = {"cwd": ROOT, "capture_output": True, "text": True, "check": False}
    named = subprocess.run(["git", "rev-parse", "--short", "HEAD"], **here)
    if named.returncode != 0:
        return "commit unknown"
    changed = subprocess.run(["git", "status", "--porcelain", "pyrrf", "src_c", "meson.build"], **here).stdout
    return f"commit {named.stdout.strip()}" + (" with changes" if changed else "")


def origin() -> str:
    """Return date, commit, machine and its load now: the lines that begin a report."""
    load = os.getloadavg()[0]
    text = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}, {commit()}, {machine()}.\n"
    text += f"Load average when the run began: {load:.2f}."
    if load > QUIET_LOAD:
        text += "\nSomething else was running: times are rough, above all those of 2 threads and more."
    return text


def sections(results: Results, grown: Results) -> list[tuple[str, str]]:
    """Return the titles and the texts of what was measured; `grown` is what the growth of cost was measured on."""
    parts = [
        ('Engine "r", one thread', tables.engine_r(results)),
        ('Regularized forests, engine "parallel"', f"{THREADS}\n\n{tables.regularized(results)}"),
        ("Ordinary forests", tables.ordinary(results)),
        ("Memory, regularized", f"{MEMORY}\n\n{tables.memory(results, True)}"),
        ("Memory, ordinary", tables.memory(results, False)),
        ("Goals, regularized", f"{GOALS}\n\n{tables.goals(results, True)}"),
        ("Goals, ordinary", tables.goals(results, False)),
        ("Checks", checks(results, grown)),
    ]
    return [*parts, ("What is computed", MEANING)]


def checks(results: Results, grown: Results) -> str:
    """Say which answers were compared, which calls failed, what the packages warned of, and how times spread."""
    calls = [(peer, call) for result in results.values() for peer in result.calls for call in result.calls[peer]]
    every = results | grown
    lines = [_comparison(every, name) for name in COMPARISONS if any(name in r.equal for r in every.values())]
    lines += [f"- FAILED: {key}: {call}." for key, result in every.items() for call in result.failed]
    warned = sorted({f"{peer}: {text}" for peer, call in calls for text in call.warnings})
    lines += [f"- Warning of {text}" for text in warned]
    lines += _spread(results)
    lines.append(f"- Versions: {'; '.join(sorted({call.package for _, call in calls}))}.")
    return "\n".join(lines)


def _comparison(results: Results, name: str) -> str:
    keys = [key for key, result in results.items() if name in result.equal]
    bad = [key for key in keys if not results[key].equal[name]]
    outcome = f"DIFFERENT on {', '.join(bad)}" if bad else "identical"
    return f"- {name}: {outcome} (shapes {', '.join(keys)}; votes or predictions, importances, feature set, bits)."


def _spread(results: Results) -> list[str]:
    """Say how far repeats are apart, and who was called less often than the others."""
    spreads, rare = [], []
    for key, result in results.items():
        most = max(map(len, result.calls.values()), default=0)
        for peer, calls in result.calls.items():
            times = [call.seconds for call in calls]
            if len(times) > 1:
                spreads.append(((max(times) - min(times)) / statistics.median(times), f"{key}: {peer}"))
            if len(times) < most:
                rare.append(f"{key}: {peer} ({len(times)})")
    lines = [f"- Called less often than the others (calls): {'; '.join(rare)}."] if rare else []
    if spreads:
        middle, (worst, where) = statistics.median(value for value, _ in spreads), max(spreads)
        apart = f"{middle:.0%} in the middle, {worst:.0%} at most ({where})"
        lines.append(f"- Largest minus smallest repeat, over the median: {apart}.")
    return lines


def report(results: Results, grown: Results, begun: str, repeats: int, budget: float, growth: str = "") -> str:
    """Return the whole report as Markdown; `growth` describes how cost grows."""
    lines = [
        "# Benchmarks",
        "Written by `make bench`.",
        begun,
        f"Medians of {repeats} repeats; a peer that has spent more than {budget:g} s on a shape is not called again.",
    ]
    body = [f"## {title}\n\n{text}" for title, text in sections(results, grown)]
    if growth:
        body.append(f"## Growth of cost\n\n{growth}")
    return "\n\n".join(["\n".join([lines[0], "", *lines[1:]]), *body]) + "\n"

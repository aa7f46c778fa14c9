"""The report: tables, what was computed, and on which machine."""

from __future__ import annotations

import statistics
from pathlib import Path

from benchmarks import goals, store, tables
from benchmarks.cases import CASES
from benchmarks.markdown import ABSENT, cells_of, rows_of, table
from benchmarks.peers import FAMILIES
from benchmarks.runner import COMPARISONS
from benchmarks.tables import Results

# What README shows of a report stands between these.
BEGIN, END = "<!-- summary of benchmarks/RESULTS.md -->", "<!-- end of summary -->"
# Its cases in words: the worst beside each peer is among them.
SHOWN = {
    "e": "50,000 rows, 20 continuous features, regression; 10 trees",
    "colon": "41 rows, 2,000 genes, two classes; 2,000 trees",
    "likert less 1": "4,590 rows, 40 answers of a questionnaire, five classes; 50 trees",
    "timestamps": "10,000 rows, 12 columns of timestamps, three classes; 25 trees",
    "factors 4": "4,000 rows, 24 columns, 20 of them factors of 5 to 32 levels, four classes; 15 trees",
}
# Its columns: where the table of a section has a column of seconds.
SECONDS = {
    "pyrrf, engine r": ('Engine "r", regularized', "pyrrf, s"),
    "pyrrf, engine parallel": ('Engine "parallel", regularized', "parallel 1, s"),
    "CRAN RRF": ('Engine "r", regularized', "CRAN RRF, s"),
    "ranger": ('Engine "r", regularized', "ranger, s"),
    "scikit-learn": ("Ordinary forests", "scikit-learn, s"),
    "scikit-learn-intelex (oneDAL)": ("Ordinary forests", "scikit-learn-intelex, s"),
}
WORST = "**worst of all cases for pyrrf**"

MEANING = """\
Every call is made in a process that has imported the package and loaded the data before; the peers take turns, repeat
by repeat. On the cases of the memory tables each call has a process of its own, on the others each package has one.
Whole calls are timed, from the data in memory to the fit. Equal everywhere: data, number of trees, mtry (classes: root
of p; numbers: p / 3), and, unless said otherwise, bootstrap with replacement, as many cases as rows, and the size up to
which a node is not split (1; numbers: 5). Classes by Gini, numbers by variance; no bound on depth.

- pyrrf: `RRF(x, y, ...)`; x is a float64 array in Fortran order (factors: a pandas table), classes are a pandas
  Categorical. Computes the out-of-bag votes, the error after each tree and the decrease in impurity; keeps the trees.
- CRAN RRF: `RRF(x, y, ...)`; a matrix of doubles (factors: a data frame), classes are a factor. Computes the same.
- ranger: `ranger(x =, y =, ...)`; the same matrix, with column names. Out-of-bag error, no importance, keeps the
  trees. Regularized: `regularization.factor`, without depth; it then uses one thread. Levels of factors are ordered
  once.
- scikit-learn: ordinary only; x is a float64 array in Fortran order, scanned as float32; classes are integers, and so
  are factors, which are split as numbers. No out-of-bag votes (its default).
- scikit-learn-intelex, Intel's replacement of it: the same call. Its oneDAL looks at 256 bins of a column.
- LightGBM, `boosting=rf`: sees bins, at most 255 for a column; their making is part of the call. Draws 63.2% of the
  rows without replacement; up to 4,096 leaves (its time grows by their square), of at least 1 case (numbers: 3); a
  tree for each class where there are three or more. No out-of-bag votes. Its pool of histograms is bounded (512 MiB).
  Regularized: `cegb_penalty_feature_coupled` = 1 for each column: a price, where RRF has a factor, so that the number
  of features differs. Measured on some of the cases, since it takes long.

coefReg, and ranger's regularization.factor, is 0.9. Made responses depend on the first five columns and noise."""

MEMORY = """\
Largest resident memory in MiB during the call, medians (VmHWM of /proc/self/status, begun anew before the call).
"whole" is the process with interpreter, packages and data; "added" is that minus the resident memory before the
call."""

MAP = """\
x is a memory map of float32, row by row, given as it is (2,000,000 x 100 are 763 MiB; as float64 they would be 1,526).
"whole" counts the pages of the file that were read, which the system can drop; "no file's" is the memory that the call
itself asked for, looked at every hundredth of a second. Engine parallel copies no values, neither as float32 nor as
float64. It asks for ranks (4 bytes a cell; 2 up to 65,536 rows) and about 70 bytes a row. Where at least half of the
columns in F fit into lists of 256 MiB, it also asks for these, the sorted rows of the tree that is being grown, and for
the rows in the order of such a column (4 bytes). LightGBM asks for bins."""

QUALITY = """\
Like beside like: error on rows set aside (share of wrong classes; numbers: mean square over the variance); leaves of a
tree, mean; number of features that the forest splits on. One thread, seed 1."""

PARALLEL_NOTE = "regrown: share of the trees that were partly grown again."
SUMMARY = "A ratio of times above 1: the second name is faster."
GOALS = "**Bold**: the goal is missed."

BUSY = 0.2  # processors that others may use before times are called rough


def origins(results: Results) -> str:
    """Say when and on what the cases were measured, and which of them were disturbed."""
    groups: dict[str, list[str]] = {}
    for key, result in results.items():
        groups.setdefault(result.origin, []).append(key)
    lines = []
    for text, keys in groups.items():
        lines.append(f"{text}: {f'{len(keys)} cases' if len(groups) == 1 else ', '.join(keys)}.")
    rough = [f"{key} ({result.others:.1f})" for key, result in results.items() if result.others > BUSY]
    if rough:
        lines.append(
            f"Others used more than {BUSY:g} processors during these cases, so that times are rough, above all those "
            f"of 2 threads and more (processors): {', '.join(rough)}."
        )
    return "\n".join(lines)


def left_out(results: Results) -> list[str]:
    """Name the cases without results, in a line; --quick has cases of its own."""
    missing = [key for key in CASES if key not in results]
    unfinished = "**Unfinished**. " * any(not CASES[key].asked for key in missing)
    return [f"{unfinished}Not measured: {'; '.join(missing)}."] if 0 < len(missing) < len(CASES) else []


def sections(results: Results, growth: str) -> list[tuple[str, str]]:
    """Return the titles and the texts of what was measured."""
    ratios = goals.ratios(results)
    parts = [
        ("Goals", goals.summary(ratios)),
        ("Goals by case", f"{GOALS}\n\n{goals.by_case(ratios)}"),
        ("A row less, and rows sorted by class", goals.disturbed(results)),
        ("What limits the cases with a missed goal", goals.limits(results, ratios)),
        ('Engine "r", regularized', tables.engine_r(results)),
        ('Engine "parallel", regularized', f"{PARALLEL_NOTE}\n\n{tables.regularized(results)}"),
        ("Ordinary forests", tables.ordinary(results)),
        ("Threads, regularized", tables.threads(results, True)),
        ("Threads, ordinary", tables.threads(results, False)),
        ("Error, leaves and features, regularized", f"{QUALITY}\n\n{tables.qualities(results, True)}"),
        ("Error, leaves and features, ordinary", tables.qualities(results, False)),
        ("Memory, regularized", f"{MEMORY}\n\n{tables.memory(results, True)}"),
        ("Memory, ordinary", tables.memory(results, False)),
        ("A memory map", f"{MAP}\n\n{tables.memory_map(results)}"),
        ("Checks", checks(results)),
        ("What is computed", MEANING),
        ("Growth of cost", growth),
    ]
    return [(title, text) for title, text in parts if text.strip() and not text.endswith("\n\n")]


def checks(results: Results) -> str:
    """Say which answers were compared, which calls failed, what the packages warned of, and how times spread."""
    calls = [(peer, call) for result in results.values() for peer in result.calls for call in result.calls[peer]]
    lines = [_comparison(results, name) for name in COMPARISONS if any(name in r.equal for r in results.values())]
    lines += [f"- FAILED: {key}: {call}." for key, result in results.items() for call in result.failed]
    warned = sorted({f"{peer.family}: {text}" for peer, call in calls for text in call.warnings})
    lines += [f"- Warning of {text}" for text in warned]
    lines += _spread(results)
    lines.append(f"- Versions: {'; '.join(sorted({call.package for _, call in calls}))}.")
    minutes = sum(result.wall for result in results.values()) / 60
    lines.append(f"- All cases together took {minutes:.0f} minutes, without the growth of cost.")
    return "\n".join(lines)


def _comparison(results: Results, name: str) -> str:
    keys = [key for key, result in results.items() if name in result.equal]
    bad = [key for key in keys if not results[key].equal[name]]
    outcome = f"DIFFERENT on {', '.join(bad)}" if bad else "identical"
    return f"- {name}: {outcome} (cases {', '.join(keys)}; votes or predictions, importances, feature set, bits)."


def _spread(results: Results) -> list[str]:
    """Say how far repeats are apart."""
    spreads = []
    for key, result in results.items():
        for peer, calls in result.calls.items():
            times = [call.seconds for call in calls]
            if len(times) > 1:
                spreads.append(((max(times) - min(times)) / statistics.median(times), f"{key}: {peer}"))
    if not spreads:
        return []
    middle, (worst, where) = statistics.median(value for value, _ in spreads), max(spreads)
    apart = f"{middle:.0%} in the middle, {worst:.0%} at most ({where})"
    return [f"- Largest minus smallest repeat, over the median: {apart}."]


def report(results: Results, folder: Path, repeats: int, budget: float) -> str:
    """Return the whole report as Markdown; `folder` keeps the text on the growth of cost."""
    growth = folder / store.GROWTH
    once = ", ".join(name for name, family in FAMILIES.items() if not family.again)
    fewer = "".join(
        f" ({name}: {budget * family.again:g})" for name, family in FAMILIES.items() if 0 < family.again < 1
    )
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`.",
        origins(results),
        *left_out(results),
        f"Medians of up to {repeats} repeats: a peer is called a second time unless the first call took more than",
        f"{budget:g} s{fewer}, and a third time if both together took less than {budget / 4:g} s. Called once: {once}.",
        SUMMARY,
    ]
    parts = sections(results, growth.read_text() if growth.exists() else "")
    body = [f"## {title}\n\n{text}" for title, text in parts]
    return "\n\n".join(["\n".join(lines), *body]) + "\n"


def summary_of(text: str) -> str:
    """Return the seconds of five cases, by the tables of a report, and the worst case beside each package."""
    found = {title: rows_of(text, f"## {title}") for title, _ in SECONDS.values()}
    cells = [
        [f"{key}: {words}", *(with_unit(found[title][key].get(column, ABSENT)) for title, column in SECONDS.values())]
        for key, words in SHOWN.items()
    ]
    worst = [worst_of(text, column.partition(" (")[0]) for column in SECONDS]
    return table(["data", *SECONDS], [*cells, [WORST, *worst]], words=1)


def worst_of(text: str, package: str) -> str:
    """Return "0.23 times engine r (factors 4)" for each engine that the goals of a report compare with a package."""
    rows, told = cells_of(text.partition("## Goals\n")[2].partition("\n## ")[0]), []
    for name, _, _, ratio, case, *_ in rows:
        peer, _, engine = name.removeprefix("ordinary: ").partition(" / ")
        if peer == package:
            told.append(f"{ratio} times engine {engine.removeprefix('engine ')} ({case})")
    return "; ".join(told) or ABSENT


def with_unit(cell: str) -> str:
    """Return "0.6 s (300 trees)" for "0.6 (300 trees)"; a dash stays one."""
    number, *note = cell.split(" ", 1)
    return cell if cell == ABSENT else " ".join([number, "s", *note])


def put_summary(readme: str, results: str) -> str:
    """Return README with the summary of a report in place of the one between its marks."""
    before, rest = readme.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return f"{before}{BEGIN}\n\n{summary_of(results)}\n\n{END}{after}"

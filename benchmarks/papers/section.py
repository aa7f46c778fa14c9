"""benchmarks/PAPERS.md: a section for each table between two marks, and a summary made of the marks."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from benchmarks.jobs import store
from benchmarks.jobs.job import Answers, Job, Options
from benchmarks.jobs.run import hours
from benchmarks.origin import ROOT
from benchmarks.papers.grid import count, largest
from benchmarks.papers.table import Table

PAPERS = ROOT / "benchmarks" / "PAPERS.md"
STORE = ROOT / "build" / "papers"
PICTURES = ROOT / "docs" / "papers"
HEAD = """\
# The papers' tables compared with ours

Made by `python -m benchmarks.papers NAME --data FOLDER`; each section is rewritten by its own run, but for the note at
its end, which is written here by hand. `make papers ARGS="--report"` rewrites the summary.

"12.3 ± .8 (13)" is our mean over the replicates, half the width of its 95 % interval (Student's t), and the paper's
figure. **Bold**: no number that the paper would print so lies in our interval. The paper's means have errors of their
own: were nothing different but the random numbers, 83 % of its figures would be inside with as many replicates as the
paper has, and up to 95 % with fewer.
A figure is counted once for each of ours that it stands beside: those of 000-tables2and3 and 004-tables3and4 once or
twice, by what the paper leaves open.

The processor time is that of Python and of what it starts for one job; Weka's and glmnet's processes, which stay open,
are not counted.

| table | inside | outside | our own | jobs | processor time |
| --- | --- | --- | --- | --- | --- |
"""
MARK = re.compile(r"^<!-- begin (\S+): (\d+) inside, (\d+) outside, (\d+) own, (\d+) of (\d+) jobs, (.+) -->$", re.M)


def pictures(table: Table, answers: Answers, folder: Path) -> list[str]:
    """Draw a table's pictures as SVG, the same bytes from the same answers; return their Markdown links."""
    if table.draw is None or not answers:
        return []
    import matplotlib as mpl

    links = []
    folder.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context({"svg.hashsalt": table.name}):
        for name, figure in table.draw(answers).items():
            file = folder / f"{table.name}{'-' if name else ''}{name}.svg"
            figure.savefig(file, metadata={"Date": None}, bbox_inches="tight")
            links.append(f"![{table.title}{', ' if name else ''}{name}](../docs/papers/{file.name})")
    return links


def note_of(name: str, page: Path | None) -> str:
    """Return what was written by hand at the end of a section: what differs from the paper, and why."""
    text = page.read_text() if page and page.exists() else ""
    found = re.search(rf"<!-- note of {name} -->\n(.*?)\n?<!-- end {name} -->", text, re.S)
    return found[1] if found else ""


def render(table: Table, jobs: list[Job], folder: Path, told: Options, drawn: Path | None, note: str = "") -> str:
    """Return a table's section; `drawn` is the folder of the pictures, None for a trial."""
    answers, made = store.load_all(folder, jobs)
    grids = table.report(answers) if answers else []
    counted, time = count(grids), hours(sum(answers.seconds.values()))
    state = f"{len(answers)} of {len(jobs)} jobs"
    whole = f", trial of {told.splits} splits" if told.splits else ""
    whole += f", partial: {state}" if len(answers) < len(jobs) else ""
    judged = counted.inside + counted.outside
    parts = [
        f"<!-- begin {table.name}: {counted.inside} inside, {counted.outside} outside, {counted.own} own, "
        f"{state}, {time} -->\n## {table.name}: {table.title}{whole}\n\n<!-- body of {table.name} -->",
        f"{state}, {time} of the processor. {store.origins(made, told.engine)}".strip(),
        *(grid.markdown().rstrip() for grid in grids),
        *(pictures(table, answers, drawn) if drawn else []),
    ]
    if judged:
        parts.append(f"**Of {judged} comparisons with the paper's figures {counted.inside} lie in our intervals.**")
        far = largest(grids)
        parts += ["Farthest outside:\n\n" + "\n".join(f"- {line}" for line in far)] if far else []
    parts.append(f"<!-- note of {table.name} -->\n{note}".rstrip())
    return "\n\n".join(parts) + f"\n<!-- end {table.name} -->\n"


def write(table: Table, jobs: list[Job], folder: Path, told: Options, output: Path | None) -> str:
    """Return a table's section; put it, with its pictures, into `output` and its folder unless that is None."""
    drawn = (PICTURES if output == PAPERS else output.parent) if output else None
    text = render(table, jobs, folder, told, drawn, note_of(table.name, output))
    if output:
        put(output, {table.name: text})
    return text


def put(output: Path, new: dict[str, str] | None = None) -> None:
    """Write the page again with some sections replaced and the summary of all of them."""
    old = output.read_text() if output.exists() else ""
    sections = {
        name: f"<!-- begin {name}: {body}<!-- end {name} -->\n"
        for name, body in re.findall(r"<!-- begin (\S+): (.*?)<!-- end \1 -->", old, re.S)
    }
    sections |= new or {}
    ordered = [sections[name] for name in sorted(sections)]
    rows = [summary_row(text) for text in ordered]
    output.write_text(HEAD + "".join(rows) + "\n" + "\n".join(ordered))


def summary_row(section: str) -> str:
    """Return a section's line of the summary."""
    mark = MARK.search(section)
    if mark is None:
        sys.exit(f"This section does not begin as the program writes it; make its table again:\n{section[:200]}")
    name, inside, outside, own, done, wanted, time = mark.groups()
    return f"| {name} | {inside} | {outside} | {own} | {f'{done} of ' if done != wanted else ''}{wanted} | {time} |\n"


def headline(section: str) -> str:
    """Return what a section says in a line, for the terminal."""
    mark = MARK.search(section)
    assert mark
    return f"{mark[1]}: {mark[2]} inside, {mark[3]} outside, {mark[4]} own; {mark[5]} of {mark[6]} jobs, {mark[7]}"

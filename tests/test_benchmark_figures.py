"""README shows the summary of benchmarks/RESULTS.md, figure for figure."""

from pathlib import Path

from benchmarks.report import BEGIN, END, put_summary, summary_of

ROOT = Path(__file__).parent.parent


def test_readme_shows_the_summary_of_the_results() -> None:
    readme, results = (ROOT / name for name in ("README.md", "benchmarks/RESULTS.md"))
    shown = readme.read_text().split(BEGIN)[1].split(END)[0].strip()
    assert shown == summary_of(results.read_text())
    assert "| worst |" in shown
    assert put_summary(readme.read_text(), results.read_text()) == readme.read_text()

"""Test the list of measured pages, and report those that do not hold: pytest benchmarks -rx."""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

import pytest

from benchmarks import evidence
from benchmarks.evidence import FOLDER, LIST, PAGES, Page, commits_of, main, trouble, write_list
from benchmarks.markdown import rows_of
from benchmarks.origin import ROOT
from benchmarks.papers import __main__ as papers


def say(folder: Path, *arguments: str) -> str:
    """Run git in a folder; return its output."""
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    return subprocess.run(
        ["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_each_page_is_on_the_list_of_pages() -> None:
    assert {page.file for page in PAGES} | {LIST} == set(FOLDER.glob("*.md")) | {LIST}
    assert all(list(ROOT.glob(path)) for page in PAGES for path in (*page.measures, *page.makers))
    for page in PAGES:
        for command in page.commands(Path("a b"), Path("c")):
            module = command[2].replace(".", "/")
            assert (ROOT / f"{module}.py").exists() or (ROOT / module / "__main__.py").exists()
            assert not {"{data}", "{store}"} & set(command)


def test_the_command_of_the_papers_names_all_tables() -> None:
    told = next(page for page in PAGES if page.name == "PAPERS").commands(Path("a b"), Path("c"))[0][3:]
    options = papers.read_options(told, papers.find_tables())
    assert options.names == papers.find_tables()
    assert (str(options.data), str(options.store)) == ("a b", "c/papers")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_hold(page: Page) -> None:
    """A page that does not hold is named, with the reason; it takes hours to make them all again."""
    if reason := trouble(page):
        pytest.xfail(reason)


def test_a_page_holds_until_what_it_measures_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "ROOT", tmp_path)
    monkeypatch.setattr(evidence, "FOLDER", tmp_path)
    say(tmp_path, "init", "-q")
    for name in ("core", "docs"):
        (tmp_path / name).write_text("1")
    say(tmp_path, "add", "-A")
    say(tmp_path, "commit", "-qm", "first")
    commit, page = say(tmp_path, "rev-parse", "--short", "HEAD"), Page("A", 1, ("core",))
    assert trouble(page) == "never made"
    page.file.write_text("2026-11-30, commit unknown, a machine")
    assert trouble(page) == "says no commit"
    page.file.write_text(f"2026-11-30, commit {commit}, a machine")
    assert trouble(page) == ""
    (tmp_path / "docs").write_text("2")
    assert trouble(page) == ""
    (tmp_path / "core").write_text("2")  # committed or not
    assert trouble(page) == f"core changed since {commit}"
    say(tmp_path, "commit", "-qam", "second")
    assert trouble(page) == f"core changed since {commit}"
    page.file.write_text(f"commit {say(tmp_path, 'rev-parse', '--short', 'HEAD')} with changes; **Unfinished**")
    assert trouble(page) == "measured at a state that is no commit here; unfinished"


def test_a_commit_of_pages_keeps_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "ROOT", tmp_path)
    (tmp_path / "benchmarks").mkdir()
    say(tmp_path, "init", "-q")
    page, stores = Page("A", 1, ("core",), makers=("benchmarks",)), []
    for name in ("core", "benchmarks/a.py", "benchmarks/A.md", "docs", "core"):
        (tmp_path / name).write_text(f"a = {len(stores)}")
        say(tmp_path, "add", "-A")
        say(tmp_path, "commit", "-qm", name)
        stores.append(evidence.store_of(page))
    assert stores[1] == stores[2] == stores[3]
    assert len(set(stores)) == 3
    (tmp_path / "core").write_text("not committed")
    assert evidence.store_of(page) not in stores


def test_minutes_of_runs_that_were_ended_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "store_of", lambda page: tmp_path)
    options = argparse.Namespace(data=tmp_path)
    (tmp_path / "A.minutes").write_text("30")
    kept, anew = (Page("A", 1, (), "-c 'import time; time.sleep(0.1)'", makers=makers) for makers in (("a",), ()))
    assert 30 < evidence.make(kept, options) < 40
    assert evidence.make(Page("B", 1, (), "-c 1/0", makers=("a",)), options) is None
    assert float((tmp_path / "B.minutes").read_text()) < 10
    (tmp_path / "A.minutes").unlink()
    assert evidence.make(anew, options) < 10
    assert not (tmp_path / "A.minutes").exists()


def test_words_do_not_count() -> None:
    code = evidence.code_of('"""A."""\ndef f():  # why\n    """B."""\n    return "c"\n', ".py")
    assert code == evidence.code_of('"""D."""\n\n\ndef f():\n    """E."""\n    return "c"\n', ".py")
    assert code != evidence.code_of('def f():\n    return "d"\n', ".py")
    assert evidence.code_of("a", ".md") == evidence.code_of("b", ".md")
    assert evidence.code_of("a", ".pyx") != evidence.code_of("b", ".pyx")
    core = evidence.code_of('/* A.\n * B. */\nint f(void) { return g("/* c"); } // D.\n', ".c")
    assert core == evidence.code_of('int f(void)\n{\n    return g("/* c");\n}\n', ".c")
    assert core != evidence.code_of('int f(void) { return g("/* d"); }\n', ".c")


def test_commits_are_read_from_a_page() -> None:
    assert commits_of("commit 12345678; commit abcdef0; Commit message; commit 12345678.") == ["12345678", "abcdef0"]
    assert commits_of("commit 12345678 with changes") == [""]


def test_the_list_keeps_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "LIST", tmp_path / "EVIDENCE.md")
    write_list({"NOISE": 3.4})
    write_list({"SYSTEMS": 11})
    rows = rows_of((tmp_path / "EVIDENCE.md").read_text())
    assert {name: row["minutes"] for name, row in rows.items()} == {"NOISE": "3", "SYSTEMS": "11"}
    assert evidence.minutes_of(next(page for page in PAGES if page.name == "SYSTEMS")) == 11


def test_what_would_not_end_in_time_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made: list[str] = []
    monkeypatch.setattr(evidence, "LIST", tmp_path / "EVIDENCE.md")
    monkeypatch.setattr(evidence, "trouble", lambda page: "old")
    monkeypatch.setattr(evidence, "make", lambda page, options: made.append(page.name) or 1.0)
    assert main(["--data", str(tmp_path), "--only", "RESULTS", "NOISE", "--minutes", "30"]) == 0
    assert made == ["NOISE"]
    assert "RESULTS does not fit into the 30 minutes that are left" in capsys.readouterr().out
    assert main(["--list"]) == 0
    assert "17 of 17 do not hold" in capsys.readouterr().out
    monkeypatch.setattr(evidence, "make", lambda page, options: None)
    assert main(["--data", str(tmp_path), "--only", "NOISE"]) == 1
    with pytest.raises(SystemExit):
        main([])

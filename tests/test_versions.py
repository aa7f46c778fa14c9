"""The version stands in one place; show_versions names what a report needs."""

from __future__ import annotations

import re
import runpy
import subprocess
import tomllib
from pathlib import Path

import pytest

import pyrrf

ROOT = Path(__file__).parent.parent
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_version_stands_once() -> None:
    assert pyrrf.__version__ == VERSION
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode:
        pytest.skip("no checkout")
    # What benchmarks wrote names the version that they measured; the changelog has a heading for each release.
    held = [name for name in listing.stdout.rstrip("\0").split("\0") if not name.startswith(("benchmarks/", "parity/"))]
    likely = [ROOT / name for name in held if name.endswith((".py", ".toml", ".build", ".cff", ".yml", ".yaml", ".md"))]
    stated = re.compile(rf"(?<![\w.]){re.escape(VERSION)}(?![\w.]\w)")
    places = {file.name for file in likely if file.is_file() and stated.search(file.read_text())}
    assert places == {"pyproject.toml", "CHANGELOG.md"}


def test_the_changelog_begins_with_the_version_or_what_follows_it() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert (headings[1] if headings[0] == "Unreleased" else headings[0]).split(" ")[0] == VERSION


def test_versions_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    pyrrf.show_versions()
    shown = dict(re.split(r" {2,}", line, maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert shown["pyrrf"] == VERSION
    assert {"Python", "system", "processor", "numpy", "pandas", "scikit-learn", "scipy"} <= shown.keys()
    assert "pytest" not in shown
    assert all(shown.values())


def test_a_package_that_is_not_there_is_named() -> None:
    package_version = runpy.run_path(str(ROOT / "pyrrf" / "versions.py"))["package_version"]
    assert package_version("no-such-package-of-pyrrf") == "not installed"


def test_the_matrix_begins_with_the_oldest_versions_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    matrix = runpy.run_path(str(ROOT / "tools" / "matrix.py"))
    allowed = project["dependencies"] + project["optional-dependencies"]["sklearn"]
    for requirement in allowed:
        package, oldest = requirement.split(">=")
        first = matrix["OLDEST"][project["requires-python"].removeprefix(">=")]
        assert f"{first[package]}.0".startswith(f"{oldest}.")
    named = [line.rpartition(" ")[2] for line in project["classifiers"] if re.search(r"Python :: 3\.\d", line)]
    assert list(matrix["OLDEST"]) == named


def test_the_matrix_skips_no_python(monkeypatch: pytest.MonkeyPatch) -> None:
    main = runpy.run_path(str(ROOT / "tools" / "matrix.py"))["main"]
    with pytest.raises(SystemExit, match="no-such-python does not start"):
        main(["no-such-python"])
    monkeypatch.setitem(main.__globals__, "release", lambda python: "3.99.0")
    with pytest.raises(SystemExit, match=r"dist/ has no wheel for python3\.99; make"):
        main(["python3.99"])


def test_pages_of_versions_stand_beside_each_other(tmp_path: Path) -> None:
    publish = runpy.run_path(str(ROOT / "tools" / "pages.py"))["publish"]
    built, site = tmp_path / "built", tmp_path / "site"
    built.mkdir()
    site.mkdir()
    for name, text in {"dev": "now", "v0.9.0": "old", "v0.10.1": "new", "v0.9.1": "mended"}.items():
        (built / "index.html").write_text(text)
        publish(built, site, name)
    assert sorted(item.name for item in site.iterdir()) == [
        ".nojekyll", "0.10", "0.9", "dev", "index.html", "switcher.json",
    ]  # fmt: skip
    assert (site / "0.9" / "index.html").read_text() == "mended"
    assert "url=0.10/" in (site / "index.html").read_text()
    assert re.findall(r'"version": "(.+?)"', (site / "switcher.json").read_text()) == ["dev", "0.10", "0.9"]

"""Variables of a script: every value as a list of numbers and strings, the same from R and from Python.

`workspace.R` does it for R. Tables go column by column; positions count from 1, as in R.

``python -m parity.workspace [NAME ...]`` records what R's scripts leave behind; without names all. ``--source FOLDER``
names the folder R/ of inTrees' source archive, where inTrees cannot be installed.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import math
import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pyrrf.migrate.translation import Translation, translate
from pyrrf.r.indexing.subscripts import component
from pyrrf.r.values.coercion import factor_labels
from pyrrf.r.values.kinds import inherits, is_factor, is_list
from pyrrf.r.values.labels import names_of
from pyrrf.r.values.vector import Value
from pyrrf.rbase.numbers import number_text
from pyrrf.testing import comparer

SCRIPTS = Path(__file__).parent.parent / "examples" / "scripts"
RECORDED = Path(__file__).parent / "recorded" / "scripts"
MANIFEST = RECORDED / "manifest.json"
NAMES = sorted(path.stem for path in SCRIPTS.glob("*.R"))
_FIT = ("importance", "feaSet", "predicted", "err.rate", "mse", "votes", "confusion")
_SPECIAL = {"NA": math.nan, "NaN": math.nan, "Inf": math.inf, "-Inf": -math.inf}
Flat = list[Any]


def flat(value: Any) -> Flat:
    """One value as a list of numbers and strings."""
    if not isinstance(value, Value) or value._kind in ("NULL", "language", "opaque"):
        return []
    if inherits(value, "RRF") or inherits(value, "randomForest"):
        return _items(component(value, name) for name in _FIT)
    if inherits(value, "confusionMatrix"):
        return _items([value.table, value.overall["Accuracy"], value.overall["Kappa"]])
    if is_factor(value):
        return list(factor_labels(value)._data)
    if is_list(value):
        # The trees of inTrees, which pyrrf keeps as they are.
        return [] if names_of(value) == ["ntree", "list"] else _items(value._data)
    return [item if isinstance(item, str) or item is None else float(item) for item in value._data.tolist()]


def _items(values: Iterable[Any]) -> Flat:
    return [item for value in values for item in flat(value)]


def translated(name: str) -> Translation:
    """A script in Python."""
    return translate((SCRIPTS / f"{name}.R").read_text(), f"{name}.R", SCRIPTS)


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run_python(translation: Translation, name: str) -> dict[str, Flat]:
    """Return the variables of a script's Python, by the names of R."""
    space: dict[str, Any] = {"__name__": name}
    with _inside(SCRIPTS), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(translation.code, f"{name}.py", "exec"), space)
    return _by_r_names(translation, space)


def printed(translation: Translation, folder: Path) -> str:
    """Return the printed text of a script's Python."""
    shown = io.StringIO()
    with _inside(folder), contextlib.redirect_stdout(shown):
        exec(compile(translation.code, "script.py", "exec"), {})
    return shown.getvalue()


def _by_r_names(translation: Translation, space: dict[str, Any]) -> dict[str, Flat]:
    by_name = {r: flat(space.get(py)) for r, py in translation.names.items()}
    return {r: value for r, value in by_name.items() if value}


def run_r(name: str, answers: Path, *source: str) -> dict[str, Flat]:
    """Return the variables of R's script; `source` is the folder R/ of inTrees, where it is not installed."""
    _answer(SCRIPTS / f"{name}.R", answers, *source)
    return read(answers)


def _answer(script: Path, answers: Path, *source: str) -> None:
    command = ["Rscript", str(Path(__file__).parent / "workspace.R"), str(script), str(answers), *source]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_COLLATE": "C"})
    if done.returncode:
        raise RuntimeError(done.stderr)


def digest(name: str) -> str:
    """Digest of a script and of the data that it reads; recorded answers belong to one digest."""
    script = SCRIPTS / f"{name}.R"
    text = script.read_text()
    files = [script, *(file for file in sorted((SCRIPTS.parent / "data").glob("*.csv")) if file.name in text)]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def record(name: str, *source: str) -> None:
    """Store the variables of R's script, a value per line."""
    RECORDED.mkdir(exist_ok=True)
    file = RECORDED / f"{name}.json"
    _answer(SCRIPTS / f"{name}.R", file, *source)
    digests = json.loads(MANIFEST.read_text()) if MANIFEST.exists() else {}
    known = {known: value for known, value in digests.items() if known in NAMES}
    MANIFEST.write_text(json.dumps(dict(sorted({**known, name: digest(name)}.items())), indent=1) + "\n")


def recorded(name: str) -> Path:
    """Where R's answers are recorded; an error if the script is no longer that one."""
    if json.loads(MANIFEST.read_text()).get(name) != digest(name):
        raise ValueError(f"{name}.R or its data changed: run python -m parity.workspace {name}")
    return RECORDED / f"{name}.json"


def read(file: Path) -> dict[str, Flat]:
    """R's answers as they were written."""
    return _values(json.loads(file.read_text()))


def _values(plain: dict[str, Any]) -> dict[str, Flat]:
    return {
        name: [_SPECIAL.get(item, item) if isinstance(item, str) else item for item in value]
        for name, value in plain.items()
    }


def differences(theirs: dict[str, Flat], ours: dict[str, Flat]) -> list[str]:
    """Values that are not the same in every bit, each with the first place where it differs."""
    # inTrees keeps its numbers as text.
    shown = {name: _as_text(items, theirs.get(name, [])) for name, items in ours.items()}
    return sorted(map(str, comparer.differences(shown, theirs)))


def _as_text(ours: Flat, theirs: Flat) -> Flat:
    """Our items, as R writes them where R has a text."""
    texts = [isinstance(b, str) for b in theirs] + [False] * len(ours)
    return [number_text(a) if text and isinstance(a, float) else a for a, text in zip(ours, texts, strict=False)]


def main() -> None:
    """Record the scripts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m parity.workspace", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="scripts of examples/scripts; all by default")
    parser.add_argument("--source", metavar="FOLDER", help="R files of inTrees")
    told = parser.parse_args()
    for name in told.names or NAMES:
        record(name, *([told.source] if told.source and name == "rules" else []))


if __name__ == "__main__":
    main()

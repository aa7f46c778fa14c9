"""Labels that try to become elements, attributes or damaged XML: in the page, in pictures, in JSON.

HOSTILE_LABELS says how many sets (4), HOSTILE_SEED where they begin.
"""

from __future__ import annotations

import csv
import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")
pytest.importorskip("typer")

from typer.testing import CliRunner

import pyrrf
from pyrrf.sklearn import BorutaSelector, EliminationSelector, GRRFSelector, RRFClassifier, StabilitySelector
from tests.migrate import hostile
from tests.reports.pages import Read, faults

runner = CliRunner()
COUNT, SEED = int(os.environ.get("HOSTILE_LABELS", "4")), int(os.environ.get("HOSTILE_SEED", "0"))
PIECES = [
    "<script>alert(1)</script>", "</style><b>", '" onload="alert(1)', "' onclick='x", "]]>", "<![CDATA[", "<!--", "-->",
    "--", "&#0;", "&lt;", "</text><script/>", "</svg>", "</title>", "</code></pre>", "\ufffe", "\uffff", "\x00",
    "\x1b[0m", "$a$", "$\\foo$", "$$", "{{ 7 }}", "{% raw %}", "nan", "NaN", "Infinity", "%s", "{0}", "a\nb", "\r\n",
    "\u2028", "\x0b",
]  # fmt: skip


def label(rng: random.Random) -> str:
    """A label that is no plain word."""
    parts = [rng.choice([rng.choice(PIECES), hostile.text(rng)]) for _ in range(rng.choice([1, 1, 2, 3]))]
    return "".join(parts)


def labels(rng: random.Random, count: int) -> list[str]:
    """Some labels, all different."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[label(rng)] = None
    return list(found)


def selectors(rng: random.Random, names: list[str]) -> Iterator[Any]:
    """Selectors of all kinds."""
    small: dict[str, Any] = {"guide": 3, "n_estimators": 3}
    groups = dict(zip(names, labels(rng, 2), strict=False))
    yield GRRFSelector(
        **small, random_state=1, forest=RRFClassifier(feature_cost={names[0]: 2.0}, feature_groups=groups)
    )
    yield EliminationSelector(2, n_estimators=5, random_state=1)
    yield BorutaSelector(n_estimators=3, max_iter=8, random_state=1)
    yield StabilitySelector(GRRFSelector(**small), n_pairs=2, random_state=1)


def well_formed(svg: str) -> None:
    """See that a picture is XML, of elements of pictures alone."""
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}
    assert tags <= {*"svg g path text defs clipPath rect use style tspan metadata RDF Work type format creator".split(),
                    *"Agent title image date".split()}, tags  # fmt: skip


@pytest.mark.filterwarnings(
    "ignore:selected feature.* have a negative credit", "ignore:no subset predicts y significantly better"
)
@pytest.mark.parametrize("seed", range(SEED, SEED + COUNT))
def test_a_page_gets_no_element_of_a_label(tmp_path: Path, seed: int) -> None:
    rng, draw = random.Random(seed), np.random.default_rng(seed)
    names, kinds, classes = labels(rng, 5), labels(rng, 3), labels(rng, 2)
    table = pd.DataFrame(draw.random((40, 5)), columns=names)
    table[names[4]] = pd.Categorical(np.array(kinds, dtype=object)[np.arange(40) % 3])
    y = np.array(classes, dtype=object)[(table[names[0]] > 0.5).astype(int)]
    pages = []
    for known in (True, False):
        selector = list(selectors(random.Random(seed), names if known else list("abcde")))[seed % 3]
        rows = table if known else table.set_axis(list("abcde"), axis=1)
        at = pyrrf.report(selector.fit(rows, y), tmp_path / "r.html", rows, y, source=label(rng), target=label(rng))
        pages.append(Read(at))
        assert faults(pages[-1]) == []
        for svg in re.findall(r"<svg.*?</svg>", pages[-1].source, re.S):
            well_formed(svg)
    kinds_of = [{(tag, name) for tag, about in page.elements for name in (*about, "")} for page in pages]
    # Plain names and these differ in what they say; a text of several parts may be split otherwise.
    assert kinds_of[0] ^ kinds_of[1] <= {("text", "transform"), ("g", "transform")}
    assert not re.search("[^\t\n -~\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", pages[0].source)


def _no_constant(name: str) -> NoReturn:
    raise AssertionError(f"{name} is no JSON")


@pytest.mark.parametrize("seed", range(SEED, SEED + COUNT))
def test_the_command_writes_json_and_xml(tmp_path: Path, seed: int) -> None:
    from pyrrf.cli.app import app

    rng, draw = random.Random(seed), np.random.default_rng(seed)
    names = [f"{name.strip()}.{at}".replace("\0", "") for at, name in enumerate(labels(rng, 5))]
    kinds, classes = ([f"w{one}".replace("\0", "") for one in labels(rng, count)] for count in (3, 2))
    values = draw.random((40, 3)).tolist()
    with (tmp_path / "d.csv").open("w", newline="", encoding="utf-8") as stream:
        lines = [[*row, kinds[at % 3], classes[row[0] > 0.5]] for at, row in enumerate(values)]
        csv.writer(stream).writerows([names, *lines])
    with (tmp_path / "g.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(
            [["feature", "group"], *([name, label(rng).replace("\0", "")] for name in names[:2])]
        )
    method = ("grrf", "elimination", "stability")[seed % 3]
    given = ["--method", method, "--fast", "--trees", "5", "--json", "--plot", str(tmp_path / "p.svg")]
    given += ["--report", str(tmp_path / "r.html"), "--groups", str(tmp_path / "g.csv")]
    found = runner.invoke(app, ["select", str(tmp_path / "d.csv"), "--target", names[4], *given])
    assert found.exit_code == 0, found.stderr
    record = json.loads(found.stdout, parse_constant=_no_constant)
    assert {one["feature"] for one in record["kept"]} <= {*names[:4]}
    well_formed((tmp_path / "p.svg").read_text(encoding="utf-8"))
    assert faults(Read(tmp_path / "r.html")) == []
    assert re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", found.stderr) is None


@pytest.mark.filterwarnings("ignore:Glyph .* missing from:UserWarning", "ignore:constrained_layout not applied")
@pytest.mark.parametrize("seed", range(SEED, SEED + 2 * COUNT))
def test_pictures_of_moved_scripts_are_xml(tmp_path: Path, seed: int) -> None:
    """A title with a dollar is no mathematics, and no reason to write no file."""
    from pyrrf import r
    from pyrrf.r.values.vector import strings

    rng = random.Random(seed)
    some = [rng.choice([one, f"{one}\ud800"]) for one in labels(rng, 9)]
    one, other, third = (strings([word]) for word in some[:3])
    three, x = strings(some[3:6]), r.c(1.0, 2.0, 3.0)
    calls = [
        lambda: r.plot(x, x, main=one, xlab=other, ylab=third),
        lambda: r.barplot(x, names_arg=three, main=one),
        lambda: r.pie(x, labels=three, main=one),
        lambda: r.boxplot(x, names=one, main=other),
        lambda: r.dotchart(x, labels=three, main=one),
        lambda: r.hist(x, main=one, xlab=other),
        lambda: r.pairs(r.matrix(r.c(1.0, 2.0, 3.0, 4.0, 5.0, 7.0), 3, dimnames=r.list(three, strings(some[6:8])))),
    ]
    r.svg(str(tmp_path / "a.svg"))
    calls[seed % len(calls)]()
    if seed % len(calls) == 0:
        r.text(x, x, three)
        r.legend("topright", legend=strings(some[6:8]), col=r.c("red", "blue"), lty=1)
        r.mtext(one)
        r.title(other)
        r.axis(1, at=x, labels=three)
    r.dev_off()
    well_formed((tmp_path / "a.svg").read_text(encoding="utf-8"))

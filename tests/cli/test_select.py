"""`pyrrf select`: the features that the Python call keeps, from every format; what is written and shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold

import pyrrf
from pyrrf.sklearn import (
    GRRFSelector,
    GRRFSelectorCV,
    RRFClassifier,
    RRFRegressor,
)
from tests.cli.command import DIABETES, GOOD, WINE, refused, run, run_on

WORDS = WINE.assign(shade=np.where(WINE["hue"] > 1, "red", "violet"))
DEFAULT = ", the default; set another with --gamma, or choose it by cross-validation with --cv\n"
SMALL: dict[str, Any] = {"n_estimators": 3, "guide": 30, "random_state": 1}


def answer(table: pd.DataFrame, target: str, selector: Any) -> list[dict[str, Any]]:
    """What the Python call keeps."""
    x = table.drop(columns=target)
    selector.fit(x, table[target])
    shares = pd.Series(selector.feature_importances_, x.columns)[selector.support_]
    shares = shares.sort_values(ascending=False, kind="stable")
    return [{"feature": name, "importance": share} for name, share in shares.items()]


def kept(result: Any) -> list[dict[str, Any]]:
    """What the command keeps, from its JSON."""
    assert result.exit_code == 0, result.output
    return [{name: one[name] for name in ("feature", "importance")} for one in json.loads(result.stdout)["kept"]]


# ---- the answer of the Python call ---------------------------------------------------------------


@pytest.mark.parametrize(("engine", "seed"), [("parallel", 1), ("r", 7)])
def test_classes(wine: str, engine: str, seed: int) -> None:
    more = ["--gamma", "0.9", "--seed", str(seed), "--engine", engine, "--jobs", "2", "--json"]
    selector = GRRFSelector(gamma=0.9, forest=RRFClassifier(engine=engine), **SMALL | {"random_state": seed})
    assert kept(run(wine, "--target", "cultivar", *more)) == answer(WINE, "cultivar", selector)


@pytest.mark.parametrize(("engine", "candidates"), [("parallel", "selected"), ("r", "mtry")])
def test_numbers(tmp_path: Path, engine: str, candidates: str) -> None:
    DIABETES.to_csv(tmp_path / "d.csv", index=False)
    result = run(str(tmp_path / "d.csv"), "--target", "target", "--engine", engine, "--json")
    # 214 whole numbers leave no doubt.
    assert result.stderr == f"note: gamma is 0.9{DEFAULT}"
    selector = GRRFSelector(forest=RRFRegressor(engine=engine, candidates=candidates), **SMALL)
    assert kept(result) == answer(DIABETES, "target", selector)
    assert json.loads(result.stdout)["data"]["holds"] == "numbers"


def test_gamma_chosen(wine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted, fit = [], GRRFSelectorCV.fit
    monkeypatch.setattr(GRRFSelectorCV, "fit", lambda self, x, y: fitted.append(fit(self, x, y)))
    few = WINE.iloc[::6, -3:]
    few.to_csv(wine, index=False)
    result = run(wine, "--target", "cultivar", "--cv", "--json", "--trees", "1")
    (selector,), found = fitted, json.loads(result.stdout)
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    wanted = GRRFSelectorCV(
        cv=folds, n_estimators=1, random_state=1, forest=RRFClassifier(), task="classification", n_jobs=1
    )
    assert repr(selector.get_params()) == repr(wanted.get_params())
    one = GRRFSelector(gamma=selector.gamma_, n_estimators=1, guide=10, random_state=1)
    assert kept(result) == answer(few, "cultivar", one)
    assert (found["settings"]["gamma"], found["settings"]["gamma_chosen"]) == (selector.gamma_, True)
    error = {"value": 1 - selector.nested_score_, "sd": selector.nested_std_, "folds": 5}
    assert found["error"] == {"measure": "misclassified", **error}


@pytest.mark.parametrize("method", [("--method", "elimination", "--features", "2"), ("--method", "grrf")])
def test_a_table_sorted_by_its_target_is_judged_by_all_of_it(tmp_path: Path, method: tuple[str, ...]) -> None:
    a = np.sort(np.random.default_rng(1).standard_normal(100))
    pd.DataFrame({"a": a, "b": a**2, "c": a[::-1] + 1, "y": a}).to_csv(tmp_path / "d.csv", index=False)
    result = run(str(tmp_path / "d.csv"), "--target", "y", "--task", "regression", *method, "--cv", "--fast", "--json")
    assert json.loads(result.stdout)["error"]["value"] < 0.2  # in folds of neighbours above 1


def test_costs_and_groups(wine: str, tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("feature,cost\nproline,3\nash,1e2\nalcohol,1.01\n")
    (tmp_path / "g.tsv").write_text("feature\tgroup\nhue\tcolour\ncolor_intensity\tcolour\nflavanoids\t\nash\tcolour\n")
    files = ["--cost", str(tmp_path / "c.csv"), "--groups", str(tmp_path / "g.tsv")]
    selector = GRRFSelector(
        forest=RRFClassifier(
            feature_cost={"proline": 3, "alcohol": 1.01}, feature_groups={"hue": 1, "color_intensity": 1}
        ),
        **SMALL,
    )
    # Files may name what is left out.
    result = run(wine, "--target", "cultivar", "--drop", "ash", *files, "--json")
    assert kept(result) == answer(WINE.drop(columns="ash"), "cultivar", selector)
    rows = {one["feature"]: (one["cost"], one["group"]) for one in json.loads(result.stdout)["kept"]}
    assert {"alcohol", "hue", "flavanoids"} <= rows.keys()
    assert (rows["alcohol"], rows["hue"], rows["flavanoids"]) == ((1.01, None), (1.0, "colour"), (1.0, None))
    shown = run(wine, "--target", "cultivar", *files).stdout
    assert shown.splitlines()[3].split() == ["feature", "importance", "cost", "group"]


def test_words_become_categories(tmp_path: Path) -> None:
    WORDS.to_csv(tmp_path / "d.csv", index=False)
    result = run(str(tmp_path / "d.csv"), "--target", "cultivar", "--gamma", "0", "--json")
    assert result.stderr == "note: column(s) 'shade' hold words and become categories\n"
    same = WORDS.assign(shade=WORDS["shade"].astype("category"))
    assert kept(result) == answer(same, "cultivar", GRRFSelector(gamma=0.0, **SMALL))
    assert json.loads(result.stdout)["data"]["categories"] == ["shade"]


def test_codes_that_are_read_as_numbers(tmp_path: Path) -> None:
    rows = "".join(f"{i % 9:03},{i % 5},0.{i},{'uv'[i % 9 > 4]}\n" for i in range(30)) + "7,3,1,v\n"
    result = run_on(tmp_path, "zip,b,c,y\n" + rows)
    assert result.stderr == (
        "note: column 'zip' is read as numbers, so '000' in row 1 loses its leading zero; if these are codes, put a "
        "letter before each, and they are treated as categorical\n"
    )
    assert run_on(tmp_path, "zip,b,c,y\n" + rows, "--drop", "zip").stderr == ""
    two = run_on(tmp_path, "zip,b,c,y\n" + rows.replace(",3,", ",03,"), "--drop", "y", target="zip").stderr
    assert "column 'zip' (and 1 more) is read as numbers" in two


@pytest.mark.parametrize("values", [["TRUE", "FALSE"], ["1", "0"], ["2.0", "1.0"], ["yes", "no"]])
def test_classes_of_all_kinds(tmp_path: Path, values: list[str]) -> None:
    content = GOOD.replace("u\n", f"{values[0]}\n").replace("v\n", f"{values[1]}\n")
    found = json.loads(run_on(tmp_path, content, "--json").stdout)["data"]
    assert (found["holds"], len(found["classes"])) == ("classes", 2)


# ---- formats -------------------------------------------------------------------------------------

WRITE: dict[str, Any] = {
    "d.tsv": lambda frame, at: frame.to_csv(at, sep="\t", index=False),
    "d.CSV": lambda frame, at: frame.to_csv(at, index=False, encoding="utf-8-sig", lineterminator="\r\n", quoting=2),
    "d.parquet": lambda frame, at: frame.to_parquet(at),
    "d.feather": lambda frame, at: frame.to_feather(at),
    "d.arrow": lambda frame, at: stream_of_arrow(frame, at),
    "d.rds": lambda frame, at: pyrrf.write_rds(frame.astype({"shade": "category", "cultivar": "category"}), at),
}


def stream_of_arrow(frame: pd.DataFrame, at: Path) -> None:
    import pyarrow

    table = pyarrow.Table.from_pandas(frame)
    with pyarrow.ipc.new_stream(at, table.schema) as stream:
        stream.write_table(table)


@pytest.mark.parametrize("name", WRITE)
def test_formats(tmp_path: Path, name: str) -> None:
    WRITE[name](WORDS, tmp_path / name)
    result = run(str(tmp_path / name), "--target", "cultivar", "--gamma", "0", "--json")
    same = WORDS.assign(shade=WORDS["shade"].astype("category"))
    assert kept(result) == answer(same, "cultivar", GRRFSelector(gamma=0.0, **SMALL))


def test_standard_input() -> None:
    result = run("-", "--target", "cultivar", "--json", input=WINE.to_csv(index=False))
    assert kept(result) == answer(WINE, "cultivar", GRRFSelector(**SMALL))


def test_missing_values_and_row_names(tmp_path: Path) -> None:
    holes = WINE.mask(np.random.default_rng(1).random(WINE.shape) < 0.1).assign(cultivar=WINE["cultivar"])
    holes.to_csv(tmp_path / "d.csv", na_rep="NA")
    result = run(str(tmp_path / "d.csv"), "--target", "cultivar", "--json")
    assert "first column has no name; it is taken for row names and ignored" in result.stderr
    assert kept(result) == answer(holes, "cultivar", GRRFSelector(**SMALL))


@pytest.mark.parametrize("name", ["d.csv", "d.jsonl", "d.parquet", "d.rds"])
def test_texts_that_mean_a_missing_value(tmp_path: Path, name: str) -> None:
    chance, at = np.random.default_rng(1), tmp_path / name
    holes = {column: chance.random(len(WORDS)) < 0.3 for column in ("hue", "shade", "ash")}
    meant = WORDS.assign(**{column: WORDS[column].mask(hole) for column, hole in holes.items()})
    marked = WORDS.assign(shade=WORDS["shade"].mask(holes["shade"], " ?"), ash=WORDS["ash"].mask(holes["ash"], -999.0))
    # A typed column of numbers holds no words.
    words = name in ("d.csv", "d.jsonl")
    marked["hue"] = WORDS["hue"].astype(object).mask(holes["hue"], "-") if words else meant["hue"]
    if name == "d.jsonl":
        marked.to_json(at, orient="records", lines=True, double_precision=15)
    else:
        (WRITE[name] if name in WRITE else WRITE["d.CSV"])(marked, at)
    result = run(str(at), "--target", "cultivar", "--gamma", "0", "--na", "?,-999", "--na", "-", "--json")
    same = meant.assign(shade=meant["shade"].astype("category"))
    assert kept(result) == answer(same, "cultivar", GRRFSelector(gamma=0.0, **SMALL))
    assert json.loads(result.stdout)["data"]["na"] == ["?", "-999", "-"]
    assert json.loads(result.stdout)["data"]["categories"] == ["shade"]


def test_a_sign_among_words_is_doubted(tmp_path: Path) -> None:
    rows = [f"{i % 7},{'?' if i % 9 == 0 else 'pq'[i % 2]},{'+-'[i % 2]},{'uv'[i % 7 > 3]}\n" for i in range(40)]
    content = "a,b,c,y\n" + "".join(rows)
    told = run_on(tmp_path, content, "--output", str(tmp_path / "o.csv")).stderr.splitlines()
    assert told[:1] == [
        "note: column(s) 'b', 'c' hold words and become categories, one of them '?' (in 'b'); if it means a missing "
        "value, give --na '?'"
    ]
    assert not [line for line in told[1:] if "hold words" in line]
    alone = ("--drop", "a", "--drop", "c")
    again = run_on(tmp_path, content, "--na", "?", *alone, "--output", str(tmp_path / "o.csv"))
    assert again.stderr.startswith("note: column(s) 'b' hold words and become categories\n")
    # Cells are written as they stand.
    assert (tmp_path / "o.csv").read_text().count("?") == 5


def test_a_sign_in_the_target_is_doubted(tmp_path: Path) -> None:
    told = run_on(tmp_path, GOOD.replace("4,5,u", "4,5,?").replace("6,8,u", "6,8,?")).stderr.splitlines()
    assert told[0] == "note: one class of 'y' is '?'; if it means a missing value, give --na '?'"


def test_whole_numbers_in_doubt_and_the_task(tmp_path: Path) -> None:
    content = "a,y\n" + "".join(f"{i},{i % 4 + 3}\n" for i in range(40))
    told = run_on(tmp_path, content, "--json")
    assert told.stderr.splitlines()[0] == (
        "note: target 'y' has 4 distinct whole numbers, so classification is assumed; give --task regression, or "
        "--task classification to confirm"
    )
    for task, holds in [("regression", "numbers"), ("classification", "classes")]:
        found = run_on(tmp_path, content, "--json", "--task", task)
        assert "whole numbers, so" not in found.stderr
        assert json.loads(found.stdout)["data"]["holds"] == holds


def test_rare_classes_are_no_matter_of_the_user(tmp_path: Path) -> None:
    content = GOOD.replace("1,4,v", "1,4,w").replace("2,8,v", "2,8,w")
    assert content.count("w") >= 2
    (tmp_path / "d.csv").write_text(content)
    for method in ("elimination", "grrf"):
        told = run(str(tmp_path / "d.csv"), "--target", "y", "--method", method, "--cv", "--fast")
        assert told.exit_code == 0, told.stderr
        assert "least populated" not in told.stderr


def test_words_in_a_typed_file_are_meant(tmp_path: Path) -> None:
    frame = WINE.assign(code=np.where(WINE["hue"] > 1, "01", np.where(WINE["ash"] > 2.5, "2", "x")))
    frame.to_parquet(tmp_path / "d.parquet")
    result = run(str(tmp_path / "d.parquet"), "--target", "cultivar", "--json")
    assert json.loads(result.stdout)["data"]["categories"] == ["code"]


def test_compressed_text_other_separators_and_json_lines(wine: str, tmp_path: Path) -> None:
    plain = kept(run(wine, "--target", "cultivar", "--json"))
    for ending in ("csv.gz", "tsv.bz2", "csv.xz"):
        at = tmp_path / f"w.{ending}"
        WINE.to_csv(at, index=False, sep="\t" if "tsv" in ending else ",")
        assert kept(run(str(at), "--target", "cultivar", "--json")) == plain
    for mark, name in ((";", "w.csv"), ("|", "w.txt"), ("\t", "w.dat"), (" ", "w.data")):
        WINE.to_csv(tmp_path / name, index=False, sep=mark)
        given = "tab" if mark == "\t" else mark
        assert kept(run(str(tmp_path / name), "--target", "cultivar", "--sep", given, "--json")) == plain
    for ending in ("jsonl", "ndjson.gz"):
        at = tmp_path / f"w.{ending}"
        WINE.to_json(at, orient="records", lines=True, double_precision=15)
        assert kept(run(str(at), "--target", "cultivar", "--json")) == plain


def test_whole_numbers_that_no_type_of_integers_holds_are_numbers(tmp_path: Path) -> None:
    numbers = [2**63 + 2**40 * (i % 7) for i in range(39)]
    text = "a,y\n" + "".join(f"{n},{'uv'[i % 7 > 3]}\n" for i, n in enumerate(numbers)) + "-1,u\n,v\n"
    assert json.loads(run_on(tmp_path, text, "--json").stdout)["data"]["categories"] == []


def test_a_name_that_a_line_of_json_lacks_is_missing(tmp_path: Path) -> None:
    rows = [{"a": i % 7, "y": "uv"[i % 7 > 3]} | ({"b": i % 3} if i % 4 else {}) for i in range(40)]
    text = "\n".join(map(json.dumps, rows))
    found = json.loads(run_on(tmp_path, text, "--json", name="d.jsonl").stdout)
    assert (found["data"]["features"], found["kept"][0]["feature"]) == (2, "a")
    refused(run_on(tmp_path, text, "--json", "--engine", "r", name="d.jsonl"), 3, "column 'b'", "--engine parallel")


# ---- what is written and shown -------------------------------------------------------------------


def test_the_columns_kept_are_written_as_they_stand(tmp_path: Path) -> None:
    content = GOOD.replace("a,b,y", "größe [m],$x$,y").replace("5,", "5.10,").replace("1,", "01,")
    result = run_on(tmp_path, content, "--output", str(tmp_path / "kept.csv"), "--drop", "$x$")
    assert result.exit_code == 0
    wanted = [",".join(line.split(",")[::2]) for line in content.splitlines()]
    assert (tmp_path / "kept.csv").read_text().splitlines() == wanted
    assert "größe [m]      1.0000" in result.stdout


@pytest.mark.parametrize("ending", ["tsv", "parquet", "feather", "arrow"])
def test_tables_of_other_formats_are_written(wine: str, tmp_path: Path, ending: str) -> None:
    at = tmp_path / f"kept.{ending}"
    names = [one["feature"] for one in kept(run(wine, "--target", "cultivar", "--output", str(at), "--json"))]
    again = kept(run(str(at), "--target", "cultivar", "--gamma", "0", "--json"))
    assert {one["feature"] for one in again} <= set(names)
    assert 0 < len(names) < 13


def test_the_picture(wine: str, tmp_path: Path) -> None:
    at = tmp_path / "p.svg"
    frame = WINE.rename(columns={"proline": "$\\frac$", "hue": "<a & b>"})
    frame.to_csv(wine, index=False)
    assert run(wine, "--target", "cultivar", "--plot", str(at)).exit_code == 0
    assert at.read_bytes().startswith(b"<?xml")
    assert at.stat().st_size > 5000


def test_the_page(wine: str, tmp_path: Path) -> None:
    at = tmp_path / "r.html"
    result = run(wine, "--target", "cultivar", "--json", "--report", str(at))
    assert result.exit_code == 0
    page = at.read_text()
    assert re.search(rf"<h1>.*\.csv, target cultivar: {len(kept(result))} of 13 features selected</h1>", page)
    # The table is at hand, so that substitutes and boxes are shown.
    assert {"Substitutes", "Importance, tree by tree"} <= {*re.findall(r"<h2[^>]*>([^<]*)", page)}


def test_files_are_written_whole_or_not_at_all(wine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kept.csv").write_text("as before")
    files = ["--output", str(tmp_path / "kept.csv"), "--plot", str(tmp_path / "p.png")]

    def full(figure: Any, at: Path, **how: Any) -> None:
        at.write_text("half of a picture")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("matplotlib.figure.Figure.savefig", full)
        refused(run(wine, "--target", "cultivar", *files), 3, "p.png: No space left on device")
    assert sorted(at.name for at in tmp_path.iterdir()) == ["kept.csv", "wine.csv"]
    assert (tmp_path / "kept.csv").read_text() == "as before"
    (tmp_path / "kept.csv").chmod(0o600)
    assert run(wine, "--target", "cultivar", *files).exit_code == 0
    assert sorted(at.name for at in tmp_path.iterdir()) == ["kept.csv", "p.png", "wine.csv"]
    assert (tmp_path / "kept.csv").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("option", "target"),
    [
        ("--output kept.csv", "real.gz"),
        ("--output kept.parquet", "nothing.dat"),
        ("--plot p.png", "nothing"),
        ("--plot p.svg", "nothing.dat"),
        ("--report r.html", "nothing"),
    ],
)
def test_files_are_written_through_links(wine: str, tmp_path: Path, option: str, target: str) -> None:
    """In the format of the name that was given, whatever the link leads to, also where nothing is there yet."""
    word, name = option.split()
    (tmp_path / "real.gz").write_text("before")
    (tmp_path / name).symlink_to(target)
    assert run(wine, "--target", "cultivar", word, str(tmp_path / name)).exit_code == 0
    assert sorted(at.name for at in tmp_path.iterdir()) == sorted({"real.gz", "wine.csv", name, target})
    begin = {"csv": b"", "parquet": b"PAR1", "png": b"\x89PNG", "svg": b"<?xml", "html": b"<!"}[name.split(".")[1]]
    content = (tmp_path / target).read_bytes()
    assert content.startswith(begin)
    assert begin or content.splitlines()[0].endswith(b"cultivar")


def test_more_threads_than_there_is_work_for(few: str) -> None:
    one, many = (
        run(few, "--target", "cultivar", "--cv", "--fast", "--jobs", jobs, "--json") for jobs in ("1", "100000")
    )
    assert kept(one) == kept(many)


def test_the_schema_of_json(wine: str) -> None:
    found = json.loads(run(wine, "--target", "cultivar", "--drop", "ash", "--json").stdout)
    assert found["schema"] == "pyrrf.select/2"
    assert {key: list(value) for key, value in found.items() if isinstance(value, dict)} == {
        "versions": ["python", "pyrrf", "numpy", "pandas", "scikit-learn"],
        "data": [
            *("source", "rows", "features", "categories", "dropped", "unreadable", "na"),
            *("separator", "decimal", "thousands", "encoding", "target", "holds", "classes"),
        ],
        "settings": [
            "method",
            "features",
            "rule",
            "gamma",
            "gamma_chosen",
            "pfer",
            "fast",
            "seed",
            "trees",
            "guide_trees",
            "engine",
            "cost",
            "groups",
        ],
    }
    assert list(found) == ["schema", "versions", "data", "settings", "kept", "tentative", "error", "compared", "sizes"]
    assert list(found["kept"][0]) == ["feature", "importance", "credits", "cost", "group"]
    assert found["data"] | {"source": ""} == {
        "source": "", "rows": 178, "features": 12, "categories": [], "dropped": ["ash"], "na": [], "target": "cultivar",
        "unreadable": {},
        "separator": None, "decimal": None, "thousands": None, "encoding": None,
        "holds": "classes", "classes": ["barbera", "barolo", "grignolino"],
    }  # fmt: skip
    assert found["settings"] == {
        "method": "grrf", "features": None, "rule": None, "gamma": 0.5, "gamma_chosen": False, "pfer": None,
        "fast": False, "seed": 1,
        "trees": 3, "guide_trees": 30, "engine": "parallel",
        "cost": None, "groups": None,
    }  # fmt: skip
    assert (found["error"], found["compared"], found["sizes"]) == (None, None, None)
    page = (Path(__file__).parents[2] / "docs" / "command.md").read_text()
    keys = [*found, *(key for value in found.values() if isinstance(value, dict) for key in value), *found["kept"][0]]
    more = ["measure", "value", "sd", "folds", "all_features", "guess", "better_than_guess", "size", "se", "more"]
    assert [key for key in [*keys, *more] if f"`{key}`" not in page] == []


def test_the_text(wine: str) -> None:
    result = run(wine, "--target", "cultivar")
    lines = result.stdout.splitlines()
    assert lines[0] == f"{wine}: 178 rows, 13 features; target cultivar: 3 classes"
    features = [one["feature"] for one in kept(run(wine, "--target", "cultivar", "--json"))]
    assert lines[1] == f"GRRF with gamma 0.5 selects {len(features)} of 13 features"
    assert [line.rsplit(maxsplit=1)[0] for line in lines[4:-2]] == features
    assert result.stderr == f"note: gamma is 0.5{DEFAULT}"


def test_names_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    shown = run_on(tmp_path, GOOD.replace("a,b", '"\x1b[31ma\nz","[red]b[/red] :smile:"')).stdout
    assert "\\x1b[31ma\\nz" in shown
    assert "[red]b[/red] :smile:" in shown
    assert "\x1b" not in shown

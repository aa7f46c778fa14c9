"""Paper 003's tables on tiny data: what is counted, which rows a split has, that CRAN's packages agree."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import numpy as np
import pytest

import pyrrf
from benchmarks.jobs.job import Answers, Options
from benchmarks.papers import (
    genes,
    grrf,
    p003_cran,
    p003_outside,
    p003_stratified,
    p003_table1,
    p003_table2,
    p003_theorem1,
)
from benchmarks.papers.p003_tables3to6 import TABLE3, TABLE4, TABLE5, TABLE6, report, sign


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a set of 30 rows and 12 features, of which the first tells the classes apart, and one split of it."""
    made = tmp_path_factory.mktemp("data")
    draw = np.random.default_rng(1)
    x = draw.standard_normal((30, 12))
    x[:, 0] += 3 * (np.arange(30) < 15)
    lines = [",".join([*(f"x{j}" for j in range(12)), "class"])]
    lines += [",".join([*map(repr, row.tolist()), "one" if i < 15 else "two"]) for i, row in enumerate(x)]
    train, test = [*range(1, 11), *range(16, 26)], [*range(11, 16), *range(26, 31)]
    splits = ["set,rep,part,samples"]
    splits += [f"leukemia,1,{part},{' '.join(map(str, rows))}" for part, rows in (("train", train), ("test", test))]
    for name, text in (("leukemia", lines), ("grrf_splits", splits)):
        (made / f"{name}.csv.gz").write_bytes(gzip.compress("\n".join(text).encode()))
    return made


@pytest.fixture(scope="module")
def options(folder: Path) -> Options:
    return Options(data=folder, engine="r")


def test_rows_of_a_split(folder: Path) -> None:
    split = genes.Split(folder, "leukemia", 1)
    assert split.x.shape == (20, 12)
    assert [*split.y] == ["one"] * 10 + ["two"] * 10
    assert [*split.y_test] == ["one"] * 5 + ["two"] * 5
    table = genes.read_set(folder, "leukemia").values
    assert np.array_equal(split.x_test, table[[*range(10, 15), *range(25, 30)]])
    assert genes.sets_of(Options(data=folder)) == ["leukemia"]


def test_forests_select_and_are_judged(options: Options) -> None:
    found = genes.forests(options, "leukemia", 1, 50, {"RRF(.5)": [0.5, 0.0], "RRF(1)": [1.0, 0.0]})
    # Two balanced classes and a criterion halved: no second feature can pay.
    assert len(found["RRF(.5)"]["columns"]) == 1
    assert 0 in found["RRF(1)"]["columns"]
    assert found["RRF(1)"]["error"] < 0.3
    assert genes.whole(options, "leukemia", 1, 50)["All"]["error"] < 0.5


def test_the_guide_is_an_ordinary_forest_by_its_largest_importance(options: Options) -> None:
    split = genes.Split(options.data, "leukemia", 1)
    seed = genes.seed_of("leukemia", 1, "guide")
    plain = pyrrf.RRF(split.x, split.y, flagReg=0, ntree=50, seed=seed).importance["MeanDecreaseGini"].to_numpy()
    assert np.array_equal(split.guide(options, 50), plain / plain.max())
    assert np.array_equal(grrf.coefficients(np.array([0.0, 0.5, 1.0]), 1.0, 0.2), [0.8, 0.9, 1.0])


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R with RRF and randomForest")
def test_cran_selects_the_same(options: Options) -> None:
    ours = genes.forests(options, "leukemia", 1, 50, {m: list(pair) for m, pair in genes.TABLE.items()})
    answer = p003_cran.check(options, "leukemia", 1, 50, ours)
    assert all(answer[method]["same"] for method in genes.TABLE)
    assert answer["GRRF(.1)"]["alone"] >= 1


def test_the_papers_tables_have_the_same_sets() -> None:
    assert TABLE3.keys() == TABLE4.keys() == TABLE5.keys() == TABLE6.keys() == genes.SETS.keys()


def test_wins_and_the_paired_test() -> None:
    base = [0.1, 0.2, 0.3, 0.4]
    assert sign([0.2, 0.3, 0.41, 0.5], base) == "lose*"
    assert sign([0.3, 0.1, 0.3, 0.4], base) == "lose"
    assert sign([0.0, None, 0.3, 0.4], base) == "win"
    assert sign(base, base) == "tie"
    assert sign([None] * 4, base) == ""


def test_sizes_and_errors_come_from_their_jobs() -> None:
    some = {"columns": [1, 2, 3], "error": 0.5}
    found = {f"colon/{n}/forests": dict.fromkeys(genes.TABLE, some) for n in (1, 2)}
    found |= {f"colon/{n}/LASSO": {"LASSO": {"columns": None, "error": None}} for n in (1, 2)}
    lines = [line for grid in report(Answers(found)) for line in grid.markdown().splitlines() if "| colon " in line]
    assert lines[0] == "| colon | **3.0 ± .0 (92)** |"
    assert lines[2] == "| colon | **3.0 ± .0 (29)** | **3.0 ± .0 (13)** | **3.0 ± .0 (27)** | - (4) | - (7) | - |"


def test_table_2_of_tiny_data(options: Options) -> None:
    answer = p003_table2.shape(options, "leukemia")
    assert answer == {"shape": [30, 12, 2], "classes": [15, 15]}
    assert p003_table2.TABLE2.keys() == genes.SETS.keys()
    (grid,) = p003_table2.report(Answers({"leukemia": answer}))
    assert "| leukemia | **30** (38) | **12** (3051) | 2 (2) | 15, 15 |" in grid.markdown()


def test_gains_of_four_rows_by_hand() -> None:
    """2 and 2 rows: 3 arrangements and their mirror images, one of which a cut splits perfectly."""
    one = p003_theorem1.counts(Options(), [4], 44)["4"]
    assert [one[kind] for kind in ("theorem 1", "splits", "gains", "of best cuts", "arrangements")] == [5, 4, 3, 2, 3]
    assert one["tie"] == pytest.approx((2 / 3) ** 2 + (1 / 3) ** 2, abs=1e-9)
    # 44 / 3 features are perfect; where none is, all 44 share the other gain.
    assert one["best"] == pytest.approx(44 / 3 + 44 * (2 / 3) ** 44, abs=1e-9)


def test_rows_of_the_nodes_where_features_come_in() -> None:
    x = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [2.0, 0.0], [2.0, 0.0]])
    y = np.array(["a", "b", "b", "b", "b", "b"])
    fit = pyrrf.RRF(x, y, ntree=1, mtry=2, replace=False, sampsize=6, keep_inbag=True, seed=1)
    # The first split leaves 2 rows with the one of class a, or 3, by either feature; the other feature ends it.
    found = p003_theorem1.entries(fit, x)
    assert found["splits"] == found["entries"]
    assert found["splits"] in ([6, 2], [6, 3])


def test_rows_of_stratified_and_other_splits() -> None:
    y = np.repeat(["tumour", "normal"], [40, 22])
    rows = p003_stratified.training_rows(y, 1, True)
    assert [np.sum(y[rows] == one) for one in ("tumour", "normal")] == [27, 15]  # as in the paper's splits
    others = [p003_stratified.training_rows(y, seed, False) for seed in range(20)]
    assert {np.unique(one).size for one in [rows, *others]} == {42}
    assert len({int(np.sum(y[one] == "normal")) for one in others}) > 3


def test_deviation_of_a_run_by_hand() -> None:
    """Variances 2 and 8 within two splits: the mean of two has (2 + 8) / 2, a mean of a hundred a hundredth."""
    assert p003_outside.deviation(np.array([[1.0, 3.0], [4.0, 8.0]])) == pytest.approx(np.sqrt(0.05), abs=1e-9)


def test_simulated_data() -> None:
    x, y = p003_table1.simulate(1, 1000)
    assert x.shape == (1000, 15)
    assert np.array_equal(x[:, :5], x[:, 10:])
    assert np.sum(y == "class2") == 500
    assert not np.array_equal(x, p003_table1.simulate(2, 1000)[0])


def test_groups_and_the_choice() -> None:
    assert p003_table1.groups([0, 10, 1, 5]) == 2
    errors = {"RRF(.6)": 0.2, "RRF(.7)": 0.1, "RRF(.8)": 0.1, "GRRF(.4)": 0.05, "GRRF(.5)": 0.3}
    assert p003_table1.best(errors, "RRF") == "RRF(.8)"
    assert p003_table1.best(errors, "GRRF") == "GRRF(.4)"


def test_cross_validation_prefers_what_predicts(options: Options) -> None:
    errors = p003_table1.chosen(options, 1, 200, 30, 5, {"RRF(.1)": [0.1, 0.0], "RRF(.8)": [0.8, 0.0]})
    assert errors["RRF(.8)"] < errors["RRF(.1)"]

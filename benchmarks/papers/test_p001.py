"""Table 1 of paper 001: curves on a small set, nodes until an error, and what is printed of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.jobs.job import Answers, Options
from benchmarks.papers import p001_fig2, p001_madelon
from benchmarks.papers.p001_madelon import (
    FOREST,
    LEVERAGE,
    NORM,
    TABLE,
    UNIFORM,
    Way,
    judged_grid,
    key,
    nodes_until,
    target_of,
)


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> Options:
    """Write sets of 90 rows and 20 columns, three of which follow the class."""
    folder, rng = tmp_path_factory.mktemp("data"), np.random.default_rng(1)
    centres = 1.5 * rng.normal(size=(3, 3))
    for name in ("madelon", "madelon_valid", "orl"):
        y = rng.integers(3, size=90)
        x = rng.normal(size=(90, 20)) + 10
        x[:, :3] += centres[y]
        table = pd.DataFrame(x, columns=[f"V{i}" for i in range(20)]).assign(**{"class": [f"class{k}" for k in y]})
        table.to_csv(folder / f"{name}.csv.gz", index=False)
    return Options(data=folder)


@pytest.mark.parametrize("kind", ["forest", "uniform", "norm", "leverage"])
@pytest.mark.parametrize("name", ["madelon", "orl"])
def test_curves(options: Options, name: str, kind: str) -> None:
    answer = p001_madelon.curve(options, name, kind, 2 * (kind == "leverage"), False, 4, False, 2, 6)
    errors, nodes = np.array(answer["errors"]), np.array(answer["nodes"])
    assert errors.shape == nodes.shape == (2, 6)
    assert ((errors >= 0) & (errors < 0.8)).all()
    assert (np.diff(nodes, axis=1) > 0).all()
    assert (nodes[0] != nodes[1]).any()
    again = p001_madelon.curve(options, name, kind, 2 * (kind == "leverage"), False, 4, False, 1, 6)
    assert again["errors"][0] == answer["errors"][0]


def test_errors_are_those_of_the_vote(options: Options) -> None:
    x, y, new, wanted = p001_madelon.split(options.data, "madelon", 0)
    trees = p001_madelon.grow_forest(x, y, 5, seed=1)
    assert p001_madelon.errors(trees, x, y) == [0.0] * 5  # full trees without bags
    single = [p001_madelon.errors([tree], new, wanted)[0] for tree in trees]
    together = p001_madelon.errors(trees, new, wanted)
    assert together[0] == single[0]
    assert len(set(single)) > 1


def test_splits(options: Options) -> None:
    x, y, new, wanted = p001_madelon.split(options.data, "orl", 1)
    assert (len(x), len(y), len(new), len(wanted)) == (60, 60, 30, 30)
    other = p001_madelon.split(options.data, "orl", 2)[0]
    assert (x != other).any()
    assert len(p001_madelon.split(options.data, "madelon", 0)[2]) == 90


def answer(errors: list[list[float]], nodes: list[list[float]]) -> dict[str, list[list[float]]]:
    return {"errors": errors, "nodes": nodes}


def test_nodes_until() -> None:
    found = answer([[0.4, 0.2, 0.3], [0.5, 0.4, 0.35]], [[10, 20, 30], [11, 22, 33]])
    assert nodes_until(found, 0.35) == [20, 33]
    assert nodes_until(found, 0.4) == [10, 22]
    assert nodes_until(found, 0.1) == [None, None]


def test_the_target_is_where_the_forest_has_the_papers_nodes() -> None:
    forest = answer([[0.4, 0.3, 0.2], [0.4, 0.3, 0.2]], [[9000, 26000, 40000], [9000, 27000, 40000]])
    assert target_of(Answers({key("madelon", FOREST, 22): forest}), "madelon") == 0.3
    assert target_of(Answers({}), "madelon") is None


def test_table_1() -> None:
    forest = answer([[0.4, 0.3, 0.2]] * 2, [[9000, 26000, 40000], [9000, 27000, 40000]])
    answers = Answers(
        {
            key("madelon", FOREST, 22): forest,
            key("madelon", UNIFORM, 22): answer([[0.4]] * 2, [[800]] * 2),
            key("madelon", NORM, 22): answer([[0.4], [0.3]], [[800]] * 2),
            key("madelon", LEVERAGE[1], 22): answer([[0.3]] * 2, [[3000], [5000]]),
            key("madelon", LEVERAGE[2], 22): answer([[0.3]] * 2, [[5000], [6000]]),
        }
    )
    first = judged_grid(answers).markdown()
    assert "error is .300" in first
    assert "26500 (26407) | not in 2 of 2 runs (T) | not in 1 of 2 runs (T) | 4000.0 ± " in first
    assert "leverage, k = 2, the best k" in first


@pytest.mark.parametrize("ties", ["random", "first"])
def test_seconds_of_training(options: Options, ties: str) -> None:
    answer = p001_fig2.timed(options, "orl", "leverage", 2, 4, ties, [1, 3, 6], 2)
    assert np.shape(answer["seconds"]) == (2, 3)
    assert np.shape(answer["errors"]) == np.shape(answer["nodes"]) == (2, 6)
    assert all(0 < second < 10 for run in answer["seconds"] for second in run)


def test_figure_2_from_answers() -> None:
    """The forest has an error of .2 from tree 2 on; another way has it from tree 5 on, or never."""
    forest = {
        "errors": [[0.4] + [0.2] * 99] * 2,
        "seconds": [[1.0, 2.0, 3.0, 4.0, 5.0]] * 2,
        "nodes": [[9.0] * 100] * 2,
    }
    later = forest | {"errors": [[0.4] * 4 + [0.2] * 96] * 2}
    never = forest | {"errors": [[0.3] * 100] * 2}
    ways = dict(zip(p001_fig2.WAYS, (forest, later, never), strict=False))
    answers = Answers({p001_fig2.key("orl", *way, "random"): answer for way, answer in ways.items()})
    assert p001_fig2.until(later, 0.2) == (5, 1 + 4 / 9)
    first, *_, ties, _ = p001_fig2.report(answers)
    cells = [cell.text for cell in first.cells[list(p001_fig2.TITLES).index("orl")][:3]]
    assert cells == ["1.1 s, 2 trees", "1.4 s, 5 trees", "not with 100 trees"]
    assert len(ties.rows) == 4
    assert p001_fig2.draw(answers)[""].axes[1].get_lines()
    assert all(grid.markdown() for grid in p001_fig2.TABLE.report(Answers({})))


def test_nothing_known_is_no_error(tmp_path: Path) -> None:
    assert all(grid.markdown() for grid in TABLE.report(Answers({})))
    jobs = TABLE.jobs(Options(data=tmp_path))
    assert len({job.key for job in jobs}) == len(jobs)
    assert Way("leverage", 5, True).name == "leverage, k = 5, centred"
    assert p001_madelon.RUNS == 30

"""Paper 002, Table 1: errors, features and sets tried of the search along a Chow-Liu tree, of SFS and of MIFS."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.jobs.sets import read_set
from benchmarks.papers.grid import Cell, Grid
from benchmarks.papers.table import Pictures, Table
from pyrrf.papers import ChowLiuSelector, ForwardSelector, MIFSSelector
from pyrrf.plots.trees import draw_tree, lay_out

REPLICATES = 5
EPSILON = 0.01
EPSILONS = (0.0, 0.005, EPSILON, 0.02)
BINS = (10, 15, 18, 19, 20, 21, 22, 25, 30)
PROBES = ("uniform", "normal", "permuted")
MIFS_BINS = (5, 10, 20, 40)
# Percent of error, features and sets tried of these; of Spambase our text of the paper has those of SFS only.
SHOWN = ("All", "CLT", "SFS", "MIFS")
PAPER: dict[str, dict[str, tuple[float | None, ...]]] = {
    "ionosphere": {"error": (20.08, 18.12, 18.47, 24.54), "features": (34, 6, 3, 5), "tried": (None, 38, 130, None)},
    "german_numeric": {
        "error": (41.70, 38.52, 39.06, 37.47),
        "features": (24, 3, 4, 6),
        "tried": (None, 24, 110, None),
    },
    "wdbc": {"error": (13.78, 9.37, 13.44, 12.48), "features": (30, 8, 4, 5), "tried": (None, 37, 140, None)},
    "spambase": {"error": (None, None, 17.39, None), "features": (57, None, 8, None), "tried": (None, None, 477, None)},
}
CHILDREN, VARIANCE = 2.48, 5.72  # of Spambase's tree, section 4
PICTURE = "wdbc"
# Ways to train the network on all features: whether they are left as they are, and what replaces its defaults.
RAW = "not standardized"
TRAININGS: dict[str, tuple[bool, dict[str, Any]]] = {
    "All": (False, {}),
    RAW: (True, {}),
    "tanh": (False, {"activation": "tanh"}),
    "tanh, 40 steps": (False, {"activation": "tanh", "max_iter": 40}),
    f"tanh, 40 steps, {RAW}": (True, {"activation": "tanh", "max_iter": 40}),
    "SGD, 30 epochs": (False, {"solver": "sgd", "max_iter": 30, "learning_rate_init": 0.01}),
}


# ---- jobs ----------------------------------------------------------------------------------------


def network(seed: int, training: str = "All") -> Pipeline:
    """Return the paper's network of 20 and 10 hidden units, by default trained by at most 25 steps of L-BFGS."""
    raw, changes = TRAININGS[training]
    how = {"solver": "lbfgs", "max_iter": 25} | changes
    return make_pipeline("passthrough" if raw else StandardScaler(), MLPClassifier((20, 10), random_state=seed, **how))


def selector(method: str, seed: int, option: Any) -> Any:
    """Return what a method chooses features with; its search measures the error on 5 folds of its own."""
    how = {"cv": StratifiedKFold(5, shuffle=True, random_state=seed), "epsilon": option}
    if method == "SFS":
        return ForwardSelector(network(seed), **how)
    if method == "MIFS":
        return MIFSSelector(probe=option, random_state=seed)
    return ChowLiuSelector(network(seed), floating=method == "CLT and floating", **how)


def choose(options: Options, name: str, replicate: int, method: str, option: Any) -> dict[str, Any]:
    """Return the features of a method, the sets it tried, and the balanced error on ten fresh folds, in percent."""
    data = read_set(options.data, name)
    columns, found = list(range(data.x.shape[1])), {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        if method not in TRAININGS:
            chosen = selector(method, seed_of("002", name, replicate), option).fit(data.values, data.y)
            columns = chosen.selected_.tolist()
            found = {"tried": chosen.n_evaluations_, "searched": 100 * (1 - chosen.score_)} if method != "MIFS" else {}
        error = fresh_error(
            data, columns, seed_of("002 fresh", name, replicate), method if method in TRAININGS else "All"
        )
    return {"columns": columns, "features": len(columns), "error": error, **found}


def fresh_error(data: Any, columns: list[int], seed: int, training: str = "All") -> float:
    """Return the balanced error rate (eq 7) over ten folds, in percent; without features that of one class."""
    if not columns:
        return 50.0
    folds = StratifiedKFold(10, shuffle=True, random_state=seed)
    x = data.values[:, columns]
    scores = cross_val_score(network(seed, training), x, data.y, cv=folds, scoring="balanced_accuracy")
    return 100 * (1 - float(scores.mean()))


def tree(options: Options, name: str, bins: int) -> dict[str, Any]:
    """Return the Chow-Liu tree of a set."""
    data = read_set(options.data, name)
    found = ChowLiuSelector(bins=bins).fit(data.values, data.y).tree_
    return {"parents": found.parents.tolist(), "weights": found.weights.tolist(), "names": list(data.x.columns)}


def probed(options: Options, name: str, replicate: int, bins: int) -> dict[str, int]:
    """Return how many features MIFS takes with other bins."""
    data = read_set(options.data, name)
    chosen = MIFSSelector(bins=bins, random_state=seed_of("002", name, replicate)).fit(data.values, data.y)
    return {"features": len(chosen.selected_)}


def jobs(options: Options) -> list[Job]:
    """Return the trees, then the methods set by set: Spambase, which takes two thirds of the time, comes last."""
    found = [Job(f"tree/{name}/20", tree, (name, 20), cost=0.1) for name in PAPER]
    found += [Job(f"tree/spambase/{bins}", tree, ("spambase", bins), cost=0.1) for bins in BINS if bins != 20]
    for name in PAPER:
        weight = 8 if name == "spambase" else 1
        for replicate in range(1, options.count(REPLICATES) + 1):
            for method, option, cost in methods():
                args = (name, replicate, method, option)
                found.append(Job(key(name, method, option, replicate), choose, args, cost=cost * weight))
            for bins in MIFS_BINS:
                found.append(Job(key(name, "bins", bins, replicate), probed, (name, replicate, bins), cost=0.1))
    return found


def methods() -> list[tuple[str, Any, float]]:
    """Return the methods, what each is run with, and what it costs."""
    return [
        *((training, None, 0.2) for training in TRAININGS),
        *(("MIFS", probe, 0.2) for probe in PROBES),
        *(("CLT", epsilon, 3.0) for epsilon in EPSILONS),
        ("CLT and floating", EPSILON, 4.0),
        ("SFS", EPSILON, 10.0),
    ]


def key(name: str, method: str, option: Any, replicate: int) -> str:
    return f"{name}/{method}/{option}/{replicate}"


# ---- report --------------------------------------------------------------------------------------


def cell(answers: Answers, name: str, method: str, option: Any, field: str, paper: float | None = None) -> Cell:
    """Return the mean over the replicates."""
    found = [answers.get(key(name, method, option, replicate), {}) for replicate in range(1, REPLICATES + 1)]
    return Cell.over([one.get(field) for one in found], paper)


def table1(answers: Answers, title: str, field: str, step: float, shown: tuple[str, ...] = SHOWN) -> Grid:
    """Return errors, numbers of features, or of sets tried, beside the paper's; then with floating search."""
    options = {"All": None, "MIFS": PROBES[0]}
    cells = [
        [
            *(cell(answers, name, m, options.get(m, EPSILON), field, paper[field][SHOWN.index(m)]) for m in shown),
            cell(answers, name, "CLT and floating", EPSILON, field),
        ]
        for name, paper in PAPER.items()
    ]
    return Grid(title, list(PAPER), [*shown, "CLT and floating"], cells, step=step, corner="set")


def by_setting(
    answers: Answers, title: str, field: str, paper: str, ways: dict[str, tuple[str, Any]], step: float = 1
) -> Grid:
    """Return what ways find, each a method and its option; beside them the paper's figure of its one way."""
    cells = [
        [*(cell(answers, name, *way, field) for way in ways.values()), printed(figures[field][SHOWN.index(paper)])]
        for name, figures in PAPER.items()
    ]
    return Grid(title, list(PAPER), [*ways, "paper"], cells, step, "set")


def by_folds(answers: Answers) -> Grid:
    """Return how much the search's own folds flatter."""
    cells = [[*(cell(answers, name, "CLT", EPSILON, field) for field in ("searched", "error"))] for name in PAPER]
    title = "CLT: balanced error rate, percent"
    return Grid(title, list(PAPER), ("folds of the search", "fresh folds"), cells, 0.01, "set")


def printed(paper: float | None) -> Cell:
    return Cell(text="-" if paper is None else f"{paper:g}")


def shape(answers: Answers, name: str, bins: int, judged: bool) -> list[Cell]:
    """Return figures of a tree: children of inner nodes, their variance, children of the label, depth."""
    found = answers.get(f"tree/{name}/{bins}")
    if found is None:
        return [Cell()] * 4
    parents = np.array(found["parents"])
    children = np.bincount(parents[parents >= 0])
    inner = children[children > 0]
    depth = int(lay_out(parents)[0].max())
    label = int(children[-1]) if len(children) == len(parents) else 0
    values = (float(inner.mean()), float(inner.var(ddof=1)), label, depth)
    paper = (CHILDREN, VARIANCE, None, None) if judged else (None,) * 4
    return [Cell(mean=value, half=0.0, paper=p, count=1) for value, p in zip(values, paper, strict=True)]


def shapes(answers: Answers) -> Grid:
    """Return the figures of all trees, and of Spambase's with other numbers of bins."""
    rows = {name: shape(answers, name, 20, name == "spambase") for name in PAPER}
    rows |= {f"spambase, {bins} bins": shape(answers, "spambase", bins, False) for bins in BINS if bins != 20}
    columns = ("children of an inner node", "their variance", "children of the label", "depth")
    return Grid("The trees, with 20 bins", list(rows), columns, list(rows.values()), step=0.01, corner="set")


def report(answers: Answers) -> list[Grid]:
    """Return Table 1, then what the paper leaves open."""
    trainings = {training: (training, None) for training in TRAININGS}
    thresholds = {f"ε = {epsilon:g}": ("CLT", epsilon) for epsilon in EPSILONS}
    probes = {probe: ("MIFS", probe) for probe in PROBES}
    bins = {f"{number} bins": ("bins", number) for number in MIFS_BINS}
    of_network = "All features: balanced error rate, percent, by how the network is trained"
    return [
        table1(answers, "Table 1: balanced error rate, percent", "error", 0.01),
        table1(answers, "Table 1: features", "features", 1, SHOWN[1:]),
        table1(answers, "Table 1: sets tried", "tried", 1, ("CLT", "SFS")),
        by_setting(answers, of_network, "error", "All", trainings, 0.01),
        by_folds(answers),
        by_setting(answers, "CLT: features by threshold", "features", "CLT", thresholds),
        by_setting(answers, "CLT: sets tried by threshold", "tried", "CLT", thresholds),
        by_setting(answers, "MIFS: features by the law of the probe", "features", "MIFS", probes),
        by_setting(answers, "MIFS: features by the number of bins, uniform probe", "features", "MIFS", bins),
        shapes(answers),
    ]


def draw(answers: Answers) -> Pictures:
    """Draw the tree of one set with the features of the first replicate."""
    found, chosen = answers.get(f"tree/{PICTURE}/20"), answers.get(key(PICTURE, "CLT", EPSILON, 1))
    if found is None or chosen is None:
        return {}
    kept = np.isin(np.arange(len(found["names"])), chosen["columns"])
    names = [*(name.replace("_", " ") for name in found["names"]), "class"]
    return {"tree": draw_tree(np.array(found["parents"]), np.array(found["weights"]), names, kept).figure}


TABLE = Table("002-table1", "Search along Chow-Liu trees", jobs, report, draw=draw)

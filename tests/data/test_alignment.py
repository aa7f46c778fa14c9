"""Values for each column, row, class and stratum: every argument of the package has its kind, and labels are heard.

The walk goes over all public functions, estimators and selectors by their signatures. An argument that `KINDS` does not
know fails it, so that a new one is declared. Those for each of something are called with labels in another order.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GroupKFold
from sklearn.tree import DecisionTreeClassifier

import pyrrf
import pyrrf.rules
import pyrrf.selectors
import pyrrf.sklearn as estimators
from pyrrf import papers
from pyrrf.data.alignment import by_name, check_rows
from pyrrf.fit.call import Call, ForestCall
from tests.refusals import refused

N = 36
COLUMNS = ["b", "a", "d", "c"]
ROWS = [f"r{place}" for place in np.random.default_rng(4).permutation(N)]


def table(rows: Any = ROWS, columns: Any = COLUMNS) -> pd.DataFrame:
    values = np.random.default_rng(1).standard_normal((N, 4))
    return pd.DataFrame(values, index=rows, columns=columns)


X = table().assign(b=np.arange(N) % 3.0)
CLASSES = pd.Series(np.where(X["a"] + 0.4 * X["b"] > 0.4, "up", "down"), index=X.index)
NUMBERS = X["a"] + 0.3 * X["d"]
WEIGHTS = pd.Series(np.linspace(1.0, 2.0, N), index=X.index)
GROUPS = pd.Series(np.arange(N) % 4, index=X.index)
PRICES = pd.Series([0.2, 1.0, 0.5, 0.9], index=COLUMNS)
COSTS = pd.Series([1.0, 4.0, 2.0, 1.5], index=COLUMNS)
FLAGS = pd.Series([True, False, False, False], index=COLUMNS)
# The strata are the classes. Weights, cutoffs and sizes that change the answer if they are exchanged.
LEVELS = ["down", "up"]
CLASSWT, CUTOFF = pd.Series([1.0, 40.0], index=LEVELS), pd.Series([0.85, 0.15], index=LEVELS)
SIZES, COLOURS = pd.Series([3, 9], index=LEVELS), pd.Series(["red", "blue"], index=LEVELS)
FEW = {"n_estimators": 5, "random_state": 1}
GUIDED = {**FEW, "guide": 5}
R = {"ntree": 5, "seed": 1}

# ---- what each argument is -----------------------------------------------------------------------

PER_COLUMN = {
    "coefReg", "coef_reg", "feature_cost", "feature_groups", "initial_features", "categorical_features", "scores",
    "guide",
}  # fmt: skip
PER_CLASS = {"classwt", "cutoff", "class_weight", "palette"}
PER_STRATUM = {"sampsize"}
BY_NAME = PER_COLUMN | PER_CLASS | PER_STRATUM
PER_ROW = {
    "y", "ytest", "strata", "weights", "sample_weight", "trainy", "label", "prox", "cls", "observed", "fac", "w",
    "target", "groups", "b", "given", "others",
}  # fmt: skip
# Tables, whose labels others are held to; and a condition or rows of `data`, which is refused with other labels.
TABLES = {"x", "X", "data", "newdata", "xtest", "trainx", "pred_data", "columns", "a", "object", "subset"}
NEITHER = set(
    """
    add alpha arguments assumption ax base beta bins boosting bootstrap by_tree candidates center class_
    collate colN confidence constant corr_bias correction count counts criterion cv
    cv_fold decreasing digits do_trace doBest empty_score engine epsilon estimator evaluation_bootstrap
    feaIni fits flagReg floating formula forest gamma gammas graphics growth how_many i importance
    improve indices iter judge K k keep_forest keep_inbag kind labelVar lambda0 learner left_out level localImp M main
    max max_bytes max_depth max_draws max_features max_iter max_leaf_nodes max_samples max_substitutes maxDecay
    maxdepth maxlen maxnodes mean method min min_information min_node_size minconf minFreq minlen minsup mtry
    mtryStart n n_estimators n_features n_jobs n_measuring n_pairs n_probes n_pt n_removals
    n_seeds n_var na_action nested nNbr nodes nodesize norm_votes normal_kind normalize nPerm ntree ntreeTry only
    oob_prox oob_score over oversampling p parameters params path pch perc penalty pfer plot
    power_iterations predict_all prob probe proximity q quirks random random_state rank recursive replace
    rf rfobj root rug rule ruleExec ruleMetric rules sample_kind sampling scale scoring sd seed selected
    selector size sort source step stepFactor strList svd task terminal threshold ties trace treeList two_step type
    typeDecay unit unknown update_every usedepth v verbose which_class x_var xlab ylab
""".split()
)
# The same word elsewhere: vectors of R, numbers of rows of nodes, a fitted estimator's own tables, a name.
ELSEWHERE = {
    "sample.x", "sample.prob", "papers.node_complexity.counts", "papers.chow_liu_tree.weights",
    "report.target", "RBoostClassifier.penalty",
}  # fmt: skip
KINDS = BY_NAME | PER_ROW | TABLES | NEITHER


def surface() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public functions, constructors of estimators, and their methods that pyrrf defines."""
    for module in (pyrrf, estimators, papers, pyrrf.selectors, pyrrf.rules):
        for name in module.__all__:
            value, short = getattr(module, name), module.__name__.removeprefix("pyrrf").lstrip(".")
            fits = hasattr(value, "fit")
            label = name if fits or short not in ("papers", "selectors", "rules") else f"{short}.{name}"
            if not inspect.isclass(value):
                if inspect.isroutine(value):
                    yield label, value
            elif module is estimators or fits:
                if not name.endswith("Display"):
                    yield label, value
                for method, function in inspect.getmembers(value):
                    if callable(function) and not method.startswith("_") and _ours(function):
                        yield f"{label}.{method}", function


def _ours(function: Any) -> bool:
    return str(getattr(inspect.unwrap(function), "__module__", "")).startswith("pyrrf")


def arguments(function: Callable[..., Any]) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls_")]


def test_every_argument_has_a_kind() -> None:
    walked = [(name, argument) for name, function in surface() for argument in arguments(function)]
    assert len(walked) > 500
    assert sorted(f"{name}({argument})" for name, argument in walked if argument not in KINDS) == []
    for one, other in combinations((PER_COLUMN, PER_CLASS, PER_STRATUM, PER_ROW, TABLES, NEITHER), 2):
        assert not one & other
    names = {argument for _, argument in walked} | set(Call.names) | set(ForestCall.names)
    assert names == KINDS


# ---- each of them, called with its labels in another order ---------------------------------------


def _fit(estimator: Any, **given: Any) -> Callable[..., Any]:
    """Return a call that fits clones; an argument of the constructor is set, one of `fit` is passed."""
    defaults = {"y": CLASSES, **given}

    def call(**own: Any) -> Any:
        parameters = {name: value for name, value in own.items() if name in estimator.get_params()}
        rest = {name: value for name, value in own.items() if name not in parameters}
        fitted = clone(estimator).set_params(**parameters).fit(X, **{**defaults, **rest})
        names = ("support_", "feature_importances_", "guide_importances_", "scores_", "credits_")
        return [np.asarray(getattr(fitted, name)) for name in names if hasattr(fitted, name)]

    return call


def _fit_with_forest(selector: Any) -> Callable[..., Any]:
    """Return a call that fits clones whose forest has an argument."""
    return lambda **own: _fit(clone(selector).set_params(forest=estimators.RRFClassifier(**own)))()


def _fits(function: Callable[..., Any], **given: Any) -> Callable[..., Any]:
    def call(**own: Any) -> Any:
        fit = function(**{"x": X, "y": CLASSES, **R, **given, **own})
        return [fit.importance.to_numpy(), np.asarray(fit.predicted)]

    return call


TREES = pyrrf.RRF(X, CLASSES, ntree=5, seed=1, proximity=True)
RULES = pyrrf.rules.extractRules(pyrrf.rules.RF2List(TREES), X)
METRIC = pyrrf.rules.getRuleMetric(RULES, X, CLASSES)
COMPANION = {"trace": False, "plot": False, "ntreeTry": 5, "seed": 1}


def holes() -> pd.DataFrame:
    holed = X.copy()
    holed.iloc[3, 0] = np.nan
    return holed


def display(y: Any) -> Any:
    fitted = estimators.RRFClassifier(3, random_state=1).fit(X, CLASSES)
    shown = estimators.ImportanceDisplay.from_estimator(fitted, X, y, over="seeds", n_seeds=2, random_state=1)
    return np.asarray(shown.importances)


def page(y: Any, folder: Any) -> Any:
    selector = estimators.GRRFSelector(**GUIDED).fit(X, CLASSES)
    return pyrrf.report(selector, folder / "page.html", X, y).read_text()


RF = {"ntree": 5, "seed": 1}
PARALLEL = {"engine": "parallel"}
STRATIFIED = {"sampsize": [6, 6, 6, 6]}
CASES: dict[str, tuple[Callable[..., Any], str, Any]] = {}


def case(name: str, call: Callable[..., Any], **values: Any) -> None:
    for argument, value in values.items():
        CASES[f"{name}({argument})"] = (call, argument, value)


case("RRF", _fits(pyrrf.RRF), y=CLASSES, coefReg=PRICES, feature_cost=COSTS, feature_groups=COSTS)
for grow in (pyrrf.RRF, pyrrf.GRRF, pyrrf.randomForest):
    case(grow.__name__, _fits(grow), classwt=CLASSWT, cutoff=CUTOFF, sampsize=SIZES)
case("RRF", _fits(pyrrf.RRF, **STRATIFIED), strata=GROUPS)
case("RRF", _fits(pyrrf.RRF, **PARALLEL), sample_weight=WEIGHTS)
case("RRF", _fits(pyrrf.RRF, xtest=X, keep_forest=True), ytest=CLASSES)
case("GRRF", _fits(pyrrf.GRRF), y=CLASSES, guide=PRICES, feature_cost=COSTS, feature_groups=COSTS)
case("GRRF", _fits(pyrrf.GRRF, **STRATIFIED), strata=GROUPS)
case("GRRF", _fits(pyrrf.GRRF, **PARALLEL), sample_weight=WEIGHTS)
case("GRRF", _fits(pyrrf.GRRF, xtest=X, keep_forest=True), ytest=CLASSES)
case("randomForest", _fits(pyrrf.randomForest), y=CLASSES, weights=WEIGHTS)
case("randomForest", _fits(pyrrf.randomForest, **STRATIFIED), strata=GROUPS)
case("randomForest", _fits(pyrrf.randomForest, xtest=X, keep_forest=True), ytest=CLASSES)
case("rrf_path", lambda **own: pyrrf.rrf_path(**{"x": X, "y": CLASSES, "gammas": [0.5], **RF, **own}).n_features,
     y=CLASSES, guide=PRICES)  # fmt: skip
for tune in (pyrrf.tuneRRF, pyrrf.tuneRF):
    case(tune.__name__, lambda y, tune=tune: tune(X, y, **COMPANION).to_numpy(), y=CLASSES)
for validate in (pyrrf.rrfcv, pyrrf.rfcv):
    case(validate.__name__, lambda trainy, validate=validate: validate(X, trainy, **RF).error_cv.to_numpy(),
         trainy=CLASSES)  # fmt: skip
for impute in (pyrrf.rrfImpute, pyrrf.rfImpute):
    case(impute.__name__, lambda y, impute=impute: impute(holes(), y, iter=1, **RF).to_numpy()[:, 1:], y=CLASSES)
case("classCenter", lambda **own: pyrrf.classCenter(**{"x": X, "label": CLASSES, "prox": TREES.proximity, "nNbr": 5}
     | own).to_numpy(), label=CLASSES, prox=TREES.proximity)  # fmt: skip
case("outlier", lambda cls: pyrrf.outlier(TREES.proximity, cls).to_numpy(), cls=CLASSES)
case("margin", lambda observed: pyrrf.margin(TREES.votes, observed).to_numpy(), observed=CLASSES)
case("MDSplot", lambda fac: pyrrf.MDSplot(TREES, fac).points.to_numpy(), fac=CLASSES)
case("MDSplot", lambda palette: pyrrf.MDSplot(TREES, CLASSES, palette=palette).axes.lines[0].get_color(),
     palette=COLOURS)  # fmt: skip
case("predict", lambda cutoff: pyrrf.predict(TREES, X, cutoff=cutoff).to_numpy(), cutoff=CUTOFF)
case("partialPlot", lambda w: np.asarray(pyrrf.partialPlot(TREES, X, "a", w=w, plot=False).y), w=WEIGHTS)
case("grrf_path", lambda **own: estimators.grrf_path(**{"X": X, "y": CLASSES, "gammas": [0.5], **GUIDED} | own
     ).n_features, y=CLASSES, guide=PRICES, sample_weight=WEIGHTS)  # fmt: skip
case("rules.getRuleMetric", lambda target: pyrrf.rules.getRuleMetric(RULES, X, target).to_numpy(), target=CLASSES)
case("rules.pruneRule", lambda target: pyrrf.rules.pruneRule(METRIC, X, target).to_numpy(), target=CLASSES)
case("rules.buildLearner", lambda target: pyrrf.rules.buildLearner(METRIC, X, target).to_numpy(), target=CLASSES)
case("rules.selectRuleRRF", lambda target: pyrrf.rules.selectRuleRRF(METRIC, X, target, seed=1).to_numpy(),
     target=CLASSES)  # fmt: skip
case("papers.mutual_information", lambda b: papers.mutual_information(GROUPS, b), b=CLASSES)
case("papers.symmetrical_uncertainty", lambda b: papers.symmetrical_uncertainty(GROUPS, b), b=CLASSES)
case("papers.conditional_mutual_information",
     lambda **own: papers.conditional_mutual_information(**{"a": GROUPS, "b": CLASSES, "given": GROUPS} | own),
     b=CLASSES, given=GROUPS)  # fmt: skip
pairs = papers.mutual_information_matrix
case("papers.mutual_information_matrix", lambda others: pairs(CLASSES.to_frame(), others), others=GROUPS.to_frame())
case("ImportanceDisplay.from_estimator", lambda y: display(y), y=CLASSES)

OF_FORESTS = {"feature_cost": COSTS, "feature_groups": COSTS, "initial_features": FLAGS, "categorical_features": FLAGS}
WEIGHED: dict[str, Any] = {**OF_FORESTS, "class_weight": CLASSWT}
case("RRFClassifier", _fit(estimators.RRFClassifier(5, random_state=1)), coef_reg=PRICES, **OF_FORESTS)
case("RRFClassifier", _fit(estimators.RRFClassifier(5, coef_reg=None, random_state=1)), class_weight=CLASSWT)
case("RRFClassifier.fit", _fit(estimators.RRFClassifier(5, random_state=1)), y=CLASSES, sample_weight=WEIGHTS)
STABLE = estimators.StabilitySelector(estimators.GRRFSelector(**GUIDED), n_pairs=2, random_state=1)
case("StabilitySelector.fit", _fit(STABLE), y=CLASSES, sample_weight=WEIGHTS)
case("RRFRegressor", _fit(estimators.RRFRegressor(5, random_state=1), y=NUMBERS), coef_reg=PRICES, **OF_FORESTS)
case("RRFRegressor.fit", _fit(estimators.RRFRegressor(5, random_state=1), y=NUMBERS), y=NUMBERS, sample_weight=WEIGHTS)
case("GRRFSelector", _fit(estimators.GRRFSelector(**GUIDED)), guide=PRICES)
case("GRRFSelector.forest", _fit_with_forest(estimators.GRRFSelector(**GUIDED)), **WEIGHED)
case("GRRFSelector.fit", _fit(estimators.GRRFSelector(**GUIDED)), y=CLASSES, sample_weight=WEIGHTS)
GRID = estimators.GRRFSelectorCV(**GUIDED, gammas=[0.2, 0.8], cv=2, nested=False)
case("GRRFSelectorCV", _fit(GRID), guide=PRICES)
case("GRRFSelectorCV.forest", _fit_with_forest(GRID), **WEIGHED)
case("GRRFSelectorCV.fit", _fit(GRID), y=CLASSES, sample_weight=WEIGHTS)
case("GRRFSelectorCV.fit", _fit(clone(GRID).set_params(cv=GroupKFold(2))), groups=GROUPS)
DROPS = estimators.EliminationSelector(2, n_estimators=5, cv=2, random_state=1)
case("EliminationSelector", _fit(DROPS), **OF_FORESTS)
case("EliminationSelector.fit", _fit(DROPS), y=CLASSES, sample_weight=WEIGHTS)
case("EliminationSelector.fit", _fit(clone(DROPS).set_params(cv=GroupKFold(2))), groups=GROUPS)
RELEVANT = estimators.BorutaSelector(n_estimators=3, max_iter=8, random_state=1)
case("BorutaSelector", _fit(RELEVANT), categorical_features=FLAGS)
case("BorutaSelector.fit", _fit(RELEVANT), y=CLASSES, sample_weight=WEIGHTS)
for boosted in (papers.RBoostClassifier, papers.RBoostSelector):
    case(boosted.__name__, _fit(boosted(3, random_state=1)), categorical_features=FLAGS)
    case(f"{boosted.__name__}.fit", _fit(boosted(3, random_state=1)), y=CLASSES, sample_weight=WEIGHTS)
for less, numbers_or_classes in ((papers.LESSClassifier, CLASSES), (papers.LESSRegressor, NUMBERS)):
    few = less(1, 5, scores="uniform", random_state=1)
    case(less.__name__, _fit(few, y=numbers_or_classes), scores=PRICES, categorical_features=FLAGS)
    case(f"{less.__name__}.fit", _fit(few), y=numbers_or_classes)
for known in (
    papers.ComplexityForestClassifier(3, random_state=1), papers.MaxDependencyClassifier(2),
    papers.MaxDependencySelector(2),
):  # fmt: skip
    case(type(known).__name__, _fit(known), categorical_features=FLAGS)
    case(f"{type(known).__name__}.fit", _fit(known), y=CLASSES)
TREE = DecisionTreeClassifier(max_depth=2, random_state=1)
for known in (
    papers.ChowLiuSelector(), papers.MIFSSelector(random_state=1), papers.ForwardSelector(TREE, cv=2),
):  # fmt: skip
    case(f"{type(known).__name__}.fit", _fit(known), y=CLASSES)


def test_every_argument_for_each_of_something_is_called() -> None:
    wanted = {
        f"{name}({argument})"
        for name, function in surface()
        for argument in arguments(function)
        if argument in BY_NAME | PER_ROW and f"{name}.{argument}" not in ELSEWHERE
    }
    # The report is written to a file, and has a test of its own.
    assert sorted(wanted - set(CASES) - {"report(y)"}) == []


def answer(call: Callable[..., Any], **given: Any) -> Any:
    """Return what a call answers, or the error that refuses the labels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category=DeprecationWarning)
        try:
            return call(**given)
        except ValueError as error:
            return error


def same(one: Any, other: Any) -> bool:
    pairs = zip(one, other, strict=True) if isinstance(one, list) else [(one, other)]
    return all(pd.DataFrame(np.atleast_1d(a)).equals(pd.DataFrame(np.atleast_1d(b))) for a, b in pairs)


@pytest.mark.parametrize("name", CASES)
def test_labels_in_another_order_are_matched_or_refused(name: str) -> None:
    call, argument, value = CASES[name]
    aligned = answer(call, **{argument: value})
    assert not isinstance(aligned, ValueError), aligned
    for order in (np.arange(len(value))[::-1], np.roll(np.arange(len(value)), 1)):
        found = answer(call, **{argument: value.iloc[order]})
        if argument in BY_NAME:
            assert not isinstance(found, ValueError), found
            assert same(found, aligned)
        else:
            assert isinstance(found, ValueError)
            assert f"{argument} has the same index as " in str(found)
            assert f"or pass {argument}.to_numpy()" in str(found)


NAMED = [name for name in CASES if CASES[name][1] in BY_NAME]


@pytest.mark.parametrize("name", NAMED)
def test_dicts_and_frames_of_one_column_go_by_name(name: str) -> None:
    call, argument, value = CASES[name]
    turned = value.iloc[::-1]
    aligned = answer(call, **{argument: value})
    for given in (dict(turned), turned.to_frame()):
        if argument == "guide" and name == "GRRF(guide)" and isinstance(given, pd.DataFrame):
            given = given.rename(columns={0: "MeanDecreaseGini"})
        assert same(answer(call, **{argument: given}), aligned)
    if argument != "class_weight":  # scikit-learn knows no order of it
        assert same(answer(call, **{argument: value.tolist()}), aligned)
    for one in (value.reset_index(drop=True), value.set_axis(pd.Index(value.index, dtype="category"))):
        assert same(answer(call, **{argument: one}), aligned)
    if argument in PER_CLASS | PER_STRATUM:
        assert not same(answer(call, **{argument: value.iloc[::-1].reset_index(drop=True)}), aligned)
    strange = answer(call, **{argument: value.rename(lambda label: f"{label}?")})
    assert isinstance(strange, ValueError)
    assert argument in str(strange)


def test_proximities_have_rows_and_columns_in_one_order() -> None:
    near = TREES.proximity
    for one in (near.iloc[:, ::-1], near[near.columns[1:].append(near.columns[:1])]):
        with refused("prox", "order"):
            pyrrf.classCenter(X, CLASSES, one)
        with refused("x", "order"):
            pyrrf.outlier(one, CLASSES)
    assert pyrrf.outlier(near.iloc[::-1, ::-1], CLASSES[::-1])[::-1].equals(pyrrf.outlier(near, CLASSES))


def test_the_report_refuses_other_rows(tmp_path: Any) -> None:
    with refused("y", "order"):
        page(CLASSES.iloc[::-1], tmp_path)
    assert page(CLASSES, tmp_path) == page(CLASSES.to_numpy(), tmp_path)


# ---- the rule itself -----------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [object, "str", "string", "category"])
def test_indexes_of_any_dtype_hold_the_same_names(dtype: Any) -> None:
    columns, own = pd.Index(["a", "b", "c"]), pd.Index(["c", "a", "b"], dtype=dtype)
    assert by_name(pd.Series([3, 1, 2], own), "cost", columns) == [1, 2, 3]
    assert by_name(pd.Series([3, 1, 2], own), "cost", pd.Index(["a", "b", "c"], dtype=dtype)) == [1, 2, 3]
    with refused("y", "order"):
        check_rows(pd.Series([3, 1, 2], own), "y", columns)


def test_numbers_as_labels() -> None:
    values = pd.Series([1, 2, 3])
    assert by_name(values, "cost", pd.RangeIndex(3)) == [1, 2, 3]
    # Who counts from 0 goes by position where the columns have other names, but not where it may be meant by name.
    assert by_name(values, "cost", pd.Index(["x", "y", "z"])) == [1, 2, 3]
    assert by_name(values, "cost", pd.Index([5, 6, 7])) == [1, 2, 3]
    with refused("cost", "order"):
        by_name(values, "cost", pd.Index([2, 0, 1]))
    assert by_name(values.iloc[::-1], "cost", pd.RangeIndex(3)) == [1, 2, 3]
    assert by_name({2: 3, 0: 1, 1: 2}, "cost", pd.RangeIndex(3)) == [1, 2, 3]
    # As in R, where names are text.
    assert by_name({"2": 3, "0": 1, "1": 2}, "cost", pd.RangeIndex(3)) == [1, 2, 3]
    with pytest.raises(ValueError, match="cost names '0', which is not a feature"):
        by_name({"0": 1, "1": 2}, "cost", pd.Index([1, 2]))


def test_labels_that_occur_twice() -> None:
    columns = pd.Index(["a", "b", "a"])
    assert by_name(pd.Series([1, 2, 3], columns), "cost", columns) == [1, 2, 3]
    with refused("cost", "duplicate"):
        by_name(pd.Series([1, 2, 3], ["b", "a", "a"]), "cost", columns)
    assert by_name({"a": 1, "b": 2}, "cost", columns) == [1, 2, 1]
    with refused("y", "order"):
        check_rows(pd.Series([1, 2, 3], ["b", "a", "a"]), "y", columns)
    check_rows(pd.Series([1, 2, 3], columns), "y", columns)


def test_tuples_and_missing_labels() -> None:
    columns = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)])
    values = pd.Series([1, 2, 3], columns)
    assert by_name(values.iloc[::-1], "cost", columns) == [1, 2, 3]
    with refused("y", "order"):
        check_rows(values.iloc[::-1], "y", columns)
    with pytest.raises(ValueError, match=r"cost has no value for feature \('b', 1\)"):
        by_name(values.iloc[:2], "cost", columns)


def test_rows_of_other_tables_are_told() -> None:
    rows = pd.Index(["a", "b", "c"])
    with pytest.warns(UserWarning, match=r"w has another index than x \(row 2 is"):
        check_rows(pd.Series([1, 2, 3], ["a", "b", "d"]), "w", rows)
    check_rows(pd.Series([1, 2, 3]), "w", rows)
    check_rows([1, 2, 3], "w", rows)
    check_rows(pd.Series([1, 2, 3], ["c", "b", "a"]), "w", None)
    with refused("sample_weight", "order"):
        pyrrf.RRF(X.to_numpy(), CLASSES, sample_weight=WEIGHTS.iloc[::-1], ntree=2, engine="parallel")


SHUFFLED = np.random.default_rng(7).permutation(N)


@pytest.mark.parametrize("name", ["RRFClassifier.fit(y)", "RRF(y)"])
@pytest.mark.parametrize("counted", ["the table", "the values"])
def test_counted_rows_are_told_and_go_by_position(name: str, counted: str) -> None:
    # As where a scaler makes a new table of shuffled rows, or a label encoder a new Series.
    x, y = X.reset_index(drop=True), CLASSES.set_axis(pd.Index(SHUFFLED))
    if counted == "the values":
        x, y = x.set_axis(pd.Index(SHUFFLED)), y.reset_index(drop=True)
    fit = {
        "RRF(y)": lambda y: pyrrf.RRF(x, y, **R).importance,
        "RRFClassifier.fit(y)": lambda y: estimators.RRFClassifier(5, random_state=1).fit(x, y).feature_importances_,
    }[name]
    with pytest.warns(UserWarning, match="y has the same index as [xX], but in"):
        found = fit(y)
    assert np.array_equal(found, fit(y.to_numpy()))


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_rows_of_other_libraries_have_no_labels(library: str) -> None:
    module = pytest.importorskip(library)
    given = module.from_pandas(X) if library == "polars" else module.Table.from_pandas(X, preserve_index=False)
    y, weights = CLASSES.set_axis(pd.Index(SHUFFLED)), WEIGHTS.set_axis(pd.Index(SHUFFLED))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimators.RRFClassifier(5, random_state=1).fit(given, y, weights)
        estimators.StabilitySelector(estimators.GRRFSelector(**GUIDED), n_pairs=2, random_state=1).fit(given, y)
        pyrrf.RRF(given, y, xtest=given, ytest=y, sample_weight=weights, **R, **PARALLEL)
        with refused("sample_weight", "order"):
            pyrrf.RRF(given, CLASSES, sample_weight=WEIGHTS.iloc[::-1], **R, **PARALLEL)


@pytest.mark.parametrize("rows", [
    pd.Index([1.0, np.nan, np.nan, 3.0]), pd.Index(["a", None, "c", 1], dtype=object), pd.Index([2, 1, 1, 5]),
    pd.date_range("2020", periods=4, tz="UTC"), pd.CategoricalIndex(list("abca")),
    pd.MultiIndex.from_arrays([[1, 1, 2, 2], ["a", "b", None, "b"]]), pd.interval_range(0, 4),
    pd.Index([1, 2, None, 4], dtype="Int64"),
], ids=str)  # fmt: skip
def test_the_order_of_any_labels_is_seen(rows: pd.Index) -> None:
    turned = pd.Series(np.arange(4.0), rows[::-1])
    with refused("y", "order"):
        check_rows(turned, "y", rows)
    check_rows(turned.iloc[::-1], "y", rows)
    with pytest.warns(UserWarning, match="y has another index than x"):
        check_rows(turned, "y", rows[[0, 1, 2, 2]])


def test_a_response_as_a_frame_of_one_column_has_labels() -> None:
    with refused("y", "order"):
        estimators.RRFClassifier(2).fit(X, CLASSES.iloc[::-1].to_frame())


def test_names_reach_new_rows_in_any_order() -> None:
    forest = estimators.RRFClassifier(5, categorical_features=FLAGS.iloc[::-1], random_state=1)
    codes = X.assign(b=np.arange(N) % 3)
    expected = estimators.RRFClassifier(5, categorical_features=["b"], random_state=1).fit(codes, CLASSES)
    assert (forest.fit(codes, CLASSES).predict_proba(codes) == expected.predict_proba(codes)).all()


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_tables_of_other_libraries_have_names_and_no_rows(library: str) -> None:
    module = pytest.importorskip(library)
    given = module.from_pandas(X) if library == "polars" else module.Table.from_pandas(X, preserve_index=False)
    plain = estimators.RRFClassifier(5, coef_reg=PRICES.tolist(), random_state=1).fit(X, CLASSES)
    turned = estimators.RRFClassifier(5, coef_reg=PRICES.iloc[::-1], random_state=1)
    assert (turned.fit(given, CLASSES.to_numpy()).support_ == plain.support_).all()

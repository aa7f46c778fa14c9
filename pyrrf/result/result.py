"""Fits for classes, and the base of all fits: R's components, built when asked for, and R's printed form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from pyrrf._core.records import ClassOutcome, ClassTest, Outcome
from pyrrf.data.inputs import Factor
from pyrrf.rbase import numbers
from pyrrf.rbase.arithmetic import row_sums
from pyrrf.rbase.numbers import format_number, label
from pyrrf.rbase.text import format_matrix
from pyrrf.result.forest import Forest
from pyrrf.result.overview import Summary, percent
from pyrrf.result.record import FitMetadata, Record, class_index, frame_or_none, one_based
from pyrrf.types import Column, Ints, Labels

# Parts that say how the function was called.
_UNCOMPARED = {"call", "arguments", "bare_rows", "whole_y"}


class ForestResult(Record):
    """A fitted forest of either package of CRAN (R's object of class ``RRF`` or ``randomForest``).

    R's components are attributes; a dot in R's name is an underscore. Tables carry the row and
    column labels of the data (positions from 0 where the data have none). A component that was
    not asked for is None.

    Attributes
    ----------
    call : str
        The call; data are shown by the names of their arguments.
    type : str
        "classification", "regression" or "unsupervised".
    ntree, mtry : int
        Number of trees; candidates drawn at a node.
    bare_rows : bool
        Whether R's tables of the fit have no names of rows; so only in a fit that was read from R.
    whole_y : bool
        Whether R's `y` holds integers, and not doubles; only in regression by `RRF`.
    importance : DataFrame
        One row per feature; the last column is the decrease in impurity.
    importanceSD : DataFrame, Series or None
        Standard errors of all columns of `importance` except the last.
    localImportance : DataFrame or None
        Shape (p, n).
    proximity : DataFrame or None
        Shape (n, n).
    oob_times : Series of int
        How often each row was out of bag.
    inbag : DataFrame or None
        Shape (n, ntree): 1 where a row was in the bag of a tree, however often, else 0; trees are
        counted from 1. In fits of `randomForest`, how often the row was drawn; with engine 'parallel',
        ``outcome.inbag`` says so.
    forest : Forest or None
        The trees.
    engine : {"r", "parallel"}
        What grew the trees.
    function : {"RRF", "randomForest"}
        The function that grows such a forest.
    ties : int
        How draws decide between classes with equal votes: 0 makes all equally likely, 1 does as CRAN RRF, 2 as
        CRAN randomForest.
    terms : Terms or None
        The terms of the formula, in a fit from a formula.
    arguments : dict
        The arguments of the call except `seed`, data included, for `grow`.

    Notes
    -----
    Two fits are equal if all components except `call`, `arguments`, `bare_rows` and `whole_y` are. Fits can be
    pickled and copied.

    `arguments` refers to the user's data without a copy. They stay in memory as long as the fit, and
    pickles and deep copies include them (8 n p bytes for numeric columns). ``fit.arguments = {}`` releases
    them; `grow` then has no data to grow on.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.randomForest(x, species, ntree=50, seed=1)
    >>> isinstance(fit, pyrrf.ForestResult), fit.function, fit.type
    (True, 'randomForest', 'classification')
    >>> fit.importance.round(1)
                  MeanDecreaseGini
    Sepal.Length               9.3
    Sepal.Width                2.0
    Petal.Length              42.1
    Petal.Width               45.8
    """

    # The function that grows such a forest.
    function: ClassVar[str]
    type = ""
    bare_rows = False
    whole_y = False

    def __init__(self, *, about: FitMetadata, outcome: Outcome, forest: Forest | None) -> None:
        self.call = about.call
        self.ntree = about.ntree
        self.mtry = about.mtry
        self.quirks = about.quirks
        self.engine = about.engine
        self.rows = about.rows
        self.columns = about.columns
        self.named = about.named
        self.terms = about.terms
        self.arguments = about.arguments
        self.outcome = outcome
        self.forest = forest

    def _comparable_parts(self) -> dict[str, Any]:
        """Return all parts except records of the call."""
        return {name: value for name, value in self._parts().items() if name not in _UNCOMPARED}

    @property
    def ties(self) -> int:
        """Rule of draws between classes with equal votes, as the core codes it."""
        raise NotImplementedError

    @cached_property
    def oob_times(self) -> Column:
        """Number of trees for which each row was out of bag."""
        return pd.Series(self.outcome.oob_times, index=self.rows)

    def _measures(self) -> list[Any]:
        """Return the columns of `importance`; without permutation only the last one is used."""
        raise NotImplementedError

    @cached_property
    def importance(self) -> pd.DataFrame:
        """Importance of each feature."""
        values = self.outcome.importance
        names = self._measures()[-values.shape[1] :]
        return pd.DataFrame(values, index=self.columns, columns=class_index(*names))

    @cached_property
    def localImportance(self) -> pd.DataFrame | None:
        """Importance of each feature for each row."""
        return frame_or_none(self.outcome.local_importance, self.columns, self.rows)

    @cached_property
    def proximity(self) -> pd.DataFrame | None:
        """Share of the trees that put two rows into the same leaf."""
        return frame_or_none(self.outcome.proximity, self.rows, self.rows)

    @cached_property
    def inbag(self) -> pd.DataFrame | None:
        """Rows in the bag of each tree."""
        bags = self._bags()
        return None if bags is None else pd.DataFrame(bags, self.rows, one_based(bags.shape[1]))

    def _bags(self) -> Ints | None:
        """Return the values of `inbag`."""
        return self.outcome.inbag

    def _heading(self) -> list[str]:
        return [
            "",
            "Call:",
            f" {self.call} ",
            f"               Type of random forest: {self.type}",
            f"                     Number of trees: {self.ntree}",
            f"No. of variables tried at each split: {self.mtry}",
            "",
        ]

    def _performance(self) -> list[str]:
        """Return the lines of the printed form that depend on the type."""
        return []

    def __repr__(self) -> str:
        return "\n".join([*self._heading(), *self._performance()])

    def summary(self) -> Summary:
        """Return the selected features with importances, the error and its limits."""
        table = self._table_of_selected()
        title = f"{self.function}, {self.type}: {len(table)} of {len(self.columns)} features kept, {self.ntree} trees"
        return Summary(title, table, self._error(), self._caveat())

    def _table_of_selected(self) -> pd.DataFrame:
        """Return the features that the trees split by, the most important first, equal ones in their order."""
        places = np.flatnonzero(self.outcome.used)
        places = places[np.argsort(-self.outcome.importance[places, -1], kind="stable")]
        decrease = self.outcome.importance[places, -1]
        return pd.DataFrame({"feature": self.columns[places], "position": places, "importance": decrease})

    def _error(self) -> str | None:
        """Return the error out of bag in words; None for a fit that has none."""
        return None

    def _caveat(self) -> str | None:
        """Return the limits of the error."""
        return None

    def _repr_html_(self) -> str:
        printed = f"<details><summary>as R prints it</summary><pre>{escape(repr(self))}</pre></details>"
        return self.summary()._repr_html_() + printed


def to_shares(votes: np.ndarray) -> np.ndarray:
    """Return votes as shares of each row; NaN for a row without votes."""
    with np.errstate(invalid="ignore"):
        return np.asarray(votes / row_sums(votes)[:, np.newaxis])


def confusion_table(observed: np.ndarray, predicted: np.ndarray, classes: list[Any]) -> pd.DataFrame:
    """Return R's confusion matrix: counts of observed by predicted class, and the error of each class.

    Codes count from 0; a row predicted -1 is left out.
    """
    k = len(classes)
    known = predicted >= 0
    flat = observed[known].astype(np.int64) * k + predicted[known]
    counts = np.bincount(flat, minlength=k * k).reshape(k, k)
    with np.errstate(invalid="ignore"):
        error = 1 - np.diag(counts) / counts.sum(axis=1)
    table = pd.DataFrame(counts, index=class_index(*classes), columns=class_index(*classes))
    table.insert(k, "class.error", error, allow_duplicates=True)
    return table


def class_frame(values: np.ndarray, rows: Labels, *labels: Any) -> pd.DataFrame:
    """Return values with a column for each class."""
    return pd.DataFrame(values, index=rows, columns=class_index(*labels))


def _format_confusion(table: pd.DataFrame) -> str:
    columns = [table.iloc[:, j].tolist() for j in range(table.shape[1])]
    return format_matrix([label(v) for v in table.index], [label(v) for v in table], columns)


def _format_error(rate: float) -> str:
    return format_number(float(numbers.round(rate * 100, 2))) + "%"


@dataclass(eq=False, repr=False)
class TestSet(Record):
    """Base of results on the test set, for classes and for regression."""

    # Tells pytest that this is not a test case.
    __test__ = False

    outcome: Any
    rows: Labels
    training_rows: Labels

    @cached_property
    def proximity(self) -> pd.DataFrame | None:
        """Proximity to the test rows, then to the training rows."""
        return frame_or_none(self.outcome.proximity, self.rows, class_index(*self.rows, *self.training_rows))


@dataclass(eq=False, repr=False)
class RRFTestSet(TestSet):
    """Results on the test set (R's ``fit$test``).

    Attributes
    ----------
    predicted : Series of categories
    err_rate : DataFrame or None
        Shape (ntree, nclass + 1); None without `ytest`.
    confusion : DataFrame or None
        None without `ytest`.
    votes : DataFrame
        Shape (ntest, nclass).
    proximity : DataFrame or None
        Shape (ntest, ntest + n): to the test rows, then to the training rows.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x[::2], species[::2], x[1::2], species[1::2], ntree=50, seed=1)
    >>> fit.test.confusion
                setosa  versicolor  virginica  class.error
    setosa          25           0          0         0.00
    versicolor       0          24          1         0.04
    virginica        0           3         22         0.12
    """

    outcome: ClassTest
    classes: list[Any]
    observed: Ints | None
    norm_votes: bool

    @cached_property
    def predicted(self) -> Column:
        """Class of each test row."""
        return Factor(self.outcome.predicted, self.classes).series(self.rows)

    @cached_property
    def err_rate(self) -> pd.DataFrame | None:
        """Error after each tree: all rows, then each class."""
        rates = self.outcome.err_rate
        return None if rates is None else class_frame(rates, one_based(len(rates)), "Test", *self.classes)

    @cached_property
    def confusion(self) -> pd.DataFrame | None:
        """Observed by predicted class."""
        if self.observed is None:
            return None
        return confusion_table(self.observed, self.outcome.predicted, self.classes)

    @cached_property
    def votes(self) -> pd.DataFrame:
        """Votes of all trees."""
        votes = to_shares(self.outcome.votes) if self.norm_votes else self.outcome.votes
        return class_frame(votes, self.rows, *self.classes)


class VotesResult(ForestResult):
    """A forest for classes, of a response or in unsupervised mode."""

    outcome: ClassOutcome

    def __init__(self, *, norm_votes: bool, test: RRFTestSet | None, **parts: Any) -> None:
        super().__init__(**parts)
        self.norm_votes = norm_votes
        self.test = test

    @property
    def classes(self) -> list[Any]:
        """Class labels in R's order."""
        raise NotImplementedError

    @cached_property
    def votes(self) -> pd.DataFrame:
        """Out-of-bag votes."""
        votes = to_shares(self.outcome.votes) if self.norm_votes else self.outcome.votes
        return class_frame(votes, self.rows, *self.classes)

    def _measures(self) -> list[Any]:
        return [*self.classes, "MeanDecreaseAccuracy", "MeanDecreaseGini"]

    @cached_property
    def importanceSD(self) -> pd.DataFrame | None:
        """Standard errors of the permutation importance."""
        names = class_index(*self.classes, "MeanDecreaseAccuracy")
        return frame_or_none(self.outcome.importance_sd, self.columns, names)


class UnsupervisedResult(VotesResult):
    """A forest that separates the data from synthetic rows.

    Attributes
    ----------
    classes : list
        ["1", "2"]: the data and the synthetic rows.
    votes : DataFrame, shape (n, 2)
        Out-of-bag votes of the rows of the data as shares; as counts with ``norm_votes=False``.
    predicted : Series or None
        None; an empty one after `combine` and `grow`, as in R.
    err_rate, confusion, y : None
        R does not return them in this mode.
    test : RRFTestSet or None

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, ntree=50, quirks=False, seed=1)
    >>> fit.classes, fit.votes.shape
    (['1', '2'], (150, 2))
    >>> fit.proximity.iloc[:2, :3].round(2)
          0     1    2
    0  1.00  0.33  0.5
    1  0.33  1.00  0.5
    """

    type = "unsupervised"
    err_rate = None
    confusion = None
    y = None

    @property
    def predicted(self) -> Column | None:
        """None, or nothing where fits were combined."""
        return None if self.outcome.predicted is None else pd.Series(self.outcome.predicted, dtype=np.float64)

    @property
    def classes(self) -> list[Any]:
        """Labels of the data and of the synthetic rows."""
        return ["1", "2"]


class ClassificationResult(VotesResult):
    """A forest for classes.

    Attributes
    ----------
    predicted : Series of categories
        Out-of-bag class of each row; missing for a row that was in every bag.
    classes : list
        Labels in R's order.
    votes : DataFrame, shape (n, nclass)
        Out-of-bag votes as shares; as counts with ``norm_votes=False``.
    err_rate : DataFrame or None
        Shape (ntree, nclass + 1). Out-of-bag error after each tree: all rows (OOB), then each class.
        None if forests were combined.
    confusion : DataFrame or None
        Shape (nclass, nclass + 1). Observed by predicted class, and class.error. None if forests
        were combined.
    y : Series of categories
    test : RRFTestSet or None

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, seed=1)
    >>> fit.confusion
                setosa  versicolor  virginica  class.error
    setosa          50           0          0         0.00
    versicolor       0          47          3         0.06
    virginica        0           4         46         0.08
    >>> float(fit.err_rate["OOB"].iloc[-1].round(3))
    0.047
    """

    type = "classification"

    def __init__(self, *, response: Factor, **parts: Any) -> None:
        super().__init__(**parts)
        self.response = response

    @property
    def classes(self) -> list[Any]:
        """Class labels in R's order."""
        return self.response.levels

    @cached_property
    def y(self) -> Column:
        """Class of each row as given."""
        return self.response.series(self.rows)

    @cached_property
    def predicted(self) -> Column:
        """Out-of-bag class of each row."""
        assert self.outcome.predicted is not None
        return Factor(self.outcome.predicted, self.classes).series(self.rows)

    @cached_property
    def err_rate(self) -> pd.DataFrame | None:
        """Out-of-bag error after each tree."""
        return frame_or_none(self.outcome.err_rate, one_based(self.ntree), class_index("OOB", *self.classes))

    @cached_property
    def confusion(self) -> pd.DataFrame | None:
        """Observed by predicted class, out of bag."""
        if self.outcome.err_rate is None or self.outcome.predicted is None:
            return None
        return confusion_table(self.response.codes, self.outcome.predicted, self.classes)

    def _error(self) -> str | None:
        errors = self.outcome.err_rate
        return None if errors is None else f"Error out of bag: {percent(errors[-1, 0])}."

    def _performance(self) -> list[str]:
        if self.confusion is None or self.outcome.err_rate is None:
            return []
        out = [
            "        OOB estimate of  error rate: " + _format_error(self.outcome.err_rate[-1, 0]),
            "Confusion matrix:",
            _format_confusion(self.confusion),
        ]
        if self.test is not None and self.test.confusion is not None and self.test.outcome.err_rate is not None:
            out += ["                Test set error rate: " + _format_error(self.test.outcome.err_rate[-1, 0])]
            out += ["Confusion matrix:", _format_confusion(self.test.confusion)]
        return out

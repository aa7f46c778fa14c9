"""The trees of a fit: packed as the core grows them, and in R's arrays."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pyrrf import _core
from pyrrf._core.checks import vector
from pyrrf._core.records import Trees
from pyrrf.data.inputs import Coded
from pyrrf.errors import bad
from pyrrf.result.stored import read_state, to_state


@dataclass(frozen=True)
class Filler:
    """Value of R's `nodepred` where some trees have no node."""

    ntree: int  # number of these trees
    nrnodes: int  # nodes of the largest of them; R holds 0 beyond
    value: float


class Forest:
    """The trees of a fit (R's ``fit$forest``).

    The trees are stored one after the other. R's arrays are built when asked for. As in R they pad
    every tree with zeros to `nrnodes` nodes, and count nodes, features and classes from 1.

    Parameters
    ----------
    trees : Trees
        Packed trees as the core returns them.
    ncat : ndarray of int32, shape (p,)
        Categories of each feature; 1 = numeric.
    coded : dict of int to Coded
        Features that hold codes, by position.
    nclass : int or None
        Number of classes; None in regression.
    pid : ndarray of float64, shape (nclass,), or None
        Normalised class weights.
    cutoff : ndarray of float64, shape (nclass,), or None
        Share of votes by which those of each class are divided.
    fillers : tuple of Filler, default ()
        Of all trees, in their order. In a regression of `randomForest` the mean response stands where a tree
        has no node, because R adds it to the whole array.
    combined : bool, default False
        Whether R holds the whole numbers of its arrays as doubles, because `combine` has made them longer.

    Attributes
    ----------
    trees : Trees
        The packed trees. They are checked once, when they are loaded or first used, and are read-only from then
        on. A damaged forest raises a ValueError. A part that was replaced is checked again.
    ndbigtree : ndarray of int64, shape (ntree,)
        Nodes of each tree.
    nodestatus : ndarray of int32, shape (nrnodes, ntree)
        1 = split (-3 in regression), -1 = leaf, 0 = no such node.
    bestvar : ndarray of int32, shape (nrnodes, ntree)
        Feature of the split, from 1.
    treemap : ndarray of int32, shape (nrnodes, 2, ntree)
        Left and right daughter, from 1.
    leftDaughter, rightDaughter : ndarray of int32, shape (nrnodes, ntree)
        The same; R has these in regression and `treemap` in classification.
    nodepred : ndarray, shape (nrnodes, ntree)
        Class of a leaf, from 1; in regression the mean response of a node, leaf or not.
    xbestsplit : ndarray of float64, shape (nrnodes, ntree)
        Split point; for a factor, the levels that go left, as bits.
    overflowed : list of int
        Positions from 0 of the features with an infinite split point. With engine r `predict` refuses
        such a forest, as R does.
    has_finite_means : bool
        Whether no mean of a node overflowed; `predict` refuses such a forest, too.
    has_empty_leaves : bool
        Whether a leaf has class 0, because no case of the bag was in it.
    nrnodes, ntree, nclass, maxcat : int
    xlevels : list
        Levels of each feature; 0 for one without.

    Examples
    --------
    >>> import numpy as np
    >>> import pyrrf
    >>> x = np.arange(20.0).reshape(10, 2)
    >>> fit = pyrrf.RRF(x, list("aaaaabbbbb"), ntree=3, seed=1)
    >>> fit.forest.nodestatus.shape
    (3, 3)
    """

    def __init__(
        self,
        trees: Trees,
        ncat: np.ndarray,
        coded: Mapping[int, Coded],
        nclass: int | None = None,
        pid: np.ndarray | None = None,
        cutoff: np.ndarray | None = None,
        fillers: tuple[Filler, ...] = (),
        combined: bool = False,
    ) -> None:
        self._trees = trees
        self.ncat = ncat
        self.coded = dict(coded)
        self.nclass = nclass
        self.pid = pid
        self.cutoff = cutoff
        self.fillers = fillers
        self.combined = combined
        # The parts that passed the check; their arrays are read-only.
        self._checked: tuple[Any, ...] = ()

    @property
    def trees(self) -> Trees:
        """The packed trees, checked before use."""
        if not self._is_checked():
            self._check()
        return self._trees

    def _parts(self) -> tuple[Any, ...]:
        arrays = vars(self._trees).values() if isinstance(self._trees, Trees) else ()
        return (self._trees, self.ncat, self.coded, self.nclass, self.pid, self.cutoff, *arrays)

    def _is_checked(self) -> bool:
        """Whether the parts have passed the check, and are still read-only."""
        parts = self._parts()
        return len(parts) == len(self._checked) and all(
            value is known and not (isinstance(value, np.ndarray) and value.flags.writeable)
            for value, known in zip(parts, self._checked, strict=True)
        )

    def _check(self) -> None:
        """Raise ValueError for a damaged forest; make the arrays of a sound one read-only, and remember them."""
        try:
            _core.check_forest(self._trees, self.ncat, 1 if self.nclass is None else self.nclass)
            for name, values in (("pid", self.pid), ("cutoff", self.cutoff)):
                if values is not None:
                    vector(name, values, np.float64, self.nclass)
            self._check_codes()
        except (AttributeError, TypeError, ValueError) as error:
            raise _damage(error) from None
        self._checked = self._parts()
        for value in self._checked:
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def _check_codes(self) -> None:
        """Raise ValueError unless `ncat` counts the levels in `coded`."""
        counted = np.ones(len(self.ncat), np.int64)
        for position, column in self.coded.items():
            if not 0 <= position < len(counted):
                raise bad.damaged(f"coded: there is no feature {position}")
            counted[position] = column.ncat
        if not np.array_equal(counted, self.ncat):
            raise bad.damaged("ncat: it differs from the levels of the features")

    @property
    def ntree(self) -> int:
        """Number of trees."""
        return len(self.trees.offset) - 1

    @property
    def ndbigtree(self) -> np.ndarray:
        """Nodes of each tree."""
        return np.diff(self.trees.offset)

    @property
    def nrnodes(self) -> int:
        """Nodes of the largest tree."""
        return int(self.ndbigtree.max())

    @property
    def maxcat(self) -> int:
        """Largest number of categories of a feature."""
        return int(self.ncat.max())

    @property
    def xlevels(self) -> list[Any]:
        """Levels of each feature; 0 for one without."""
        levels: list[tuple[Hashable, ...] | int] = [0] * len(self.ncat)
        for position, column in self.coded.items():
            if column.kind != "string":
                levels[position] = column.levels
        return levels

    @cached_property
    def nodestatus(self) -> np.ndarray:
        """Status of each node."""
        return self._pad(self.trees.status)

    @cached_property
    def bestvar(self) -> np.ndarray:
        """Split feature of each node, from 1."""
        return self._pad(self.trees.split_var)

    @cached_property
    def nodepred(self) -> np.ndarray:
        """Prediction of each leaf."""
        out, first = self._pad(self._predictions(self.trees.prediction)), 0
        for filler in self.fillers:
            own = slice(first, first + filler.ntree)
            absent = np.arange(filler.nrnodes)[:, np.newaxis] >= self.ndbigtree[own]
            out[: filler.nrnodes, own][absent] = filler.value
            first = own.stop
        return out

    @cached_property
    def xbestsplit(self) -> np.ndarray:
        """Split point of each node."""
        return self._pad(self.trees.split_point)

    @cached_property
    def treemap(self) -> np.ndarray:
        """Daughters of each node, from 1."""
        return np.stack([self._pad(self.trees.left), self._pad(self.trees.right)], axis=1)

    @property
    def leftDaughter(self) -> np.ndarray:
        """Left daughter of each node, from 1."""
        return np.asfortranarray(self.treemap[:, 0, :])

    @property
    def rightDaughter(self) -> np.ndarray:
        """Right daughter of each node, from 1."""
        return np.asfortranarray(self.treemap[:, 1, :])

    @cached_property
    def overflowed(self) -> list[int]:
        """Positions from 0 of the features with an infinite split point.

        In a forest of engine r the mean of two values overflowed. In a forest of engine parallel such a
        point splits missing values from known ones.
        """
        features = self.trees.split_var[np.isinf(self.trees.split_point)]
        return [int(feature) - 1 for feature in np.unique(features)]

    @cached_property
    def has_finite_means(self) -> bool:
        """Whether no mean of a node overflowed; `predict` refuses such a forest, as R does."""
        return bool(np.isfinite(self.trees.prediction).all())

    @cached_property
    def has_empty_leaves(self) -> bool:
        """Whether a leaf has class 0."""
        trees = self.trees
        return self.nclass is not None and bool(((trees.left == 0) & (trees.prediction == 0)).any())

    def _pad(self, values: np.ndarray) -> np.ndarray:
        tree = np.repeat(np.arange(self.ntree), self.ndbigtree)
        out = np.zeros((self.nrnodes, self.ntree), dtype=values.dtype, order="F")
        out[np.arange(len(values)) - self.trees.offset[tree], tree] = values
        return out

    def _predictions(self, values: np.ndarray) -> np.ndarray:
        """Return predicted classes as integers, which the core stores as doubles; numbers as they are."""
        return values.astype(np.int32) if self.nclass else values

    def tree(self, k: int) -> Trees:
        """Return one tree.

        Parameters
        ----------
        k : int
            Number of the tree, counted from 1 as in R.

        Returns
        -------
        Trees
        """
        trees = self.trees
        nodes, words = slice(int(trees.offset[k - 1]), int(trees.offset[k])), trees.level_set
        if words is not None and trees.set_offset is not None:
            words = words[trees.set_offset[k - 1] : trees.set_offset[k]]
        return Trees(
            offset=np.array([0, nodes.stop - nodes.start], dtype=trees.offset.dtype),
            **{name: getattr(trees, name)[nodes] for name in _node_arrays(trees)}
            | {"prediction": self._predictions(trees.prediction[nodes])},
            set_offset=None if words is None else np.array([0, len(words)], dtype=np.int64),
            level_set=words,
        )

    def __getstate__(self) -> dict[str, Any]:
        return to_state(
            {
                "trees": self._trees,
                "ncat": self.ncat,
                "coded": self.coded,
                "nclass": self.nclass,
                "pid": self.pid,
                "cutoff": self.cutoff,
                **({"fillers": self.fillers} if self.fillers else {}),
                **({"combined": True} if self.combined else {}),
            }
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        parts = read_state(state, "forest")
        try:
            Forest.__init__(self, **parts)
        except (TypeError, ValueError) as error:
            raise _damage(error) from None
        self._check()

    def comparable_parts(self) -> dict[str, Any]:
        """Return the parts that must be equal in equal forests, with filled values in place of the fillers."""
        return {**self.__getstate__(), "fillers": self.nodepred if self.fillers else None}

    def __repr__(self) -> str:
        return f"<Forest of {self.ntree} trees, {len(self.trees.status)} nodes>"


def _damage(error: Exception) -> Exception:
    return bad.damaged(f"the forest is damaged: {error}; load a sound copy of the fit, or fit it again", None)


def join_trees(parts: Sequence[Trees]) -> Trees:
    """Return the trees of all parts, one after the other."""
    sizes = np.concatenate([np.diff(trees.offset) for trees in parts])
    joined = {name: np.concatenate([getattr(trees, name) for trees in parts]) for name in _node_arrays(parts[0])}
    offset = np.concatenate([[0], np.cumsum(sizes)]).astype(parts[0].offset.dtype)
    return Trees(offset=offset, **joined, **_joined_sets(parts))


def _node_arrays(trees: Trees) -> tuple[str, ...]:
    """Return the names of the arrays that have one item for each node."""
    names = ("left", "split_var", "split_point", "status", "prediction")
    return names if trees.missing_left is None else (*names, "missing_left")


def _joined_sets(parts: Sequence[Trees]) -> dict[str, np.ndarray]:
    """Return the sets of levels of all parts; trees without any have none."""
    if all(trees.level_set is None for trees in parts):
        return {}
    sizes = [np.zeros(len(t.offset) - 1, np.int64) if t.set_offset is None else np.diff(t.set_offset) for t in parts]
    words = [trees.level_set for trees in parts if trees.level_set is not None]
    return {
        "set_offset": np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64),
        "level_set": np.concatenate(words),
    }

"""Chow-Liu trees over features and label, and the feature search that they guide (paper 002)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pyrrf.checks import check_finite
from pyrrf.errors import bad
from pyrrf.papers.chow_liu.search import Losses, Round, Search
from pyrrf.types import Floats, Positions


@dataclass(frozen=True, eq=False)
class ChowLiuTree:
    """A spanning tree with a root.

    Attributes
    ----------
    root : int
        The node of the label.
    parents : ndarray of int64, shape (m,)
        The next node on the way to the root; -1 for the root.
    weights : ndarray of float64, shape (m,)
        Mutual information with the parent; 0 for the root.

    Examples
    --------
    >>> from pyrrf.papers import chow_liu_tree
    >>> tree = chow_liu_tree([[0, 2, 1], [2, 0, 3], [1, 3, 0]])
    >>> tree
    ChowLiuTree(root=2, parents=array([ 1,  2, -1]), weights=array([2., 3., 0.]))
    >>> tree.children(2), tree.depths()
    (array([1]), array([2, 1, 0]))
    """

    root: int
    parents: Positions
    weights: Floats

    def children(self, nodes: ArrayLike) -> Positions:
        """Return the nodes below one node or below any of several, in ascending order.

        Parameters
        ----------
        nodes : int or array_like of int
            Positions of the nodes.

        Returns
        -------
        ndarray of int64
        """
        return np.flatnonzero(np.isin(self.parents, nodes))

    def depths(self) -> Positions:
        """Return the number of edges from each node to the root, shape (m,)."""
        depths = np.full(len(self.parents), -1)
        level, nodes = 0, np.array([self.root])
        while len(nodes):
            depths[nodes] = level
            level, nodes = level + 1, self.children(nodes)
        return depths


def chow_liu_tree(weights: ArrayLike, root: int = -1) -> ChowLiuTree:
    """Return the spanning tree of the greatest total weight (paper 002, algorithm 1), by Prim's algorithm.

    With mutual information as weights this is the distribution of first order that makes the data likeliest (Chow and
    Liu, 1968). Weights of 0 are edges like others, so every node is reached.

    Parameters
    ----------
    weights : array_like of float, shape (m, m)
        Symmetric; the diagonal is not read. Usually `mutual_information_matrix` of features and label.
    root : int, default -1
        The node of the label; a negative number counts from the end.

    Returns
    -------
    ChowLiuTree

    Raises
    ------
    ValueError
        The weights are no numbers, not square, not symmetric or not finite, or there is no such node.

    Notes
    -----
    The tree grows from its root. Of equal edges, which the paper leaves open, it takes that to the node of the lowest
    number, from the node that came into the tree first; so features that share nothing with any other hang from the
    label.

    Examples
    --------
    >>> from pyrrf.papers import chow_liu_tree
    >>> tree = chow_liu_tree([[0, 5, 3], [5, 0, 4], [3, 4, 0]])
    >>> tree.parents, tree.weights
    (array([ 1,  2, -1]), array([5., 4., 0.]))
    """
    edges = _read_weights(weights)
    m = len(edges)
    if not isinstance(root, int | np.integer) or isinstance(root, bool) or not -m <= root < m:
        raise bad.range(f"root must be a node from {-m} to {m - 1}, not {root!r}")
    root %= m
    parents, best = np.full(m, root), edges[root].copy()
    outside = np.arange(m) != root
    for _ in range(m - 1):
        node = int(np.where(outside, best, -np.inf).argmax())
        outside[node] = False
        nearer = outside & (edges[node] > best)
        parents[nearer], best[nearer] = node, edges[node, nearer]
    parents[root], best[root] = -1, 0.0
    return ChowLiuTree(root=root, parents=parents, weights=best)


def _read_weights(weights: ArrayLike) -> Floats:
    edges = np.asarray(weights, dtype=np.float64)
    if edges.ndim != 2 or edges.shape[0] != edges.shape[1] or edges.size == 0:
        raise bad.shape(f"weights must be a square matrix, not shape {edges.shape}")
    off = ~np.eye(len(edges), dtype=bool)
    check_finite(edges[off], "weights")
    if (edges != edges.T)[off].any():
        raise bad.range("weights must be symmetric; pass (weights + weights.T) / 2")
    return edges


def search_candidates(tree: ChowLiuTree, searched: Iterable[int]) -> list[int]:
    """Return the children of the nodes already searched that are not searched themselves (paper 002, algorithm 3).

    Searched, N in the paper, are the root, the features taken, and those found to be redundant.

    Examples
    --------
    >>> from pyrrf.papers import chow_liu_tree
    >>> from pyrrf.papers.chow_liu.tree import search_candidates
    >>> tree = chow_liu_tree([[0, 5, 3], [5, 0, 4], [3, 4, 0]])
    >>> search_candidates(tree, [2]), search_candidates(tree, [2, 1])
    ([1], [0])
    """
    inside = np.zeros(len(tree.parents), dtype=bool)
    inside[list(searched)] = True
    below = ~inside & inside[tree.parents]
    below[tree.root] = False
    return np.flatnonzero(below).tolist()


def guided_search(tree: ChowLiuTree, losses: Losses, empty_loss: float, epsilon: float = 0.0) -> Search:
    """Search features along a Chow-Liu tree (paper 002, algorithm 3).

    A round tries each candidate with the features taken. The best one is taken if the loss falls by more than
    `epsilon`; those with which it does not are redundant or irrelevant, and are not tried again. The children of both
    are candidates of the next round. A candidate that lowers the loss, but not as much as the best one, stays. So every
    feature is tried, and the number of subsets tried is p plus, for each round, the candidates that stay.

    Examples
    --------
    >>> from pyrrf.papers import chow_liu_tree
    >>> from pyrrf.papers.chow_liu.tree import guided_search
    >>> tree = chow_liu_tree([[0, 5, 3], [5, 0, 4], [3, 4, 0]])
    >>> search = guided_search(tree, lambda subsets: [1.0 - 0.4 * (0 in subset) for subset in subsets], 1.0)
    >>> search.selected, search.redundant, search.n_evaluations
    ((0,), (1,), 2)
    """
    search = Search((), empty_loss)
    while candidates := search_candidates(tree, (tree.root, *search.selected, *search.redundant)):
        search = search.after(Round.forward(search, candidates, losses, epsilon))
    return search

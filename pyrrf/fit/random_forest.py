"""randomForest(): arguments in, fit out."""

from __future__ import annotations

from pyrrf.fit.call import ForestArguments, ForestCall, takes
from pyrrf.fit.fitting import fit
from pyrrf.result.random_forest import RandomForestResult


@takes(ForestArguments)
def randomForest(given: ForestArguments) -> RandomForestResult:
    """Grow a random forest (R's ``randomForest``), bit by bit from the same seed.

    It draws and breaks ties as version 4.7 of that package does, and ``RRF(flagReg=0)`` as RRF does.

    Parameters
    ----------
    x : array_like, DataFrame or str, shape (n, p), optional
        Predictors, read as `RRF` reads them; categoricals have at most 53 levels. A string is a formula,
        such as "log(price) ~ . - chas"; it needs the extra `formula`. A formula is code, so it must not
        come from strangers. Sparse matrices are for classes only.
    y : array_like, shape (n,), optional
        Response; rows go by position; labels of x in another order are refused. Categories, strings or booleans mean
        classification; numeric values mean regression; None means unsupervised mode, in which the forest
        learns to separate the rows of x from as many synthetic rows, drawn anew for each tree.
    xtest : array_like or DataFrame, shape (ntest, p), optional
        Predictors of a test set; columns are matched by position, as in R.
    ytest : array_like, shape (ntest,), optional
        Response of the test set. In unsupervised mode "1" for data and "2" for synthetic rows.
    formula : str, optional
        A formula, as in `x`. It is code, which calls functions that the calling module names, so it must
        not come from strangers.
    data : DataFrame, optional
        Table whose columns the formula names; it may also come second.
    subset : str, array_like of bool or of int, optional
        Rows of `data` to use, as in `RRF`.
    na_action : str or callable, default 'na_fail'
        What to do with missing values in the columns of the formula, as in `RRF`.
    ntree : int, default 500
        Number of trees.
    mtry : float, optional
        Candidates drawn at a node; floor(sqrt(p)) by default, in regression max(floor(p / 3), 1).
    replace : bool, default True
        Whether bags are drawn with replacement.
    classwt : array_like, dict or Series, shape (nclass,), optional
        Weights of the classes, in a dict or Series by class. Not used for regression.
    cutoff : array_like, dict or Series, shape (nclass,), optional
        The class with the largest ratio of votes to cutoff wins; 1/nclass by default. In a dict or Series by
        class. Not used for regression.
    strata : array_like, shape (n,), optional
        Strata for `sampsize`; the classes by default. Used for classification only.
    sampsize : int, array_like, dict or Series, optional
        Rows drawn for each tree, or one number per stratum, in a dict or Series by stratum. By default n, or
        ceil(0.632 n) without replacement; in unsupervised mode n counts the synthetic rows too.
    nodesize : float, optional
        Nodes of at most this size are not split; 1 by default, 5 in regression. The root is tried at
        any size.
    maxnodes : int, optional
        Largest number of leaves of a tree.
    importance : bool, default False
        Whether to permute features for their importance.
    localImp : bool, default False
        Whether to compute the importance for each row; implies `importance`. Refused in unsupervised
        mode, where R crashes.
    nPerm : int, default 1
        Permutations per tree and feature; used for regression only.
    proximity : bool, optional
        Whether to compute proximities; by default only in unsupervised mode. There it is refused
        with `xtest`, where R crashes.
    oob_prox : bool, optional
        Whether proximities count pairs out of bag only; `proximity` by default.
    norm_votes : bool, default True
        Whether votes are shares; counts otherwise.
    do_trace : bool or int, default False
        Print the error after every tree, or after every `do_trace` trees, and that of the test set if
        `ytest` is given.
    keep_forest : bool, optional
        Whether to keep the trees; by default only without `xtest` and not in unsupervised mode.
    corr_bias : bool, default False
        Whether to correct predictions by the least squares line of y on the out-of-bag predictions;
        used for regression only.
    keep_inbag : bool, default False
        Whether to keep how often each row was drawn for each tree.
    seed : int, optional
        Gives the call its own random stream, as in `RRF`.
    collate : str, optional
        The order of labels that are strings, and of string columns: "C" or "en_US", as for `set_collate`.
    n_jobs : int, optional
        Threads, as in `RRF`; 1 by default. The answer does not depend on it.
    weights : array_like, shape (n,), optional
        Positive weights of the rows: their chances to be drawn for a tree. Not in unsupervised mode,
        where R reads beyond them.

    Returns
    -------
    RandomForestClassification, RandomForestRegression or RandomForestUnsupervised

    Raises
    ------
    TypeError
        An argument has a wrong type or does not exist.
    ValueError
        An argument has a value that R refuses, that makes R loop forever or use memory outside its
        arrays, or with which no tree can split; or 31 bags in a row held a single class.

    See Also
    --------
    RRF : The regularized forest.
    predict : Predictions of new rows.
    importance : The importance of each feature.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.randomForest(x, species, ntree=50, importance=True, seed=1)
    >>> fit.confusion
                setosa  versicolor  virginica  class.error
    setosa          50           0          0         0.00
    versicolor       0          47          3         0.06
    virginica        0           5         45         0.10
    >>> fit.importance["MeanDecreaseGini"].round(1).to_dict()
    {'Sepal.Length': 7.3, 'Sepal.Width': 1.3, 'Petal.Length': 48.5, 'Petal.Width': 42.2}
    """
    grown = fit(ForestCall(**vars(given)))
    assert isinstance(grown, RandomForestResult)
    return grown

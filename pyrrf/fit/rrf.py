"""RRF() and GRRF(): arguments in, fit out."""

from __future__ import annotations

from pyrrf.fit.call import OF_GUIDED, Call, GuidedArguments, takes
from pyrrf.fit.fitting import fit, fit_guided
from pyrrf.result.rrf import RRFResult


@takes(Call)
def RRF(call: Call) -> RRFResult:
    """Grow a regularized random forest (R's ``RRF``).

    Parameters
    ----------
    x : array_like, DataFrame or str, shape (n, p), optional
        Predictors; tables of polars and Arrow and structured arrays become DataFrames.
        Categoricals are R's factors (at most 32 levels, unused ones included). Ordered
        categoricals count as numbers 1..k, booleans as 0 and 1, strings as codes of their sorted values.
        A string is a formula, such as "log(price) ~ . - chas"; it needs the extra `formula`. A formula
        is code, so it must not come from strangers. Engine
        'parallel' also accepts missing values (NaN, None, pd.NA) and categoricals with any number of
        levels, and reads arrays of float32 and float64 without a copy. Sparse matrices and arrays of scipy are
        read as they are, with the answer of the dense matrix; with engine 'r' for classes only.
    y : array_like, shape (n,), optional
        Response; rows go by position; labels of x in another order are refused. Categories, strings or booleans mean
        classification; numeric values mean regression; None means unsupervised mode, in which the forest
        learns to separate the rows of x from as many synthetic rows. Numbers with at most five different
        values bring a warning, as in R; so do integers (of dtype int, not 1.0) with at most 32 different
        values that are no more than a tenth of the rows.
    xtest : array_like or DataFrame, shape (ntest, p), optional
        Predictors of a test set; columns are matched by position, as in R.
    ytest : array_like, shape (ntest,), optional
        Response of the test set. In unsupervised mode "1" for data and "2" for synthetic rows.
    formula : str, optional
        A formula, as in `x`. It is code, which calls functions that the calling module names, so it must
        not come from strangers.
    data : DataFrame, optional
        Table whose columns the formula names; it may also come second, as in ``RRF("y ~ .", data)``.
    subset : str, array_like of bool or of int, optional
        Rows of `data` to use: a condition on its columns (code, as a formula is), True or False for each
        row, or positions from 0.
    na_action : str or callable, default 'na_fail'
        What to do with missing values in the columns of the formula: 'na_fail' (an error),
        'na_omit' (leave the rows out), 'na_roughfix' (medians and most frequent values), 'na_pass'
        (leave them to engine 'parallel'), or a function of the model frame that returns one.
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
        Nodes of at most this size are not split; 1 by default, 5 in regression, where the root is
        tried at any size. As R does, engine 'r' with ``quirks=True`` also stops a tree at
        2 floor(s / `nodesize`) + 1 nodes, where s rows are drawn for it (regression:
        2 floor(s / (`nodesize` - 4)) + 1); nodes that it has not come to by then stay large leaves.
    maxnodes : int, optional
        Largest number of leaves of a tree.
    importance : bool, default False
        Whether to permute features for their importance.
    localImp : bool, default False
        Whether to compute the importance for each row; implies `importance`. Refused in unsupervised
        mode with ``quirks=True``, where R crashes.
    nPerm : int, default 1
        Permutations per tree and feature; used for regression only.
    proximity : bool, optional
        Whether to compute proximities; by default only in unsupervised mode. There it is refused
        with `xtest` and ``quirks=True``, where R crashes.
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
        used for regression only. Refused by engine 'parallel'.
    keep_inbag : bool, default False
        Whether to keep which rows each tree was grown on, but not how often each row was drawn.
    coefReg : float, array_like of shape (p,) or (p, 1), dict or Series, optional
        Coefficients of regularization, by name in a dict or Series, at most 1; 0.8 by default, 1 with
        ``flagReg=0``. As in R they are not used for regression with ``flagReg=0``, unless ``quirks=False``.
    flagReg : int, default 1
        1 = regularized, 0 = ordinary forest.
    seed : int, optional
        Gives the call its own random stream, so that other threads do not change the answer. After
        success the process's stream is as after ``set_seed(seed)`` and the call without it; after an
        error it is as before. Without `seed` calls in several threads run one at a time.
    collate : str, optional
        The order of labels that are strings, and of string columns: "C" or "en_US", as for `set_collate`.
    n_jobs : int, optional
        Threads; 1 by default, -1 for all cores that this process may use. No more are started than two
        for each of these cores, than there are trees, and, with engine 'parallel', as the memory allows:
        those beyond the first take at most 104 MiB, or half of what one alone takes, if that is more.
        The answer does not depend on it, with engine 'r' either: there a tree is grown by several threads
        where it is large and of classes.
    feaIni : array_like of int, optional
        Positions from 0 of the features that are selected from the start. As in R they are not used
        for regression, unless ``quirks=False``.
    quirks : bool, default True
        Mirror CRAN RRF also where it differs from what was evidently intended (DIFFERENCES.md). No
        effect with engine 'parallel', which has no quirks.
    engine : {'r', 'parallel'}, default 'r'
        'r' gives R's answer from the same seed, bit by bit; 'parallel' grows trees in parallel by the
        same rules, with a random stream for each tree (DIFFERENCES.md).
    criterion : {'gini', 'entropy', 'variance'}, optional
        Impurity: 'gini' (default) or 'entropy' for classes, 'variance' for regression. 'entropy' needs
        engine 'parallel'.
    penalty : {'criterion', 'gain'}, optional
        What `coefReg` multiplies. 'criterion': the criterion of the split, R's rule for classes and
        the default for 'gini'. 'gain': the decrease in impurity, the only rule for 'entropy' and for
        regression; for classes it needs engine 'parallel'.
    candidates : {'selected', 'mtry'}, optional
        The features that a node looks at. 'selected': all features selected so far and up to `mtry`
        others, R's rule for classes. 'mtry': `mtry` of all features, R's rule for regression. R's rule is
        the default; the other one needs engine 'parallel'. With ``flagReg=0`` both mean `mtry` of all
        features.
    max_depth : int, optional
        Largest depth of a tree, engine 'parallel' only; a tree of depth 1 has one split.
    usedepth : bool, default False
        Whether the coefficient of a feature is raised to the depth of the node, the root counted as
        1; engine 'parallel' only.
    ties : {'random', 'first'}, optional
        Which of equal splits wins a node. 'random' (default): R's rule, by chance, or in regression that of the feature
        drawn first. 'first': that of the lowest feature, with its lowest cut, and of equal classes of a leaf the
        first; engine 'parallel' only. Where neither rows nor features are drawn, the seed then changes no tree.
    growth : {'breadth', 'depth'}, optional
        The order in which nodes are split, in which features enter F. 'breadth' (default): level by level, R's rule.
        'depth': a left daughter with all that descends from it before her sister, engine 'parallel' only. It changes
        which nodes find F how large; with ``flagReg=0`` and without `maxnodes` nothing.
    sample_weight : array_like, shape (n,), optional
        Weight of each drawn row in a node, engine 'parallel' only; 0 or more. Drawing, `nodesize` and
        out-of-bag votes are not weighted.
    feature_cost : array_like, dict or Series, shape (p,), optional
        What a feature costs, 1 or more: its coefficient of regularization is divided by it, so that it must be
        so much better than others to be selected. A dict or Series goes by name, and a feature that is not
        in it costs 1. Not with ``flagReg=0``, where no feature is selected.
    feature_groups : array_like, dict or Series, shape (p,), optional
        Labels of features that share a cost, such as a sensor, a panel or a join: the first split on one of
        them takes all features of its label into F (`feaSet`), and `feaIni` does so, too. A dict or Series goes by
        name; a feature that is not in it, or whose label is None or NaN, is a group of its own. Not with
        ``flagReg=0``, where no feature is selected.

    Returns
    -------
    RRFClassification, RRFRegression or RRFUnsupervised

    Raises
    ------
    TypeError
        An argument has a wrong type or does not exist.
    ValueError
        An argument has a value that R refuses, that makes R loop forever or use memory outside its
        arrays, with which no tree can split, or that does not go with the engine.

    See Also
    --------
    GRRF : The same, guided by an ordinary forest.
    randomForest : The forest of R's package of that name.
    predict : Predictions of new rows.
    summary : The selected features and the error.
    pyrrf.sklearn.RRFClassifier : The same as an estimator of scikit-learn.

    Notes
    -----
    ``penalty="gain"`` with ``candidates="selected"`` is the rule of the papers (Deng and Runger 2012,
    Algorithm 1; Deng and Runger 2013), for classes as for regression: a node looks at all selected
    features and up to `mtry` others, and the gain of the others is multiplied by `coefReg`. R's RRF
    multiplies the criterion for classes, and draws `mtry` of all features in regression.

    Deng, H. & Runger, G. (2012), Feature selection via regularized trees, IJCNN 2012. Deng, H. &
    Runger, G. (2013), Gene selection with guided regularized random forest, Pattern Recognition 46.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, coefReg=0.5, seed=1)
    >>> fit.selected.round(1)
            feature  position  importance  coefficient
    0  Petal.Length         2        90.7          0.5
    1  Sepal.Length         0         5.4          0.5
    2   Sepal.Width         1         2.4          0.5
    >>> fit.confusion
                setosa  versicolor  virginica  class.error
    setosa          50           0          0         0.00
    versicolor       0          44          6         0.12
    virginica        0           3         47         0.06

    A numeric response means regression:

    >>> cars = pyrrf.datasets.load_mtcars()
    >>> fit = pyrrf.RRF(cars.drop(columns="mpg"), cars["mpg"], ntree=50, seed=1)
    >>> fit.type, float(fit.rsq.iloc[-1].round(2))
    ('regression', 0.84)

    No response means unsupervised mode; here each column of the synthetic rows is sampled, where R
    copies row 1:

    >>> fit = pyrrf.RRF(x, ntree=50, quirks=False, seed=1)
    >>> fit.proximity.shape
    (150, 150)

    On two threads, with the same answer as on one:

    >>> fit = pyrrf.RRF(x, species, ntree=50, engine="parallel", n_jobs=2, seed=1)
    >>> fit == pyrrf.RRF(x, species, ntree=50, engine="parallel", seed=1)
    True
    """
    grown = fit(call)
    assert isinstance(grown, RRFResult)
    return grown


@takes(GuidedArguments)
def GRRF(given: GuidedArguments) -> RRFResult:
    """Grow a guided regularized random forest: an ordinary forest, then one that it guides.

    The same as R's idiom of two calls on one stream: ``RRF(x, y, flagReg=0)``, its importances
    divided by the largest, ``coefReg = (1 - gamma) * lambda0 + gamma * importances`` and
    ``RRF(x, y, coefReg=coefReg, flagReg=1)``.

    Parameters
    ----------
    x : array_like, DataFrame or str, shape (n, p), optional
        Predictors, as in `RRF`.
    y : array_like, shape (n,), optional
        Response, as in `RRF`.
    gamma : float, default 0.5
        Weight of the importances; above 1 as far as `RRF` takes the coefficients.
    lambda0 : float, default 1.0
        Coefficient of every feature where `gamma` is 0; 0 to 1.
    guide : str, array_like, dict, Series, DataFrame or ForestResult, optional
        What the importances are: a measure of the ordinary forest ("MeanDecreaseAccuracy" or "%IncMSE" permute
        features for it), numbers for the features, or a fit. With numbers or a fit no ordinary forest is grown.
    normalize : {'max', 'minmax'} or float, default 'max'
        Importances are divided by the largest, brought to 0 to 1, or divided and raised to a power.
    **arguments
        Other arguments of `RRF` but for `coefReg` and `flagReg`, by name. They are for both forests, such as `ntree`
        and `do_trace`; `feature_groups` and `feature_cost`, by which what `gamma` and `lambda0` give is divided, are
        for the regularized one. `seed` is that of the whole call.

    Returns
    -------
    RRFClassification, RRFRegression or RRFUnsupervised
        The regularized fit; ``ordinary`` is the ordinary forest, ``coefReg`` holds the
        coefficients.

    Raises
    ------
    TypeError
        An argument has a wrong type or does not exist.
    ValueError
        `gamma` or `lambda0` is out of range, `guide` is no guide for these features, or as for `RRF`.

    See Also
    --------
    RRF : The regularized forest.
    rrf_path : The same for several values of gamma.
    pyrrf.sklearn.GRRFSelectorCV : A selector that chooses gamma by cross-validation.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.GRRF(x, species, gamma=0.9, ntree=50, seed=1)
    >>> fit.selected.round(2)
            feature  position  importance  coefficient
    0   Petal.Width         3       56.78         1.00
    1  Petal.Length         2       40.93         1.00
    2  Sepal.Length         0        1.75         0.29
    >>> fit.coefReg.round(2), fit.ordinary.type
    (array([0.29, 0.15, 1.  , 1.  ]), 'classification')
    """
    call = Call(**{name: getattr(given, name) for name in ("x", "y", *OF_GUIDED)})
    return fit_guided(call, [given.gamma], given.lambda0, given.guide, given.normalize)[0]

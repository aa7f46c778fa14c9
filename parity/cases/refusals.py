"""Calls that R refuses: pyrrf must refuse them too and leave the stream alone."""

from parity.steps import Labels, Named, Part, case, fit, get_tree, importance, predict, refused, runif, seed

CASES = [
    case(
        "refused_coefreg",
        "two",
        seed(1),
        refused(fit("above", coefReg=1.01), "coefReg", "coefReg can not be greater than 1"),
        refused(fit("none", coefReg=0), "coefReg", "There should be a least one entry in coefReg greater than 0"),
        refused(
            fit("negative", coefReg=-0.5), "coefReg", "There should be a least one entry in coefReg greater than 0"
        ),
        refused(
            fit("short", coefReg=[0.5, 0.6]),
            "coefReg",
            "the length of coefReg must be 1 or the number of predictor variables",
        ),
        runif(1),
    ),
    case("refused_flagreg", "two", seed(2), refused(fit(flagReg=2), "flagReg", "flagReg must be 0 or 1"), runif(1)),
    case(
        "refused_cutoff",
        "two",
        seed(3),
        refused(fit("sum", cutoff=[0.6, 0.6]), "cutoff", "Incorrect cutoff specified."),
        refused(fit("zero", cutoff=[0.0, 0.5]), "cutoff", "Incorrect cutoff specified."),
        refused(fit("length", cutoff=[0.3, 0.3, 0.4]), "cutoff", "Incorrect cutoff specified."),
        refused(fit("names", cutoff=Named({"a": 0.5, "q": 0.5})), "cutoff", "Wrong name(s) for cutoff"),
        runif(1),
    ),
    case(
        "refused_classwt",
        "two",
        seed(4),
        refused(fit("zero", classwt=[0, 1]), "classwt", "classwt must be positive"),
        refused(fit("length", classwt=[1, 1, 1]), "classwt", "length of classwt not equal to number of classes"),
        refused(fit("names", classwt=Named({"a": 1.0, "q": 1.0})), "classwt", "Wrong name(s) for classwt"),
        runif(1),
    ),
    case(
        "refused_sampsize",
        "two",
        seed(5),
        refused(fit("many", sampsize=61), "sampsize", "sampsize too large"),
        refused(fit("class", sampsize=[40, 10]), "sampsize", "sampsize can not be larger than class frequency"),
        refused(fit("zero", sampsize=[0, 10]), "sampsize", "Bad sampsize specification"),
        refused(fit("long", sampsize=[5, 5, 5]), "sampsize", "sampsize has too many elements."),
        runif(1),
    ),
    case(
        "refused_response",
        "two",
        seed(6),
        refused(fit("one", y=Labels(("a",) * 60, ("a",))), "y", "Need at least two classes to do classification."),
        refused(fit("empty", y=Labels(("a", "b") * 30, ("a", "b", "c"))), "y", "Can't have empty classes in y."),
        refused(
            fit("short", y=Labels(("a", "b"), ("a", "b"))), "y", "length of response must be the same as predictors"
        ),
        runif(1),
    ),
    case(
        "refused_test_set",
        "two_split",
        seed(7),
        refused(fit("columns", xtest=[[1.0, 2.0]]), "xtest", "x and xtest must have same number of columns"),
        refused(
            fit("levels", xtest=Part("xtest"), ytest=Labels(("a", "q") * 15, ("a", "q"))),
            "ytest",
            "y and ytest must have the same levels",
        ),
        runif(1),
    ),
    case(
        "refused_levels",
        "factors_small",
        seed(8),
        fit(ntree=3),
        refused(
            predict(newdata=[[1.0, 2.0]]),
            "newdata",
            "number of variables in newdata does not match that in the training data",
        ),
        runif(1),
    ),
    case(
        "refused_predictions",
        "small",
        seed(9),
        fit(ntree=3),
        refused(
            predict("type", newdata=Part("xtest"), type="probability"),
            "type",
            "type must be one of 'response', 'prob', 'vote'",
        ),
        refused(
            predict("cutoff", newdata=Part("xtest"), cutoff=[0.5, 0.6, 0.1]), "cutoff", "Incorrect cutoff specified."
        ),
        refused(
            predict("columns", newdata=[[1.0, 2.0]]),
            "newdata",
            "number of variables in newdata does not match that in the training data",
        ),
        runif(1),
    ),
    case(
        "refused_without_forest",
        "small",
        seed(10),
        fit(ntree=3, keep_forest=False),
        refused(predict(newdata=Part("xtest")), "object", "No forest component in the object"),
        refused(get_tree(), "rfobj", "No forest component in it.fit"),
        runif(1),
    ),
    case(
        "refused_companions",
        "small",
        seed(11),
        fit(ntree=3),
        refused(get_tree("beyond", k=4), "k", "There are fewer than 4trees in the forest"),
        refused(importance("type", type=3), "type", "Wrong type specified"),
        refused(importance("class_of_gini", type=2, class_="a"), "class_", "No class-specific measure for that type"),
        importance("class", class_="q"),
        runif(1),
    ),
    case(
        "refused_infinite_split_points",
        "slope_huge",
        seed(40),
        fit("numbers", ntree=6),
        refused(predict("p", of="numbers", newdata=Part("x")), "object", "NA/NaN/Inf in foreign function call"),
        fit("classes", y=Labels(("a", "b", "b", "a") * 10, ("a", "b")), ntree=6),
        refused(predict("q", of="classes", newdata=Part("x")), "object", "NA/NaN/Inf in foreign function call"),
        runif(1),
    ),
]

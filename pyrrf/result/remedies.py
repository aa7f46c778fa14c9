"""Replacements for names of scikit-learn, of matplotlib or of R that users try on results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

# By the name of the class: each remedy is an expression that Python can evaluate.
REMEDIES: dict[str, dict[str, str]] = {
    "ForestResult": {name: f"pyrrf.{name}(fit)" for name in ("plot", "varImpPlot", "treesize", "varUsed")}
    | {
        "outlier": "pyrrf.outlier(fit)",
        "MDSplot": "pyrrf.MDSplot(fit, y)",
        "getTree": "pyrrf.getTree(fit, 1)",
        "partialPlot": "pyrrf.partialPlot(fit, X, X.columns[0])",
        "grow": "pyrrf.grow(fit, 100)",
        "combine": "pyrrf.combine(fit, other)",
        "write_rds": "pyrrf.write_rds(fit, path)",
        "save": "pyrrf.write_rds(fit, path)",
        "print": "print(fit)",
        "fit": "pyrrf.RRF(X, y)",
        "set_params": "pyrrf.RRF(X, y, ntree=200)",
        "get_params": "fit.arguments",
        "feature_importances_": "fit.importance",
        "feature_importances": "fit.importance",
        "feature_names_in_": "fit.columns",
        "n_features_in_": "len(fit.columns)",
        "n_estimators": "fit.ntree",
        "estimators_": "fit.to_sklearn().estimators_",
        "apply": "fit.predict(X, nodes=True).nodes",
    },
    "RRFResult": dict.fromkeys(("transform", "fit_transform"), "X.iloc[:, fit.feaSet]")
    | dict.fromkeys(("get_support", "support_"), "fit.feaSet")
    | {"get_feature_names_out": "fit.feature_names"},
    "ClassificationResult": {
        "predict_proba": "fit.predict(X, type='prob')",
        "decision_function": "fit.predict(X, type='vote')",
        "score": "(fit.predict(X).to_numpy() == y.to_numpy()).mean()",
        "classes_": "fit.classes",
        "n_classes_": "len(fit.classes)",
        "confusion_matrix": "fit.confusion",
        "margin": "pyrrf.margin(fit)",
        "oob_score_": "1 - fit.err_rate.iloc[-1, 0]",
        "oob_decision_function_": "fit.votes",
    },
    "RegressionResult": {
        "score": "1 - ((fit.predict(X) - y) ** 2).mean() / y.var(ddof=0)",
        "oob_score_": "fit.rsq.iloc[-1]",
        "oob_prediction_": "fit.predicted",
    },
    "Prediction": dict.fromkeys(("to_numpy", "values"), "answer.predicted.to_numpy()"),
    "CrossValidation": {
        "plot": "cv.error_cv.plot()",
        "cv_results_": "cv.error_cv",
        "best_score_": "cv.error_cv.min()",
        "best_params_": "cv.error_cv.idxmin()",
    },
    "RRFPath": {"plot": "pyrrf.sklearn.PathDisplay.from_path(path)", "coef_": "path.selected"},
    "PartialDependence": {
        "plot": "pyrrf.partialPlot(fit, X, X.columns[0])",
        "average": "curve.y",
        "grid_values": "curve.x",
    },
    "Scaling": {"plot": "pyrrf.MDSplot(fit, y)", "embedding_": "scaling.points"},
    "Chart": {
        "savefig": "chart.axes.figure.savefig(path)",
        "show": "matplotlib.pyplot.show()",
        "set_title": "chart.axes.set_title('...')",
    },
}
_OF_ESTIMATORS = ("fit", "score", "transform", "fit_transform", "get_support", "get_params", "set_params")


def remedy(cls: type, attributes: list[str], name: str) -> str | None:
    """Return the replacement of an attribute that a class does not have; None where none is known."""
    for base in cls.__mro__:
        if name in REMEDIES.get(base.__name__, {}):
            instead = REMEDIES[base.__name__][name]
            if "pyrrf.sklearn" in instead:
                return f"import pyrrf.sklearn, and write {instead}"
            more = "; estimators of scikit-learn are in pyrrf.sklearn" if name in _OF_ESTIMATORS else ""
            return f"write {instead}{more}"
    # `fit.err.rate` asks for `err`.
    near = [] if name.startswith("_") else [known for known in attributes if known.startswith(f"{name}_")]
    return f"a dot of R is an underscore here: {', '.join(near)}" if near else None


class Answering:
    """Mixin: a name of another package raises an error with its replacement.

    The error is an AttributeError, so that `hasattr` is right, and no result passes for an estimator.
    """

    if not TYPE_CHECKING:  # with it, type checkers would take any name

        def __getattr__(self, name: str) -> Any:
            # An attribute of the class is a property that failed; its own error comes below.
            known = not hasattr(type(self), name) and remedy(type(self), sorted({*dir(type(self)), *vars(self)}), name)
            if known:
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}; {known}")
            # Python's own error.
            return object.__getattribute__(self, name)

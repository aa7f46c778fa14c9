"""Classes of values for which R has methods, and the refusal of values whose class a function does not know."""

from __future__ import annotations

from functools import cache

from pyrrf.r.values.convert import classes_in_python
from pyrrf.r.values.errors import refuse_if
from pyrrf.r.values.kinds import classes
from pyrrf.r.values.methods import classes_with_method
from pyrrf.r.values.vector import Value

# Of base, stats, utils, graphics, grDevices, the packages of which functions are here, and those whose fits people
# keep.
OF_R = frozenset(
    """acf all_vars anova any_vars aov aovlist aovproj ar Arima arima0 AsIs auc avNNet bag bagEarth bagFDA bibentry
    Bibtex BoxCoxTrans by C5.0 calibration ci.auc ci.coords ci.se ci.sp ci.thresholds citation classbagg classDist
    condition confusionMatrix confusionMatrix.rfe confusionMatrix.sbf confusionMatrix.train connection coords coxph
    cubist cv.glmnet data.frame data.table Date decomposed.ts dendrogram density diff.resamples difftime dist
    dplyr_sel_vars dsa dummy_coef dummy_coef_list dummyVars earth ecdf eigen envRefClass exclude expoTrans factanal
    factor family fda formula ftable fun_list gafs gam Gam gbm ggplot glm glmlist glmnet grouped_df hashtab hclust
    hexmode histogram HoltWinters htest icr IDate idf igraph infl integer64 integrate Interval isoreg ITime JRip
    kmeans knn3 knnreg ksvm lda lift listof lm lmlist loadings loess logLik ls_str manova maov margin medpolish mlm
    model.matrix mtable multiclass.auc multiclass.roc multinom mv.multiclass.auc mv.multiclass.roc mvr naiveBayes
    negbin nls nnet noquote nullModel numeric_version object_size octmode omit ordered packageInfo pairwise.htest
    pamrtrained PART pcaNNet Period person plsda poly POSIXct POSIXlt power.htest ppr prcomp prcomp.resamples
    preProcess princomp proc_time profile.nls qda qr RandomForest randomForest ranger raster recipe recordedplot
    regbagg relistable resamples restart rfcv rfe rle roc roman rowwise_df rpart RRF safs sbf selfStart sessionInfo
    sf sfc simple.list smooth.roc smooth.spline smooth.spline.fit socket sortedXyData spec splsda srcfile
    srcfilealias srcfilecopy srcref SSD stepfun stl stringr_boundary stringr_coll stringr_fixed stringr_pattern
    stringr_regex StructTS summary.aov summary.aovlist summary.bag summary.bagEarth summary.bagFDA
    summary.diff.resamples summary.ecdf summary.glm summary.lm summary.loess summary.manova summary.nls
    summary.packageStatus summary.ppr summary.prcomp summary.princomp summary.resamples summary.table
    summary.warnings summaryDefault survreg svm table tables_aov tbl_df tbl_sql terms thresholds train trellis
    trunc_mat ts tskernel TukeyHSD tukeyline tukeysmooth twins varImp.train warnings xgb.Booster xgettext xngettext
    xtabs xts zoo""".split()
)
"""Classes for which R has methods; a value of any other class is treated by its default methods."""
# R's methods for length(), [ and the like show these as other values than they hold; a formula is a call, whose items
# are the pieces of code in it.
_SHOWN_OTHERWISE = frozenset(
    """bibentry data.table dendrogram formula hashtab hexmode IDate integer64 Interval ITime numeric_version octmode
    Period person POSIXlt raster relistable roman sf sfc ts warnings xts zoo""".split()
)
_GROUPS = {
    "vectors": "AsIs Date POSIXct difftime dist factor margin noquote ordered summaryDefault table xtabs",
    "tables": "data.frame grouped_df tbl_df",
    "lists": "condition confusionMatrix exclude histogram omit proc_time randomForest rfcv rle RRF train varImp.train",
}
"""Names of groups of classes in `Facts.classes`; "lists" are the classes that functions here make."""
KNOWN_IN_R = f"{_GROUPS['vectors']} {_GROUPS['tables']} formula matrix array POSIXt tbl omit exclude rle".split()
"""Classes of values that come back from R; objects of others stay there."""


@cache
def unknown_classes(said: str, generic: str) -> frozenset[str]:
    """Return the classes that a function does not know.

    Parameters
    ----------
    said : str
        What it says at its definition: `Facts.classes`.
    generic : str
        R's name of it: it knows the classes for which the table of methods has one.
    """
    words = [name for word in said.split() for name in _GROUPS.get(word, word).split()]
    refused = frozenset(word[1:] for word in words if word.startswith("-"))
    return (_SHOWN_OTHERWISE if "any" in words else OF_R).difference(words, classes_with_method(generic)) | refused


def check_classes(function: str, unknown: frozenset[str], x: object) -> None:
    """Refuse a value of a class that a function does not know, which it would treat as a vector without a class."""
    for name in classes(x) if isinstance(x, Value) else classes(x) or classes_in_python(x):
        refuse_if(name in unknown, f"{function}() of an object of class {name}")

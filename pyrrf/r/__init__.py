"""R's values and functions, with R's bits: ``from pyrrf import r``.

What `pyrrf migrate` writes reads as the script did: ``x[2]`` is R's second item, ``d.age`` its ``d$age``,
``l[["a"]]`` its ``l[["a"]]``; names are R's, a dot becoming an underscore. Values are copied when they are changed, as
in R. Work that begins in Python passes arrays and tables (``r.quantile(df["age"])``) and takes answers back by
``numpy.asarray(value)``, ``float(value)`` and ``value.to_pandas()``.
"""

from collections.abc import Callable
from inspect import isfunction
from sys import modules
from typing import Any

from pyrrf.lazy import load_when_asked as _load_when_asked
from pyrrf.r.values.methods import register as _register
from pyrrf.r.values.packages import read_declarations as _declared

# Names by the module that has them, behind the packages of R that have them: base where none is named; "-" is for what
# R has not, but `pyrrf migrate` writes.
_DECLARED = {
    "values.arguments": "-: named only",
    "values.placeholder": "-: absent not_translated",
    "values.errors": "-: NotSupportedError RError",
    "values.vector": "stats: formula -: copy Inf L NA NA_character_ NA_integer_ NA_real_ NaN NULL Value",
    "values.visibility": "invisible",
    "formatting.formats": "encodeString format formatC prettyNum toString",
    "indexing.replacement": "-: put put_component put_element",
    "indexing.subscripts": "-: component element taken",
    "arithmetic.mathematics": (
        "abs bitwAnd bitwOr bitwXor ceiling choose cos exp expm1 factorial floor log log10 log1p log2 round sign "
        "signif sin sqrt tan tanh trunc -: Function"
    ),
    "bridge.by_r": "-: by_r by_r_inside forget_by_r rest_by_r",
    "base.attributes": (
        "attr attributes colnames dim dimnames names ncol NCOL nrow NROW put_attr put_attributes put_colnames put_dim "
        "put_dimnames put_length put_levels put_names put_row_names put_rownames row_names rownames structure unname "
        "stats: setNames"
    ),
    "base.chance": (
        "RNGkind RNGversion sample sample_int set_seed stats: rbeta rbinom rcauchy rchisq rexp rf rgamma rgeom rlnorm "
        "rlogis rmultinom rnbinom rnorm rpois rt runif rweibull"
    ),
    "base.conditions": (
        "conditionCall conditionMessage geterrmessage invokeRestart message signalCondition simpleCondition "
        "simpleError simpleMessage simpleWarning stop stopifnot suppressMessages suppressPackageStartupMessages "
        "suppressWarnings try_ tryCatch warning withCallingHandlers"
    ),
    "base.control": (
        "exists get get0 getOption match_arg nargs options proc_time switch Sys_setenv system_time -: and_ Later or_"
    ),
    "base.datasets": "-: dataset",
    "base.dates": "as_Date difftime months Sys_Date Sys_time weekdays",
    "base.evaluation": "subset transform with_ within -: Verb",
    "base.factors": (
        "addNA as_factor as_ordered cut droplevels factor findInterval gl interaction levels nlevels ordered stats: "
        "relevel"
    ),
    "base.frames": (
        "as_data_frame as_data_frame_matrix data_frame expand_grid I make_names make_unique stats: complete_cases "
        "na_exclude na_fail na_omit na_pass"
    ),
    "base.functional": (
        "do_call Filter Find force identity lapply Map mapply match_fun Negate Position Reduce replicate sapply vapply "
        "Vectorize"
    ),
    "base.grouping": (
        "as_table by margin_table marginSums prop_table proportions rowsum split table tapply unsplit stats: "
        "addmargins ftable xtabs utils: stack"
    ),
    "base.joining": "cbind cbind_data_frame merge rbind rbind_data_frame",
    "base.lists": "unlist utils: modifyList",
    "base.margins": "apply colMeans colSums outer rowMeans rowSums sweep",
    "base.matrices": (
        "aperm array as_matrix col crossprod data_matrix det diag lower_tri matrix max_col put_diag row solve t "
        "tcrossprod upper_tri"
    ),
    "base.ordering": "order rank rev sort which which_max which_min",
    "base.sets": (
        "anyDuplicated contained duplicated intersect inverse_rle is_element match rle setdiff setequal union unique "
        "-: in_"
    ),
    "base.process": "commandArgs file_choose q quit",
    "base.packages": "detach library require requireNamespace -: found unsure",
    "base.splits": "caTools: sample_split",
    "base.sums": (
        "all any cummax cummin cumprod cumsum diff isFALSE isTRUE max mean min pmax pmin prod range sum tabulate xor"
    ),
    "base.texts": (
        "basename casefold chartr dirname endsWith file_path grep grepl gsub identical nchar paste paste0 sprintf "
        "startsWith strrep strsplit sub substr substring tolower toupper trimws stats: as_formula tools: file_ext"
    ),
    "base.types": (
        "anyNA as_character as_double as_integer as_list as_logical as_numeric as_vector class_ inherits is_array "
        "is_atomic is_character is_data_frame is_double is_factor is_finite is_function is_infinite is_integer is_list "
        "is_logical is_matrix is_na is_nan is_null is_numeric is_ordered is_table is_vector mode oldClass put_class "
        "typeof unclass"
    ),
    "base.vectors": (
        "append c character colon ifelse integer length lengths LETTERS letters list logical month_abb month_name "
        "numeric pi rep rep_len seq seq_along seq_int seq_len vector utils: head tail"
    ),
    "stats.groups": "stats: aggregate ave reorder",
    "stats.statistics": "scale stats: cor cov dist fivenum IQR mad median qnorm quantile sd var weighted_mean",
    "printing.printing": "cat noquote print methods: show",
    "printing.structured": "utils: str",
    "printing.summaries": "summary",
    "files.cells": "utils: type_convert",
    "files.files": (
        "dir_create dir_exists file_copy file_exists file_remove file_rename getwd list_files load readLines readRDS "
        "save saveRDS setwd tempdir tempfile unlink writeLines utils: write_csv write_csv2 write_table "
        "-: check_source"
    ),
    "files.reading": "utils: read_csv read_csv2 read_delim read_delim2 read_table",
    "files.recorded": "-: left",
    "tidyverse.pivots": (
        "tidyr: drop_na fill gather pivot_longer pivot_wider replace_na separate spread tidyr_expand_grid unite"
    ),
    "tidyverse.purrr": (
        "purrr: discard keep map map2 map2_chr map2_dbl map2_int map2_lgl map_chr map_dbl map_df map_dfr map_int "
        "map_lgl walk"
    ),
    "tidyverse.selection": (
        "dplyr: across if_all if_any pull relocate rename rename_all rename_with select dplyr+tidyr+tidyselect: all_of "
        "any_of contains ends_with everything last_col matches num_range one_of starts_with tidyselect: where"
    ),
    "tidyverse.stringr": (
        "stringr: fixed regex str_c str_count str_detect str_dup str_ends str_extract str_extract_all str_length "
        "str_pad str_remove str_remove_all str_replace str_replace_all str_split str_split_fixed str_squish str_starts "
        "str_sub str_subset str_to_lower str_to_sentence str_to_title str_to_upper str_trim str_which word"
    ),
    "tidyverse.tables": (
        "dplyr: anti_join bind_cols bind_rows full_join inner_join left_join right_join semi_join tbl_df "
        "dplyr+tibble+tidyr: as_tibble tibble tribble tibble: column_to_rownames remove_rownames rowid_to_column "
        "rownames_to_column"
    ),
    "tidyverse.vectors": (
        "dplyr: between case_when coalesce cumall cumany cume_dist cummean dense_rank first if_else lag last lead "
        "min_rank n_distinct na_if near nth ntile percent_rank recode row_number"
    ),
    "tidyverse.verbs": (
        "dplyr: add_count arrange count desc distinct filter funs group_by mutate mutate_all mutate_at mutate_if n "
        "sample_frac sample_n select_if slice slice_head slice_max slice_min slice_sample slice_tail summarise "
        "summarise_all summarise_at summarise_if summarize summarize_all summarize_at summarize_if tally top_n "
        "transmute ungroup vars"
    ),
    "graphics.additions": "graphics: arrows axis box grid legend mtext polygon rect rug segments text title",
    "graphics.charts": "pretty",
    "graphics.colours": "grDevices: gray grey rainbow rgb",
    "graphics.devices": "grDevices: dev_new dev_off graphics_off jpeg pdf png svg tiff graphics: layout par",
    "graphics.plots": (
        "graphics: abline barplot boxplot curve dotchart hist lines matlines matplot pairs pie plot_new points "
        "graphics+base: plot"
    ),
    "forests.answers": "randomForest+RRF: classCenter combine getTree grow importance margin outlier treesize varUsed",
    "forests.forests": "randomForest: randomForest RRF: RRF",
    "forests.intrees": (
        "inTrees: applyLearner buildLearner dicretizeVector extractRules getRuleMetric presentRules pruneRule RF2List "
        "selectRuleRRF"
    ),
    "forests.plots": "randomForest+RRF: MDSplot varImpPlot",
    "forests.predictions": "stats: predict",
    "forests.searches": (
        "randomForest: rfcv rfImpute tuneRF RRF: rrfcv rrfImpute tuneRRF randomForest+RRF: na_roughfix partialPlot"
    ),
    "caret.answers": "caret: getTrainPerf varImp",
    "caret.confusion": (
        "caret: confusionMatrix defaultSummary MAE negPredValue posPredValue postResample R2 RMSE sensitivity "
        "specificity"
    ),
    "caret.resampling": "caret: createDataPartition createFolds createMultiFolds createResample trainControl",
    "caret.train": "caret: train",
}
# Methods by the module that has them: generic function, dot, class.
_METHODS = {
    "values.coercion": "as.one.default=one loop.default=as_plain",
    "values.convert": "as.value.default=value_of to_pandas.default=python_of",
    "formatting.formats": "format.how.default=format_items format.factor format.data.frame",
    "indexing.replacement": "[<-.default=assign [[<-.default=changed_element $<-.default=put_component",
    "indexing.subscripts": "[.default=taken [[.default=element $.default=component",
    "arithmetic.operators": "Ops.default=operate",
    "base.dates": (
        "Ops.Date=operated_dates Ops.difftime=operated_dates Ops.POSIXct=operated_dates "
        "c.Date=joined_dates c.POSIXct=joined_times c.difftime=joined_spans "
        "as.Date.default=as_Date as.POSIXct.default=times_of as.difftime.default=spans_like "
        "format.Date format.POSIXct=format_Date format.difftime "
        "format.dates.default=format_by seq.Date"
    ),
    "base.factors": "droplevels.default=droplevels",
    "base.vectors": "c.factor c.noquote",
    "base.lists": "unlist.default=unlist",
    "base.matrices": "%*%.default=product as.matrix.default=as_matrix",
    "stats.statistics": "as.matrix.dist",
    "printing.printing": (
        "show.default=console_text print.noquote print.AsIs print.formula print.simple.list print.Date "
        "print.POSIXct=print_Date print.difftime"
    ),
    "printing.summaries": "format.summaryDefault print.summaryDefault",
    "printing.tables": "print.factor print.data.frame print.table",
    "printing.tibbles": "print.tbl_df",
    "graphics.plots": "plot.histogram=draw_histogram",
    "forests.fits": "print.RRF print.randomForest=print_RRF",
    "forests.plots": "plot.RRF=plot_result plot.randomForest=plot_result plot.margin=plot_result",
    "caret.answers": "print.train print.varImp.train predict.train",
    "caret.confusion": "print.confusionMatrix as.matrix.confusionMatrix as.table.confusionMatrix",
}
_HOMES, _KNOWN = _declared(_DECLARED)
__all__, _load, __dir__ = _load_when_asked(__name__, _HOMES)


def _offered(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    from pyrrf.r.values.functions import offer

    return offer(name, function)


_register(__name__, _METHODS, _KNOWN, lambda word: getattr(modules[__name__], word), _offered)


def __getattr__(name: str) -> Any:
    value = _load(name)
    if isfunction(value) and not hasattr(value, "offered"):
        value = vars(modules[__name__])[name] = _offered(name, value)
    return value

"""What R scripts do around a forest, with R's bits: ``import pyrrf.r as r``.

Names are R's, a dot becoming an underscore. Positions count from 0, as everywhere in pyrrf: ``order``, ``which``,
``which_max``, ``match`` and the rows of caret's folds. What is counted stays as in R: ``rank``, ``seq_along``,
``findInterval``, ``tabulate``, the codes of ``as_numeric``, the numbers of folds.
"""

from typing import TYPE_CHECKING, Any

from pyrrf.lazy import load_when_asked as _load_when_asked

if TYPE_CHECKING:
    from pyrrf.r.caret import *
    from pyrrf.r.compared import *
    from pyrrf.r.factors import *
    from pyrrf.r.frames import *
    from pyrrf.r.margins import *
    from pyrrf.r.moments import *
    from pyrrf.r.normal import *
    from pyrrf.r.ordering import *
    from pyrrf.r.output import *
    from pyrrf.r.patterns import *
    from pyrrf.r.products import *
    from pyrrf.r.quantiles import *
    from pyrrf.r.reading import *
    from pyrrf.r.sequences import *
    from pyrrf.r.subscripts import *
    from pyrrf.r.sums import *
    from pyrrf.r.tables import *
    from pyrrf.r.writing import *
    from pyrrf.random.continuous import *
    from pyrrf.random.counts import *
    from pyrrf.random.items import *
    from pyrrf.random.seeds import *
    from pyrrf.rbase.arithmetic import LongDoubleWarning as LongDoubleWarning
    from pyrrf.rbase.elementary import *
    from pyrrf.rbase.factors import cut as cut
    from pyrrf.rbase.factors import factor as factor
    from pyrrf.rbase.numbers import label as label
    from pyrrf.rbase.numbers import round as round
    from pyrrf.rbase.numbers import signif as signif
    from pyrrf.rbase.text import as_character as as_character

# The same names, for Python, which loads none before it is asked for.
_HOMES = {
    "caret": "ConfusionMatrix confusionMatrix createDataPartition createFolds createMultiFolds createResample",
    "compared": "compare intersect length setdiff union",
    "factors": "as_factor as_integer as_numeric droplevels findInterval levels nlevels relevel",
    "frames": "apply c cbind expand_grid head ifelse rbind sapply tail",
    "margins": "colMeans colSums rowMeans rowSums sweep",
    "moments": "cor cov scale sd var",
    "normal": "qnorm",
    "ordering": "duplicated in_ match order rank rev sort unique which which_max which_min",
    "output": "cat paste paste0 sprintf",
    "patterns": "endsWith grep grepl gsub nchar startsWith strsplit sub substr tolower toupper trimws",
    "products": "crossprod divide lower_tri matmul upper_tri which_cells",
    "pyrrf.random": "RNGkind RNGversion get_random_seed rbeta rbinom rcauchy rchisq rexp rf rgamma rgeom rlnorm rlogis "
    "rmultinom rnbinom rnorm rpois rt runif rweibull sample sample_int set_random_seed set_seed",
    "pyrrf.rbase.arithmetic": "LongDoubleWarning",
    "pyrrf.rbase.elementary": "cos exp expm1 log log1p log2 log10 power sin sqrt tan tanh",
    "pyrrf.rbase.factors": "cut factor",
    "pyrrf.rbase.numbers": "label round signif",
    "pyrrf.rbase.text": "as_character",
    "quantiles": "IQR fivenum mad median quantile summary",
    "reading": "as_data_frame read_csv rownames",
    "sequences": "colon rep seq seq_along seq_len",
    "subscripts": "drop index put put_at put_cells widened",
    "sums": "cummax cummin cumprod cumsum diff max mean min pmax pmin prod range sum weighted_mean",
    "tables": "aggregate prop_table split table tabulate tapply",
    "writing": "write_csv write_table",
}
__all__, _load, __dir__ = _load_when_asked(__name__, _HOMES)

if not TYPE_CHECKING:  # with it, type checkers would take any name

    def __getattr__(name: str) -> Any:
        return _load(name)

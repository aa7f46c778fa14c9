"""What differs between pyrrf.r and R on purpose; DIFFERENCES.md says more."""

from __future__ import annotations

import re

# The reason, which lines of Python, which difference.
KNOWN = (
    ("strings are no numbers here", "", r"pyrrf refuses: TypeError: .* holds (no numbers|strings)|strings beside"),
    ("a factor is no number", "", r"pyrrf refuses: TypeError: .* is a factor"),
    (
        "a data frame is no vector, a table of one column is one",
        "DataFrame",
        r"data frame of|R refuses: (need num|undef|Non.num|.list. o|.x. must|.x. and .w.)|is text|R has record|R nan",
    ),
    ("a factor has no names", r"actor\(", r"names of dimension 1 R \[n.*pyrrf none"),
    ("a number has no name", r"quantile\(|which_m|mad\(", r"names of dimension 1 R .*, pyrrf none"),
    ("the position of nothing", r"which_m", r"holds no known value"),
    ("whole numbers stay whole: sums beyond 32 bits, round()", r"sum|round\(|Int64", r"type: R double, pyrrf integer"),
    (
        "a median is a float, as are quantiles and what is made of them",
        r"median|quantile|trim=|mad\(|fivenum",
        r"type: R (integer|logical), pyrrf double",
    ),
    (
        "the type of an answer follows from all that goes in",
        r"ifelse|tapply|put_at|apply\(|seq\(|cbind|rbind|rnbinom|scale",
        r"type: R (logical|integer|double), pyrrf",
    ),
    (
        "whole numbers of which some are missing are doubles",
        r"Int64",
        r"R nan|R warns: NAs produced by integer overflow",
    ),
    ("logicals in summary()", r"summary\(", r"R has text, pyrrf numbers|R \[Mode"),
    ("a subscript beyond the end", r"index\(|put_at\(", r"is beyond the|shape: R \(1,\), pyrrf \(0,\)"),
    ("one item is no vector", r"index\(", r"R has (factor|text), pyrrf (text|numbers|nothing)"),
    ("alternatives that overlap", r"", r"alternatives overlap"),
    ("an empty split outside ASCII", r"strsplit", r"split matches nothing at all"),
    (
        "strings of a matrix are a vector",
        r"(toupper|tolower|nchar|trimws|sub|grepl|startsWith|endsWith).*(DataFrame|reshape)",
        r"shape: R \(|names of",
    ),
    ("a vector of one number is no number of items", r"sample\(np.array\(\[[^,]*\],", r""),
    ("nothing, repeated", r"rep\(", r"x has no items|times must be 0"),
    ("nothing, cut or combined", r"cut\(|expand_grid", r"fewer than two|R has text, pyrrf factor"),
    ("vectors of unequal lengths without a complete row", r"(cor|cov|var)\(", r"pass as many"),
    ("names of strings", r"(toupper|tolower|nchar|trimws|sub|substr)\(.*pd.Series", r"names of dimension 1 R \[n"),
    ("more parameters than draws", r"r\.rt\(", r"R warns: NaNs produced"),
    ("letters of other scripts in the order of en_US", "", r"whose order in en_US is not known"),
    ("groups that are all missing", r"aggregate\(", r"R has record, pyrrf numbers"),
    ("half a letter", r"sprintf", r"cuts a letter"),
    ("data frames beside vectors", r"(pmax|pmin)\(pd.DataFrame", r""),
    ("a single row, ranked", r"(cor|cov)\(.*(spearman|kendall)", r"holds missing values|nrow"),
    ("remainders beyond 2^53", r"power", r"R warns: probable complete loss"),
    ("an infinite step", r"seq\(", r"must be a finite number, not inf"),
    ("R before 1.7", r"RNGversion", r"pyrrf does not have"),
    ("tables without rows or columns", r"reshape\(\(0,|, 0\), order", r""),
)


def known(line: str, difference: str) -> str | None:
    """The reason of a difference that is meant."""
    return next((why for why, call, how in KNOWN if re.search(call, line) and re.search(how, difference)), None)

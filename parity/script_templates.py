# ruff: noqa: E501
"""Parts of random scripts: values of each type, and calls of the functions of pyrrf.r with places in them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Template:
    """A call with places such as {dbl}, and the type of what it gives."""

    text: str
    gives: str


LITERALS: dict[str, tuple[str, ...]] = {
    "lgl": ("TRUE", "FALSE", "NA", "c(TRUE, NA, FALSE)", "c(TRUE, FALSE)", "logical(0)", "c(a = TRUE, b = FALSE)"),
    "int": ("1L", "5L", "1:3", "c(3L, NA, -2L)", "4:1", "integer(0)", "c(a = 1L, b = 2L)", "0L", "NA_integer_"),
    "dbl": (
        "0", "1", "2.5", "-1.5", "c(1.5, NA, -2)", "c(3, 1, 2)", "numeric(0)", "c(a = 1, b = 2.5, c = -3)", "c(1, NaN, Inf)",
        "1e10", "c(0.1, 0.2, 0.3)", "c(2, 2, 1, NA)", "NA_real_", "c(10, 20, 30, 40)", "1e-5", "123456.789",
    ),
    "chr": (
        '"a"', '"b"', 'c("b", "a", NA)', 'c("x", "y", "x", "z")', "character(0)", '"10"', 'c(p = "u", q = "v")', '""',
        'c("Abc def", "a-b")', "NA_character_", 'c("B", "a", "C")',
    ),
    "fct": (
        'factor(c("u", "v", "u"))', 'factor(c("a", NA, "b", "a"))', 'factor(c("lo", "hi"), levels = c("lo", "mid", "hi"))',
        'factor(c("s", "l"), levels = c("s", "l"), ordered = TRUE)', "factor(c(3, 1, 2, 1))", "factor(character(0))",
    ),
    "mat": (
        "matrix(1:6, 2)", "matrix(c(1.5, NA, 3, 4), 2)", 'matrix(1:4, 2, dimnames = list(c("a", "b"), c("x", "y")))',
        'matrix(c("a", "b", NA, "d"), 2)', "matrix(c(2, 0, 1, 3), 2, byrow = TRUE)", "matrix(c(TRUE, FALSE, NA, TRUE), 2)",
        'matrix(1:3, 1, dimnames = list(NULL, c("p", "q", "r")))', "matrix(0, 3, 2)", "diag(2)",
    ),
    "df": (
        'data.frame(a = 1:3, b = c(0.5, NA, 2), x = c("u", "v", "u"))', "data.frame(a = c(2, 1, 2, 1), b = 4:1)",
        'data.frame(a = 1:2, b = c("p", "q"), row.names = c("r1", "r2"))', "iris[c(1, 51, 101, 2), c(1, 2, 5)]",
        'data.frame(a = c(1, 3, 5), x = factor(c("g", "h", "g")))', "data.frame(a = 1:3)", "head(mtcars[, 1:3], 4)",
        "data.frame(a = c(TRUE, FALSE), b = c(NA, 1))",
    ),
    "lst": (
        'list(a = 1, b = "x")', "list(1, 2:3, TRUE)", "list()", "list(a = list(b = 1:2, c = 3), b = NULL)",
        'list(a = 1:3, b = c("p", "q"))', "list(b = 2, 5)", "list(a = c(1, 2), b = c(3, 4))",
    ),
}  # fmt: skip

_CALLS = {
    "lgl": """is.na({vec}); is.na({df}$a); any({lgl}); all({lgl}); any({lgl}, na.rm = {flag}); is.null({lst}$a); is.numeric({any});
        is.character({any}); is.factor({any}); duplicated({vec}); duplicated({fct}); is.element({vec}, {vec}); xor({lgl}, {lgl}); isTRUE({lgl});
        grepl({pattern}, {chr}); startsWith({chr}, "a"); endsWith({chr}, "b"); as.logical({vec}); complete.cases({df}); identical({any}, {any});
        identical({vec}, {vec}); ifelse({lgl}, {lgl}, {lgl}); !is.na({vec}); is.finite({num}); is.nan({dbl}); rep({lgl}, {n}); rev({lgl});
        setequal({vec}, {vec}); inherits({any}, "data.frame"); c({lgl}, {lgl}); anyNA({vec}); is.infinite({dbl}); is.list({any});
        is.data.frame({any}); is.matrix({any}); is.vector({any}); unname({lgl}); is.na({lst}); anyDuplicated({vec}) > 0; is.na({fct});
        nchar({chr}) > 1; lower.tri({mat}); {lgl} && {lgl}; {lgl} || {lgl}; isFALSE({lgl}); is.ordered({fct}); is.function(sum)""",
    "int": """2147483647L + {int}; {int} * 2147483647L; length({any}); nrow({df}); ncol({df}); dim({df}); dim({mat}); which({lgl}); which({num} > 1); seq_along({vec}); seq_len({n}); nchar({chr});
        order({num}); order({chr}); order({num}, decreasing = {flag}); as.integer({num}); as.integer({dbl}); as.integer({fct}); sum({int}); sum({lgl});
        rep({int}, {n}); rev({int}); match({vec}, {vec}); which.max({num}); which.min({num}); nlevels({fct}); cumsum({int}); max({int}); min({int});
        range({int}); diff({int}); unique({int}); sort({int}); head({int}, {n}); tail({int}, {n}); c({int}, {int}); lengths({lst}); tabulate({int});
        sign({int}); abs({int}); {n}:{n}; rank({num}, ties.method = "min"); table({vec})[[1]]; prod({int}) + 0L; NROW({any}); NCOL({any});
        as.integer({chr}); nchar({vec}); unname({int}); order({fct}); order({num}, {num}); which(is.na({vec})); which(c(a = TRUE, b = NA)); rowSums({mat}) > 1L;
        pmin({int}, {int}); row({mat}); seq(1L, 10L, by = 2L); findInterval({dbl}, c(0, 1, 2)); round({int}); append({int}, {int}, {n}); cut({dbl}, 2, labels = FALSE)""",
    "dbl": """sum({dbl}); mean({num}); mean({dbl}, na.rm = {flag}); median({num}); median({dbl}, na.rm = TRUE); var({dbl}); sd({dbl}); sd({dbl}, na.rm = TRUE);
        max({dbl}); min({dbl}, na.rm = {flag}); range({dbl}); range({dbl}, na.rm = TRUE); round({dbl}, {n}); signif({dbl}, 2); abs({dbl}); sqrt(abs({dbl})); exp({num});
        log(abs({num})); log({num}, 2); log10(abs({dbl})); log1p(abs({dbl})); floor({dbl}); ceiling({dbl}); trunc({dbl}); cumsum({dbl}); cumprod({dbl}); cummax({dbl});
        diff({dbl}); quantile({dbl}, na.rm = TRUE); quantile(c(1, 2, 4), c(0.1, 0.9)); as.numeric({vec}); as.numeric({chr}); as.numeric(as.character({fct})); rev({dbl});
        sort({dbl}); sort({dbl}, decreasing = TRUE); unique({dbl}); rep({dbl}, {n}); rep({dbl}, each = 2); rep({dbl}, times = c(1, 2)); rep({dbl}, length.out = 4);
        seq(0, 1, by = 0.25); seq(1, 10, length.out = 4); c({dbl}, {num}); c(a = {dbl}, b = 2); head({dbl}, {n}); tail({dbl}, {n}); append({dbl}, {num}); pmin({dbl}, {num}); pmax({dbl}, {num}, na.rm = TRUE);
        ifelse({lgl}, {dbl}, {num}); ifelse({num} > 1, {dbl}, 0); ifelse(is.na({dbl}), 0, {dbl}); colMeans({mat}); rowSums({mat}); colSums({mat}); rowMeans({mat}, na.rm = TRUE); cor({dbl}, {dbl});
        unlist({lst}); {df}$a; {df}[["a"]]; {df}[, 1]; {lst}$a; {lst}[[1]]; tapply({dbl}, {fct}, mean); sapply({df}, mean); scale({dbl})[, 1]; prod({dbl}); rank({dbl}); setNames({dbl}, {chr});
        unname({dbl}); mad({dbl}); IQR({dbl}, na.rm = TRUE); fivenum({dbl}); as.vector({mat}); diag({mat}); max({num}, {num}); sum({num}, na.rm = TRUE); var({dbl}, na.rm = TRUE); numeric({n}); sin({dbl}); choose(5, {n});
        factorial(3); {dbl}[order({dbl})]; {dbl}[!is.na({dbl})]; apply({mat}, {margin}, sum); det(matrix(c(2, 1, 1, 3), 2)); union({dbl}, {dbl}); intersect({dbl}, {num}); setdiff({dbl}, {num});
        cummin({dbl}); weighted.mean({dbl}, {dbl}); as.numeric({lgl}); sum({df}$a); mean({df}$a); with({df}, a * 2); with({df}, sum(a)); aggregate(a ~ b, {df}, mean)$a; outer(1:2, 1:2)[1, ]; table({fct})[["u"]] * 1""",
    "chr": """paste({vec}, {vec}); paste0({vec}, {chr}); paste({vec}, collapse = {sep}); paste({chr}, {vec}, sep = {sep}); toupper({chr}); tolower({chr}); substr({chr}, 1, 2); nchar({chr}) |> as.character();
        as.character({vec}); as.character({fct}); names({any}); colnames({df}); colnames({mat}); rownames({df}); rownames({mat}); levels({fct}); sub({pattern}, "Z", {chr}); gsub({pattern}, "", {chr}); class({any});
        unique({chr}); sort({chr}); rev({chr}); rep({chr}, {n}); c({chr}, {vec}); ifelse({lgl}, {chr}, "no"); letters[{i}]; format({dbl}); format({dbl}, nsmall = 2); format({lgl}); format({chr}); formatC({dbl}, digits = 3, format = "f");
        sprintf("%d items", {int}); sprintf("%.2f", {dbl}); sprintf("%s!", {chr}); sprintf("%5.1f|%s", {dbl}, {chr}); trimws(" a "); strsplit("a,b", ",")[[1]]; unlist(strsplit({chr}, "")); typeof({any}); mode({any}); head({chr}, {n});
        toString({vec}); setdiff({chr}, {chr}); union({chr}, {chr}); unname({chr}); make.names({chr}); make.unique(c("a", "a", "b")); round({dbl}, 1) |> paste(); month.name[{n}]; substring({chr}, 2); intersect({chr}, {chr}); sapply({df}, class);
        names(table({vec})); names(sort(table({chr}), decreasing = TRUE)); names(which.max(table({chr}))); rownames(table({vec}, {vec})); as.character({df}$a); dimnames({mat})[[1]]; prettyNum(123456, big.mark = ","); chartr("ab", "xy", {chr}); rev(strsplit("a b", " ")[[1]])""",
    "fct": """factor({chr}); factor({num}); factor({chr}, levels = c("a", "b")); factor({fct}); factor({fct}, labels = c("p", "q")); as.factor({vec}); droplevels({fct}); {fct}[{i}]; relevel(factor(c("b", "a")), ref = "b"); cut({dbl}, c(-5, 0, 5, 50));
        cut(c(1, 5, 9), 3); cut({dbl}, c(0, 1, 2), labels = c("s", "l")); factor({lgl}); rev({fct}); rep({fct}, {n}); unique({fct}); sort({fct}); factor({chr}, ordered = TRUE); interaction({fct}, {fct}); as.factor({df}$a); c({fct}, {fct}); addNA({fct}); ordered({chr});
        factor({int}, levels = 1:3, labels = c("x", "y", "z")); head({fct}, 2); {fct}[{fct} != "u"]; {fct}[drop = TRUE]; cut({dbl}, breaks = c(-Inf, 0, Inf), right = FALSE); ifelse({lgl}, "a", "b") |> factor(); iris$Species[c(1, 60)]""",
    "mat": """matrix({num}, 2); matrix({vec}, nrow = 2, ncol = 2); cbind({num}, {num}); rbind({num}, {num}); cbind(a = {num}, b = {num}); cbind({mat}, {num}); rbind({mat}, 1); t({mat}); {mat} %*% t({mat}); as.matrix({df}); as.matrix({df}[1]);
        {mat}[{i}, , drop = FALSE]; {mat}[, {i}, drop = FALSE]; apply({mat}, {margin}, function(z) z * 2); diag({n}); outer({num}, {num}); table({vec}, {vec}); sapply(1:2, function(i) c(i, i^2)); round({mat}, 1); crossprod({mat}); scale({mat}); is.na({mat});
        matrix(0, 2, 2); cbind({mat}, {mat}); rbind(a = 1:2, b = 3:4); sweep({mat}, {margin}, 1); cor(cbind(c(1, 2, 3), c(2, 1, 5))); {mat}[order({mat}[, 1]), ]; table({fct}, {fct}); prop.table({mat}); solve(matrix(c(2, 1, 1, 3), 2)); ifelse({mat} > 1, 1, 0);
        dist({mat}) |> as.matrix(); data.matrix({df}); cbind(1:3, c("a", "b", "c")); unname({mat}); rowsum(c(1, 2, 3), c("a", "b", "a")); prop.table(table({vec}, {vec}), 1); mapply(function(p, q) c(p, q), 1:2, 3:4); do.call(rbind, list(1:2, 3:4)); abs({mat})""",
    "df": """data.frame(a = {vec}, b = 1); data.frame(a = {num}, b = {num}); data.frame({chr}, {num}); {df}[{i}, ]; {df}[{i}]; {df}[order({df}$a), ]; {df}[{df}$a > 1, ]; {df}[!is.na({df}$a), ]; subset({df}, a > 1); subset({df}, select = a); subset({df}, a > 0, select = -a);
        head({df}, {n}); tail({df}, 2); na.omit({df}); rbind({df}, {df}); cbind({df}, z = 1); cbind({df}, {df}); merge({df}, {df}); merge({df}, {df}, by = "a"); aggregate(b ~ a, {df}, mean); aggregate({df}["a"], list(g = {df}$a), sum); as.data.frame({mat}); as.data.frame({lst});
        as.data.frame(table({vec})); transform({df}, z = a * 2); within({df}, z <- a + 1); unique({df}); {df}[complete.cases({df}), ]; {df}[, {i}, drop = FALSE]; {df}[-1]; {df}[nrow({df}):1, ]; data.frame(a = {fct}); stack(list(a = 1, b = 2)); setNames({df}, c("a", "q"));
        {df}[sapply({df}, is.numeric)]; expand.grid(a = 1:2, b = c("x", "y")); do.call(rbind, list({df}, {df})); as.data.frame(list(a = 1:2, b = 3:4)); {df}[which({df}$a > 1), ]; data.frame(t({mat})); {df}[rev(seq_len(nrow({df}))), , drop = FALSE]; {df}[duplicated({df}), ]""",
    "lst": """list({any}, {any}); list(a = {any}, b = {any}); {lst}[{i}]; c({lst}, list(1)); c({lst}, {vec}); as.list({vec}); as.list({df}); split({vec}, {vec}); split({dbl}, {fct}); split({df}, {df}$a); lapply({lst}, function(z) z); strsplit({chr}, "a"); rev({lst}); rapply(list(1, 2), function(z) z + 1, how = "list");
        setNames({lst}, c("p", "q")); Map(function(p, q) p, 1:2, 3:4); vector("list", {n}); modifyList({lst}, list(a = 5)); unclass({df}); attributes({any}); Filter(function(z) length(z) > 1, {lst}); head({lst}, {n}); dimnames({mat}); append({lst}, list(9)); sapply({lst}, class) |> as.list(); rle(c(1, 1, 2)); lapply(split({df}$a, {df}$a), sum); unname({lst}); mapply(function(p, q) p, 1:2, 3:4, SIMPLIFY = FALSE)""",
}  # fmt: skip
TEMPLATES = [
    Template(f"({text})" if "|>" in text else text, kind)
    for kind, calls in _CALLS.items()
    for text in (" ".join(call.split()) for call in calls.split(";"))
    if text
]

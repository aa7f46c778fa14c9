"""Makes random scripts of R: the statements of one script, with variables of a type each."""

from __future__ import annotations

import random
import re
from typing import Any

from parity.script_templates import LITERALS, TEMPLATES, Template


class Maker:
    """Makes the statements of one script: variables with a type each, mostly used as their type allows.

    Types: "lgl int dbl chr fct mat df lst fun any".
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.types: dict[str, str] = {}
        self.count = 0

    def script(self) -> list[str]:
        """Return the statements."""
        out = []
        for _ in range(self.random.randint(5, 15)):
            made = self.statement()
            if made is not None:
                out.append(made)
        return out

    def one_of(self, *items: Any) -> Any:
        return self.random.choice(items)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def statement(self) -> str | None:
        """Return a statement."""
        kinds = [self._assigned] * 10 + [self._replaced] * 7 + [self._printed] * 2 + [self._block] * 3 + [self._copied]
        return self.random.choice(kinds)()

    def variable_of(self, *types: str) -> str | None:
        """Return a variable of one of some types."""
        names = [name for name, kind in self.types.items() if kind in types]
        return self.random.choice(names) if names else None

    def new(self, kind: str) -> str:
        """Return the name of a variable of a type: mostly a new one."""
        if self.types and self.chance(0.15):
            name = self.one_of(*self.types)
        else:
            self.count += 1
            name = f"v{self.count}"
        self.types[name] = kind
        return str(name)

    # ---- expressions -----------------------------------------------------------------------------

    def value(self, kind: str, depth: int = 0) -> str:
        """Return an expression of a type."""
        if kind == "vec":
            kind = self.one_of("lgl", "int", "dbl", "dbl", "chr")
        if kind == "num":
            kind = self.one_of("int", "dbl", "dbl", "lgl")
        if kind == "any":
            kind = self.one_of("lgl", "int", "dbl", "chr", "fct", "mat", "df", "lst")
        if self.chance(0.03):  # Now and then what does not fit.
            kind = self.one_of("lgl", "dbl", "chr", "fct", "mat", "df", "lst")
        known = self.variable_of(kind)
        if known and self.chance(0.55):
            return known
        if depth < 2 and self.chance(0.35):
            return self.computed(kind, depth + 1)
        return str(self.one_of(*LITERALS[kind]))

    def computed(self, kind: str, depth: int = 0) -> str:
        """Return a call or an operation that gives a type."""
        if kind in ("lgl", "int", "dbl", "chr") and self.chance(0.35):
            return self._extract(kind, depth)
        if kind in _OPERATORS and self.chance(0.4):
            return self._operation(kind, depth)
        templates = _BY_TYPE.get(kind)
        return self.fill(self.random.choice(templates), depth) if templates else str(self.one_of(*LITERALS[kind]))

    def fill(self, template: Template, depth: int = 0) -> str:
        """Return the text of a template with values in its places."""
        return re.sub(r"\{(\w+)\}", lambda m: self._place(m.group(1), depth), template.text)

    def _place(self, what: str, depth: int) -> str:
        if what in LITERALS or what in ("vec", "num", "any"):
            return self.value(what, depth + 1)
        return str(self.one_of(*_PLACES[what]))

    def _operation(self, kind: str, depth: int) -> str:
        sign, left, right = self.one_of(*_OPERATORS[kind])
        if not right:
            return f"{sign}({self.value(left, depth)})"
        return f"({self.value(left, depth)} {sign} {self.value(right, depth)})"

    def _extract(self, kind: str, depth: int) -> str:
        """Return part of something of the type, or a column, an item, a cell."""
        base = self.variable_of(kind, "mat", "df", "lst") or self.value(kind, 3)
        what = self.types.get(base, kind)
        if what == "mat":
            return f"{base}[{self.subscript()}, {self.subscript()}]"
        if what == "df":
            forms = (
                "{0}${1}",
                '{0}[["{1}"]]',
                '{0}[, "{1}"]',
                "{0}[{2}, 1]",
                '{0}[{0}${1} > 1, "{1}"]',
                "{0}${1}[{2}]",
            )
            return str(self.one_of(*forms).format(base, self.one_of("a", "b", "x"), self.subscript()))
        if what == "lst":
            return str(
                self.one_of("{0}${1}", '{0}[["{1}"]]', "{0}[[1]]", "{0}[[2]]").format(base, self.one_of("a", "b"))
            )
        return f"{base}[{self.subscript()}]" if self.chance(0.7) else f"{base}[[{self.one_of(1, 2, 3)}]]"

    def subscript(self) -> str:
        return str(self.one_of(*_SUBSCRIPTS))

    # ---- statements ------------------------------------------------------------------------------

    def _assigned(self) -> str:
        kind = self.one_of("lgl", "int", "dbl", "dbl", "chr", "fct", "mat", "df", "df", "lst")
        text = self.computed(kind) if self.chance(0.75) else self.value(kind)
        return f"{self.new(kind)} <- {text}"

    def _copied(self) -> str | None:
        if not self.types:
            return None
        name = self.one_of(*self.types)
        kind = self.types[name]
        return f"{self.new(kind)} <- {name}"

    def _printed(self) -> str | None:
        if not self.types:
            return None
        name = self.one_of(*self.types)
        return (
            str(self.one_of("{}", "print({})", "{}", "str({})", "summary({})").format(name))
            if self.chance(0.8)
            else None
        )

    def _replaced(self) -> str | None:
        name = self.variable_of("lgl", "int", "dbl", "chr", "fct", "mat", "df", "lst")
        if name is None:
            return None
        kind = self.types[name]
        target, value = self.one_of(*_TARGETS.get(kind, _TARGETS["dbl"]))
        target = target.replace("X", name)
        target = re.sub(
            r"\{(\w+)\}", lambda m: self.subscript() if m.group(1) == "i" else self._place(m.group(1), 1), target
        )
        fixed = {"NULL": "NULL", "small": self.one_of("1", "2", "5L", "0")}
        text = fixed.get(value) or self.value(kind if value == "same" else value, 1)
        return f"{target} <- {text}"

    def _block(self) -> str | None:
        return str(self.one_of(self._loop, self._condition, self._function, self._applied)())

    def _loop(self) -> str:
        name = self.variable_of("dbl", "int") or self.new("dbl")
        inner = self.one_of(
            "X[i] <- i", "X <- c(X, i)", "if (i == 2) next else X[1] <- i", "{ X[i] <- i * 2; if (i > 1) break }"
        )
        over = self.one_of("1:3", "seq_len(2)", "c(2, 1)", "integer(0)", self.variable_of("dbl", "int") or "2:1")
        start = "" if name in self.types and self.chance(0.9) else f"{name} <- 0; "
        return f"{{ {start}for (i in {over}) {inner.replace('X', name)} }}"

    def _condition(self) -> str:
        kind = self.one_of("dbl", "chr", "int")
        test = self.one_of(
            "length({dbl}) > 1", "is.na({dbl}[1])", "any({lgl})", "{num}[1] > 0", "is.null({lst}$a)", "TRUE"
        )
        test = re.sub(r"\{(\w+)\}", lambda m: self._place(m.group(1), 1), test)
        text = f"if ({test}) {self.value(kind, 1)} else {self.value(kind, 1)}"
        return f"{self.new(kind)} <- {text}"

    def _function(self) -> str:
        self.count += 1
        name = f"f{self.count}"
        body = self.one_of(*_BODIES)
        kind, call = self.one_of(("dbl", "{dbl}"), ("int", "{int}"), ("dbl", "{num}, 3"), ("dbl", "k = 2, {dbl}"))
        call = re.sub(r"\{(\w+)\}", lambda m: self._place(m.group(1), 1), call)
        if self.chance(0.4):
            return self._last_call(name, call)
        target = self.new(kind)
        if self.chance(0.3):
            # In which order the function and its arguments draw.
            body, call = self.one_of(*_BODIES, *_DRAWING_BODIES), self.one_of(*_DRAWN)
            return f"{target} <- {{ set.seed(3); {name} <- function(x, k = 1) {body}; {name}({call}) }}"
        return f"{target} <- {{ {name} <- function(x, k = 1) {body}; {name}({call}) }}"

    def _last_call(self, name: str, call: str) -> str:
        """Return a call alone on its line: what it gives is printed, unless that is invisible."""
        body = self.fill(Template(self.one_of(*_BODIES, *_ENDS, *_ENDS), "any"))
        call = self.one_of(*_AROUND).replace("@()", f"{name}({call})").replace("@", name)
        return f"{{ {name} <- function(x, k = 1) {body}; {call} }}"

    def _applied(self) -> str:
        return f"{self.new('any')} <- {self.fill(self.one_of(*_APPLIED))}"


_DRAWING_BODIES = (
    "{ u <- runif(1); x + u }",
    "{ y <- x; y + rnorm(1) }",
    "{ if (k > 1) x else runif(1) }",
    "sample(x)",
    "{ k; sample(3) + x }",
    "ifelse(x > 0.5, rnorm(2), runif(2))",
    "ifelse(runif(2) > 0.5, x, k)",
    "{ y <- 0; for (i in 1:2) y <- y + runif(1) * k; y }",
    "c(x, runif(1), k)",
    "sapply(1:2, function(i) x + k * runif(1))",
    "if (missing(k)) runif(1) else x + k",
    "{ g <- function() runif(1); g() + x }",
    "x[runif(length(x)) > 0.5]",
    "{ stopifnot(k > 0); x * k }",
    "runif(1) > 0.5 && x[1] > 0.5",
)
_DRAWN = (
    "runif(2)",
    "rnorm(3), 2",
    "sample(4), k = runif(1)",
    "k = rnorm(1), runif(2)",
    "c(runif(1), rnorm(1))",
    "sum(sample(3)), 2",
    "ifelse(runif(2) > 0.5, 1, 2)",
    "1, runif(1)",
    "sapply(1:2, function(i) runif(1))",
    "sample(c(0.2, 0.7)), sample(2)",
    "(function() rnorm(1))()",
    "{ z <- runif(1); z }",
)

_SUBSCRIPTS = (
    "1",
    "2",
    "2L",
    "1:2",
    "2:1",
    "-1",
    "-(1:2)",
    "c(1, 1)",
    "0",
    "c(TRUE, FALSE)",
    "TRUE",
    "5",
    "c(1, NA)",
    "NA",
    "integer(0)",
    '"a"',
    '"b"',
    'c("a", "b")',
    "",
    "c(-1, -9)",
    "c(TRUE, NA)",
    "FALSE",
    "1.9",
    '"zz"',
    "NULL",
    "3",
)
_PLACES: dict[str, tuple[str, ...]] = {
    "n": ("1", "2", "3", "0", "5L", "-1"),
    "flag": ("TRUE", "FALSE"),
    "fun": ("sum", "mean", "length", "max", "function(z) z[1]", "function(z) z * 2", "range", "function(z) c(z[1], 2)"),
    "test": ("function(z) z > 1", "is.na", "function(z) length(z) > 1"),
    "sep": ('""', '"-"', '", "'),
    "margin": ("1", "2"),
    "pattern": ('"a"', '"[ab]"', '"^x"', '"."'),
    "col": ('"a"', '"b"', '"x"'),
    "type": ('"numeric"', '"character"', '"list"', '"logical"'),
    "i": _SUBSCRIPTS,
}
_OPERATORS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "dbl": (
        *tuple((sign, "dbl", "num") for sign in ("+", "-", "*", "/", "^", "%%", "%/%")),
        ("-", "dbl", ""),
        ("/", "int", "int"),
        ("^", "int", "num"),
    ),
    "int": (
        *tuple((sign, "int", "int") for sign in ("+", "-", "*", "%%", "%/%")),
        ("-", "int", ""),
        ("+", "lgl", "int"),
    ),
    "lgl": (
        *[(sign, "num", "num") for sign in ("==", "<", ">=", "!=")],
        *[(sign, "chr", "chr") for sign in ("==", "<", "!=", "%in%")],
        ("&", "lgl", "lgl"),
        ("|", "lgl", "lgl"),
        ("!", "lgl", ""),
        ("==", "fct", "chr"),
        ("%in%", "num", "num"),
        ("==", "vec", "vec"),
        ("%in%", "fct", "chr"),
        ("!=", "fct", "fct"),
    ),
    "mat": (
        *tuple((sign, "mat", "num") for sign in ("+", "*", ">", "/")),
        ("+", "mat", "mat"),
        ("%*%", "mat", "mat"),
        ("-", "mat", ""),
    ),
    "df": (("*", "df", "dbl"), ("==", "df", "num")),
}
_TARGETS: dict[str, tuple[tuple[str, str], ...]] = {
    "dbl": (
        ("X[{i}]", "same"),
        ("X[[2]]", "same"),
        ("X[X > 1]", "num"),
        ("X[is.na(X)]", "dbl"),
        ("names(X)", "chr"),
        ("X[{i}]", "num"),
        ("names(X)[1]", "chr"),
        ("X[{i}]", "vec"),
        ('X["b"]', "num"),
        ("length(X)", "small"),
    ),
    "fct": (("X[{i}]", "chr"), ("levels(X)", "chr"), ("levels(X)[1]", "chr"), ("X[2]", "same"), ("names(X)", "chr")),
    "mat": (
        ("X[{i}, {i}]", "num"),
        ("X[{i}, ]", "dbl"),
        ("X[{i}]", "num"),
        ("colnames(X)", "chr"),
        ("X[X > 1]", "num"),
        ("dim(X)", "NULL"),
        ("rownames(X)", "chr"),
        ("X[is.na(X)]", "num"),
        ("diag(X)", "num"),
        ("X[, {i}]", "num"),
    ),
    "df": (
        ("X$a", "vec"),
        ("X$new", "vec"),
        ('X[["b"]]', "vec"),
        ("X[{i}, {i}]", "vec"),
        ("X[{i}]", "vec"),
        ("X$a[{i}]", "num"),
        ('X[X$a > 1, "b"]', "vec"),
        ("X$b", "NULL"),
        ("X[, {i}]", "vec"),
        ("X[{i}, ]", "num"),
        ("names(X)[1]", "chr"),
        ("X[is.na(X)]", "num"),
        ("X[2]", "vec"),
        ("X[1:2]", "lst"),
        ("X$f", "fct"),
        ("colnames(X)", "chr"),
        ("rownames(X)", "chr"),
        ('X[nrow(X) + 1, "a"]', "num"),
        ("X[[2]][1]", "vec"),
    ),
    "lst": (
        ("X$a", "any"),
        ('X[["b"]]', "any"),
        ("X[[2]]", "any"),
        ("X[{i}]", "lst"),
        ("X$a", "NULL"),
        ("X$n$m", "vec"),
        ("X$a[2]", "vec"),
        ("names(X)", "chr"),
        ("X[[3]]", "vec"),
        ("X[{i}]", "vec"),
        ("names(X)[2]", "chr"),
        ("X$a$b[2]", "num"),
        ("X[{i}]", "NULL"),
    ),
}
_TARGETS |= dict.fromkeys(("lgl", "int", "chr"), _TARGETS["dbl"])
_BODIES = (
    "x + k",
    "{ x[k] <- 9; x }",
    "{ if (length(x) < 2) return(k); x[-1] }",
    "{ y <- x * 2; for (j in seq_along(y)) if (!is.na(y[j]) && y[j] > 3) y[j] <- 0; y }",
    "{ s <- 0; for (v in x) s <- s + ifelse(is.na(v), 0, v); s / k }",
    "sapply(x, function(z) z + k)",
    "{ g <- function() k <<- k + 1; g(); g(); k }",
    "{ n <- 0; while (n < 3) { n <- n + k; if (n > 10) break }; n }",
    'switch(as.character(k), "1" = x, "3" = "three", "other")',
    "{ names(x) <- NULL; x[is.na(x)] <- 0; sum(x) }",
    "list(x = x, k = k)$x",
)
# Ends of functions whose value may be invisible, and code around a call of one.
_ENDS = (
    "for (v in x) k <- k + 1",
    "{ while (k < 3) k <- k + 1 }",
    "if (length(x) > 9) x",
    "{ if (length(x) > 1) y <- x else k }",
    "y <- x",
    "{ names(x) <- NULL }",
    "x[1] <- 7",
    "cat(k, '\\n')",
    "print(k)",
    "{ print(x); invisible(k) }",
    "invisible({dbl})",
    "invisible({df})",
    "invisible({lst})",
    "return(invisible({chr}))",
    "{ y <- invisible(k); y }",
    "{ y <- print(k); y }",
    "{ g <- function() invisible(k); g() }",
    "{ g <- function() invisible(k); y <- g(); y }",
    "{ g <- function() invisible({df}); y <- g(); (y) }",
    "(invisible(x))",
    "set.seed(k)",
    "suppressWarnings(invisible(x))",
    "tryCatch(invisible(k), error = function(e) 1)",
    "tryCatch(stop('a'), error = function(e) invisible(k))",
    "tryCatch(stop('a'), error = function(e) cat('b\\n'))",
    "switch('a', a = invisible(k), b = x)",
    "switch('z', a = 1)",
    "do.call(invisible, list(k))",
    "str(k)",
    "options(digits = 7)",
    "message('m')",
    "NULL",
    "{}",
    "function(z) invisible(z)",
)
_AROUND = (
    "@()", "@()", "@()", "@()", "(@())", "suppressWarnings(@())", "invisible(@())", "if (TRUE) @()", "{ @() }",
    "y9 <- @()", "{ y9 <- @(); y9 }", "list(@())", "length(@())", "is.null(@())", "for (i in 1:2) @()", "print(@())",
    "sapply(1:2, @)", "lapply(1:2, @)", "do.call(@, list(2))", "c(@(), 1)", "tryCatch(@(), error = function(e) 2)",
    "identical(@(), 1)",
)  # fmt: skip
_APPLIED = tuple(
    Template(text, "any")
    for text in (
        "sapply({vec}, {fun})",
        "sapply({lst}, length)",
        "lapply({vec}, {fun})",
        "sapply({df}, class)",
        "sapply({df}, {fun})",
        "apply({mat}, {margin}, {fun})",
        "tapply({dbl}, {fct}, {fun})",
        "Map(function(p, q) p, {vec}, {vec})",
        "mapply(function(p, q) p + q, {num}, {num})",
        "Reduce(`+`, {num})",
        "Filter({test}, {vec})",
        "vapply({vec}, length, 1L)",
        "do.call(c, {lst})",
        "do.call(rbind, list({dbl}, {dbl}))",
        "outer({num}, {num})",
        "sapply({chr}, nchar)",
        "sapply({chr}, nchar, USE.NAMES = FALSE)",
        "split({df}, {df}$a)",
        "lapply({lst}, class)",
        "tryCatch({dbl}, error = function(e) 0)",
        "unlist(lapply({vec}, function(z) z))",
        "sapply({int}, function(z) c(a = z, b = 1))",
    )
)
_BY_TYPE: dict[str, list[Template]] = {}
for _template in TEMPLATES:
    _BY_TYPE.setdefault(_template.gives, []).append(_template)

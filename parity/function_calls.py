"""Random calls of R's functions on odd arguments: a line each in `CALLS`, or a function where arguments hang together.

A line names the kinds of the arguments, methods of `Draw`; `*` stands for one to three, what comes after `|` may be
left out. Three calls in a hundred have another argument in the place of the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from parity.awkward import WORDS, Draw
from parity.draws import PARAMETERS
from parity.lines import Call, Function
from parity.values import R_NA

CALLS = """
sum: numbers* | na_rm=flag
prod: numbers* | na_rm=flag
max: numbers* | na_rm=flag
min: numbers* | na_rm=flag
range: numbers* | na_rm=flag finite=flag
mean: numbers | na_rm=flag trim=share
sd: numbers | na_rm=flag
median: numbers | na_rm=flag
mad: numbers | na_rm=flag center=number constant=number
fivenum: numbers | na_rm=flag
IQR: numbers | na_rm=flag type=quantile_type
summary: anything
cumsum: numbers
cumprod: numbers
cummax: numbers
cummin: numbers
rev: anything
exp: numbers
expm1: numbers
log: numbers | base=number
log1p: numbers
log2: numbers
log10: numbers
sqrt: numbers
tanh: numbers
sin: numbers
cos: numbers
tan: numbers
power: numbers other
divide: number number
pmax: numbers other | na_rm=flag
pmin: numbers other | na_rm=flag
diff: numbers | lag=small differences=small
rowSums: table | na_rm=flag
rowMeans: table | na_rm=flag
colSums: table | na_rm=flag
colMeans: table | na_rm=flag
crossprod: matrix
upper.tri: matrix | diag=flag
lower.tri: matrix | diag=flag
which_cells: conditions
round: numbers | digits=digits
signif: numbers | digits=digits
quantile: numbers | probs=shares na_rm=flag names=flag type=quantile_type
order: plain* | decreasing=flag na_last=flag
sort: anything | decreasing=flag na_last=flag
rank: anything | ties_method=ties na_last=flag
which: flags
which.max: numbers
which.min: numbers
unique: anything | fromLast=flag
duplicated: anything | fromLast=flag
match: plain plain
in_: plain plain
setdiff: plain plain
intersect: plain plain
union: plain plain
length: anything
seq_along: anything
seq_len: few
colon: number number
table: groups | useNA=use_na
tabulate: bins | nbins=small
prop.table: numbers
weighted.mean: numbers numbers | na_rm=flag
factor: anything | ordered=flag
as.factor: anything
as.numeric: anything
as.integer: anything
as.character: anything
levels: anything
nlevels: anything
droplevels: factors
paste: plain* | sep=separator collapse=separator
paste0: plain* | collapse=separator
ifelse: flags other other
head: anything | n=offset
tail: anything | n=offset
c: plain*
split: plain groups
qnorm: numbers | mean=number sd=number
cat: plain* | sep=separator
nchar: words
substr: words small small
toupper: words
tolower: words
trimws: words
startsWith: words word
endsWith: words word
grepl: pattern words | ignore_case=flag perl=flag fixed=flag
grep: pattern words | ignore_case=flag perl=flag fixed=flag value=flag
sub: pattern replacement words | ignore_case=flag perl=flag fixed=flag
gsub: pattern replacement words | ignore_case=flag perl=flag fixed=flag
strsplit: words pattern | perl=flag fixed=flag
write_csv: mixed | row_names=flag quote=flag na=word
write_table: mixed | sep=separator row_names=flag quote=flag na=word col_names=flag
as.data.frame: matrix
rownames: mixed
drop: plain places
put: plain_numbers places number
put_at: plain_numbers subscripts number
index: plain subscripts
compare: plain sign plain
set_seed: offset
sample: plain | size=small replace=flag
sample.int: small | size=small replace=flag
"""

GENERATORS: dict[str, Callable[[Draw], Call]] = {}


def _of_line(line: str) -> tuple[str, Callable[[Draw], Call]]:
    name, _, rest = line.partition(": ")
    given, _, optional = rest.partition("|")
    kinds = given.split()
    extra = [pair.split("=") for pair in optional.split()]

    def make(draw: Draw) -> Call:
        args = [
            getattr(draw, kind.rstrip("*"))() for kind in kinds for _ in range(draw.between(1, 3) if "*" in kind else 1)
        ]
        if args and kinds[0] in ("numbers", "words", "flags", "table", "factors") and draw.chance(0.03):
            args[0] = draw.one_of(draw.words, draw.factors, draw.matrix, draw.frame, draw.numbers)()
        return Call(name, tuple(args), {key: getattr(draw, kind)() for key, kind in extra if draw.chance(0.4)})

    return name, make


GENERATORS |= dict(_of_line(line) for line in CALLS.strip().splitlines())


def generator(*names: str) -> Callable[[Callable[[Draw, str], Call]], Callable[[Draw, str], Call]]:
    """Enter a generator under the names of the functions that it makes calls of."""

    def enter(make: Callable[[Draw, str], Call]) -> Callable[[Draw, str], Call]:
        for name in names:
            GENERATORS[name] = lambda draw, name=name: make(draw, name)  # type: ignore[misc]
        return make

    return enter


def maybe(draw: Draw, share: float = 0.5, **given: Any) -> dict[str, Any]:
    """Each argument with a chance."""
    return {name: value for name, value in given.items() if draw.chance(share)}


@generator("var", "cov", "cor")
def related(draw: Draw, name: str) -> Call:
    first = draw.table() if draw.chance(0.6) else draw.plain_numbers()
    if draw.chance(0.4) and (np.ndim(first) == 2 or name == "var"):
        args: tuple[Any, ...] = (first,)
    else:
        draw.n = len(first) if draw.chance(0.95) else draw.n + 1
        args = (first, draw.plain_numbers() if draw.chance(0.6) else draw.table())
    if name == "var":
        return Call(name, args, maybe(draw, 0.4, na_rm=True))
    return Call(name, args, maybe(draw, 0.4, use=draw.use(), method=draw.method()))


@generator("matmul")
def multiplied(draw: Draw, name: str) -> Call:
    first = draw.matrix()
    draw.n = first.shape[1] if draw.chance(0.9) else 2
    return Call(name, (first, draw.one_of(draw.matrix, draw.doubles)()))


@generator("scale")
def scaled(draw: Draw, name: str) -> Call:
    table = draw.table()
    draw.n = table.shape[1]
    centre = draw.one_of(True, False, draw.tame())
    return Call(name, (table,), maybe(draw, 0.4, center=centre, scale=draw.one_of(False, np.arange(1.0, draw.n + 1))))


@generator("sweep", "apply", "sapply")
def over_margins(draw: Draw, name: str) -> Call:
    function = Function(draw.one_of("mean", "sum", "sd", "median", "max", "cumsum", "range"))
    if name == "sapply":
        return Call(name, (draw.frame(), function))
    table, margin = draw.table(), draw.margin()
    if name == "apply":
        return Call(name, (table, margin, function))
    draw.n = draw.one_of(table.shape[margin - 1], table.shape[margin - 1], 1, 2)
    return Call(name, (table, margin, draw.doubles()), maybe(draw, FUN=draw.one_of("-", "+", "*", "/")))


@generator("tapply", "aggregate")
def by_groups(draw: Draw, name: str) -> Call:
    values, function = draw.plain_numbers(), Function(draw.one_of("mean", "sum", "median", "sd", "var", "max"))
    index: Any = draw.groups()
    if name == "aggregate" or draw.chance(0.3):
        index = [draw.groups() for _ in range(draw.between(1 if name == "aggregate" else 2, 2))]
    return Call(name, (values, index, function))


@generator("seq")
def sequences(draw: Draw, name: str) -> Call:
    start = draw.one_of(0, 1, 3, -2, 0.1, 0.5, 1e-3, 1e10, 2147483647, round(float(draw.bits.normal(1)[0]), 2))
    kind = draw.between(0, 6)
    by = draw.one_of(1, 2, 0.1, 0.05, 0.01, 1 / 3, 0.2, 7, 1e-3) * draw.one_of(1, 1, 1, -1)
    size = draw.one_of(0, 1, 2, 3, 10, 11, 50, 7.2)
    if kind == 0:
        return Call(name, (start, start + by * draw.between(0, 40)), {"by": by})
    if kind == 1:
        return Call(name, (start, start + draw.one_of(0.0, 1, 2.5, 10, -3)), {"length_out": size})
    if kind == 2:
        return Call(name, (start,), {"by": by, "length_out": size})
    if kind == 3:
        return Call(name, (), {"to": start, "by": by, "length_out": size})
    if kind == 4:
        return Call(name, (start, start + draw.one_of(3.7, -4, 0, 20)))
    if kind == 5:
        return Call(name, (draw.number(), draw.number()), maybe(draw, by=draw.number(), length_out=draw.number()))
    return Call(name, draw.one_of((5,), (2.7,), (), (np.array([4.0, 2.0]),)))


@generator("sprintf")
def formatted(draw: Draw, name: str) -> Call:
    form = draw.format()
    letters = re.findall(r"[*]|%[^*a-zA-Z%]*([a-zA-Z*])", form) if isinstance(form, str) else ["s"]
    kinds = {
        "s": draw.plain,
        "d": draw.counts,
        "i": draw.counts,
        "o": draw.whole,
        "x": draw.whole,
        "X": draw.whole,
        "*": draw.few,
    }
    draw.n = draw.one_of(1, 1, 2, 4)
    args = [kinds.get(letter or "*", draw.doubles)() for letter in letters] if draw.chance(0.9) else [draw.plain()]
    return Call(name, (form, *args))


@generator("rep")
def repeated(draw: Draw, name: str) -> Call:
    values = draw.anything()
    times = draw.one_of(0, 1, 3, -1, R_NA, 1.9, draw.bits.integers(4, len(values)))
    given = maybe(draw, times=times, each=draw.between(0, 3), length_out=draw.one_of(0, 1, 5, 30))
    return Call(name, (values,), given)


@generator("cut", "findInterval")
def intervals(draw: Draw, name: str) -> Call:
    values, draw.n = draw.plain_numbers(), draw.between(2, 8)
    limits = np.unique(draw.doubles()) if draw.chance(0.8) else np.sort(draw.tame())
    limits = np.concatenate([[-np.inf] * draw.chance(0.2), limits[~np.isnan(limits)], [np.inf] * draw.chance(0.3)])
    limits = limits if len(limits) > 1 else np.array([0.0, 1.0])
    if name == "findInterval":
        flags = {"rightmost_closed": True, "all_inside": True, "left_open": True}
        return Call(name, (values, limits), maybe(draw, 0.4, **flags))
    given = {"include_lowest": True, "right": False, "dig_lab": draw.between(1, 16), "ordered_result": True}
    return Call(
        name,
        (values, draw.one_of(draw.between(1, 6), limits)),
        maybe(draw, 0.4, **given) | maybe(draw, 0.15, labels=False),
    )


@generator("relevel")
def relevelled(draw: Draw, name: str) -> Call:
    values = draw.factors()
    return Call(name, (values, draw.one_of(*values.categories, "none")))


@generator("expand.grid")
def grids(draw: Draw, name: str) -> Call:
    vectors = {}
    for i in range(draw.between(1, 3)):
        draw.n = draw.between(0 if draw.chance(0.1) else 1, 4)
        vectors[f"v{i}"] = draw.plain()
    return Call(name, (), vectors | maybe(draw, 0.3, stringsAsFactors=False))


@generator("cbind", "rbind")
def bound(draw: Draw, name: str) -> Call:
    if draw.chance(0.5):
        return Call(
            name, tuple(draw.one_of(draw.doubles, draw.counts, draw.other)() for _ in range(draw.between(1, 4)))
        )
    if draw.chance(0.3):
        return Call(name, (draw.matrix(), draw.doubles()))
    tables = [draw.mixed(), draw.mixed()]
    if name == "cbind":
        tables[1] = tables[1].add_prefix("w")
    return Call(name, tuple(table.reset_index(drop=True) for table in tables))


@generator("put_cells")
def cells(draw: Draw, name: str) -> Call:
    table = draw.frame()
    return Call(
        name, (table, draw.between(0, len(table) - 1), draw.one_of(*table.columns), draw.one_of(0.5, 3.0, -1.25))
    )


@generator("as_text")
def labels(draw: Draw, name: str) -> Call:
    return Call(
        name, (draw.one_of(True, False, draw.word(), draw.between(-5, 10**6), float(draw.bits.normal(1)[0]), 1e5, 0.1),)
    )


@generator("read_csv")
def tables_of_text(draw: Draw, name: str) -> Call:
    cells = (
        "1",
        "2.5",
        "-3",
        "NA",
        "",
        "a",
        "TRUE",
        "F",
        " 7 ",
        "1e5",
        '"x y"',
        '"b,c"',
        "x",
        "0.002877",
        "2147483648",
        '"say ""no"""',
    )
    width, pool = draw.between(1, 4), [draw.one_of(*cells) for _ in range(3)]
    header = [draw.one_of("a", "b", "c d", "1x", "a", "if", '"q"', "_u", ".1") for _ in range(width)]
    rows = [
        [draw.one_of(*(pool if draw.chance(0.8) else cells)) for _ in range(width)] for _ in range(draw.between(1, 5))
    ]
    text = "\n".join(",".join(row) for row in [header, *rows]) + "\n"
    return Call(name, (text,), maybe(draw, 0.3, stringsAsFactors=True, check_names=False))


@generator("caret::createFolds", "caret::createDataPartition", "caret::createMultiFolds", "caret::createResample")
def folded(draw: Draw, name: str) -> Call:
    draw.n = max(3, draw.n * 2)
    values = draw.one_of(draw.factors, draw.words, draw.tame, draw.counts)()
    k, times = draw.between(2, 10), draw.between(1, 3)
    given: dict[str, dict[str, Any]] = {
        "caret::createFolds": {"k": k} | maybe(draw, 0.3, list=False, returnTrain=True),
        "caret::createMultiFolds": {"k": k, "times": times},
        "caret::createResample": {"times": times} | maybe(draw, 0.4, list=False),
        "caret::createDataPartition": {"p": draw.one_of(0.5, 0.7, 0.75, 0.8, 2 / 3), "times": times}
        | maybe(draw, 0.3, list=False, groups=draw.between(2, 6)),
    }
    return Call(name, (values,), given[name])


@generator("confusionMatrix")
def confused(draw: Draw, name: str) -> Call:
    levels = list(WORDS[: draw.between(2, 4)])
    codes = [draw.bits.integers(len(levels), max(4, draw.n)).tolist() for _ in range(2)]
    return Call(name, tuple(pd.Categorical.from_codes(c, categories=levels) for c in codes))


@generator(*PARAMETERS)
def drawn(draw: Draw, name: str) -> Call:
    given = {}
    for key, kind in draw.one_of(*PARAMETERS[name]).items():
        values = np.array([float(kind(draw)) for _ in range(draw.one_of(1, 1, 2, 3))])
        given[key] = values if len(values) > 1 else float(values[0])
    return Call(name, (draw.between(0, 20),), given)


@generator("rmultinom")
def drawn_counts(draw: Draw, name: str) -> Call:
    weights = np.array([*draw.vector(draw.between(1, 8), 0.0, 2.0), 0.7])
    return Call(name, (draw.between(1, 6), draw.one_of(0, draw.between(1, 5000)), weights))


@generator("RNGkind", "RNGversion")
def kinds(draw: Draw, name: str) -> Call:
    if name == "RNGversion":
        return Call(name, (draw.one_of("3.5.0", "3.6.0", "4.2.2", "1.0.0", "x"),))
    return Call(name, (), maybe(draw, sample_kind=draw.one_of("Rounding", "Rejection", "default", "none")))

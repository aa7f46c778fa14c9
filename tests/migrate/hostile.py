"""Scripts of R whose names, strings and comments try to become code of Python, and what they leave when that is run."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

# ---- texts ---------------------------------------------------------------------------------------

MARK = "TAKEN"
"""The file that a text makes if it is run."""
PAYLOADS = [
    f'open("{MARK}", "w").close()',
    f"open('{MARK}', 'w').close()",
    f'import os; os.system("touch {MARK}")',
    f"__import__('os').system('touch {MARK}')",
    f"exec(\"open('{MARK}', 'w')\")",
    f"raise SystemExit(open('{MARK}', 'w'))",
]
# Letters that end a line for some reader, and letters that nobody sees.
ENDS = ["\n"] * 4 + ["\r", "\r\n", "\n\n", "\\\n", *"\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"]
HIDDEN = ["\x1b[2K", *"\x01\x08\x7f\u200b\u202e\u2066\ufeff\xa0\xad\t\U000e0041"]
CLOSERS = [*"""\" ' ) ] } ): \\ # ; , : { }} */ -->""".split(), '"""', "'''", '\\"', ">>> ", ""]
COOKIES = ["-*- coding: utf-7 -*-", "coding=utf-7", "vim: set fileencoding=utf-16 :", "coding: unicode_escape"]
SEVENS = "+AGkAbQBwAG8AcgB0ACAAbwBz-"
# Names that Python or the file needs, and letters that Python turns into others.
NAMES = [
    *"""r m dots named globals ast pyrrf script exec eval open print __import__ __builtins__ __class__""".split(),
    *"""__globals__ __name__ __file__ _ __ None class lambda match if self os sys SystemExit copy data""".split(),
    *"""left not_translated function attempt value missing attached a.b 2x .x % \ufb01t \u2178 \U0001d431 x\u0308""".split(),  # noqa: E501
    *"""\u0308x \u540d\u524d \xb2 x\xb2 \U00010104 \xb7 \xaa \u017f \u212a""".split(),
    "",
]


def text(rng: random.Random) -> str:
    """A text that tries to be run."""
    if rng.random() < 0.15:
        return rng.choice(NAMES)
    if rng.random() < 0.06:
        return f"{rng.choice(COOKIES)} {SEVENS}"
    payload = rng.choice(PAYLOADS)
    if rng.random() < 0.5:
        return rng.choice(["x", "x", *CLOSERS]) + rng.choice(ENDS) + payload + rng.choice(ENDS) + "#"
    start = rng.choice([rng.choice(NAMES), "x", "", rng.choice(CLOSERS), rng.choice(HIDDEN)]) + rng.choice(CLOSERS)
    if rng.random() < 0.25:
        return rng.choice(
            [f"{{{payload}}}", f"{start}) or {payload} or (", f"{start}{payload}", f"{start}; {payload} #"]
        )
    indent = rng.choice(["", "", "", "    ", "\t"])
    return start + rng.choice(ENDS) + indent + payload + rng.choice([*ENDS, " "]) + rng.choice(["#", "", *CLOSERS])


def name(content: str) -> str:
    """A name in backticks."""
    return f"`{content.replace(chr(92), chr(92) * 2).replace('`', '')}`"


def string(content: str, rng: random.Random) -> str:
    """A string, plain or raw."""
    if rng.random() < 0.3 and ")-" not in content:
        return f'r"-({content})-"'
    inner = content.replace("\\", "\\\\").replace('"', '\\"')
    if rng.random() < 0.5:
        inner = inner.replace("\n", "\\n").replace("\r", "\\r")
    return f'"{inner}"'


def comment(content: str) -> str:
    """A comment."""
    return "#" + content.replace("\n", "\n#")


# ---- scripts -------------------------------------------------------------------------------------

# N is a name, S a string, C a comment, T a text as it is; each stands for another one at each place.
PLACES = """
N <- 5; y <- N + 1
N(1)
x <- N(1)
x <- 3 N 4
x <- 3 %T% 4
g <- function(a) { y <- N(a); y }; z <- g(1)
g <- function(a) { if (a > 1) { N(a) } else { S }; a }; z <- g(2)
g <- function(N = 2, ...) N; z <- g(N = 3)
g <- function(a) { N <<- a; unknown.one(N) }; g(1)
g <- function(a) { S; a }; g(1)
g <- function() { S }; g()
y <- S
y <- c(N = 1, S = 2); print(y)
l <- list(N = 1); l$N; l$S; l[[S]]; l$N <- 2
l <- list(a = 1); l$N <- 2; l[[S]] <- 3; names(l) <- c(S, S)
d <- data.frame(N = 1:3, y = c(2, 3, 5)); d$N; d[, S]; names(d)
d <- data.frame(a = 1:3); names(d) <- S; print(d); str(d); summary(d)
f <- factor(c(S, S, S)); levels(f); table(f); print(f)
f <- factor(1:2, labels = c(S, S)); levels(f)[1] <- S
y <- a ~ N + b; print(y)
fit <- RRF(y ~ N, data = data.frame(y = c(1, 2, 3, 4, 5), N = 1:5), ntree = 2)
fit <- randomForest(N ~ ., data = iris)
library(N); require(S); suppressMessages(library(N))
N::f(1); N:::N(2); p::N(3)
data(N); data(S)
source(S)
load(S)
readRDS(S)
x <- read.csv(S)
for (N in 1:2) y <- N
while (N) { C
break }
repeat { N(1); break }
if (N == 1) { y <- 2 } else if (S == "a") { y <- N } else { C
y <- 3 }
switch(S, N = 1, S = 2, 3)
exists(S); get(S); assign(S, 1); N
do.call(S, list(1)); match.fun(S); sapply(1:2, S)
setClass(S, representation(N = "numeric")); x <- new(S, N = 1)
A <- setRefClass(S, fields = list(N = "numeric"), methods = list(N = function() S))
N@N; x@N <- 1
setMethod(S, "numeric", function(x) N)
print.N <- function(x, ...) cat(S); UseMethod(S)
x <- 1; attr(x, S) <- S; attributes(x); class(x) <- S; print(x)
N(x) <- 3; x <- 1; names(x) <- S; levels(x) <- N
eval(parse(text = S)); quote(N(S)); expression(N); bquote(.(N)); substitute(N)
tryCatch(stop(S), error = function(e) print(conditionMessage(e)), finally = N)
try(N(1)); stop(S)
warning(S); message(S); cat(S, N, C
S)
paste(S, S); sprintf(S, 1); nchar(S); gsub(S, S, S); strsplit(S, S)
with(list(a = 1), N + a); within(list(a = 1), N <- 2); attach(list(N = 1)); N; detach()
subset(data.frame(a = 1), N > 1); transform(data.frame(a = 1), N = S)
d %>% mutate(N = S) %>% filter(N == S) %>% rename(N = N)
data.frame(a = 1) |> N(S)
(function(N) N + 1)(2); sapply(1:3, function(N) N(S)); Map(\\(N) N, 1)
N -> y; S -> N; y <<- N; S <- 4; x = N
rm(N); rm(list = S)
library(ggplot2); ggplot(d, aes(x = N, y = N)) + labs(title = S)
matrix(1:4, 2, dimnames = list(c(S, S), c(S, S)))
cbind(N = 1:2, S); rbind(N, S); expand.grid(N = 1:2)
train(N ~ ., data = iris, method = S)
y <- unknown.function(N = 1, S)
y <- TRUE && N; y <- !N; y <- -N; y <- N[N]; y <- N[[S]]; y[N] <- S
function(x) { C
 N }
x <- 1 C
C
  C
{ N <- 1; C
 S }
"%T%" <- function(a, b) a; 1 %T% 2
N <- function(a, b) a; 1 N 2
system(S); system2(S, S); shell(S); unlink(S); Sys.setenv(N = S)
writeLines(S); print(S); N; (N)
y <- 'T'
y <- "T"
`T
T
T <- 1
""".strip().split("\n")


def script(rng: random.Random) -> str:
    """A script: statements in which hostile texts stand at all places."""
    lines = [comment(text(rng))] * (rng.random() < 0.3)
    statements = "\n".join(PLACES).replace("C\n", "C\0").split("\n")
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        lines.append(_fill(rng.choice(statements).replace("\0", "\n"), rng))
    end = rng.choice(["\n", "\n", "\n", "\r\n", ""])
    return rng.choice(["", "", "\ufeff"]) + end.join(lines) if end == "" else end.join(lines) + end


def _fill(place: str, rng: random.Random) -> str:
    makers: dict[str, Callable[[str], str]] = {
        "N": name, "S": lambda content: string(content, rng), "C": comment, "T": lambda content: content,
    }  # fmt: skip
    content = text(rng)
    out = []
    for index, letter in enumerate(place):
        around = place[max(index - 1, 0) : index] + place[index + 1 : index + 2]
        alone = not any(c.isalpha() or c == "_" for c in around)
        if letter in makers and (alone or (letter == "N" and place[:index].endswith("print."))):
            content = content if rng.random() < 0.5 else text(rng)
            out.append(makers[letter](content))
        else:
            out.append(letter)
    return "".join(out)


def file_name(rng: random.Random) -> str:
    """A name for a script."""
    return text(rng).replace("/", "").replace("\0", "")[:60] + ".R"


# ---- running -------------------------------------------------------------------------------------


def acts_of(files: Sequence[Path], limit: float = 20.0) -> dict[str, list[str]]:
    """Run Python files, each in an empty folder; return their files and attempts, by file.

    One process loads pyrrf, and a child of it runs each file.
    """
    given = json.dumps([limit, *map(str, files)])
    command = [sys.executable, "-m", "tests.migrate.hostile_runner"]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, input=given, capture_output=True, text=True, cwd=root, check=True)
    acts: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return acts


# ---- answers of R --------------------------------------------------------------------------------


def steps(rng: random.Random, names: Sequence[str], count: int) -> list[dict[str, Any]]:
    """Results of R for some statements: values, errors, printed text and notes that try to become code."""
    known = list(names) or ["x"]
    return [_step(rng, known) for _ in range(count)]


def _step(rng: random.Random, names: Sequence[str]) -> dict[str, Any]:
    from pyrrf.r.values.vector import integers, strings

    one, other = rng.choice(names), rng.choice(names)
    labelled = strings([text(rng), "a"], {"names": strings([text(rng), text(rng)])})
    factor = integers([1, 2], {"levels": strings([text(rng), text(rng)]), "class": strings(["factor"])})
    possible: list[dict[str, Any]] = [
        {},
        {"error": [text(rng)], "values": {one: labelled}},
        {"error": [f"object '{text(rng)}' not found"]},
        {"error": [f"there is no package called \u2018{text(rng)}\u2019"]},
        {"values": {one: labelled, other: factor}, "text": [text(rng)]},
        {"values": {one: factor}, "warnings": [text(rng)]},
        {"notes": {one: text(rng)}, "values": {}},
        {"notes": {one: "a function", other: "an environment"}},
        {"removed": [one], "text": [text(rng)]},
        {"text": [text(rng)]},
        {"text": [text(rng)], "quit": True},
    ]
    return rng.choice(possible)

"""Makes random scripts of functions: the time, order and number of evaluations of arguments and defaults."""

from __future__ import annotations

import random
import re
from typing import Any

# Pieces: "@" is a number of any kind, "¶" a parameter, "¤" a variable of the script, "§" a function with its arguments,
# "^" a function by its name, "#" a literal.
_LEAVES = ("#", "#", "¶", "¶", "¶", "¤", "¤", "loc")
_PURE = (
    "@ + @",
    "@ * 2",
    "sum(@, @)",
    "max(@, 2)",
    "c(@)[1]",
    "abs(@)",
    "if (@ > 2) @ else @",
    "(@)",
    "-@",
    "mean(c(@, @))",
)
_CHANCE = (
    "runif(1)",
    "rnorm(1)",
    "sample(3)[1]",
    "max.col(matrix(1, 1, 3))",
    "rexp(1)",
    "rweibull(1, 1, 1)",
    "sum(rlogis(2))",
    "rcauchy(1)",
    "rgeom(1, 0.2)",
    "rlnorm(1)",
    "sample(5, 1)",
)
_ACTS = ("print(@)", "{ cat('c', @, '\\n'); @ }", "{ ¤ <<- @; @ }", "(¤ <- @)", "{ runif(1); @ }")
_CALLS = (
    "§",
    "§",
    "§",
    "§",
    "sum(sapply(1:2, ^))",
    "sum(sapply(c(@, @), function(i) i + @))",
    "do.call(^, list(@))",
    "Reduce(function(p, q) p + q, list(@, @))",
    "sum(unlist(Map(^, 1:2)))",
    "sum(replicate(2, @))",
    "sum(vapply(1:2, ^, 1))",
    "(function(w) w + @)(@)",
    "switch(2, @, @, @)",
    "ifelse(@ > 1, @, @)",
    "switch('b', a = , b = @, @)",
    "do.call('rnorm', list(1))",
    "sum(sapply(1:2, rnorm, n = 1))",
    "tryCatch(@, error = function(e) 9)",
    "as.numeric(@ > 1 && @ > 2)",
    "as.numeric(@ > 1 || @ > 2)",
    "identity(@)",
    "match.fun(^)(@)",
    "suppressWarnings(@)",
    "list(a = ^)$a(@)",
    "local({ t <- @; t + 1 })",
    "tryCatch(stop('no'), error = function(e) @)",
)


_MASKS = (
    "mean <- function(x) { cat('own\\n'); x[1] }",
    "sample <- function(...) 2",
    "runif <- function(n) g1",
    "c <- 3",
    "max <- function(a, b) { b; a }",
    "abs <- function(x) { g1 <<- g1 + 1; x }",
    "identity <- function(x) 5",
    "sum <- function(...) 1",
    "t <- 2",
    "force <- function(x) 1",
)
_METHODS = (
    "print.own <- function(x, ...) cat('method\\n')",
    "mean.own <- function(x, ...) runif(1)",
    "Ops.own <- function(e1, e2) 7",
    "max.own <- function(..., na.rm) 9",
    "print.numeric <- function(x, ...) cat('N\\n')",
    "mean.default <- function(x, ...) 8",
)
_OF_DOTS = ("sum(...)", "c(..., 1)[1]", "length(list(...))", "max(1, ...)", "sum(@, ...)", "list(3, ...)[[1]]")


class FunctionMaker:
    """Makes the statements of one script.

    A script has variables, functions that call those before them, and calls; after each call comes the number that the
    stream gives next.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.functions: dict[str, list[str]] = {}
        self.params: list[str] = []
        self.locals: list[str] = []
        self.dots = self.methods = False
        self.calm = self.random.random() < 0.35  # pure but for when things are evaluated
        self.depth = 0

    def one_of(self, *items: Any) -> Any:
        return self.random.choice(items)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def script(self) -> list[str]:
        """Return the statements."""
        out = [f"g{i} <- {self.one_of(1, 2, 3, 5)}" for i in (1, 2)]
        if self.chance(0.06):
            out.append(self.one_of(*_MASKS))
        self.methods = self.chance(0.03)
        if self.methods:
            out.append(self.one_of(*_METHODS))
        for number in range(self.random.randint(1, 3)):
            out.append(self._defined(f"f{number + 1}"))
            if self.chance(0.05):
                out.append(self._defined(f"f{number + 1}"))
        self.params, self.locals, self.dots = [], [], False
        for number in range(self.random.randint(1, 2)):
            out += [f"set.seed({number + 1})", self._use(number), f"u{number} <- runif(1)"]
        return out

    # ---- functions -------------------------------------------------------------------------------

    def _defined(self, name: str) -> str:
        words = ["a", "b", "d", "k"][: self.random.randint(0, 3)]
        self.params, self.locals = words, []
        heads = [word if self.chance(0.6) else f"{word} = {self._default(word)}" for word in words]
        given = [f"{word}=" if "=" in head else word for word, head in zip(words, heads, strict=True)]
        self.dots = self.chance(0.12)
        if self.dots:
            heads.append("...")
            given.append("...")
        body = self._body(name)
        self.functions[name] = given
        return f"{name} <- function({', '.join(heads)}) {body}"

    def _default(self, word: str) -> str:
        if self.chance(0.3):
            return str(self.one_of("2", "1", "NULL", "3"))
        return self.fill(self.one_of(*_PURE, *_PURE, "¶", "¤", "loc", *_CHANCE[:3], "§", *_ACTS[:2]))

    def _body(self, name: str) -> str:
        if self.chance(0.2):
            return self.number()
        steps = [self._step(name) for _ in range(self.random.randint(0, 4))]
        return "{ " + "; ".join([*steps, self._last()]) + " }"

    def _last(self) -> str:
        ends = (
            "@",
            "@",
            "@",
            "@",
            "invisible(@)",
            "return(@)",
            "function(z) z + @",
            "z <- @",
            "if (@ > 1) @ else @",
            "print(@)",
        )
        return self.fill(self.one_of(*ends[:6], *ends) if not self.calm else self.one_of(*ends[:4], "return(@)"))

    def _step(self, name: str, depth: int = 0) -> str:
        kind = self.one_of(
            "local",
            "local",
            "local",
            "param",
            "param",
            "outer",
            "print",
            "if",
            "missing",
            "force",
            "early",
            "loop",
            "repeat",
            "nested",
            "part",
            "while",
            "null",
            "recursion",
            "draw",
            "names",
            "pass",
            "own",
        )
        if depth and kind in ("nested", "recursion", "loop", "repeat", "while"):
            kind = "local"
        if self.calm and kind in ("print", "draw"):
            kind = "local"
        return str(getattr(self, f"_{kind}")(name, depth))

    def _local(self, name: str, depth: int) -> str:
        text = f"loc <- {self.number()}"
        self.locals.append("loc")
        return text

    def _param(self, name: str, depth: int) -> str:
        return f"{self.one_of(*self.params)} <- {self.number()}" if self.params else self._local(name, depth)

    def _outer(self, name: str, depth: int) -> str:
        return f"{self.one_of('g1', 'g2')} <<- {self.number()}"

    def _print(self, name: str, depth: int) -> str:
        return self.fill(self.one_of("cat('n', @, '\\n')", "print(@)", "message('m')", "cat('here\\n')"))

    def _if(self, name: str, depth: int) -> str:
        other = f" else {{ {self._step(name, depth + 1)} }}" if self.chance(0.5) else ""
        return f"if ({self.number()} > 2) {{ {self._step(name, depth + 1)} }}{other}"

    def _missing(self, name: str, depth: int) -> str:
        if not self.params:
            return self._local(name, depth)
        word = self.one_of(*self.params)
        return str(self.one_of(f"if (missing({word})) {word} <- {self.number()}", f"cat(missing({word}), '\\n')"))

    def _null(self, name: str, depth: int) -> str:
        if not self.params:
            return self._local(name, depth)
        word = self.one_of(*self.params)
        return f"if (is.null({word})) {word} <- {self.number()}"

    def _force(self, name: str, depth: int) -> str:
        return f"force({self.one_of(*self.params)})" if self.params else self._local(name, depth)

    def _early(self, name: str, depth: int) -> str:
        return f"if ({self.number()} > {self.one_of(1, 2, 4)}) return({self.number()})"

    def _loop(self, name: str, depth: int) -> str:
        return f"for (i in 1:2) {{ {self._step(name, depth + 1)} }}"

    def _repeat(self, name: str, depth: int) -> str:
        return f"n <- 0; repeat {{ n <- n + 1; {self._step(name, depth + 1)}; if (n > 1) break }}"

    def _while(self, name: str, depth: int) -> str:
        return f"n <- 0; while (n < 2) {{ n <- n + 1; {self._step(name, depth + 1)} }}"

    def _nested(self, name: str, depth: int) -> str:
        inner = f"h <- function(q, s = {self.number()}) {{ {self._step(name, depth + 1)}; {self.number()} + q }}"
        return f"{inner}; loc <- h({self.number()})"

    def _part(self, name: str, depth: int) -> str:
        place = self.fill(self.one_of("2", "#", "sample(2, 1)"))
        return f"v <- c(1, 2, 3); v[{place}] <- {self.number()}; loc <- sum(v)"

    def _names(self, name: str, depth: int) -> str:
        return f"v <- c(p = 1, q = 2); names(v)[{self.one_of('2', 'sample(2, 1)')}] <- 'z'; loc <- v[['z']]"

    def _recursion(self, name: str, depth: int) -> str:
        if not self.params:
            return self._local(name, depth)
        word = self.params[0]
        call = self.one_of(name, "Recall") if self.chance(0.2) else name
        return f"if ({word} > 1 && {word} < 9) return({call}({word} - {self.one_of(1, 2)}))"

    def _draw(self, name: str, depth: int) -> str:
        return f"loc <- {self.one_of(*_CHANCE)}"

    def _pass(self, name: str, depth: int) -> str:
        return f"loc <- {self.fill(self.one_of(*_CALLS))}"

    def _own(self, name: str, depth: int) -> str:
        return f"loc <- {self.fill('§')}"

    # ---- expressions -----------------------------------------------------------------------------

    def number(self) -> str:
        """Return an expression that is mostly one number."""
        kinds = [*_LEAVES, *_LEAVES, *_LEAVES, *_PURE, *_CALLS[:4]]
        if not self.calm:
            kinds += [*_CHANCE[:4], self.one_of(*_CHANCE), self.one_of(*_ACTS), self.one_of(*_CALLS)]
        if self.dots:
            kinds += [*_OF_DOTS, *_OF_DOTS]
        if self.methods and self.depth < 3:
            kinds += ["structure(@, class = 'own')"] * 3
        return self.fill(self.one_of(*kinds))

    def fill(self, text: str) -> str:
        """Return a piece with something in each of its places."""
        self.depth += 1
        out = re.sub(r"\bloc\b|[@¶¤§^#]", lambda match: self._place(match.group()), text)
        self.depth -= 1
        return out

    def _place(self, kind: str) -> str:
        if kind == "#" or self.depth > 4:
            return str(self.one_of(1, 2, 3, 4))
        if kind == "@":
            return self.number()
        if kind == "¶":
            return str(self.one_of(*self.params)) if self.params else self._place("¤")
        if kind == "¤":
            return str(self.one_of("g1", "g2"))
        if kind == "loc":
            return "loc" if self.locals else self._place("¶")
        if kind == "^":
            return str(
                self.one_of(
                    *[name for name, given in self.functions.items() if len(given) == 1], "sqrt", "function(i) i + 1"
                )
            )
        return self._call()

    def _call(self) -> str:
        if not self.functions:
            return self._place("¤")
        name = self.one_of(*self.functions)
        args = []
        for word in self.functions[name]:
            if word == "...":
                args += [self.number() for _ in range(self.one_of(0, 1, 1, 2))]
                args += ["..."] * (self.dots and self.chance(0.5))
            elif not word.endswith("=") or self.chance(0.4):
                if self.chance(0.04):
                    continue
                label = f"{word.rstrip('=')} = " if word.endswith("=") or self.chance(0.3) else ""
                args.append(label + self.number())
        return f"{name}({', '.join(args)})"

    def _use(self, number: int) -> str:
        call = self._call()
        if self.chance(0.03):
            return self.fill(
                f"r{number} <- RRF::RRF(y ~ ., data = {{data}}, ntree = 3)$mse[3]".replace(
                    "{data}",
                    self.one_of(
                        "data.frame(y = rnorm(20), p = runif(20) + §, q = rexp(20))",
                        "data.frame(y = c(1:20) / 7, p = (1:20) %% 5 + §, q = 20:1)",
                        "(function(n) data.frame(y = 1:n / 3, p = n:1 + §, q = (1:n) %% 3))(20)",
                    ),
                )
            )
        ways = (
            f"r{number} <- {call}",
            f"r{number} <- {call}",
            call,
            f"r{number} <- {call} + {self._call()}",
            f"print({call})",
            f"r{number} <- c({call}, {self._call()})",
            f"r{number} <- {{ {call}; {self._call()} }}",
            f"for (i in 1:2) r{number} <- {call}",
            f"r{number} <- sum(sapply(1:2, function(i) {call}))",
            f"r{number} <- sapply(1:2, function(i) {call})",
            f"r{number} <- if ({call} > 1) {self._call()} else {self._call()}",
            "{ h <- list(); for (i in 1:2) h[[i]] <- (function(n) function(z) z + n)(i); "
            f"r{number} <- h[[1]](2) + {call} }}",
        )
        return str(self.one_of(*ways[:4], *ways[:4], *ways[:-1], *ways))

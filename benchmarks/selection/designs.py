"""Designs drawn by number: how rows are made, which features tell and how. Nobody chose one by its results."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.stats import norm

from benchmarks.jobs.job import seed_of

Draw = np.random.Generator
RESPONSES = ("numbers", "two classes", "heavy tails", "two classes", "counts", "several classes", "a rare class")
STRUCTURES = ("independent", "in blocks", "by neighbours", "by hidden causes")
MARGINS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "normal": lambda z: z,
    "skewed": lambda z: np.exp(0.8 * z),
    "uniform": norm.cdf,
    "long-tailed": lambda z: z * np.abs(z),
    "counts": lambda z: np.floor(np.exp(0.9 * z + 0.5)),
    "yes or no": lambda z: (z > 0.4).astype(float),
    "rounded": lambda z: np.round(2 * z) / 2,
}
# Effects of one feature or of two, on features of deviation 1. Straight ones stand twice, to be twice as frequent.
ONE: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "straight": lambda u: u,
    "straight, too": lambda u: u,
    "step": lambda u: (u > 0.4).astype(float),
    "size": np.abs,
    "square": lambda u: np.minimum(u**2, 6.0),
    "wave": lambda u: np.sin(2.5 * u),
    "bounded": lambda u: np.tanh(2 * u),
}
TWO: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "product": lambda u, v: u * v,
    "signs": lambda u, v: np.sign(u * v),
    "larger": np.maximum,
    "where": lambda u, v: np.where(u > 0, v, 0.0),
    "difference": lambda u, v: np.abs(u - v),
}
LARGE = 4000  # rows that say how far the effects spread


@dataclass(frozen=True, eq=False)
class Design:
    """Settings that rows are drawn with."""

    rows: int
    response: str
    structure: str
    strength: float  # correlation within blocks, of neighbours, or share of the hidden causes
    margins: tuple[str, ...]  # of each column
    levels: np.ndarray  # (p,): of factors, 0 for numbers
    terms: tuple[tuple[str, tuple[int, ...], float], ...]  # effect, columns, weight
    copies: tuple[tuple[int, int], ...]  # a column, and another one that is the same with some noise
    signal: float  # variance of the effects beside that of the noise
    classes: int = 1

    @property
    def numeric(self) -> bool:
        """Whether numbers are predicted."""
        return self.response in ("numbers", "heavy tails", "counts")

    @property
    def title(self) -> str:
        """Description for tables."""
        factors = int((self.levels > 0).sum())
        parts = [f"{self.rows} x {len(self.levels)}", self.response, f"features {self.structure}"]
        parts += [f"{factors} factors"] if factors else []
        parts += [f"{len(self.copies)} copies"] if self.copies else []
        return ", ".join([*parts, "effects: " + ", ".join(name.removesuffix(", too") for name, _, _ in self.terms)])

    def features(self, draw: Draw, n: int) -> np.ndarray:
        """Draw features, (n, p)."""
        p, share = len(self.levels), self.strength
        z = draw.standard_normal((n, p))
        if self.structure == "in blocks":
            z = np.sqrt(share) * np.repeat(draw.standard_normal((n, p // 5 + 1)), 5, axis=1)[:, :p] + (
                np.sqrt(1 - share) * z
            )
        elif self.structure == "by hidden causes":
            mixed = draw.standard_normal((n, 4)) @ np.random.default_rng(p).standard_normal((4, p)) / 2
            z = np.sqrt(share) * mixed + np.sqrt(1 - share) * z
        elif self.structure == "by neighbours":
            for j in range(1, p):
                z[:, j] = share * z[:, j - 1] + np.sqrt(1 - share**2) * z[:, j]
        for column, copy in self.copies:
            z[:, copy] = 0.95 * z[:, column] + math.sqrt(1 - 0.95**2) * z[:, copy]
        for j, (margin, count) in enumerate(zip(self.margins, self.levels.tolist(), strict=True)):
            z[:, j] = np.minimum(np.floor(norm.cdf(z[:, j]) * count), count - 1) if count else MARGINS[margin](z[:, j])
        return z

    def effect(self, x: np.ndarray) -> np.ndarray:
        """Return the sum of the effects, (n,); mean 0 and deviation 1 over many rows."""
        mean, spread = _spread(self)
        return (_sum(self, x) - mean) / spread

    def draw(self, draw: Draw, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Draw n rows: features, and numbers or codes of classes."""
        x = self.features(draw, n)
        effect, noise = self.effect(x), 1 / math.sqrt(self.signal)
        if self.response == "numbers":
            return x, effect + noise * draw.standard_normal(n)
        if self.response == "heavy tails":
            return x, effect + noise * draw.standard_t(3, n) / math.sqrt(3)
        if self.response == "counts":
            return x, draw.poisson(np.exp(np.minimum(0.8 * effect + math.log(self.signal), 6.0))).astype(float)
        latent, deviation = effect + 0.55 * noise * draw.logistic(size=n), math.sqrt(1 + noise**2)
        if self.response == "several classes":
            return x, np.searchsorted(deviation * norm.ppf(np.arange(1, self.classes) / self.classes), latent)
        return x, (latent > (1.4 * deviation if self.response == "a rare class" else 0.0)).astype(int)


def _sum(design: Design, x: np.ndarray) -> np.ndarray:
    centre, deviation = _columns(design)
    total = np.zeros(len(x))
    for name, columns, weight in design.terms:
        if name == "levels":
            count = int(design.levels[columns[0]])
            total += weight * np.random.default_rng(count).standard_normal(count)[x[:, columns[0]].astype(int)]
        else:
            sides = [np.clip((x[:, j] - centre[j]) / deviation[j], -4, 4) for j in columns]
            total += weight * (ONE[name](*sides) if len(sides) == 1 else TWO[name](*sides))
    return total


@lru_cache
def _columns(design: Design) -> tuple[np.ndarray, np.ndarray]:
    x = design.features(np.random.default_rng(1), LARGE)
    return x.mean(axis=0), np.maximum(x.std(axis=0), 1e-9)


@lru_cache
def _spread(design: Design) -> tuple[float, float]:
    total = _sum(design, design.features(np.random.default_rng(2), LARGE))
    return float(total.mean()), max(float(total.std()), 1e-9)


@lru_cache
def design_of(number: int) -> Design:
    """Return the design of a number; response and structure go round, all else is drawn."""
    draw = np.random.default_rng(seed_of("selection", "design", number))
    n, p = (int(np.exp(draw.uniform(math.log(low), math.log(high)))) for low, high in ((90, 1200), (15, 1500)))
    response = RESPONSES[number % len(RESPONSES)]
    n = min(max(n, 400), 1200) if response == "a rare class" else min(n, 500_000 // p)
    names, several = list(MARGINS), draw.random() < 0.4
    margins = draw.choice(names, p) if several else np.full(p, draw.choice(names[:5]))
    levels = np.zeros(p, int)
    if draw.random() < 0.3:
        some = draw.choice(p, max(2, p // 4) if p < 100 else 10, replace=False)
        levels[some] = draw.integers(3, 31, len(some))
    terms = []
    for weight in 0.85 ** np.arange(draw.integers(2, 9)):
        columns = tuple(draw.choice(p, 1 if draw.random() < 0.65 else 2, replace=False).tolist())
        if levels[list(columns)].any():
            terms.append(("levels", (max(columns, key=lambda j: levels[j]),), weight))
        else:
            kinds = list(ONE if len(columns) == 1 else TWO)
            terms.append((str(draw.choice(kinds)), columns, weight * draw.choice([-1, 1])))
    told = [j for _, columns, _ in terms for j in columns]
    free = [j for j in range(p) if j not in told and not levels[j]]
    copied = [j for j in dict.fromkeys(told) if not levels[j]] if draw.random() < 0.25 else []
    return Design(
        rows=n, response=response, structure=STRUCTURES[number % len(STRUCTURES)],
        strength=float(draw.uniform(0.3, 0.95)), margins=tuple(margins.tolist()), levels=levels, terms=tuple(terms),
        copies=tuple(zip(copied, free, strict=False)), signal=float(np.exp(draw.uniform(math.log(0.8), math.log(8)))),
        classes=int(draw.integers(3, 8)),
    )  # fmt: skip

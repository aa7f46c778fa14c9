"""Markdown tables of what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.peers import CRAN, PARALLEL, PYRRF, RANGER, SKLEARN, Peer
from benchmarks.runner import Call, Result

Results = dict[str, Result]
Cell = Callable[[Result], str]
Column = tuple[str, Cell]

ABSENT = "-"


# ---- cells -------------------------------------------------------------------------------------------------------


def ratio(above: float | None, below: float | None) -> float | None:
    """Return the quotient; None where one of the two was not measured or nothing is below."""
    return None if above is None or not below else above / below


def show(value: float | None, pattern: str = ".3g") -> str:
    """Return a number as text, without exponent; a dash where it is missing."""
    if value is None:
        return ABSENT
    return f"{value:,.0f}" if abs(value) >= 100 else format(value, pattern)


def seconds(peer: Peer) -> Cell:
    return lambda result: show(result.median(peer))


def quotient(above: Peer, below: Peer) -> Cell:
    return lambda result: show(ratio(result.median(above), result.median(below)), ".1f")


def speed_up(family: str, regularized: bool, threads: int) -> Cell:
    one, many = Peer(family, regularized, 1), Peer(family, regularized, threads)
    return lambda result: show(ratio(result.median(one), result.median(many)), ".2f")


def mebibytes(peer: Peer, what: Callable[[Call], float]) -> Cell:
    return lambda result: show(result.median(peer, what), ".0f")


def table(results: Results, columns: list[Column]) -> str:
    """Return one row per shape: its key, its size, the columns."""
    head = ["shape", "data", *(name for name, _ in columns)]
    rows = [[key, str(result.shape), *(cell(result) for _, cell in columns)] for key, result in results.items()]
    return "\n".join(_line(cells) for cells in (head, ["---"] * len(head), *rows))


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def measured_peers(results: Results) -> set[Peer]:
    """Return the peers with at least one call."""
    return {peer for result in results.values() for peer in result.calls}


def threads_of(results: Results) -> list[int]:
    """Return the numbers of threads measured, in order."""
    return sorted({peer.threads for peer in measured_peers(results)})


def _here(results: Results, columns: Iterator[tuple[str, Cell, Peer]]) -> list[Column]:
    """Leave out the columns of peers that were not measured."""
    peers = measured_peers(results)
    return [(name, cell) for name, cell, peer in columns if peer in peers]


# ---- the tables --------------------------------------------------------------------------------------------------


def engine_r(results: Results) -> str:
    """Engine "r" beside CRAN RRF, whose answers it gives, and ranger; README shows this table."""
    own = Peer(PYRRF, True, 1)
    others = [Peer(CRAN, True, 1), Peer(RANGER, True, 1)]

    def columns() -> Iterator[tuple[str, Cell, Peer]]:
        for peer in (own, *others):
            yield f"{peer.family}, s", seconds(peer), peer
        for peer in others:
            yield f"{peer.family} / pyrrf", quotient(peer, own), peer
        yield "identical to CRAN RRF", _identical, others[0]

    return table(results, _here(results, columns()))


def _identical(result: Result) -> str:
    return {True: "yes", False: "NO", None: ABSENT}[result.equal.get("CRAN RRF")]


def regularized(results: Results) -> str:
    """Engine "parallel" beside ranger with the same number of threads, and CRAN RRF."""
    threads = threads_of(results)
    cran, one = Peer(CRAN, True, 1), Peer(PARALLEL, True, 1)

    def columns() -> Iterator[tuple[str, Cell, Peer]]:
        for family in (PARALLEL, RANGER):
            for count in threads:
                peer = Peer(family, True, count)
                yield f"{family} {count}, s", seconds(peer), peer
        yield f"{CRAN}, s", seconds(cran), cran
        for count in threads:
            peer = Peer(RANGER, True, count)
            yield f"{RANGER} {count} / parallel {count}", quotient(peer, Peer(PARALLEL, True, count)), peer
        yield f"{CRAN} / parallel 1", quotient(cran, one), cran
        for count in threads[1:]:
            peer = Peer(PARALLEL, True, count)
            yield f"parallel {count} over 1", speed_up(PARALLEL, True, count), peer
            yield f"regrown at {count}", _regrown(peer), peer

    return table(results, _here(results, columns()))


def _regrown(peer: Peer) -> Cell:
    def cell(result: Result) -> str:
        share = result.median(peer, lambda call: call.regrown)
        return ABSENT if share is None else f"{share:.0%}"

    return cell


def ordinary(results: Results) -> str:
    """Ordinary forests: engine "parallel" beside ranger and scikit-learn with the same number of threads."""
    threads = threads_of(results)
    families = (PARALLEL, RANGER, SKLEARN)

    def columns() -> Iterator[tuple[str, Cell, Peer]]:
        for family in families:
            for count in threads:
                peer = Peer(family, False, count)
                yield f"{family} {count}, s", seconds(peer), peer
        for family in families[1:]:
            for count in threads:
                peer = Peer(family, False, count)
                yield f"{family} {count} / parallel {count}", quotient(peer, Peer(PARALLEL, False, count)), peer
        for family in families:
            for count in threads[1:]:
                yield f"{family} {count} over 1", speed_up(family, False, count), Peer(family, False, count)

    return table(results, _here(results, columns()))


def memory(results: Results, kind: bool) -> str:
    """Largest resident memory in MiB: of the whole process, and what the call added."""

    def columns() -> Iterator[tuple[str, Cell, Peer]]:
        for what, size in (("whole", lambda call: call.peak), ("added", lambda call: call.growth)):
            for count in threads_of(results):
                for family in (PARALLEL, RANGER):
                    peer = Peer(family, kind, count)
                    yield f"{what}: {family} {count}", mebibytes(peer, size), peer

    return table(results, _here(results, columns()))


# ---- goals -------------------------------------------------------------------------------------------------------

# ranger's time over the parallel engine's, one thread; then one thread's time over that of two.
SPEED_GOALS = {"a": 5.0, "g": 5.0, "b": 4.0}
OTHER_SPEED_GOAL = 3.0
TWO_THREADS_GOALS = {True: 1.8, False: 1.9}


def verdict(value: float | None, goal: float, at_most: bool = False) -> str:
    """Return the value, its goal, and by how much it is missed."""
    if value is None:
        return ABSENT
    met = value <= goal if at_most else value >= goal
    sign = "≤" if at_most else "≥"
    text = f"{value:.2f}, goal {sign} {goal:g}: "
    return text + ("met" if met else f"MISSED by {abs(value / goal - 1):.0%}")


def goals(results: Results, kind: bool) -> str:
    """Say of each goal whether it is met."""
    keys = {id(result): key for key, result in results.items()}
    parallel, other = Peer(PARALLEL, kind, 1), Peer(RANGER, kind, 1)

    def faster(result: Result) -> str:
        goal = SPEED_GOALS.get(keys[id(result)], OTHER_SPEED_GOAL)
        return verdict(ratio(result.median(other), result.median(parallel)), goal)

    def scales(result: Result) -> str:
        two = Peer(PARALLEL, kind, 2)
        return verdict(ratio(result.median(parallel), result.median(two)), TWO_THREADS_GOALS[kind])

    def smaller(what: Callable[[Call], float]) -> Cell:
        def cell(result: Result) -> str:
            pairs = [(Peer(PARALLEL, kind, n), Peer(RANGER, kind, n)) for n in threads_of(results)]
            shares = [ratio(result.median(own, what), result.median(peer, what)) for own, peer in pairs]
            return verdict(max((share for share in shares if share is not None), default=None), 1.0, at_most=True)

        return cell

    columns: list[Column] = [
        ("ranger / parallel, 1 thread", faster),
        ("2 threads over 1", scales),
        ("memory, whole: parallel / ranger", smaller(lambda call: call.peak)),
        ("memory, added: parallel / ranger", smaller(lambda call: call.growth)),
    ]
    return table(results, columns)

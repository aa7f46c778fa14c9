"""Random strings of the characters whose order pyrrf knows, to be sorted on both sides."""

from __future__ import annotations

from parity.bits import Bits
from pyrrf.rbase.collate import icu_key

# Latin letters with their accents, digits, punctuation, symbols; no ends of lines.
POOL = [chr(code) for code in (*range(32, 127), *range(160, 384), *range(0x2010, 0x2040), 0x20AC, 0x2212)]
KNOWN = [letter for letter in POOL if icu_key(letter) is not None]


def random_strings(number: int) -> list[str]:
    """Distinct strings; of few characters, of few letters, or of one letter's kin, so that later levels decide."""
    bits = Bits(70_000 + number)
    letters = [letter for letter in KNOWN if letter.isalpha()]
    kin = [letter for letter in letters if icu_key(letter + "x")[0][0] == icu_key("aeouds"[number % 6])[0][0]]
    pools = [KNOWN, letters, [*kin, "e", "s", "E"], [KNOWN[i] for i in bits.integers(len(KNOWN), 5)] + list("aAbB")]
    pool = pools[number % 4]
    sizes = 1 + bits.integers(5, 30)
    return list(dict.fromkeys("".join(pool[i] for i in bits.integers(len(pool), int(size))) for size in sizes))

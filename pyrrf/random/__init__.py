"""R's random numbers, on the stream that RRF() draws from.

The generator is R's default, Mersenne-Twister, with normal numbers by inversion. Items are sampled by
rejection, as in R since 3.6, or by rounding, as before. `pyrrf.random.stream` says which call draws from
which stream.
"""

from pyrrf.random.continuous import rbeta, rcauchy, rchisq, rexp, rf, rgamma, rlnorm, rlogis, rnorm, rt, runif, rweibull
from pyrrf.random.counts import rbinom, rgeom, rmultinom, rnbinom, rpois
from pyrrf.random.items import sample, sample_int
from pyrrf.random.seeds import RNGkind, RNGversion, get_random_seed, set_random_seed, set_seed
from pyrrf.random.stream import call_stream, draw_seed, drawing, private_stream, process_stream

__all__ = [
    "RNGkind",
    "RNGversion",
    "call_stream",
    "draw_seed",
    "drawing",
    "get_random_seed",
    "private_stream",
    "process_stream",
    "rbeta",
    "rbinom",
    "rcauchy",
    "rchisq",
    "rexp",
    "rf",
    "rgamma",
    "rgeom",
    "rlnorm",
    "rlogis",
    "rmultinom",
    "rnbinom",
    "rnorm",
    "rpois",
    "rt",
    "runif",
    "rweibull",
    "sample",
    "sample_int",
    "set_random_seed",
    "set_seed",
]

"""Usage: python benchmarks/call_sklearnex.py FOLDER: the random forests of scikit-learn-intelex, which are oneDAL's."""

from __future__ import annotations

from functools import partial

import sklearnex.ensemble
from call import serve
from call_sklearn import call

if __name__ == "__main__":
    serve("scikit-learn-intelex", partial(call, ensemble=sklearnex.ensemble))

"""Usage: python benchmarks/peer_pyrrf.py FOLDER SEED: time one whole call of pyrrf.RRF."""

import json
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

import pyrrf


def main(folder: Path, seed: int) -> None:
    shape = json.loads((folder / "shape.json").read_text())
    x = np.fromfile(folder / "x.bin").reshape((shape["rows"], shape["columns"]), order="F")
    y = np.fromfile(folder / "y.bin")
    numbers = shape["target"] == "numbers"
    if not numbers:
        y = y.astype(int).astype(str)
    start = time.perf_counter()
    fit = pyrrf.RRF(x, y, ntree=shape["trees"], coefReg=shape["coef_reg"], seed=seed)
    seconds = time.perf_counter() - start
    parts = (fit.predicted, fit.mse) if numbers else (fit.votes,)
    answer = [np.ravel(part, order="F") for part in (*parts, fit.importance, fit.feaSet + 1)]
    # A case that was never out of bag has NA in R and NaN here: one mark for both.
    numbers_only = np.nan_to_num(np.concatenate(answer).astype(float), nan=np.inf)
    numbers_only.tofile(folder / "pyrrf.bin")
    language = f"Python {platform.python_version()}, NumPy {np.__version__}"
    print(json.dumps({"seconds": seconds, "version": version("pyrrf"), "language": language}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

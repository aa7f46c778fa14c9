"""Writes a result as one line: its name, then each value with all its digits."""

import numpy as np
import pandas as pd


def show(name, x):
    values = np.asarray(x, dtype=object if isinstance(x, pd.Categorical) else None).ravel(order="F").tolist()
    texts = ["NA" if pd.isna(v) else v if isinstance(v, str) else f"{float(v):.17g}" for v in values]
    print(name, *texts)

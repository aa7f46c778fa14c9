"""Write the Wisconsin breast cancer data as CSV: 30 measurements of cell nuclei in 569 cases, and the diagnosis.

`make demo` hands them to the command. The data come with scikit-learn; nothing is downloaded.
"""

import sys

from sklearn.datasets import load_breast_cancer

bunch = load_breast_cancer(as_frame=True)
bunch.data.assign(diagnosis=bunch.target_names[bunch.target]).to_csv(sys.stdout, index=False)

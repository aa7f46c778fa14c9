"""Build the editable wheel of pyrrf: python tools/editable.py WHEELS BUILD, which compiles in BUILD."""

import sys
from pathlib import Path

import mesonpy

wheels, build = (str(Path(path).resolve()) for path in sys.argv[1:])
mesonpy.build_editable(wheels, {"build-dir": build})

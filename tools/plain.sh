#!/usr/bin/env bash
# Usage: tools/plain.sh
# No answer depends on a filter: builds the package without the folder src_c/filters, and replays R's recorded answers with it.
# OUT=... builds elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$PWD/${VENV:-.venv}/bin
out=${OUT:-build/plain}
rm -rf "$out" && mkdir -p "$out"
git ls-files -z CHANGELOG.md meson.build pyproject.toml parity pyrrf src_c tests tools | grep -zv '^src_c/filters/' |
  xargs -0 cp --parents -t "$out"
cd "$out"
sed -i "/'src_c\/filters\//d" meson.build
export PATH=$bin:$PATH
{ meson setup build && ninja -C build; } >log 2>&1 || { cat log >&2; exit 1; }
ln -s "$PWD"/build/*.so pyrrf/_core
# The editable install of the checkout stands aside.
cat > sitecustomize.py <<'PYTHON'
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "MesonpyMetaFinder"]
PYTHON
PYTHONPATH=$PWD python -m pytest --quiet --numprocesses=auto --maxprocesses=4 -p no:cacheprovider tests/test_recorded.py

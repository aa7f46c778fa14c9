#!/usr/bin/env bash
# Usage: tools/dist.sh [PYTHON]...
# Fills dist/ with the source archive of the last commit and, for each PYTHON (the environment's if none is named), the
# wheel that is built from it as pip builds it. tools/dist_contents.py looks into both. Each wheel is installed in an
# environment that holds nothing else, and tried there from a folder outside the checkout: by tools/dist_smoke.py with
# what pyrrf requires and no more, then by the comparison with R's recorded answers.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$PWD/${VENV:-.venv}/bin
[ $# -gt 0 ] || set -- "$bin/python"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
mkdir -p dist

# Changes that are not committed would be missed.
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
  echo "The source archive is that of the last commit; commit first what it should hold." >&2
  exit 1
fi
"$bin/python" -c 'import mesonpy, sys; print(mesonpy.build_sdist(sys.argv[1]))' "$work/sdist" >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; exit 1; }
sdist=dist/$(basename "$work"/sdist/*)
mv "$work"/sdist/* dist/
tar -xf "$sdist" -C "$work"
# With the package that is compared left out, there is only the installed one to be imported.
source=$work/$(basename "$sdist" .tar.gz)
rm -rf "$source/pyrrf"
echo "$sdist: $(du -k "$sdist" | cut -f1) kB"

# On Linux the wheel gets the tag of the oldest C library that it runs with.
repair() {
  if [ "$(uname)" = Linux ]; then
    "$bin/python" -m auditwheel repair --wheel-dir "$2" "$1" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
  else
    mv "$1" "$2"
  fi
}

try() {
  local python=$1 at=$work/$2
  "$python" -m venv "$at"
  "$at/bin/pip" wheel --quiet --no-deps --wheel-dir "$at/built" "$sdist"
  mkdir "$at/wheel" "$at/outside"
  repair "$at"/built/*.whl "$at/wheel"
  local wheel=dist/$(basename "$at"/wheel/*.whl)
  mv "$at"/wheel/*.whl dist/
  "$bin/python" tools/dist_contents.py "$sdist" "$wheel"
  # Nothing that is installed may need a compiler; the path leads to none.
  PATH="$at/bin" "$at/bin/pip" install --quiet "$wheel"
  cp tools/dist_smoke.py "$at/outside"
  (cd "$at/outside" && "$at/bin/python" -I dist_smoke.py "$OLDPWD")
  "$at/bin/pip" install --quiet "$(ls -d "$PWD/$wheel")[formula,plot]" pytest
  (cd "$source" && "$at/bin/python" -m pytest --quiet --no-header -p no:cacheprovider tests/test_recorded.py)
  echo "passed $("$python" -VV | head -n 1): $wheel, $(du -k "$wheel" | cut -f1) kB"
}

number=0
for python; do try "$python" "$((number += 1))"; done

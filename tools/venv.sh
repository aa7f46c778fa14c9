#!/usr/bin/env bash
# Usage: tools/venv.sh DIR demo|test
# Makes the virtual environment DIR with an editable install of pyrrf and the packages of an extra; test has those of demo.
# PYTHON names the interpreter; without it the first of python3, python3.14 ... python3.11 that is new enough.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$1 extras=$2
# The Makefile puts its environment first; an environment is not made by the interpreter of one that is thrown away.
PATH=${PATH//"$(realpath -m "${VENV:-.venv}")/bin:"/}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
  local candidate
  for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if new_enough "$candidate"; then command -v "$candidate"; return; fi
  done
  echo "pyrrf needs Python 3.11 or newer; set PYTHON=/path/to/python3 if it has another name." >&2
  return 1
}

# Debian and Ubuntu ship python3 without ensurepip and without Python.h.
missing_packages() {
  "$python" - <<'PY'
import importlib.util, os, sys, sysconfig
name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
need = []
if importlib.util.find_spec("ensurepip") is None:
    need.append(f"{name}-venv")
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    need.append(f"{name}-dev")
print(*need)
PY
  command -v cc >/dev/null || command -v gcc >/dev/null || command -v clang >/dev/null || echo gcc libc6-dev
}

python=$(find_python)
packages=$(missing_packages | xargs)
if [ -n "$packages" ]; then tools/apt.sh $packages; fi

echo "Making the environment $dir ..."
rm -rf "$dir"
"$python" -m venv "$dir"
export PATH="$(cd "$dir/bin" && pwd):$PATH"
# pip compiles every file on one processor, which takes longer than the installation.
install() { "$dir/bin/python" -m pip --disable-pip-version-check install --quiet --no-compile "$@"; }

# An editable install compiles again on import after a change, so its build tools stay in the environment.
# What pyrrf needs is installed while pyrrf is compiled: the two take equally long.
install "meson-python>=0.18" "meson>=1.3" ninja "Cython>=3.1"
"$dir/bin/python" tools/extra.py "$extras" | install --requirement /dev/stdin &
wheels="build/$(basename "$dir")-wheel"
rm -rf "$wheels" && mkdir -p "$wheels"
log="$wheels/build.log"
"$dir/bin/python" tools/editable.py "$wheels" "build/$(basename "$dir")" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
wait $!
install --no-deps "$wheels"/*.whl
touch "$dir/.demo"
[ "$extras" = test ] || exit 0
# Two processes of tests would each compile what they import; a file that is no Python of this version is left.
"$dir/bin/python" -m compileall -q -j 0 -x '/tests/' "$dir"/lib/python*/site-packages >/dev/null 2>&1 || true
touch "$dir/.done"

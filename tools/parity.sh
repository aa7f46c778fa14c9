#!/usr/bin/env bash
# Usage: tools/parity.sh pytest|record [ARGS]...
# pytest: compares with the R and RRF that are here; what is missing is said, and what is left is run.
# record: writes R's answers anew; needs R with RRF.
set -euo pipefail
cd "$(dirname "$0")/.."
action=$1
shift
bin=$PWD/${VENV:-.venv}/bin
export R_LIBS="$PWD/.r-library${R_LIBS:+:$R_LIBS}"

# rpy2 3.6 needs R 4.5; 3.5.17 is the last release that serves older ones.
rpy2_for() {
  if [ "$(printf '4.5\n%s\n' "$1" | sort -V | head -n 1)" = 4.5 ]; then echo "rpy2>=3.6"; else echo "rpy2==3.5.17"; fi
}

eval "$(tools/r.sh)"
if [ "$r" = absent ]; then
  echo "R is absent and could not be installed: nothing can be compared live."
  [ "$action" = pytest ] || exit 1
  echo "What is left: the recorded answers."
  exec "$bin/pytest" tests/test_recorded.py parity/test_statistics.py "$@"
fi
"$bin/python" tools/extra.py parity | sed "s/^rpy2.*/$(rpy2_for "$r")/" |
  "$bin/python" -m pip install --quiet --disable-pip-version-check --requirement /dev/stdin

if [ "$rrf" = absent ]; then
  echo "R $r is here, RRF is not, and CRAN could not be reached: no live comparison with RRF."
  [ "$action" = pytest ] || exit 1
  echo "What is left: randomForest from Debian, live."
else
  echo "R $r, RRF $rrf"
fi
case $action in
  pytest)
    # A part is named by its files.
    [[ " $*" == *" parity/"* ]] || set -- parity "$@"
    exec "$bin/pytest" "$@"
    ;;
  record) exec "$bin/python" -m parity.record "$@" ;;
  *) echo "usage: tools/parity.sh pytest|record [ARGS]..." >&2; exit 2 ;;
esac

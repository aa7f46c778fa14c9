#!/usr/bin/env bash
# Compiles every tests/c/test_*.c under the address and undefined-behaviour sanitizers, with the C core and the other
# files of tests/c, and runs it.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/ctest
flags=(-std=c11 -O1 -g -Wall -Wextra -Werror -ffp-contract=off -fno-math-errno
  -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -Isrc_c)
mkdir -p "$out"
shopt -s nullglob
tests=(tests/c/test_*.c)
if [ ${#tests[@]} -eq 0 ]; then echo "no tests/c/test_*.c" >&2; exit 1; fi

objects=()
for source in src_c/*.c tests/c/*.c; do
  [[ $source != tests/c/test_* ]] || continue
  object=$out/${source//\//_}.o
  ${CC:-cc} "${flags[@]}" -c "$source" -o "$object"
  objects+=("$object")
done

failed=0
for source in "${tests[@]}"; do
  program=$out/$(basename "$source" .c)
  ${CC:-cc} "${flags[@]}" "$source" "${objects[@]}" -lm -o "$program"
  echo "== $source"
  "$program" || { echo "FAILED $source" >&2; failed=1; }
done
exit $failed

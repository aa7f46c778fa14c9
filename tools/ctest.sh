#!/usr/bin/env bash
# Compiles every tests/c/test_*.c with the C core under the address and undefined-behaviour sanitizers and runs it.
# The other files of tests/c are what the tests share and are linked with each. OUT=... builds elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-build/ctest}
flags=(-std=c11 -O1 -g -Wall -Wextra -Werror -ffp-contract=off -fno-math-errno
  -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -Isrc_c -Itests/c)
# tests/c/alloc.c stands in front of these, so that a test can make them fail.
wrapped=(-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free)
mkdir -p "$out"
shopt -s nullglob extglob
tests=(tests/c/test_*.c)
if [ ${#tests[@]} -eq 0 ]; then echo "no tests/c/test_*.c" >&2; exit 1; fi

sources=(src_c/*.c tests/c/!(test_*).c)
objects=()
for source in "${sources[@]}"; do objects+=("$out/$(basename "$source" .c).o"); done
printf '%s\0' "${sources[@]}" |
  xargs -0 -P "$(nproc)" -I{} sh -c '"$@" -c {} -o "$0/$(basename {} .c).o"' "$out" "${CC:-cc}" "${flags[@]}"

failed=0
for source in "${tests[@]}"; do
  program=$out/$(basename "$source" .c)
  ${CC:-cc} "${flags[@]}" "$source" "${objects[@]}" "${wrapped[@]}" -lm -o "$program"
  echo "== $source"
  "$program" || { echo "FAILED $source" >&2; failed=1; }
done
exit $failed

#!/usr/bin/env bash
# Usage: tools/ctest.sh [arm64]
# Compiles every tests/c/test_*.c with the C core under the address and undefined-behaviour sanitizers and runs it.
# The other files of tests/c are what the tests share and are linked with each. OUT=... builds elsewhere.
# arm64: compiled by a cross compiler, without sanitizers, and run by qemu.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:-here}
export out=${OUT:-build/ctest-$target} run=
# Engine r gets helpers for trees as small as those of the tests.
flags=(-DAHEAD_MIN_WORK=1 -DIMPORTANCE_MIN_DESCENTS=1 -DPAIRS_MIN=1 -std=c11 -O1 -g -Wall -Wextra -Werror -ffp-contract=off -fno-math-errno -pthread -Isrc_c -Itests/c)
if [ "$target" = arm64 ]; then
  command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null ||
    tools/apt.sh gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
  CC=aarch64-linux-gnu-gcc
  run="qemu-aarch64 -L /usr/aarch64-linux-gnu"
else
  flags+=(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
fi
# tests/c/alloc.c stands in front of these, so that a test can make them fail.
wrapped=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
mkdir -p "$out"
shopt -s nullglob extglob globstar
tests=(tests/c/test_*.c)
if [ ${#tests[@]} -eq 0 ]; then echo "no tests/c/test_*.c" >&2; exit 1; fi
sources=(src_c/**/!(example).c tests/c/!(test_*).c)
objects=()
for source in "${sources[@]}"; do objects+=("$out/${source//\//_}.o"); done

# Each command stands for "{}" compiled to $out/<its name>, on all processors.
each() {
  xargs -0 -P "$(nproc)" -I{} bash -c "set -eo pipefail; source={}; name=\$(basename {} .c); $1"
}
compile="${CC:-cc} ${flags[*]}"
printf '%s\0' "${sources[@]}" | each "$compile -c {} -o \$out/\${source//\\//_}.o"
printf '%s\0' "${tests[@]}" | each "$compile {} ${objects[*]} $wrapped -lm -o \$out/\$name
  \$run \$out/\$name > \$out/\$name.log 2>&1 || { cat \$out/\$name.log; echo \"FAILED {}\"; exit 1; }
  cat \$out/\$name.log; echo \"passed {}\""

# The example prints what is written down; anything else is a difference.
"${CC:-cc}" "${flags[@]}" src_c/example.c "${objects[@]}" "$wrapped" -lm -o "$out/example"
diff <($run "$out/example") tests/c/example.txt
echo "passed src_c/example.c"

if [ "$target" = arm64 ]; then exit; fi

# Threads: engine parallel, and the helpers of engine r, once more under the thread sanitizer, which cannot be had together with the others.
for name in test_ahead test_parallel test_parallel_random test_ranks; do
  "${CC:-cc}" "${flags[@]//address,undefined/thread}" "tests/c/$name.c" "${sources[@]}" "$wrapped" -lm -o "$out/${name}_threads"
  TSAN_OPTIONS=suppressions=tests/c/threads.supp "$out/${name}_threads"
  echo "passed tests/c/$name.c under the thread sanitizer"
done

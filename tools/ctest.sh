#!/usr/bin/env bash
# Compiles every tests/c/test_*.c with the C core under the address and undefined-behaviour sanitizers and runs it.
# Usage: tools/ctest.sh [arm64|windows]
# The other files of tests/c are what the tests share and are linked with each. OUT=... builds elsewhere.
# arm64, windows: compiled by a cross compiler, without sanitizers, and run by qemu or wine.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:-here}
export out=${OUT:-build/ctest-$target} run= exe=
# Threads and bins for data as small as those of the tests.
flags=(-DCOARSE_BINS=8 -DMIN_COARSE=8 -DROWS_PER_LINE=2 -DMIN_BINNED=2 -DIMPORTANCE_MIN_DESCENTS=1 -DPAIRS_MIN=1 -std=c11 -O1 -g -Wall -Wextra -Werror -ffp-contract=off -fno-math-errno -pthread -Isrc_c -Itests/c)
# needs COMMAND PACKAGE...: fetches the packages if the command is not there.
needs() { command -v "$1" >/dev/null || tools/apt.sh "${@:2}"; }
case $target in
  arm64)
    needs aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    needs qemu-aarch64 qemu-user
    CC=aarch64-linux-gnu-gcc
    run="qemu-aarch64 -L /usr/aarch64-linux-gnu"
    ;;
  windows)
    needs x86_64-w64-mingw32-gcc-posix gcc-mingw-w64-x86-64-posix
    needs wine wine wine64
    CC=x86_64-w64-mingw32-gcc-posix
    # printf() is C's, with %zu.
    flags+=(-D__USE_MINGW_ANSI_STDIO=1)
    # Libraries that allocate stay apart, so that alloc.c refuses the core alone.
    export WINEPATH
    WINEPATH=$(for library in libwinpthread-1 libgcc_s_seh-1; do dirname "$($CC -print-file-name=$library.dll)"; done | paste -sd ';')
    # wine sets its files up once, alone; the tests then start at the same time.
    export WINEPREFIX=$PWD/build/wine WINEDEBUG=-all
    [ -d "$WINEPREFIX" ] || { mkdir -p build && wineboot --init >/dev/null 2>&1 && wineserver --wait; }
    exe=.exe
    run=wine
    ;;
  *) flags+=(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer) ;;
esac
# tests/c/alloc.c stands in front of these, so that a test can make them fail.
wrapped=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
mkdir -p "$out"
shopt -s nullglob extglob globstar
tests=(tests/c/test_*.c)
if [ ${#tests[@]} -eq 0 ]; then echo "no tests/c/test_*.c" >&2; exit 1; fi
sources=(src_c/**/!(example).c tests/c/!(test_*).c)
# Each command stands for "{}" compiled, on all processors.
each() {
  xargs -0 -P "$(nproc)" -I{} bash -c "set -eo pipefail; source={}; name=\$(basename {} .c); $1"
}
# build FOLDER FLAG...: the core's objects in FOLDER, and how a test is compiled with them.
build() {
  local folder=$1
  shift
  mkdir -p "$folder"
  printf '%s\0' "${sources[@]}" | each "${CC:-cc} $* -c {} -o $folder/\${source//\\//_}.o"
  objects=("${sources[@]//\//_}")
  objects=("${objects[@]/#/$folder/}")
  compile="${CC:-cc} $* {} ${objects[*]/%/.o} $wrapped -lm -o"
}
# Runs a test, and says what it prints.
passes="> \$log 2>&1 || { cat \$log; echo \"FAILED {}\"; exit 1; }; cat \$log"

build "$out" "${flags[@]}"
printf '%s\0' "${tests[@]}" | each "$compile \$out/\$name$exe; log=\$out/\$name.log
  \$run \$out/\$name$exe $passes; echo \"passed {}\""

# The example prints what is written down; anything else is a difference.
eval "${compile//\{\}/src_c/example.c} $out/example$exe"
diff --strip-trailing-cr <($run "$out/example$exe") tests/c/example.txt
echo "passed src_c/example.c"

if [ "$target" != here ]; then exit; fi

# Threads of both engines once more under the thread sanitizer, which cannot be had together with the others.
export TSAN_OPTIONS=suppressions=tests/c/threads.supp
build "$out/threads" "${flags[@]//address,undefined/thread}"
printf 'tests/c/%s.c\0' test_engine_r_threads test_parallel test_parallel_random test_ranks | each "$compile \$out/threads/\$name
  log=\$out/threads/\$name.log; \$out/threads/\$name $passes; echo \"passed {} under the thread sanitizer\""

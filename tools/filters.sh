#!/usr/bin/env bash
# Usage: tools/filters.sh [FILTER_LANES]...
# No answer depends on a filter of src_c/filters.h: compiles the core with each of them off, or with those named, and with all
# off (FILTERS), grows the forests of tests/c/test_filters.c and compares their digests. OUT=... builds elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."
export out=${OUT:-build/filters} CC=${CC:-cc}
export flags="-DLOOKAHEAD_MIN_WORK=1 -DCOARSE_BINS=8 -DMIN_COARSE=8 -DROWS_PER_LINE=2 -DMIN_BINNED=2 -std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off -fno-math-errno -pthread -Isrc_c -Itests/c"
# As in tools/ctest.sh.
wrapped=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
[ $# -gt 0 ] || set -- $(sed -n 's/^#define \(FILTER_[A-Z_]*\) FILTERS$/\1/p' src_c/filters.h) FILTERS
shopt -s nullglob extglob globstar
sources=(src_c/**/!(example).c tests/c/!(test_*).c tests/c/test_filters.c)

# compile FOLDER FLAG < SOURCES: their objects, and what they include.
compile() {
  mkdir -p "$out/$1"
  folder=$out/$1 flag=$2 xargs -P "$(nproc)" -I{} bash -c 'source={}; $CC $flags $flag -MMD -c $source -o $folder/${source//\//_}.o'
}
# link FOLDER: its objects, and those of the whole core where it has none.
link() {
  local objects=() object
  for object in "$out"/whole/*.o; do
    [ ! -e "$out/$1/${object##*/}" ] || object=$out/$1/${object##*/}
    objects+=("$object")
  done
  $CC $flags "${objects[@]}" $wrapped -lm -o "$out/$1/forests"
}
# readers FILTER: the sources that read its switch, in a header or themselves.
readers() {
  local switch=$1 file
  [ "$switch" != FILTERS ] || switch=RRF_FILTERS_H
  grep -rlw "$switch" src_c --include='*.[ch]' | { [ "$1" = FILTERS ] && cat || grep -v '^src_c/filters.h$'; } > "$out/readers"
  for file in $(grep -lwFf "$out/readers" "$out"/whole/*.d); do
    grep -oE ' [^ :]+\.c( |$)' "$file" | head -n 1
  done
}

rm -rf "$out"
printf '%s\n' "${sources[@]}" | compile whole ""
link whole
"$out/whole/forests" > "$out/whole/digests"
echo "with every filter: $(wc -l < "$out/whole/digests") problems"
for filter; do
  readers "$filter" | compile "$filter" "-D$filter=0"
  link "$filter"
  "$out/$filter/forests" > "$out/$filter/digests"
  diff "$out/whole/digests" "$out/$filter/digests" || { echo "$filter: other answers without it" >&2; exit 1; }
  echo "$filter off: the same answers"
done

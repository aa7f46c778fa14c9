#!/usr/bin/env bash
# Usage: tools/filters.sh [FILTER_LANES]...
# No answer depends on a filter: compiles the core with each switch of src_c/filters/switches.h off, or with those named, with
# all off (FILTERS), and without the folder src_c/filters (NONE); grows the forests of tests/c/test_filters.c and compares their
# digests. OUT=... builds elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."
export out=${OUT:-build/filters} CC=${CC:-cc}
export flags="-DCOARSE_BINS=8 -DMIN_COARSE=8 -DROWS_PER_LINE=2 -DMIN_BINNED=2 -std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off -fno-math-errno -pthread -Itests/c"
# As in tools/ctest.sh.
wrapped=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
[ $# -gt 0 ] || set -- $(sed -n 's/^#define \(FILTER_[A-Z_]*\) FILTERS$/\1/p' src_c/filters/switches.h) FILTERS NONE
shopt -s nullglob extglob globstar
sources=(src_c/**/!(example).c tests/c/!(test_*).c tests/c/test_filters.c)

# compile FOLDER FLAG [ROOT] < SOURCES: their objects, and what they include.
compile() {
  mkdir -p "$out/$1"
  folder=$out/$1 flag="$2 -I${3:-.}/src_c" xargs -P "$(nproc)" -I{} bash -c 'source={}; $CC $flags $flag -MMD -c $source -o $folder/${source//\//_}.o'
}
# link FOLDER: its objects, and those of the whole core where it has none, unless it has no filters.
link() {
  local objects=() object
  for object in "$out/$([ "$1" = NONE ] && echo NONE || echo whole)"/*.o; do
    [ ! -e "$out/$1/${object##*/}" ] || object=$out/$1/${object##*/}
    objects+=("$object")
  done
  $CC $flags "${objects[@]}" $wrapped -lm -o "$out/$1/forests"
}
# readers FILTER: the sources that read its switch, in a header or themselves.
readers() {
  local switch=$1 file
  [ "$switch" != FILTERS ] || switch=RRF_SWITCHES_H
  grep -rlw "$switch" src_c --include='*.[ch]' | { [ "$1" = FILTERS ] && cat || grep -v /switches.h; } > "$out/readers"
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
  if [ "$filter" = NONE ]; then
    mkdir -p "$out/plain" && cp -r src_c "$out/plain" && rm -r "$out/plain/src_c/filters"
    printf '%s\n' "$out"/plain/src_c/**/!(example).c tests/c/!(test_*).c tests/c/test_filters.c | compile NONE "" "$out/plain"
  else
    readers "$filter" | compile "$filter" "-D$filter=0"
  fi
  link "$filter"
  "$out/$filter/forests" > "$out/$filter/digests"
  diff "$out/whole/digests" "$out/$filter/digests" || { echo "$filter: other answers without it" >&2; exit 1; }
  echo "$filter off: the same answers"
done

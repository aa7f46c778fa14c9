#!/usr/bin/env bash
# Finds or fetches R and RRF, and prints, one per line, what the caller should know.
#   r=VERSION|absent   rrf=VERSION|absent
# R and Debian's packages come from apt-get (as root only); RRF from CRAN, into .r-library, where CRAN can be reached.
set -uo pipefail
cd "$(dirname "$0")/.."
debian=(r-base-core r-cran-randomforest r-cran-mass r-cran-mlbench r-cran-jsonlite)
export R_LIBS="$PWD/.r-library${R_LIBS:+:$R_LIBS}"

r_version() { Rscript -e 'cat(as.character(getRversion()))' 2>/dev/null; }
package_version() {
  Rscript -e 'p <- commandArgs(TRUE); if (nzchar(system.file(package = p))) cat(as.character(packageVersion(p)))' "$1" 2>/dev/null
}
present() { [ -n "$(package_version "$1")" ]; }

fetch_rrf() {
  mkdir -p .r-library
  # 20 seconds for an answer: without a network this must end soon.
  timeout 600 Rscript -e '
    options(timeout = 20)
    if (identical(unname(getOption("repos")["CRAN"]), "@CRAN@")) chooseCRANmirror(ind = 1)
    if (!"RRF" %in% rownames(available.packages())) quit(status = 1)
    install.packages("RRF", lib = ".r-library", quiet = TRUE)' >/dev/null 2>&1
}

if ! command -v Rscript >/dev/null; then
  tools/apt.sh "${debian[@]}" >&2 || { printf 'r=absent\nrrf=absent\n'; exit 0; }
elif ! { present randomForest && present MASS && present mlbench && present jsonlite; }; then
  tools/apt.sh "${debian[@]:1}" >&2 || echo "Going on without them; cases that need them will say so." >&2
fi
present RRF || fetch_rrf
version=$(package_version RRF)
printf 'r=%s\nrrf=%s\n' "$(r_version)" "${version:-absent}"

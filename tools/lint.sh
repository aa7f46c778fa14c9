#!/usr/bin/env bash
# Usage: tools/lint.sh [ruff|mypy|clang-format|cython-lint|workflows]...
# Runs the named tools, or all of them, from the environment that make lint has made; fails if one does.
set -uo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/${VENV:-.venv}/bin:$PATH"
[ $# -gt 0 ] || set -- ruff mypy clang-format cython-lint workflows

run() {
  case $1 in
    ruff) ruff check . && ruff format --check . ;;
    mypy) mypy ;;
    clang-format) git ls-files -z '*.c' '*.h' | xargs -0 -r clang-format --dry-run -Werror ;;
    cython-lint) git ls-files -z '*.pyx' '*.pxd' | xargs -0 -r cython-lint ;;
    workflows)
      check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml &&
        check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml &&
        check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml &&
        check-jsonschema --builtin-schema vendor.citation-file-format --default-filetype yaml CITATION.cff ;;
    *) echo "unknown tool: $1" >&2; return 2 ;;
  esac
}

failed=0
for tool in "$@"; do
  echo "== $tool"
  run "$tool" || failed=1
done
exit $failed

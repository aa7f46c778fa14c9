#!/usr/bin/env bash
# Usage: tools/apt.sh PACKAGE...
# Installs Debian or Ubuntu packages when root; otherwise says what to install and fails.
set -euo pipefail
if ! command -v apt-get >/dev/null; then
  echo "Missing: $* (names of Debian packages; this system has no apt-get). Install them, then run make again." >&2
  exit 1
fi
if [ "$(id -u)" != 0 ]; then
  echo "Missing: $*. Run: sudo apt-get install $*   then run make again." >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
echo "Installing with apt-get: $*"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
get() { apt-get "$@" >>"$log" 2>&1; }
install() { get install --yes --no-install-recommends "$@"; }
# The lists of packages are fetched only if they are missing or too old to serve.
install "$@" || { get update && install "$@"; } || { tail -n 20 "$log" >&2; exit 1; }

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
apt-get install --yes --quiet --no-install-recommends "$@" >/dev/null ||
  { apt-get update --quiet >/dev/null && apt-get install --yes --quiet --no-install-recommends "$@" >/dev/null; }

#!/usr/bin/env bash
# Builds everything. What it does is said on standard error: the first time takes some seconds.
set -euo pipefail
cd "$(dirname "$0")/.."

step() {
  printf 'Building %s…\n' "$1" >&2
  "${@:2}"
}

step 'the services (1 of 3)' tsc -b tsconfig.build.json
step 'the documentation (2 of 3)' node docs/site/dist/main.js
step 'the dashboard (3 of 3)' node dashboard/build.mjs

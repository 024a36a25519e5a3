#!/usr/bin/env bash
# Types, lint, tidy and unit tests, side by side: for use before each commit.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=.cache/check
rm -rf "$logs"
mkdir -p "$logs"

types() { npm run --silent types; }
lint() { npm run --silent lint; }
unit() { npx jest --selectProjects unit tidy --reporters default; }

stages='types lint unit'
for stage in $stages; do
  ($stage >"$logs/$stage.log" 2>&1; echo $? >"$logs/$stage.status"; echo "$SECONDS s: $stage") &
done
wait

failed=''
for stage in $stages; do
  [ "$(cat "$logs/$stage.status")" = 0 ] || { failed+=" $stage"; cat "$logs/$stage.log"; }
done
grep '^Tests: ' "$logs/unit.log"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }

#!/usr/bin/env bash
# The whole check. Every stage runs even when an earlier one failed, so that one run tells everything;
# only what cannot be built ends it at once. Ends with `N passed, N failed` (test/reporter.js).
set -uo pipefail
cd "$(dirname "$0")/.."

tally=.cache/tally
mkdir -p .cache
echo '0 passed, 1 failed' >"$tally" # true until Jest knows better

npm run --silent build || { cat "$tally"; exit 1; }

failed=''
for stage in generate:check format:check lint types provision; do
  echo "# $stage"
  npm run --silent "$stage" || failed+=" $stage"
done

FAILED_STAGES="$failed" npx jest "$@"
jest=$?
[ "$jest" -eq 0 ] && [ -z "$failed" ]

#!/usr/bin/env bash
# The whole check. Every stage runs even when an earlier one failed, so that one run tells everything.
# Ends with `N passed, N failed` (test/reporter.js), to which each failed stage adds one.
set -uo pipefail
cd "$(dirname "$0")/.."

mkdir -p .cache
echo '0 passed, 1 failed' >.cache/tally # true until Jest knows better

failed=''
for stage in build generate:check format:check lint types provision; do
  echo "# $stage"
  npm run --silent "$stage" || failed+=" $stage"
done

echo '# jest'
FAILED_STAGES="$failed" npx jest "$@"
jest=$?
[ "$jest" -eq 0 ] && [ -z "$failed" ]

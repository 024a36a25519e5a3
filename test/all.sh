#!/usr/bin/env bash
# The whole check. Every stage runs even when an earlier one failed, so that one run tells everything.
# Ends with `N passed, N failed` (test/reporter.js), to which each failed stage adds one.
set -uo pipefail
cd "$(dirname "$0")/.."

mkdir -p .cache
echo '0 passed, 1 failed' >.cache/tally # true until Jest knows better

failed=''
run() {
  echo "# $1"
  npm run --silent "$1" || failed+=" $1"
}

run build
# MinIO is built once, which takes minutes. The other stages run meanwhile.
npm run --silent provision >.cache/provision.log 2>&1 &
provisioning=$!
for stage in generate:check format:check lint types audit; do run "$stage"; done
echo '# provision'
wait "$provisioning" || failed+=' provision'
cat .cache/provision.log

echo '# jest'
FAILED_STAGES="$failed" npx jest "$@"
jest=$?
[ "$jest" -eq 0 ] && [ -z "$failed" ]

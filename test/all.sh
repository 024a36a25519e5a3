#!/usr/bin/env bash
# What CI runs. Every stage runs even when an earlier one failed, so that one run reports everything.
# Ends with `N passed, N failed` (test/reporter.js), to which each failed stage adds one.
set -uo pipefail
cd "$(dirname "$0")/.."

mkdir -p .cache
echo '0 passed, 1 failed' >.cache/tally # true until Jest knows better

failed=''
not_done=''
# Status 75: the stage could not be done here, as its last line says. That line is repeated at the end.
run() {
  local status=0
  echo "# $1 (at $SECONDS s)"
  npm run --silent "$1" | tee .cache/stage.log || status=$?
  case $status in
    0) ;;
    75) not_done+="$(tail -n 1 .cache/stage.log)"$'\n' ;;
    *) failed+=" $1" ;;
  esac
}

# Lint reads sources, built or not, and takes as long as all other stages together: beside them.
(
  npm run --silent lint >.cache/lint.log 2>&1
  status=$?
  echo "# lint took $SECONDS s" >>.cache/lint.log
  exit "$status"
) &
linting=$!
run build
# MinIO is built once, which takes minutes. The other stages run meanwhile.
npm run --silent provision >.cache/provision.log 2>&1 &
provisioning=$!
for stage in generate:check types format:check audit; do run "$stage"; done
echo "# lint (at $SECONDS s)"
wait "$linting" || failed+=' lint'
cat .cache/lint.log
echo "# provision (at $SECONDS s)"
wait "$provisioning" || failed+=' provision'
cat .cache/provision.log

echo "# jest (at $SECONDS s)"
FAILED_STAGES="$failed" NOT_DONE="$not_done" npx jest "$@"
jest=$?
[ "$jest" -eq 0 ] && [ -z "$failed" ]

#!/usr/bin/env bash
# What CI runs. Every stage runs even when an earlier one failed, so that one run reports everything.
# Ends with `N passed, N failed` (test/reporter.js), to which each failed stage adds one.
set -uo pipefail
cd "$(dirname "$0")/.."

stages=.cache/stages
rm -rf "$stages"
mkdir -p "$stages"
touch "$stages/failed" "$stages/not-done"
echo '0 passed, 1 failed' >.cache/tally # true until Jest knows better

# Status 75: the stage could not be done here, as its last line says. That line is repeated at the end.
run() {
  local status=0 began=$SECONDS log="$stages/${1/:/-}.log"
  npm run --silent "$1" >"$log" 2>&1 || status=$?
  echo "# $1 (at $began s, took $((SECONDS - began)) s)"
  cat "$log"
  case $status in
    0) ;;
    75) tail -n 1 "$log" >>"$stages/not-done" ;;
    *) echo "$1" >>"$stages/failed" ;;
  esac
}

# They read sources alone, and run beside the tests, which often wait. The reporter waits for `done`, and prints.
judge_sources() {
  renice -n 10 -p "$BASHPID" >/dev/null # tests have deadlines
  for stage in lint types format:check generate:check audit; do run "$stage"; done
  touch "$stages/done"
}

run build
judge_sources >"$stages/output" &
judging=$!
# MinIO is built once, which takes minutes.
run provision

echo "# jest (at $SECONDS s)"
# V8 optimizes a function after nine times as much work: processes of tests live for seconds (decision 0131).
v8=--interrupt-budget=600000
node $v8 -e 0 2>/dev/null || v8='' # Node.js 24 has no such option
STAGES="$stages" node $v8 node_modules/jest/bin/jest.js "$@"
jest=$?
wait "$judging"
[ "$jest" -eq 0 ] && [ ! -s "$stages/failed" ]

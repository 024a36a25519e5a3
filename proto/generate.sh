#!/usr/bin/env bash
# Writes every generated file that is committed. With --check: writes them to .cache/fresh and compares.
set -euo pipefail
cd "$(dirname "$0")/.."

root=.
if [ "${1:-}" = --check ]; then
  root=.cache/fresh
  rm -rf "$root"
fi

(cd proto && buf lint && buf generate -o "../$root/proto")
tsc -b gateway
node gateway/generate-types.mjs "$root"
node packages/domain/generate-currencies.mjs "$root"
node deploy/generate-copies.mjs "$root"
[ "$root" != . ] || exit 0

status=0
while read -r file; do diff "$file" "$root/$file" || status=1; done < <(cd "$root" && find . -type f)
# A generated file whose source is gone.
for file in proto/gen/*; do [ -e "$root/$file" ] || { echo "$file is not generated any more"; status=1; }; done
[ "$status" = 0 ] || echo 'Generated files are not up to date: npm run generate'
exit "$status"

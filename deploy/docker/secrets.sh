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

random() { head -c "$1" /dev/urandom | base64 | tr -d '\n=' | tr '+/' '-_'; }

for name in caller session api-key-pepper mongodb-admin mongodb-organizations mongodb-invoices \
  nats-invoices nats-clearance s3 valkey-password token-pin grafana-admin; do
  random 32 | put "$name"
done
# Base64, as MongoDB wants the key its members share.
head -c 384 /dev/urandom | base64 | tr -d '\n' | put mongodb-members

# The same once more, as each server reads it.
put nats-users <<END
authorization {
  users: [
    { user: invoices, password: "$(cat "$folder/nats-invoices")" }
    { user: clearance, password: "$(cat "$folder/nats-clearance")" }
  ]
}
END
put minio <<END
MINIO_ROOT_USER=einvoicing
MINIO_ROOT_PASSWORD=$(cat "$folder/s3")
END
put valkey <<END
requirepass $(cat "$folder/valkey-password")
END

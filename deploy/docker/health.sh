#!/usr/bin/env bash
# health.sh SERVICE: whether a backing service works, by bash alone: images differ in what else they hold.
set -euo pipefail

# What the server on this port says first, on the words given or by itself. Zeros, which no variable holds, become
# blanks.
answer() {
  exec 3<>"/dev/tcp/127.0.0.1/$1"
  if [ $# -gt 1 ]; then printf '%b' "$2" >&3; fi
  timeout 2 dd bs=8192 count=1 status=none <&3 | tr '\0' ' '
}

# {hello: 1, $db: "admin"} in the protocol's own bytes: a client that is no user may ask no more.
hello='\x34\0\0\0\x01\0\0\0\0\0\0\0\xdd\x07\0\0\0\0\0\0\0'
hello+='\x1f\0\0\0\x10hello\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0'

case $1 in
  mongodb) [[ $(answer 27017 "$hello") == *$'isWritablePrimary \x01'* ]] ;;
  nats) [[ $(answer 4222) == *'"jetstream":true'* ]] ;;
  # Its own page of health is ready before its users are read; a stranger is refused when they are.
  minio) [[ $(answer 9000 'GET / HTTP/1.0\r\nHost: minio\r\n\r\n') == 'HTTP/1.'?' 403 '* ]] ;;
  prometheus) [[ $(answer 9090 'GET /-/ready HTTP/1.0\r\nHost: prometheus\r\n\r\n') == 'HTTP/1.'?' 200 '* ]] ;;
  valkey) [[ $(answer 6379 'PING\r\n') =~ ^(\+PONG|-NOAUTH) ]] ;;
esac

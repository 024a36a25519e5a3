# To be sourced: finds docker compose, whichever way it is installed, or says in one sentence what is missing.

compose_words=''
missing=''

compose() {
  # Two words or one.
  # shellcheck disable=SC2086
  $compose_words "$@"
}

find_compose() {
  if ! command -v docker >/dev/null && ! command -v docker-compose >/dev/null; then
    missing='Docker is missing: install Docker Engine with Compose 2.24 or newer (https://docs.docker.com/engine/install), or run `make run`, which needs Node alone.'
    return 1
  fi
  local words version
  for words in 'docker compose' docker-compose; do
    version=$($words version --short 2>/dev/null) || continue
    version=${version#v}
    case $version in
      1.* | 2.[0-9].* | 2.1[0-9].* | 2.2[0-3].*)
        missing="$words is $version: install Compose 2.24 or newer (https://docs.docker.com/compose/install)."
        ;;
      *)
        compose_words=$words
        break
        ;;
    esac
  done
  if [ -z "$compose_words" ]; then
    missing=${missing:-Docker Compose is missing: install it, 2.24 or newer (https://docs.docker.com/compose/install).}
    return 1
  fi
  # Asks Docker alone, nothing of the project.
  if ! docker version >/dev/null 2>&1; then
    missing="Docker does not answer (${DOCKER_HOST:-its usual socket}): start it, or name another in DOCKER_HOST. It says: $(docker version 2>&1 >/dev/null | tail -n 1)"
    return 1
  fi
}

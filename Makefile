# The verbs for people; each is one npm script, so `npm run` knows them too.

.DEFAULT_GOAL := help
installed := node_modules/.package-lock.json

# Where node came with its headers, the package that is compiled (pkcs11js, optional) need not fetch them.
node_prefix := $(shell node -p 'path.dirname(path.dirname(process.execPath))')
with_headers := $(if $(wildcard $(node_prefix)/include/node/node_api.h),npm_config_nodedir=$(node_prefix))

# Installs only when the lock is newer than what was installed from it.
$(installed): package-lock.json
	@$(with_headers) npm ci --loglevel=error
	@touch $@

.PHONY: help
help: ## tell the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: $(installed) ## build and start on http://127.0.0.1:8080, data in ./data, with a demo organization
	@npm run --silent demo

.PHONY: services
services: $(installed) ## the same with every service a process, on real servers found or fetched; data in ./data/services
	@DEMO=1 npm run --silent services

.PHONY: up
up: ## the full stack in containers, with Docker and nothing else; tells the first steps
	@deploy/docker/up.sh

.PHONY: down
down: ## stop these containers; the data stay
	@deploy/docker/down.sh

.PHONY: test
test: $(installed) ## run the whole check, as CI does: build, style, types, every test
	@npm run --silent test

.PHONY: test-compose
test-compose: $(installed) ## prove the containers on a Docker engine: brought up, met by the suite, killed one by one
	@npm run --silent test:compose

.PHONY: check
check: $(installed) ## tell what a review would: generated code, format, lint, types, tidy
	@npm run --silent check

.PHONY: fix
fix: $(installed) ## mend what `make check` tells and a machine can mend
	@npm run --silent fix

.PHONY: generate
generate: $(installed) ## write proto/gen anew from the contracts
	@npm run --silent generate

.PHONY: bench
bench: $(installed) ## measure creation and start-up against floors of this machine, in one minute
	@npm run --silent bench

.PHONY: clean
clean: ## remove what was built; ./data and node_modules stay
	@npm run --silent clean

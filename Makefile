# Each command is one npm script, so `npm run` lists them too.

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
help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: $(installed) ## build and start on http://127.0.0.1:8080, data in ./data, with a demo organization
	@npm run --silent demo

.PHONY: services
services: $(installed) ## the same with one process per service, on real servers found or fetched; data in ./data/services
	@DEMO=1 npm run --silent services

.PHONY: up
up: ## the full stack in containers, with Docker and nothing else; prints the first steps
	@deploy/docker/up.sh

.PHONY: down
down: ## stop these containers; their data remain
	@deploy/docker/down.sh

.PHONY: test
test: $(installed) ## everything CI runs: build, generated files, format, lint, types, every test
	@npm run --silent test

.PHONY: test-compose
test-compose: $(installed) ## test the containers on a Docker engine: start them, run the suite, kill them one by one
	@npm run --silent test:compose

.PHONY: check
check: $(installed) ## types, lint, tidy and unit tests; run it before each commit
	@npm run --silent check

.PHONY: fix
fix: $(installed) ## regenerate, fix lint errors that the linter can fix, and format
	@npm run --silent fix

.PHONY: generate
generate: $(installed) ## write every generated file: from proto, OpenAPI, alerts and NATS rights
	@npm run --silent generate

.PHONY: bench
bench: $(installed) ## measure creations, finished invoices and latency against floors of this machine (QUICK=1: three minutes)
	@npm run --silent bench -- $(if $(QUICK),--quick)

.PHONY: clean
clean: ## remove build output; keep ./data and node_modules
	@npm run --silent clean

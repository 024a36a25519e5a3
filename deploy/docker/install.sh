#!/bin/sh
# Installs what runs, and no more, into FOLDER, with its bill of materials: install.sh FOLDER. Run by the Dockerfile.
set -eu
cp -R . "$1"
cd "$1"
rooms='proto kernel gateway services/* deploy/docker deploy/standalone'
npm ci --omit=dev --loglevel=error --include-workspace-root=false -w deploy/docker -w deploy/standalone
# What was left out on purpose is otherwise told as missing.
npm pkg delete devDependencies --workspaces --include-workspace-root
npm pkg delete workspaces
for room in $rooms; do npm pkg set "workspaces[]=$room"; done
npm sbom --omit=dev --sbom-format cyclonedx >sbom.cdx.json

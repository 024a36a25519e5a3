# One image for every service, chosen by its command:
#   docker run … IMAGE services/invoices/dist/main.js
# It holds Node, the libraries Node is linked to, and the build: no shell, no package manager.
# Any builder can build it. Targets: `service`; `softhsm`, for trials with a token made of files.

# Not slim: it has the compiler that pkcs11js, our one compiled package, wants.
FROM node:24.21.0-bookworm AS build
# A company's own mirror of npm, where there is one.
ARG NPM_CONFIG_REGISTRY
# Headers are here, and authorities are the system's: a company adds its own there.
ENV npm_config_nodedir=/usr/local NODE_USE_SYSTEM_CA=1
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY proto/package.json proto/
COPY packages/domain/package.json packages/domain/
COPY packages/profile/package.json packages/profile/
COPY packages/runtime/package.json packages/runtime/
COPY packages/access/package.json packages/access/
COPY packages/rpc/package.json packages/rpc/
COPY packages/events/package.json packages/events/
COPY packages/stores/package.json packages/stores/
COPY packages/verification/package.json packages/verification/
COPY gateway/package.json gateway/
COPY services/organizations/package.json services/organizations/
COPY services/invoices/package.json services/invoices/
COPY services/signer/package.json services/signer/
COPY services/artefacts/package.json services/artefacts/
COPY services/clearance/package.json services/clearance/
COPY services/simulator/package.json services/simulator/
COPY clients/typescript/package.json clients/typescript/
COPY clients/cli/package.json clients/cli/
COPY deploy/admin/package.json deploy/admin/
COPY deploy/docker/package.json deploy/docker/
COPY deploy/standalone/package.json deploy/standalone/
COPY docs/site/package.json docs/site/
COPY dashboard/package.json dashboard/
COPY test/package.json test/
COPY test/servers/package.json test/servers/
COPY test/processes/package.json test/processes/
# What runs, apart from what builds it.
RUN cp -R . /production && cd /production && \
    npm ci --omit=dev --loglevel=error --include-workspace-root=false -w deploy/admin -w deploy/docker -w deploy/standalone
RUN npm ci --loglevel=error --ignore-scripts
COPY . .
RUN npx tsc -b deploy/admin deploy/docker deploy/standalone docs/site && node docs/site/dist/main.js && node dashboard/build.mjs && \
    npm run --silent sbom -- /production/sbom.cdx.json && \
    deploy/docker/assemble.sh /build /production /image

FROM scratch AS service
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Electronic Invoicing Service" \
      org.opencontainers.image.description="Every service of it; the command says which" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /image/root/ /
# Volumes take their owner from the folder they are first mounted on.
COPY --from=build --chown=65532:65532 /image/owned/ /
USER 65532:65532
WORKDIR /app
ENV NODE_ENV=production
STOPSIGNAL SIGTERM
# MiB. Node 24 lets the space of new objects grow to twice as much, 80 MiB of a standalone process, and is not faster.
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=16"]
CMD ["deploy/standalone/dist/main.js"]

# A token made of files is for trials: asked for by --build-arg SOFTHSM=true, since older builders come by here on
# their way to any target below.
FROM build AS softhsm-library
ARG SOFTHSM
RUN deploy/docker/fetch-softhsm.sh /softhsm "${SOFTHSM}"

FROM service AS softhsm
COPY --from=softhsm-library /softhsm/ /
ENV LD_LIBRARY_PATH=/usr/lib/softhsm

# What `docker build .` makes.
FROM service

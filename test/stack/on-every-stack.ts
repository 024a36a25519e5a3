/**
 * Runs a chapter of the behaviour suite on each stack: the two wirings of the standalone process
 * and every service a process on real servers, or the one attached to.
 */

import { describeWith } from '@einvoicing/servers/describe-with'
import { attachedStack } from './attached'
import type { Stack } from './stack'
import { engines, startServices } from './services'
import { startStandalone, type Wire } from './standalone'

interface Running {
  name: string
  open(env?: Readonly<Record<string, string>>): Promise<Stack>
}

const wired = (wire: Wire): Running => ({
  name: `WIRE=${wire}`,
  open: (env = {}) => startStandalone({ wire, env }),
})

/** `tests` asks for the stack inside its tests, where it runs. */
export function onEveryStack(chapter: string, tests: (stack: () => Stack) => void): void {
  // Two stacks of a dozen processes share the machine: an answer may once come past its deadline,
  // as a client's may, who would ask again. It is told, and a second time it is a failure.
  jest.retryTimes(1, { logErrorsBeforeRetry: true })
  const attached = attachedStack(process.env)
  const stacks = attached
    ? [{ name: attached.baseUrl, open: async () => attached }]
    : [wired('none'), wired('grpc')]
  describe.each(stacks)(`${chapter} ($name)`, ({ open }) => running(open, tests))
  if (attached) return
  describeWith(engines, `${chapter} (services)`, () =>
    running((env = {}) => startServices({ env }), tests),
  )
}

/** For what talks to it as any client does: the one attached to, or the standalone process. */
export function onOneStack(chapter: string, tests: (stack: () => Stack) => void): void {
  const attached = attachedStack(process.env)
  describe(chapter, () => running(async () => attached ?? startStandalone(), tests))
}

/** For what depends on settings: always a process of our own, whatever is attached. */
export function onOwnStack(
  chapter: string,
  env: Readonly<Record<string, string>>,
  tests: (stack: () => Stack) => void,
): void {
  describe(chapter, () => running(() => startStandalone({ env }), tests))
}

function running(open: Running['open'], tests: (stack: () => Stack) => void): void {
  let stack: Stack | undefined
  beforeAll(async () => {
    stack = await open()
  }, 120_000)
  afterAll(async () => stack?.dispose(), 60_000)
  tests(() => {
    if (!stack) throw new Error('the stack runs only inside tests')
    return stack
  })
}

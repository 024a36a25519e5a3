/**
 * Tests that need a real server: skipped with a message where it cannot be started, which under CI
 * fails the run (test/reporter.js).
 */

import { type ServerName, catalogue } from './catalogue'
import { find } from './finding'
import { findSoftHsm } from './soft-hsm'

export type Needed = ServerName | 'softhsm'

type Names = Needed | readonly Needed[]

/** The tests leave a server that others use as they found it, but for names of their own in it. */
export function describeWith(servers: Names, title: string, tests: () => void): void {
  const missing = listed(servers).filter((server) => !isShared(server) && !canStart(server))
  describeOrSkip({ title, tests, missing })
}

/** The tests stop, kill or configure the server: one that is shared will not do. */
export function describeWithOwn(servers: Names, title: string, tests: () => void): void {
  const shared = listed(servers).filter(isShared)
  const missing = listed(servers).filter((server) => !canStart(server))
  const settings = shared.map(findAddress).join(' and ')
  if (shared.length === 0) describeOrSkip({ title, tests, missing })
  else describe.skip(`${title} (needs a server of its own: unset ${settings})`, tests)
}

function describeOrSkip(options: { title: string; tests: () => void; missing: Needed[] }) {
  const { title, tests, missing } = options
  const which = missing.join(' and ')
  if (missing.length === 0) describe(title, tests)
  else describe.skip(`${title} (${which} cannot be had: run npm run provision, it says why)`, tests)
}

const listed = (servers: Names): readonly Needed[] =>
  typeof servers === 'string' ? [servers] : servers

const findAddress = (server: Needed) =>
  server === 'softhsm' ? undefined : catalogue[server].address

const isShared = (server: Needed): boolean => Boolean(process.env[findAddress(server) ?? ''])

const canStart = (server: Needed): boolean =>
  (server === 'softhsm' ? findSoftHsm() : find(server)) !== undefined

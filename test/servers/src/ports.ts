/**
 * Free ports on loopback, taken from below the ephemeral range, so that no outgoing connection sits
 * on one during a restart.
 */

import { randomInt } from 'node:crypto'
import net from 'node:net'

const lowest = 15_000
const highest = 32_000

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
}

/** Resolves once nothing listens on the port any more. */
export async function untilFree(port: number): Promise<void> {
  while (!(await isFree(port))) await new Promise((resolve) => setTimeout(resolve, 20))
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

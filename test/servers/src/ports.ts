/**
 * Free ports on loopback, taken from below the ephemeral range, so that no outgoing connection sits
 * on one during a restart. None is given twice within the hour, to whatever process of this
 * checkout: what was given one may not listen yet, or restart just now.
 */

import { randomInt } from 'node:crypto'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { cache } from './finding'

const lowest = 15_000
const highest = 32_000
const claims = path.join(cache, '..', 'ports')
const claimMs = 3_600_000

export function findFreePort(): Promise<number> {
  return findFreeRow(1)
}

/** The first of so many free ports in a row. */
export async function findFreeRow(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(lowest, highest)
    const row = Array.from({ length: count }, (_, index) => first + index)
    // A row given up half-way stays claimed: there are enough.
    if (row.every(claim) && (await Promise.all(row.map(isFree))).every(Boolean)) return first
  }
}

/** False for a port that was given within the hour. */
function claim(port: number): boolean {
  const file = path.join(claims, String(port))
  mkdirSync(claims, { recursive: true })
  const given = statSync(file, { throwIfNoEntry: false })
  if (given && Date.now() - given.mtimeMs > claimMs) rmSync(file, { force: true })
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
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

/**
 * A disk that fills up while the service runs: creation answers 503 and leaves nothing half-
 * written; with space it goes on.
 *
 * The disk is a small tmpfs, which only root can mount; for others the test is skipped, and says
 * so.
 */

import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '@einvoicing/servers/eventually'
import { newOrganization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import { startStandalone, type Wire } from '../stack/standalone'
import { createUnderLoad } from './load'
import { expectAudit, expectDocuments, listAll, untilAllDecided } from './record'

const size = '24m'

async function withSmallDisk(use: (folder: string) => Promise<void>): Promise<void> {
  const disk = await mkdtemp(path.join(tmpdir(), 'einvoicing-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
  try {
    await use(disk)
  } finally {
    execFileSync('umount', [disk])
    await rmdir(disk)
  }
}

async function fill(disk: string): Promise<string> {
  const ballast = path.join(disk, 'ballast')
  const file = await open(ballast, 'w')
  try {
    for (const chunk of [Buffer.alloc(65_536), Buffer.alloc(4_096)]) {
      for (;;) {
        const written = await file.write(chunk).catch(() => undefined)
        if (!written || written.bytesWritten < chunk.length) break
      }
    }
  } finally {
    await file.close()
  }
  return ballast
}

function isMountable(): boolean {
  try {
    const probe = path.join(tmpdir(), `einvoicing-probe-${process.pid}`)
    execFileSync('mkdir', [probe])
    try {
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', probe], { stdio: 'ignore' })
      execFileSync('umount', [probe])
      return true
    } finally {
      execFileSync('rmdir', [probe])
    }
  } catch {
    return false
  }
}

const whereMountable = isMountable() ? describe : describe.skip

whereMountable.each<Wire>(['none', 'grpc'])('a full disk (WIRE=%s)', (wire) => {
  const seed = drawSeed('disk-full')

  test(`answers 503, loses nothing, and continues once there is space (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    await withSmallDisk(async (disk) => {
      const stack = await startStandalone({ wire, dataDir: path.join(disk, 'data') })
      try {
        const organization = await newOrganization(stack)
        const { invoices } = organization
        const load = createUnderLoad(invoices, { random, connections: 4 })
        await new Promise((resolve) => setTimeout(resolve, 300))
        const ballast = await fill(disk)
        await eventually(async () => expect(load.refused.length).toBeGreaterThan(8))
        load.stop()
        await load.done

        expect(load.unanswered).toEqual([])
        for (const { status, code, headers } of load.refused) {
          expect([status, code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        }
        expect((await invoices.list()).status).toBe(200)

        await rm(ballast)
        const { body } = load.refused[0]!
        const again = await eventually(async () => {
          const answer = await invoices.create(body)
          expect(answer.status).toBe(201)
          return answer
        })
        const acknowledged = [...load.acknowledged, again.data]
        const numbers = (all: readonly any[]) =>
          all.map(({ invoiceNumber }) => invoiceNumber).sort()
        expect(numbers(await listAll(invoices))).toEqual(numbers(acknowledged))

        const all = await untilAllDecided(invoices, 60_000)
        expect(all.filter(({ status }) => status !== 'ACCEPTED')).toEqual([])
        await expectDocuments(invoices, all)
        await expectAudit(organization, all)
      } finally {
        await stack.dispose()
      }
    })
  }, 120_000)
})

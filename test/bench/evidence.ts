/** What a time stamp, and what all evidence, costs our own process; authorities not counted. */

import { execFile } from 'node:child_process'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { requestJson } from '../stack/http'
import { newOrganization } from '../stack/organization'
import { startStandalone, type Standalone } from '../stack/standalone'
import { anInvoice } from '../stack/invoices'
import { readCpuTimes } from './cpu'
import type { Table } from './report'

const admin = path.join(__dirname, '../../../deploy/admin/dist/main.js')
const lookEveryMs = 500
/** Backlogs are counted every fifteen seconds. */
const countedWithinMs = 20_000
const idleMs = 10_000
const atOnce = 16

/** Invoices that have none get a time stamp each, then all that is above it. */
export async function measureEvidence(documents: number): Promise<Table> {
  const stack = await startStandalone({ env: { SANDBOX_CRL_SECONDS: '1', EVIDENCE_LEVEL: 'B' } })
  try {
    const { invoices, key } = await newOrganization(stack)
    const ids: string[] = []
    const create = async () => {
      while (ids.length < documents) {
        const { status, data } = await invoices.create(anInvoice())
        if (status !== 201) throw new Error(`an invoice was answered ${status}`)
        ids.push(data.id)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, create))
    for (const id of ids) await invoices.decided(id, 600_000)
    await untilDone(stack, 'archive')
    const subject = { stack, key: key.key, ids }
    const time = await measureLevel(subject, 'T')
    const rest = await measureLevel(subject, 'LTA')
    return {
      title: 'Evidence, standalone',
      note: `${ids.length} invoices of one line, by \`evidence backfill\` with nothing else going on. CPU of the process alone, without the authority, less what it uses when idle.`,
      rows: [time, rest],
    }
  } finally {
    await stack.dispose()
  }
}

interface Backfilled {
  stack: Standalone
  key: string
  ids: readonly string[]
}

async function measureLevel({ stack, key, ids }: Backfilled, level: 'T' | 'LTA') {
  await stack.stop()
  await stack.restart({ EVIDENCE_LEVEL: level })
  await delay(idleMs)
  const idleBefore = ownCpuMs(stack)
  await delay(idleMs)
  const idlePerMs = (ownCpuMs(stack) - idleBefore) / idleMs
  const [before, beganAt] = [ownCpuMs(stack), performance.now()]
  const words = ['evidence', 'backfill', '--per-minute', '60000']
  const env = { PATH: process.env['PATH'], DATA_DIR: stack.dataDir, EVIDENCE_LEVEL: level }
  await promisify(execFile)(process.execPath, [admin, ...words], { env })
  const last = ids.at(-1)!
  for (const backlog of ['timeStamps', 'evidence']) await untilDone(stack, backlog)
  const tookMs = performance.now() - beganAt
  const cpuMs = ownCpuMs(stack) - before - idlePerMs * tookMs
  const url = `${stack.baseUrl}/v1/invoices/${last}`
  const { data } = await requestJson<{ signatureLevel: string }>('GET', url, { key })
  if (data.signatureLevel !== `XAdES-B-${level}`) throw new Error(`it is ${data.signatureLevel}`)
  return {
    level: level === 'T' ? 'T' : 'LTA, after T',
    'own CPU ms each': (cpuMs / ids.length).toFixed(2),
  }
}

function ownCpuMs(stack: Standalone): number {
  return readCpuTimes({ own: stack.pid() }).get('own')?.ms ?? 0
}

/** Until nothing of that backlog waits. */
async function untilDone({ baseUrl }: Standalone, name: string): Promise<void> {
  const line = new RegExp(`^einvoicing_backlog_count\\{backlog="${name}"[^}]*\\} (\\d+)`, 'm')
  await delay(countedWithinMs)
  for (;;) {
    const text = await (await fetch(`${baseUrl}/metrics`)).text()
    const [, count] = line.exec(text) ?? []
    if (count === '0') return
    await delay(lookEveryMs)
  }
}

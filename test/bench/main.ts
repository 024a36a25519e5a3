/**
 * How many invoices a second this machine creates, beside floors measured in the same minute.
 *
 * The service is the built standalone with its defaults, clearance included, on a folder and ports
 * of its own; the load comes from this process, so that generator and service share no event loop.
 * Figures compare only within a run.
 */

import { startStandalone } from '../stack/standalone'
import { durableAppendsPerSecond } from './durable-appends'
import { startExpressFloor } from './express-floor'
import { type Load, lineCount, postInvoices } from './load'

const seconds = { warmUp: 3, measured: 10, floor: 5, appends: 3 } as const
const recordBytes = 12 * 1024 // a signed invoice at rest

async function main(): Promise<void> {
  const spawnedAt = performance.now()
  const service = await startStandalone({
    env: { DEMO: '1', RATE_LIMIT_PER_MINUTE: '1000000' },
  })
  const startUpMs = performance.now() - spawnedAt
  try {
    const key = /svc_sk_[A-Za-z0-9]+/.exec(service.output())?.[0]
    if (key === undefined) throw new Error('the service printed no demo key')
    const target = { url: `${service.baseUrl}/v1/invoices`, key }
    await postInvoices(target, seconds.warmUp)
    const creation = await postInvoices(target, seconds.measured)
    const express = await measureExpress(creation.answer)
    const appends = durableAppendsPerSecond(service.dataDir, recordBytes, seconds.appends)
    report({ startUpMs, creation, express, appends })
  } finally {
    await service.dispose()
  }
}

/** The least an Express service does: parse a body of that size, answer one of that size. */
async function measureExpress(answer: string): Promise<Load> {
  const floor = await startExpressFloor(answer)
  try {
    await postInvoices({ url: floor.url, key: 'none' }, 1)
    return await postInvoices({ url: floor.url, key: 'none' }, seconds.floor)
  } finally {
    floor.close()
  }
}

interface Figures {
  startUpMs: number
  creation: Load
  express: Load
  appends: number
}

function report({ startUpMs, creation, express, appends }: Figures): void {
  const { perSecond, p50Ms, p99Ms, connections } = creation
  const share = (floor: number) => `creation is ${(perSecond / floor).toFixed(2)} of it`
  const rows = [
    ['creation', `${perSecond}/s`, `p50 ${p50Ms} ms, p99 ${p99Ms} ms`],
    ['', '', `${connections} connections, ${lineCount} lines, ${seconds.measured} s`],
    ['express', `${express.perSecond}/s`, `same bodies, nothing done; ${share(express.perSecond)}`],
    ['fsync', `${appends}/s`, `${recordBytes / 1024} kB appends in turn; ${share(appends)}`],
    ['start-up', `${Math.round(startUpMs)} ms`, 'from spawn to /readyz'],
  ]
  for (const [name = '', figure = '', note = ''] of rows) {
    process.stdout.write(`${name.padEnd(10)}${figure.padStart(10)}   ${note}\n`)
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
})

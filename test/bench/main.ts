/**
 * How many invoices a second this machine creates, beside floors measured in the same minute: the
 * built standalone with its defaults, or (`services`) every service a process on real servers.
 *
 * Clearance is at work meanwhile, on a folder and ports of its own; the load comes from this
 * process, so that generator and service share no event loop. Figures compare only within a run.
 */

import { durableAppendsPerSecond } from './durable-appends'
import { startExpressFloor } from './express-floor'
import { connections, type Load, lineCount, postInvoices } from './load'
import { mongoInsertsPerSecond } from './mongo-inserts'
import { openServices, openStandalone, type Subject } from './subject'

const seconds = { warmUp: 10, measured: 10, floor: 5, appends: 3 } as const
const recordBytes = 12 * 1024 // a signed invoice at rest

async function main(): Promise<void> {
  const subject = process.argv[2] === 'services' ? await openServices() : await openStandalone()
  const { disk, creation } = await measure(subject).finally(() => subject.dispose())
  const express = await measureExpress(creation.answer)
  report({ subject, creation, express, disk })
}

/** Before the load and after all has ended: clearance goes on for a while, beside no floor. */
async function measure(subject: Subject): Promise<{ disk: DiskFloor; creation: Load }> {
  const target = { url: `${subject.url}/v1/invoices`, key: subject.key }
  const disk = await measureDisk(subject)
  await postInvoices(target, seconds.warmUp)
  return { disk, creation: await postInvoices(target, seconds.measured) }
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

interface DiskFloor {
  name: string
  perSecond: number
  note: string
}

async function measureDisk({ dataDir, mongodbUrl }: Subject): Promise<DiskFloor> {
  const kilobytes = recordBytes / 1024
  if (mongodbUrl === undefined) {
    const perSecond = durableAppendsPerSecond(dataDir, recordBytes, seconds.appends)
    return { name: 'fsync', perSecond, note: `${kilobytes} kB appends in turn` }
  }
  const options = { bytes: recordBytes, atOnce: connections, seconds: seconds.appends }
  const perSecond = await mongoInsertsPerSecond(mongodbUrl, options)
  return { name: 'mongodb', perSecond, note: `${kilobytes} kB inserts, ${connections} at once` }
}

interface Figures {
  subject: Subject
  creation: Load
  express: Load
  disk: DiskFloor
}

function report({ subject, creation, express, disk }: Figures): void {
  const { perSecond, p50Ms, p99Ms } = creation
  const share = (floor: number) => `creation is ${(perSecond / floor).toFixed(2)} of it`
  const rows = [
    ['creation', `${perSecond}/s`, `p50 ${p50Ms} ms, p99 ${p99Ms} ms`],
    ['', '', `${connections} connections, ${lineCount} lines, ${seconds.measured} s`],
    ['express', `${express.perSecond}/s`, `same bodies, nothing done; ${share(express.perSecond)}`],
    [disk.name, `${disk.perSecond}/s`, `${disk.note}; ${share(disk.perSecond)}`],
    ['start-up', `${Math.round(subject.startUpMs)} ms`, 'from spawn to /readyz'],
  ]
  for (const [name = '', figure = '', note = ''] of rows) {
    process.stdout.write(`${name.padEnd(10)}${figure.padStart(10)}   ${note}\n`)
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
})

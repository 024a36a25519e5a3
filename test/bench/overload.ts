/**
 * More creations than the service can do, sent whether or not those before were answered. Generator
 * and service share the machine, so that its own work is in the results: they compare within a run.
 */

import { startOpenLoop, type LoopFound } from '../stack/open-loop'
import { slowestLivez } from '../stack/slowest-livez'
import { withSubject } from './creations'
import type { Table } from './report'
import type { Kind, Subject } from './subject'

const seconds = { warmUp: 6, peak: 5, flood: 10 } as const
const patienceMs = 2_000
// More than the 1,024 requests that may be in work at once, however fast the machine is.
const connections = 1_200
const factors = [2, 10]
const atOnce = 24
/** Answered in turn and at once: the service is as it was. */
const recovered = { inTurn: 5, withinMs: 250 } as const

interface Flood extends LoopFound {
  livezMs: number
  recoveredMs: number
}

export async function runOverload(kind: Kind): Promise<Table> {
  const rows = await withSubject(kind, {}, async (subject) => {
    const peak = await findPeak(subject)
    const found = [row('the peak', peak, peak)]
    for (const factor of factors) {
      const perSecond = factor * peak.goodPerSecond
      const what = `${factor} × (${perSecond} a second)`
      found.push(row(what, await flood(subject, perSecond), peak))
    }
    return found
  })
  return {
    title: `Overload, ${kind}`,
    note: `The peak is of ${atOnce} at once for ${seconds.peak} s; then so many are offered for ${seconds.flood} s over ${connections} connections. Late: not answered within ${patienceMs / 1_000} s. Recovered: ${recovered.inTurn} in turn are created within ${recovered.withinMs} ms each.`,
    rows,
  }
}

async function findPeak({ url, key }: Subject): Promise<LoopFound> {
  const loop = await startOpenLoop({ url, key, connections: atOnce })
  try {
    await loop.run({ atOnce, seconds: seconds.warmUp, patienceMs })
    return await loop.run({ atOnce, seconds: seconds.peak, patienceMs })
  } finally {
    loop.close()
  }
}

/** Its connections are new: the peak is measured without them. */
async function flood(subject: Subject, perSecond: number): Promise<Flood> {
  const { url, key } = subject
  const crowd = await startOpenLoop({ url, key, connections })
  const trial = crowd
    .run({ perSecond, seconds: seconds.flood, patienceMs })
    .finally(() => crowd.close())
  const offered = new Promise((resolve) => setTimeout(resolve, seconds.flood * 1_000))
  const livez = slowestLivez(url, offered)
  const recoveredMs = offered.then(() => untilRecovered(subject))
  return { ...(await trial), livezMs: (await livez).slowestMs, recoveredMs: await recoveredMs }
}

async function untilRecovered(subject: Subject): Promise<number> {
  const since = performance.now()
  for (let inTurn = 0, at = 0; inTurn < recovered.inTurn; at += 1) {
    const sentAt = performance.now()
    const status = await create(subject, `R-${Math.round(since)}-${at}`)
    const isQuick = performance.now() - sentAt <= recovered.withinMs
    inTurn = status === 201 && isQuick ? inTurn + 1 : 0
  }
  return Math.round(performance.now() - since)
}

async function create({ url, key }: Subject, number: string): Promise<number> {
  const line = { lineNumber: 1, description: 'Conseil', quantity: 2, unitPrice: 450.5, vatRate: 20 }
  const answer = await fetch(`${url}/v1/invoices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      invoiceNumber: number,
      invoiceDate: '2026-01-31',
      currency: 'MAD',
      paymentMethod: 'CASH',
      lines: [line],
    }),
  })
  await answer.arrayBuffer()
  return answer.status
}

function row(
  offered: string,
  found: LoopFound & Partial<Flood>,
  peak: LoopFound,
): Table['rows'][number] {
  const percent = (count: number) => `${Math.round((100 * count) / Math.max(found.offered, 1))} %`
  return {
    offered,
    'created a second': found.goodPerSecond,
    'of the peak': (found.goodPerSecond / peak.goodPerSecond).toFixed(2),
    'p50 ms': found.goodP50Ms,
    'p99 ms': found.goodP99Ms,
    'answered 503': percent(found.refused),
    '503 p99 ms': found.refusedP99Ms,
    late: percent(found.late),
    'slowest /livez ms': found.livezMs ?? '',
    'recovered after ms': found.recoveredMs ?? '',
  }
}

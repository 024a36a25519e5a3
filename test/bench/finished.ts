/** How fast what was created is finished, and how long an answer takes meanwhile. */

import { requestJson } from '../stack/http'
import { createInvoices, usualLoad } from './load'
import { type Plan, warmUp } from './creations'
import { readCpuTimes, readRssMib } from './cpu'
import type { EverythingOn } from './everything-on'
import type { Table } from './report'
import type { Subject } from './subject'

const lookEveryMs = 500
const giveUpAfterMs = 30 * 60_000

export interface Burst {
  seconds: number
  /** Invoices before it. */
  warmUp: number
}

/** As many creations as 32 connections make, until nothing of them is left to do. */
export async function measureFinished(
  on: EverythingOn,
  { seconds: burstSeconds, warmUp: invoices }: Burst,
): Promise<Table> {
  const { kind } = on
  const row = await on.use(async (subject) => {
    await warmUp(subject, { invoices, secondsMax: 20 })
    await untilFinished(subject)
    const before = await count(subject, 'ACCEPTED')
    const putsBefore = await countStored(subject)
    const cpuBefore = sum(await subject.processes())
    const beganAt = performance.now()
    const { perSecond: created } = await createInvoices(subject, usualLoad, burstSeconds)
    // A little less, because the rate is rounded; the lists are exact.
    const puts = 0.9 * artefactsOfInvoice * created * burstSeconds
    await untilFinished(subject, putsBefore + puts)
    const seconds = (performance.now() - beganAt) / 1_000
    const finished = (await count(subject, 'ACCEPTED')) - before
    const cpuMs = sum(await subject.processes()) - cpuBefore
    return {
      stack: kind,
      'created in the burst': created * burstSeconds,
      finished,
      'seconds until all are': seconds.toFixed(1),
      'finished a second': (finished / seconds).toFixed(1),
      'CPU ms each': (cpuMs / finished).toFixed(1),
    }
  })
  return {
    title: `Finished invoices, ${kind}`,
    note: `A burst over ${burstSeconds} s, then until every invoice is accepted and its XML, PDF and QR are archived. CPU of every process, the simulator's too.`,
    rows: [row],
  }
}

/** At half the peak, everything on: an open loop that does not wait for slow answers. */
export async function measureLatency(on: EverythingOn, plan: Plan): Promise<Table> {
  const { kind } = on
  const row = await on.use(async (subject) => {
    await warmUp(subject, plan.warmUp)
    const peak = await createInvoices(subject, usualLoad, plan.seconds)
    const half = Math.max(1, Math.round(peak.perSecond / 2))
    const load = { ...usualLoad, connections: 256 }
    const { p50Ms, p99Ms, p999Ms, perSecond } = await createInvoices(
      subject,
      load,
      2 * plan.seconds,
      half,
    )
    const [name = '', pid = 0] = Object.entries(await subject.processes())[0] ?? []
    return {
      stack: kind,
      'peak a second': peak.perSecond,
      'answered a second': perSecond,
      'p50 ms': p50Ms,
      'p99 ms': p99Ms,
      'p99.9 ms': p999Ms,
      'p99 ÷ p50': (p99Ms / p50Ms).toFixed(1),
      'start-up ms': Math.round(subject.startUpMs),
      'RSS MiB': `${readRssMib(pid)} (${name})`,
    }
  })
  return { title: `Latency at half the peak, ${kind}`, note: 'Open loop, 10 lines.', rows: [row] }
}

async function count({ url, key }: Subject, status: string): Promise<number> {
  const { data } = await requestJson('GET', `${url}/v1/invoices?status=${status}&size=1`, { key })
  return (data as { totalElements: number }).totalElements
}

async function untilFinished(subject: Subject, putsMin = 0): Promise<void> {
  const giveUpAt = performance.now() + giveUpAfterMs
  while (performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    // Few lists, which would be part of what is measured.
    const puts = await countStored(subject)
    if (puts < putsMin) continue
    const undecided = (await count(subject, 'SIGNED')) + (await count(subject, 'TRANSMITTED'))
    const artefacts = artefactsOfInvoice * (await count(subject, 'ACCEPTED'))
    if (undecided === 0 && puts >= artefacts) return
  }
  throw new Error('what was created is not finished')
}

// Signed XML, PDF and QR. The backlog is a gauge that is renewed every fifteen seconds.
const artefactsOfInvoice = 3
const stored = /^einvoicing_artefact_put_duration_seconds_count\{.*outcome="done".*\} (\d+)/gm

async function countStored({ metricsUrl }: Subject): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  return [...text.matchAll(stored)].reduce((total, [, puts]) => total + Number(puts), 0)
}

function sum(pids: Readonly<Record<string, number>>): number {
  return [...readCpuTimes(pids).values()].reduce((total, { ms }) => total + ms, 0)
}

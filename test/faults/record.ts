/**
 * The whole truth about an organization after an error, gathered by the interface: invoices,
 * artefacts, audit, platform.
 */

import { createHash } from 'node:crypto'
import { eventually } from '@einvoicing/servers/eventually'
import { inBatches } from '@einvoicing/servers/in-batches'
import { send } from '../stack/http'
import { finalStatuses, type Invoices } from '../stack/invoices'
import type { Organization, Session } from '../stack/organization'
import { isSignatureValid, parseXml, textAt } from '../stack/xml'

export async function listAll(invoices: Invoices): Promise<any[]> {
  const all: any[] = []
  for (let page = 0; ; page += 1) {
    const { data } = await invoices.list({ page, size: 100, sort: 'createdAt,asc' })
    all.push(...data.content)
    if (data.last) return all
  }
}

export async function readAudit(session: Session): Promise<any[]> {
  const all: any[] = []
  for (let page = 0; ; page += 1) {
    // Right after kills a read may be 503, which says to send it again.
    const data = await eventually(() => readAuditPage(session, page), 30_000, 1_000)
    all.push(...data.content)
    if (data.last) return all.reverse()
  }
}

async function readAuditPage(session: Session, page: number) {
  const { data, code, message } = await session.call('GET', `/audit?page=${page}&size=100`)
  if (code !== 'OK') throw new Error(`audit: ${code} ${message}`)
  return data
}

export async function submissionTotal(simulatorUrl: string): Promise<number> {
  const { bytes } = await send('GET', `${simulatorUrl}/v1/submissions`)
  return JSON.parse(bytes.toString()).total
}

export async function setBehaviour(
  simulatorUrl: string,
  behaviour: Record<string, number>,
): Promise<void> {
  const { status, bytes } = await send('PUT', `${simulatorUrl}/v1/behaviour`, { body: behaviour })
  if (status !== 200) throw new Error(`behaviour: ${status} ${bytes.toString()}`)
}

/** Answers all invoices when each is decided; throws when none has moved on for the time. */
export async function untilAllDecided(invoices: Invoices, withinMs: number): Promise<any[]> {
  let stepsLeft = Infinity
  do {
    stepsLeft = await eventually(
      async () => {
        const open = await countOpen(invoices)
        const steps = 2 * open.SIGNED + open.TRANSMITTED
        if (steps >= stepsLeft) throw new Error(`not decided: ${JSON.stringify(open)}`)
        return steps
      },
      withinMs,
      250,
    )
  } while (stepsLeft > 0)
  const all = await listAll(invoices)
  expect(all.filter(({ status }) => !finalStatuses.includes(status))).toEqual([])
  return all
}

async function countOpen(invoices: Invoices) {
  const count = async (status: string): Promise<number> =>
    (await invoices.list({ status, size: 1 })).data.totalElements
  return { SIGNED: await count('SIGNED'), TRANSMITTED: await count('TRANSMITTED') }
}

/** Throws unless each invoice has its signed XML, whole, under its number. */
export async function expectDocuments(invoices: Invoices, all: readonly any[]): Promise<void> {
  const problems: string[] = []
  await inBatches(all, async ({ id, invoiceNumber }, at) => {
    const { status, headers, bytes } = await invoices.artefact(id, 'xml')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (status !== 200 || headers.get('etag') !== `"${sha256}"`) problems.push(`${id}: ${status}`)
    else if (textAt(parseXml(bytes), 'ID') !== invoiceNumber) problems.push(`${id}: other number`)
    else if (at % 20 === 0 && !isSignatureValid(bytes)) problems.push(`${id}: signature`)
  })
  expect(problems).toEqual([])
}

/**
 * Throws unless every invoice's audit is the one story that leads to its status, each step once.
 */
export async function expectAudit({ session }: Organization, all: readonly any[]): Promise<void> {
  const stories = new Map<string, string[]>()
  for (const { invoiceId, to } of await readAudit(session)) {
    if (invoiceId) stories.set(invoiceId, [...(stories.get(invoiceId) ?? []), to])
  }
  const reported = new Map(all.map(({ id }) => [id, stories.get(id)?.join()]))
  const expected = new Map(all.map(({ id, status }) => [id, `SIGNED,TRANSMITTED,${status}`]))
  expect([...reported].filter(([id, story]) => story !== expected.get(id))).toEqual([])
  expect(stories.size).toBe(all.length)
}

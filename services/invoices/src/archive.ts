/**
 * The archiver: moves the signed XML from the invoice to the archive and has the final artefacts
 * drawn there.
 *
 * Out of the request path: with the archive away creation goes on, and everything is archived when
 * it returns. The inline copy is dropped only after the archive has confirmed the bytes by their
 * SHA-256.
 */

import { Outage } from '@einvoicing/kernel/outage'
import type { Call } from '@einvoicing/kernel/rpc'
import { idsOf, inSpan, type Followed } from '@einvoicing/kernel/trace'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Deps } from './deps'
import { startLoop, ToldAlready, type Loop } from './loop'
import { followedFrom } from './origin'
import type { ArchiveWork, Position } from './store/store'

const pageSize = 50
const pauseMs = 5_000
const againMs = 30_000
const atOnceMax = 4
const keepDeadlineMs = 60_000

type ArchiveDeps = Pick<Deps, 'store' | 'artefacts' | 'now' | 'log'>

export function startArchiver(deps: ArchiveDeps): Loop {
  const { store, now, log } = deps
  // Work that failed waits its turn apart, so that one bad piece never holds up or hammers.
  const notBefore = new Map<Position, number>()

  const outage = new Outage({
    log,
    begun: 'the archive does not take what it should; it is tried again until it does',
    over: 'all is archived again',
  })

  const archive = async (work: ArchiveWork): Promise<void> => {
    const { organizationId, invoiceId, part, position } = work
    let ids: object = {}
    try {
      const invoice = await store.get(organizationId, invoiceId)
      const followed = invoice ? followedFrom(invoice) : {}
      ids = idsOf(followed)
      if (invoice) await keep(deps, work, { invoice, followed })
      await store.finishArchiveWork(work)
      notBefore.delete(position)
      outage.mended(position)
      log.debug({ ...ids, invoiceId, organizationId, part }, 'archived')
    } catch (err) {
      notBefore.set(position, now().getTime() + againMs)
      outage.failed(position, { err, ...ids, invoiceId, organizationId, part, againInMs: againMs })
    }
  }

  return startLoop({ name: 'archiver', pauseMs, log }, async (closing) => {
    let behind: Position | undefined
    for (const [position, moment] of notBefore) {
      if (moment <= now().getTime()) notBefore.delete(position)
    }
    for (;;) {
      const page = await store.listArchiveWork(behind, pageSize)
      if (page.length === 0 || closing()) return
      behind = page.at(-1)?.position
      const due = page.filter(({ position }) => !notBefore.has(position))
      // A page takes longer than a process has to stop in: the rest is done after the next start.
      await eachAtMost(atOnceMax, due, async (work) => {
        if (!closing()) await archive(work)
      })
      if (closing()) return
      if (due.length > 0 && due.every(({ position }) => notBefore.has(position))) {
        throw new ToldAlready('the archive takes nothing')
      }
    }
  })
}

interface Kept {
  invoice: Invoice
  followed: Followed
}

function keep(deps: ArchiveDeps, work: ArchiveWork, { invoice, followed }: Kept): Promise<void> {
  const { part, invoiceId } = work
  const attributes = { 'einvoicing.invoice.id': invoiceId }
  return inSpan(followed.span, { name: `archive ${part}`, attributes }, (span) => {
    const call = archiverCall(work, { ...followed, span })
    return part === 'signed-xml'
      ? keepSignedXml(deps, invoice, call)
      : keepFinal(deps, invoice, call)
  })
}

async function keepSignedXml(deps: ArchiveDeps, invoice: Invoice, call: Call): Promise<void> {
  const { id: invoiceId, organizationId, invoiceDate, xmlSha256: sha256 } = invoice
  const { invoiceNumber, issuer } = invoice
  const xml = await deps.store.readXml(organizationId, invoiceId)
  // Gone when a crash came between the archive's answer and the end of this work.
  if (!sha256 || !xml) return
  const request = { invoiceId, invoiceDate, xml: Buffer.from(xml), sha256 }
  await deps.artefacts.keepSignedXml({ ...request, invoiceNumber, issuerIce: issuer?.ice }, call)
}

async function keepFinal({ artefacts }: ArchiveDeps, invoice: Invoice, call: Call): Promise<void> {
  await artefacts.keepFinalArtefacts({ invoice }, call)
}

function archiverCall({ organizationId, invoiceId }: ArchiveWork, followed: Followed): Call {
  return {
    caller: { service: 'invoices', organizationId, actor: 'service:invoices' },
    requestId: followed.requestId ?? `archive-${invoiceId}`,
    span: followed.span,
    deadline: Date.now() + keepDeadlineMs,
  }
}

async function eachAtMost<T>(
  atOnce: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items.values()
  const worker = async () => {
    for (const item of remaining) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

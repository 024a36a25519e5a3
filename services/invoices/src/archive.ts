/**
 * The archiver: moves the signed XML from the invoice to the archive and has the final artefacts
 * drawn there.
 *
 * Out of the request path: with the archive away creation goes on, and everything is archived when
 * it returns. The inline copy is dropped only after the archive has confirmed the bytes by their
 * SHA-256.
 */

import type { Call } from '@einvoicing/kernel/rpc'
import type { Deps } from './deps'
import { startLoop, type Loop } from './loop'
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

  const archive = async (work: ArchiveWork): Promise<void> => {
    try {
      if (work.part === 'signed-xml') await keepSignedXml(deps, work)
      else await keepFinal(deps, work)
      await store.finishArchiveWork(work)
    } catch (err) {
      notBefore.set(work.position, now().getTime() + againMs)
      log.warn({ err, ...work, againInMs: againMs }, 'not archived yet, will be tried again')
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
      await eachAtMost(atOnceMax, due, archive)
      if (due.length > 0 && due.every(({ position }) => notBefore.has(position))) {
        throw new Error('the archive takes nothing')
      }
    }
  })
}

async function keepSignedXml({ store, artefacts }: ArchiveDeps, work: ArchiveWork): Promise<void> {
  const { organizationId, invoiceId } = work
  const invoice = await store.get(organizationId, invoiceId)
  const xml = await store.readXml(organizationId, invoiceId)
  // Gone when a crash came between the archive's answer and the end of this work.
  if (!invoice?.xmlSha256 || !xml) return
  const { invoiceDate, xmlSha256: sha256 } = invoice
  const request = { invoiceId, invoiceDate, xml: Buffer.from(xml), sha256 }
  await artefacts.keepSignedXml(request, archiverCall(work))
}

async function keepFinal({ store, artefacts }: ArchiveDeps, work: ArchiveWork): Promise<void> {
  const invoice = await store.get(work.organizationId, work.invoiceId)
  if (invoice) await artefacts.keepFinalArtefacts({ invoice }, archiverCall(work))
}

function archiverCall({ organizationId, invoiceId }: ArchiveWork): Call {
  return {
    caller: { service: 'invoices', organizationId, actor: 'service:invoices' },
    requestId: `archive-${invoiceId}`,
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

/** How every InvoiceStore hands out queued work, and what becomes of it. */

import { randomUUID } from 'node:crypto'
import type { QueuedWork, InvoiceStore } from './store'
import { anInvoice, dueWork, later, signedWrite, write } from './testdata/invoices'

interface Opened {
  store: InvoiceStore
  reopen: () => Promise<InvoiceStore>
}

const toId = ({ invoiceId }: { invoiceId: string }) => invoiceId
const toIds = (works: readonly QueuedWork[]) => works.map(({ invoiceId }) => invoiceId)

export function queuedWorkContract(opened: () => Opened): void {
  const [now, soon, horizon] = ['2040-05-03T10:00:00Z', '2040-05-03T10:00:30Z', '2040-05-04']
  const due = (query: Parameters<typeof dueWork>[1] = {}) =>
    dueWork(opened().store, { now, horizon, ...query })
  const signed = async (organizationId: string, count = 1) => {
    const invoices = Array.from({ length: count }, () =>
      anInvoice({ organizationId, id: randomUUID() }),
    )
    for (const invoice of invoices) await opened().store.create(signedWrite(invoice))
    return invoices.map(({ id }) => id)
  }
  const accepted = async () => {
    const invoice = anInvoice()
    await opened().store.create(signedWrite(invoice))
    const decided = later(invoice, { status: 'ACCEPTED' })
    await opened().store.change(invoice, write(decided, { work: 'final' }))
    return invoice
  }

  describe('archive work', () => {
    it('organizations take turns, the oldest work first', async () => {
      const [many, few] = [await signed('org-1', 5), await signed('org-3', 2)]
      const first = await due({ count: 2 })
      expect(toIds(first)).toEqual(many.slice(0, 2))
      expect(toIds(await due({ count: 2, after: 'org-1' }))).toEqual(few)
      // Round and round.
      expect(toIds(await due({ count: 2, after: 'org-3' }))).toEqual(many.slice(0, 2))
      const underway = first.map(({ position }) => position)
      expect(toIds(await due({ count: 9, underway }))).toEqual(many.slice(2))
      expect(toIds(await due({ except: ['org-1'] }))).toEqual(few)
      expect(await due({ except: ['org-1', 'org-3'] })).toEqual([])
    })

    it('that failed waits for its next attempt, and so does no one else, over a restart', async () => {
      const [one, other] = [await signed('org-1', 2), await signed('org-2')]
      for (const work of await due()) {
        await opened().store.postponeWork(work, { attempts: 3, nextAttemptAt: soon })
      }
      await opened().reopen()
      expect(toIds(await due())).toEqual(other)
      expect(await due({ after: 'org-1', except: ['org-2'] })).toEqual([])
      const again = await due({ now: soon })
      expect(again).toMatchObject(one.map((invoiceId) => ({ invoiceId, attempts: 3 })))
      // What was never tried is due before.
      const [fresh] = await signed('org-1')
      expect(toIds(await due({ now: soon }))).toEqual([fresh, ...one])
    })

    it('is due when its next attempt is too far ahead: a clock was set back', async () => {
      const [id] = await signed('org-1')
      const [work] = await due()
      const put = (nextAttemptAt: string) =>
        opened().store.postponeWork(work!, { attempts: 1, nextAttemptAt })
      await put(horizon)
      expect(await due()).toEqual([])
      await put('2041-01-01T00:00:00Z')
      expect(toIds(await due())).toEqual([id])
    })

    it('given up, it is a dead letter with its XML, until it is retried', async () => {
      const [id] = await signed('org-1')
      const [other] = await signed('org-2')
      const [work] = await due()
      const letter = { attempts: 12, at: now, error: 'it holds other bytes' }
      await opened().store.buryArchiveWork(work!, letter)
      await opened().store.buryArchiveWork(work!, letter)
      const store = await opened().reopen()
      expect(toIds(await due())).toEqual([other])
      expect(await store.listArchiveDeadLetters(undefined, 10)).toEqual([{ ...work, ...letter }])
      expect(await store.listArchiveDeadLetters(work!.position, 10)).toEqual([])
      expect((await store.backlogs()).archiveDeadLetters.count).toBe(1)
      expect((await store.backlogs()).archive.count).toBe(1)
      expect(await store.readXml('org-1', id!)).toBeDefined()

      expect(await store.reviveArchiveWork(work!)).toBe(true)
      expect(await store.reviveArchiveWork(work!)).toBe(false)
      expect(await store.listArchiveDeadLetters(undefined, 10)).toEqual([])
      const [again] = await due()
      expect(again).toEqual({ ...work, attempts: 0 })
      await store.finishWork(again!)
      expect(await store.readXml('org-1', id!)).toBeUndefined()
    })

    it('finished work cannot be postponed or given up', async () => {
      await signed('org-1')
      const [work] = await due()
      const { store } = opened()
      await store.finishWork(work!)
      await store.postponeWork(work!, { attempts: 1, nextAttemptAt: now })
      await store.buryArchiveWork(work!, { attempts: 1, at: now, error: 'late' })
      expect(await due()).toEqual([])
      expect(await store.listArchiveDeadLetters(undefined, 10)).toEqual([])
    })

    it('has an age, also where a credit note waits for its invoice', async () => {
      const waiting = { clearanceStartedAt: undefined, signedAt: now }
      await opened().store.create(signedWrite(anInvoice(waiting)))
      expect((await opened().store.backlogs()).archive.oldest).toMatch(/^20.*Z$/)
    })

    it('the two parts of one invoice are archived separately', async () => {
      const { store } = opened()
      const invoice = await accepted()
      const [xml, final] = await dueWork(store)
      expect([xml?.part, final?.part]).toEqual(['signed-xml', 'final'])
      expect(await dueWork(store, { underway: [xml!.position] })).toEqual([final])
      await store.finishWork(final!)
      await store.finishWork(final!)
      expect(await store.readXml('org-1', invoice.id)).toBeDefined()
      expect(await dueWork(store)).toEqual([xml])
    })

    it('one part does not imply the other', async () => {
      const { store } = opened()
      await accepted()
      const [xml, final] = await due()
      await store.buryArchiveWork(final!, { attempts: 1, at: now, error: 'no' })
      expect(await due()).toEqual([xml])
      expect(await store.listArchiveDeadLetters(undefined, 1)).toMatchObject([{ part: 'final' }])
    })
  })

  describe('time stamps', () => {
    const queue = 'time-stamps' as const
    const evidence = {
      level: 'XAdES-B-T' as const,
      timeStampedAt: '2026-05-03T10:00:01.000Z',
      token: Buffer.from('token'),
    }
    const archived = async (organizationId: string) => {
      const [id] = await signed(organizationId)
      const [work] = (await due({ count: 99 })).filter(({ invoiceId }) => invoiceId === id)
      await opened().store.finishWork(work!)
      return id!
    }

    it('are due as soon as the document is archived, apart from what is to archive', async () => {
      const id = await archived('org-1')
      const [waiting] = await signed('org-2')
      const store = await opened().reopen()
      expect(toIds(await due())).toEqual([waiting])
      const work = await due({ queue })
      expect(work).toMatchObject([
        { invoiceId: id, organizationId: 'org-1', part: 'time-stamp', attempts: 0 },
      ])
      expect((await store.backlogs()).timeStamps.count).toBe(1)
      expect((await store.backlogs()).archive.count).toBe(1)
      expect(Date.parse((await store.backlogs()).timeStamps.oldest!)).toBeGreaterThan(
        Date.now() - 60_000,
      )
    })

    it('failed ones wait, and others continue', async () => {
      const [one, other] = [await archived('org-1'), await archived('org-2')]
      const [work] = await due({ queue })
      await opened().store.postponeWork(work!, { attempts: 1, nextAttemptAt: soon })
      expect(toIds(await due({ queue, after: 'org-1' }))).toEqual([other])
      expect(toIds(await due({ queue, except: ['org-2'] }))).toEqual([])
      expect(await due({ queue, except: ['org-2'], now: soon })).toMatchObject([
        { invoiceId: one, attempts: 1 },
      ])
    })

    it('are stored beside the invoice, whose changes do not affect them', async () => {
      const id = await archived('org-1')
      const { store } = opened()
      const seen = (await store.get('org-1', id))!
      expect(seen.signatureLevel).toBeUndefined()
      const [work] = await due({ queue })
      await store.keepTimeStamp(work!, evidence)
      expect(await due({ queue })).toEqual([])
      expect((await store.backlogs()).timeStamps.count).toBe(0)
      // Seen before the time stamp was kept.
      const accepted = later(seen, { status: 'ACCEPTED' })
      expect(await store.change(seen, write(accepted))).toBe('changed')
      const { level: signatureLevel, timeStampedAt } = evidence
      const stamped = { ...accepted, signatureLevel, timeStampedAt }
      expect(await store.get('org-1', id)).toEqual(stamped)
      expect(await store.find(id)).toEqual(stamped)
      // What was read with its level is written without it.
      expect(await store.change(stamped, write(later(stamped, {})))).toBe('changed')
      const again = await opened().reopen()
      expect((await again.readEvidence('org-1', id))?.token).toEqual(evidence.token)
      expect(await again.readEvidence('org-1', id)).toMatchObject({ timeStampedAt })
      expect(await again.readEvidence('org-2', id)).toBeUndefined()
    })

    it('only the first is stored', async () => {
      const id = await archived('org-1')
      const { store } = opened()
      const [work] = await due({ queue })
      await store.keepTimeStamp(work!, evidence)
      await store.keepTimeStamp(work!, { ...evidence, token: Buffer.from('later') })
      await store.finishWork(work!)
      expect((await store.readEvidence('org-1', id))?.token).toEqual(evidence.token)
    })
  })
  describe('evidence', () => {
    const token = Buffer.from('token')
    const timeStampedAt = '2026-05-03T10:00:01.000Z'
    const stamped = { level: 'XAdES-B-T' as const, timeStampedAt, token }
    const archive = { level: 'XAdES-B-LTA' as const, timeStampedAt, artefact: 1 }
    const evidence = { queue: 'evidence' as const }
    const organizations = ['org-1', 'org-2', 'org-3']
    const taken = async (query: Parameters<typeof due>[0], id: string) => {
      const found = organizations.map((of) => {
        const except = organizations.filter((other) => other !== of)
        return due({ count: 99, except, ...query })
      })
      return (await Promise.all(found)).flat().find(({ invoiceId }) => invoiceId === id)!
    }
    const stampedAt = async (organizationId: string, evidenceDue?: string) => {
      const [id] = await signed(organizationId)
      await opened().store.finishWork(await taken({}, id!))
      const work = await taken({ queue: 'time-stamps' }, id!)
      await opened().store.keepTimeStamp(work, stamped, evidenceDue)
      return id!
    }

    it('is due at the stated time, also after a restart', async () => {
      const id = await stampedAt('org-1', soon)
      await stampedAt('org-2')
      await opened().reopen()
      expect(await due(evidence)).toEqual([])
      const work = await due({ ...evidence, now: soon })
      expect(work).toMatchObject([{ invoiceId: id, part: 'evidence', attempts: 0 }])
      expect(await opened().store.backlogs()).toMatchObject({
        timeStamps: { count: 0 },
        evidence: { count: 1 },
      })
    })

    it('replaces the token; work done twice changes nothing', async () => {
      const id = await stampedAt('org-1', now)
      const { store } = opened()
      const work = await taken(evidence, id)
      const renewBy = '2039-01-01T00:00:00.000Z'
      await store.keepEvidence(work, { ...archive, renewBy })
      await store.keepEvidence(work, { ...archive, level: 'XAdES-B-LT', artefact: 0 })
      const again = await opened().reopen()
      expect(await again.readEvidence('org-1', id)).toEqual({ ...archive, renewBy })
      expect(await again.get('org-1', id)).toMatchObject({
        ...{ signatureLevel: 'XAdES-B-LTA', timeStampedAt },
      })
      expect(await due({ ...evidence, now: horizon })).toEqual([])
    })

    it('is requested once, of what is archived and has no work under way', async () => {
      const { store } = opened()
      const [unarchived] = await signed('org-1')
      const bare = await stampedAt('org-2')
      const waiting = await stampedAt('org-3', soon)
      const invoices = [
        { organizationId: 'org-1', invoiceId: unarchived! },
        { organizationId: 'org-2', invoiceId: bare },
        { organizationId: 'org-3', invoiceId: waiting },
        { organizationId: 'org-4', invoiceId: randomUUID() },
      ]
      await store.requestEvidence('evidence', invoices)
      await store.requestEvidence('time-stamp', invoices)
      await store.requestEvidence('evidence', [])
      expect(await due({ ...evidence, count: 9 })).toMatchObject([{ invoiceId: bare }])
      expect(await due({ queue: 'time-stamps' })).toEqual([])
      const known = Object.fromEntries(
        (await store.listSigned(undefined, 99)).map((state) => [state.invoiceId, state]),
      )
      const T = { level: 'XAdES-B-T', isPending: true }
      expect(known[unarchived!]).toMatchObject({ level: 'XAdES-B-B', isPending: true })
      expect(known[bare]).toMatchObject({ organizationId: 'org-2', ...T })
      expect(known[waiting]).toMatchObject({ organizationId: 'org-3', ...T })
    })

    it('is not requested of what could not be archived', async () => {
      const { store } = opened()
      const [id] = await signed('org-1')
      const work = await taken({}, id!)
      await store.buryArchiveWork(work, { attempts: 12, at: now, error: 'it holds other bytes' })
      const invoices = [{ organizationId: 'org-1', invoiceId: id! }]
      await store.requestEvidence('time-stamp', invoices)
      await store.requestEvidence('evidence', invoices)
      expect(await due({ queue: 'time-stamps' })).toEqual([])
      expect(await due(evidence)).toEqual([])
      expect(await store.listSigned(undefined, 9)).toMatchObject([{ isPending: true }])

      await store.reviveArchiveWork(work)
      await store.finishWork(await taken({}, id!))
      await store.finishWork(await taken({ queue: 'time-stamps' }, id!))
      expect(await store.listSigned(undefined, 9)).toMatchObject([{ isPending: false }])
      await store.requestEvidence('time-stamp', invoices)
      expect(await due({ queue: 'time-stamps' })).toMatchObject([{ invoiceId: id }])
    })

    it('is listed by invoice, a page at a time, without what is not signed', async () => {
      const { store } = opened()
      const ids = [await stampedAt('org-1'), await stampedAt('org-1')].sort()
      await store.create(write(anInvoice({ status: 'PENDING' })))
      await store.create(write(anInvoice({ status: 'CANCELLED' })))
      const [first] = await store.listSigned(undefined, 1)
      expect(first).toEqual({
        ...{ organizationId: 'org-1', invoiceId: ids[0], level: 'XAdES-B-T', isPending: false },
      })
      expect((await store.listSigned(first!.invoiceId, 9)).map(toId)).toEqual([ids[1]])
      expect(await store.listSigned(ids[1], 9)).toEqual([])
    })

    it('to renew is listed by when it is due, until work for it is under way', async () => {
      const { store } = opened()
      const keep = async (renewBy?: string) => {
        const id = await stampedAt('org-1', now)
        await store.keepEvidence(await taken(evidence, id), { ...archive, renewBy })
        return id
      }
      const late = await keep('2030-06-01T00:00:00.000Z')
      const early = await keep('2030-05-01T00:00:00.000Z')
      await keep('2030-07-01T00:00:00.000Z')
      await keep()
      const until = '2030-06-01T00:00:00.000Z'
      const listed = await store.listRenewals(until, 9)
      expect(listed.map(toId)).toEqual([early, late])
      expect(listed[0]).toMatchObject({
        ...{ level: 'XAdES-B-LTA', artefact: 1, renewBy: '2030-05-01T00:00:00.000Z' },
      })
      expect((await store.listRenewals(until, 1)).map(toId)).toEqual([early])
      await store.requestEvidence('evidence', listed.slice(0, 1))
      expect((await store.listRenewals(until, 9)).map(toId)).toEqual([late])
      // It was not renewed: that is still to be done.
      await store.finishWork(await taken(evidence, early))
      expect((await store.listRenewals(until, 9)).map(toId)).toEqual([early, late])
      await store.requestEvidence('evidence', listed.slice(0, 1))
      const work = await taken(evidence, early)
      const renewed = { ...archive, artefact: 2 }
      await store.keepEvidence(work, renewed)
      expect(await store.readEvidence('org-1', early)).toEqual(renewed)
      expect((await store.listRenewals('2099', 9)).map(toId)).not.toContain(early)
      await store.requestEvidence('evidence', [{ organizationId: 'org-1', invoiceId: early }])
      await store.keepEvidence(await taken(evidence, early), { ...renewed, renewBy: until })
      expect((await store.listRenewals(until, 9)).map(toId)).toEqual([late, early])
    })

    it('to renew is in the backlog of renewals alone, however long it waits', async () => {
      const { store } = opened()
      const id = await stampedAt('org-1', now)
      const renewBy = '2026-01-01T00:00:00.000Z'
      await store.keepEvidence(await taken(evidence, id), { ...archive, renewBy })
      await store.requestEvidence('evidence', [{ organizationId: 'org-1', invoiceId: id }])
      await store.postponeWork(await taken(evidence, id), { attempts: 0, nextAttemptAt: horizon })
      const renewals = { count: 1, oldest: renewBy }
      const none = { count: 0, oldest: undefined }
      expect(await store.backlogs()).toMatchObject({ evidence: none, renewals })
      await stampedAt('org-2', now)
      const one = { count: 1, oldest: expect.stringMatching(/^20.*Z$/) as string }
      const again = await opened().reopen()
      expect(await again.backlogs()).toMatchObject({ evidence: one, renewals })

      const requested = await stampedAt('org-3', now)
      await again.keepEvidence(await taken(evidence, requested), { ...archive, renewBy: '2100' })
      await again.requestEvidence('evidence', [{ organizationId: 'org-3', invoiceId: requested }])
      expect((await again.backlogs()).evidence.count).toBe(2)
    })

    it('of an artefact found without a time stamp is stored, too', async () => {
      const [id] = await signed('org-1')
      const { store } = opened()
      await store.finishWork(await taken({}, id!))
      await store.finishWork(await taken({ queue: 'time-stamps' }, id!))
      await store.requestEvidence('evidence', [{ organizationId: 'org-1', invoiceId: id! }])
      await store.keepEvidence(await taken(evidence, id!), archive)
      expect(await store.readEvidence('org-1', id!)).toEqual(archive)
    })

    it('is due with the commit of a restored invoice, and a time stamp with its end', async () => {
      const { store } = opened()
      const invoice = anInvoice()
      await store.create(write(invoice, { work: 'evidence' }))
      expect(await due({})).toEqual([])
      await store.finishWork(await taken(evidence, invoice.id), 'time-stamp')
      const again = await opened().reopen()
      expect(await due(evidence)).toEqual([])
      expect(await due({ queue: 'time-stamps' })).toMatchObject([{ invoiceId: invoice.id }])
      const stampWork = await taken({ queue: 'time-stamps' }, invoice.id)
      await again.keepTimeStamp(stampWork, stamped)
      expect(await again.readEvidence('org-1', invoice.id)).toMatchObject({ timeStampedAt })
    })
  })
}

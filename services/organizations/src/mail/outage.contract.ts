/** A mail server that is unavailable for a day, on the clock of the queue. */

import { randomBytes, randomUUID } from 'node:crypto'
import { createLog } from '@einvoicing/runtime/log'
import { anAudit, anOrganization, type StoreUnderTest } from '../testdata/store-under-test'
import { readText, startMailServer, type MailServer } from '../testdata/mail-server'
import { Mailer } from './mailer'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export function mailOutageContract(opened: () => StoreUnderTest): void {
  describe('mail, while its server is unavailable', () => {
    let server: MailServer
    let mailer: Mailer
    let nowMs: number
    let lines: string[]
    beforeEach(async () => {
      lines = []
      nowMs = Date.parse('2026-05-03T10:00:00.000Z')
      server = await startMailServer()
      const { store } = opened()
      const log = createLog('info', { write: (line: string) => lines.push(line) })
      const deps = { store, log, now: () => new Date(nowMs), randomBytes, newId: randomUUID }
      const transport = { kind: 'smtp', url: server.url } as const
      mailer = new Mailer(deps, { transport, from: 'a@b.example', publicUrl: 'https://a.example' })
      await server.close()
    })
    afterEach(async () => {
      await mailer.close()
      await server.close()
    })

    const until = async (isDone: () => boolean) => {
      for (const endsAt = performance.now() + 20_000; performance.now() < endsAt;) {
        if (isDone()) return
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      throw new Error(`it did not come: ${lines.slice(-3).join('')}`)
    }
    const countLines = (text: string) => lines.filter((line) => line.includes(text)).length
    const prepareTwo = async () => {
      const { store } = opened()
      const organization = anOrganization()
      await store.addOrganization(organization, anAudit('organization.created'))
      const { email } = organization.user
      for (const kind of ['password-reset', 'new-device'] as const) {
        const mail = mailer.prepare(kind, { to: email, network: '192.0.2.1', about: {} })
        if (!mail) throw new Error('no mail is sent')
        await store.addMail(mail)
      }
      return organization
    }

    it('is tried every ten minutes for a day, and sent once it is back', async () => {
      await prepareTwo()
      const endsAt = nowMs + 24 * hourMs
      for (let tried = 2; nowMs <= endsAt; tried += 2, nowMs += 10 * minuteMs) {
        mailer.wake()
        await until(() => countLines('retrying') >= tried)
      }
      expect(countLines('given up')).toBe(0)
      server = await startMailServer(Number(server.url.port))
      mailer.wake()
      await until(() => server.messages.length === 2)
      const texts = server.messages.map(readText).sort()
      expect(texts.some((text) => /reset#token=[\w-]{43}/.test(text))).toBe(true)
    })

    it('is given up after two days, which the owner sees', async () => {
      const { id, user } = await prepareTwo()
      nowMs += 48 * hourMs
      mailer.wake()
      await until(() => countLines('retrying') === 2)
      nowMs += 10 * minuteMs
      mailer.wake()
      await until(() => countLines('mail given up') === 2)
      await mailer.close()
      const { entries } = await opened().store.listAudit(id, { page: 0, size: 10 })
      const shown = entries.filter(({ action }) => action === 'mail.given-up')
      expect(shown.map(({ detail }) => detail)).toEqual([user.email, user.email])
    })
  })
}

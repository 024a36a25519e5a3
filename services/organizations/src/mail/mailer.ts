/** A process that is killed after sending sends the message again, under the same Message-ID. */

import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import { limits } from '@einvoicing/domain/limits'
import { metrics } from '@einvoicing/runtime/metrics'
import { Counter } from 'prom-client'
import { offerPasswordReset, toResetLink } from '../password-reset'
import { offerEmailLink, toEmailLink } from '../email-link'
import type { Deps } from '../deps'
import { readEmailChange } from './email-change-values'
import { composeMail, type MailValues } from './compose-mail'
import type { AttemptCounter } from '../store/attempt-counter'
import type { DueMail, Mail, MailQueue, NoticeKind } from './mail'
import type { MailConfig } from './mail-config'
import { createMailTransport, MailRejected, type SendMail } from './mail-transport'

const sent = new Counter({
  name: 'einvoicing_mails_total',
  help: 'Messages by outcome: sent, rejected (by the mail server, for good), given-up, held-back (too many of a kind)',
  labelNames: ['kind', 'outcome'] as const,
  registers: [metrics],
})

const pauseMs = 5_000
const atOnce = 10
// Longer than the transport takes.
const leaseMs = 120_000
const againMs = [5_000, 30_000, 120_000]
const laterMs = 600_000
const clockToleranceMs = 600_000
// Longer than a mail server is unavailable for a day. Links are made when they are sent.
const giveUpAfterMs = 48 * 60 * 60_000

/** For processes that store messages and do not send them. */
export function createMailWriter(
  { transport }: MailConfig,
  { newId, now }: Pick<Deps, 'newId' | 'now'>,
): Pick<MailQueue, 'isOn' | 'prepare'> {
  const isOn = transport !== undefined
  return {
    isOn,
    prepare: (kind, of) =>
      isOn ? { id: newId(), kind, ...of, createdAt: now().toISOString() } : undefined,
  }
}

export type MailerDeps = Pick<Deps, 'store' | 'randomBytes' | 'newId' | 'now' | 'log'>

export class Mailer implements MailQueue {
  private readonly loop: Loop | undefined
  private readonly send: SendMail | undefined
  private readonly deps: MailerDeps
  private readonly config: MailConfig
  private readonly notices: AttemptCounter
  private readonly writer: Pick<MailQueue, 'isOn' | 'prepare'>

  constructor(deps: MailerDeps, config: MailConfig) {
    this.deps = deps
    this.config = config
    this.writer = createMailWriter(config, deps)
    const { log, store } = deps
    const { noticesWindowMs: windowMs } = limits
    this.notices = store.countAttempts({ name: 'notice', windowMs })
    this.send = config.transport && createMailTransport(config, config.transport, log)
    if (this.send) {
      this.loop = startLoop({ name: 'mail', pauseMs, log }, (isClosing) => this.run(isClosing))
    }
  }

  get isOn(): boolean {
    return this.writer.isOn
  }

  prepare(...of: Parameters<MailQueue['prepare']>): Mail | undefined {
    return this.writer.prepare(...of)
  }

  wake(): void {
    this.loop?.wake()
  }

  async close(): Promise<void> {
    await this.loop?.close()
  }

  private async run(isClosing: () => boolean): Promise<void> {
    const { store, now } = this.deps
    while (!isClosing()) {
      const due = await store.takeMails({
        now: now().toISOString(),
        horizon: this.after(laterMs + clockToleranceMs),
        leaseUntil: this.after(leaseMs),
        count: atOnce,
      })
      if (due.length === 0) return
      await Promise.all(due.map((mail) => this.deliver(mail)))
    }
  }

  private async deliver(mail: DueMail): Promise<void> {
    const { store, log } = this.deps
    const { id, kind, to } = mail
    try {
      const values = await this.readValues(mail)
      if (values) await this.send?.({ id, to, ...composeMail(kind, values) })
      if (values) sent.inc({ kind, outcome: 'sent' })
    } catch (err) {
      const attempts = mail.attempts + 1
      if (!this.isLast(mail, err)) {
        log.warn({ err, mailId: id, kind, attempts }, 'mail could not be sent, retrying')
        const nextAttemptAt = this.after(againMs[mail.attempts] ?? laterMs)
        await store.postponeMail(id, { attempts, nextAttemptAt })
        return
      }
      const outcome = err instanceof MailRejected ? 'rejected' : 'given-up'
      log.error({ err, mailId: id, kind, to, attempts }, `mail ${outcome.replace('-', ' ')}`)
      sent.inc({ kind, outcome })
      await this.showFailure(mail, err)
    }
    await store.finishMail(id)
  }

  /** In the audit log of the user's organization, which its owner reads. */
  private async showFailure({ to, network, about }: DueMail, error: unknown): Promise<void> {
    const { store, now } = this.deps
    const userId = about?.['user']
    const user = userId === undefined ? await store.findUser(to) : await store.findUserById(userId)
    if (!user) return
    const entry = {
      at: now().toISOString(),
      actor: 'service:organizations',
      ...(error instanceof MailRejected
        ? { action: 'mail.rejected', detail: `${to}, ${error.responseCode}` }
        : { action: 'mail.given-up', detail: to }),
      ...(network !== '' && { network }),
    }
    await store.addAudit(user.organizationId, entry)
  }

  private async readValues(mail: DueMail): Promise<MailValues | undefined> {
    const { kind, to, network, createdAt, about } = mail
    if (kind === 'api-key-expires') return { network, at: createdAt, about }
    if (kind === 'email-verification') return this.readVerification(mail)
    if (kind === 'email-change-old' || kind === 'email-change-new') {
      return readEmailChange(this.deps, mail, this.config.publicUrl)
    }
    if (kind !== 'password-reset') return this.readNotice(mail, kind)
    const user = await this.deps.store.findUser(to)
    if (!user) return undefined
    const { token } = await offerPasswordReset(this.deps, user, {
      actor: 'service:organizations',
      detail: `${to}, requested from ${network}`,
    })
    const link = toResetLink(this.config.publicUrl, token)
    // A stranger who named an address that is not verified may have chosen these.
    return { link, network, at: createdAt, ...(user.unverifiedSince === undefined && { about }) }
  }

  private async readVerification({ to, network, createdAt: at }: DueMail) {
    const user = await this.deps.store.findUser(to)
    if (user?.unverifiedSince === undefined) return undefined
    const token = await offerEmailLink(this.deps, user)
    return { link: toEmailLink(this.config.publicUrl, token), network, at }
  }

  /** The last notice within the hour says that more are in the audit log only. */
  private async readNotice(
    { id, to, network, createdAt: at, about, attempts }: DueMail,
    kind: NoticeKind,
  ): Promise<MailValues | undefined> {
    const { count } = attempts > 0 ? { count: 0 } : await this.notices.count(`${kind} ${to}`)
    if (count <= limits.noticesOfKind) {
      return { network, at, about, isLastOfHour: count === limits.noticesOfKind }
    }
    this.deps.log.warn({ mailId: id, kind }, 'notice not sent: too many of this kind')
    sent.inc({ kind, outcome: 'held-back' })
    return undefined
  }

  private isLast({ createdAt }: DueMail, error: unknown): boolean {
    const ageMs = this.deps.now().getTime() - Date.parse(createdAt)
    return error instanceof MailRejected || ageMs > giveUpAfterMs
  }

  private after(ms: number): string {
    return new Date(this.deps.now().getTime() + ms).toISOString()
  }
}

/** In the background: the time of a failed sign-in must not show whether the email has a user. */

import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import type { OrganizationStore, User } from './store/store'

const firstAfterMs = 1_000
const againAfterMs = 60_000
// Failures of more users at once are only in the request log.
const usersMax = 10_000
const networksMax = 10

interface Failures {
  user: Pick<User, 'organizationId' | 'email'>
  byNetwork: Map<string, number>
  others: number
  timer: NodeJS.Timeout
}

export class FailedSignIns {
  private readonly byUser = new Map<string, Failures>()
  private readonly writing = new Set<Promise<void>>()
  private readonly store: Pick<OrganizationStore, 'addAudit'>
  private readonly now: Clock
  private readonly log: Log

  constructor(store: Pick<OrganizationStore, 'addAudit'>, { now, log }: { now: Clock; log: Log }) {
    this.store = store
    this.now = now
    this.log = log
  }

  note(user: Pick<User, 'id' | 'organizationId' | 'email'>, network: string): void {
    const failures = this.byUser.get(user.id) ?? this.begin(user)
    if (!failures) return
    const { byNetwork } = failures
    const count = byNetwork.get(network)
    if (count === undefined && byNetwork.size >= networksMax) failures.others += 1
    else byNetwork.set(network, (count ?? 0) + 1)
  }

  async close(): Promise<void> {
    const waiting = [...this.byUser.values()]
    this.byUser.clear()
    for (const failures of waiting) {
      clearTimeout(failures.timer)
      this.beginWriting(failures)
    }
    await Promise.all(this.writing)
  }

  private begin({ id, ...user }: Pick<User, 'id' | 'organizationId' | 'email'>) {
    if (this.byUser.size >= usersMax) return undefined
    const timer = setTimeout(() => this.writeAndWait(id), firstAfterMs).unref()
    const failures: Failures = { user, byNetwork: new Map(), others: 0, timer }
    this.byUser.set(id, failures)
    return failures
  }

  private writeAndWait(userId: string): void {
    const failures = this.byUser.get(userId)
    if (!failures) return
    if (failures.byNetwork.size === 0) {
      this.byUser.delete(userId)
      return
    }
    this.beginWriting(failures)
    const timer = setTimeout(() => this.writeAndWait(userId), againAfterMs).unref()
    const { user } = failures
    this.byUser.set(userId, { user, byNetwork: new Map(), others: 0, timer })
  }

  private beginWriting(failures: Failures): void {
    const written: Promise<void> = this.write(failures).finally(() => this.writing.delete(written))
    this.writing.add(written)
  }

  private async write({ user, byNetwork, others }: Failures): Promise<void> {
    if (byNetwork.size === 0) return
    const networks = [...byNetwork].map(([network, count]) => `${count} from ${network}`)
    if (others > 0) networks.push(`${others} from other networks`)
    const entry = {
      at: this.now().toISOString(),
      actor: `user:${user.email}`,
      action: 'user.sign-in-failed',
      detail: networks.join(', '),
    }
    try {
      await this.store.addAudit(user.organizationId, entry)
    } catch (err) {
      this.log.warn({ err, entry }, 'could not write failed sign-ins to the audit log')
    }
  }
}

/** The service with a mail server, the links that come, and what verifies an address. */

import { createLog } from '@einvoicing/runtime/log'
import type { Identity } from '@einvoicing/proto/organizations'
import type { MailConfig } from '../mail/mail-config'
import { readText, startMailServer, type MailServer } from './mail-server'
import { anonymous, clientAddress, OrganizationsUnderTest } from './organizations-under-test'

const withinMs = 30_000

export class MailedOrganizations extends OrganizationsUnderTest {
  /** Of the log. */
  readonly lines: string[] = []
  readonly server: MailServer

  private constructor(server: MailServer) {
    super()
    this.server = server
  }

  /** Not opened yet. */
  static async prepare(): Promise<MailedOrganizations> {
    return new MailedOrganizations(await startMailServer())
  }

  get mail(): MailConfig {
    const transport = { kind: 'smtp', url: this.server.url } as const
    return { transport, from: 'invoices@example.com', publicUrl: 'https://a.example' }
  }

  openWithMail(): Promise<void> {
    const write = (line: string) => this.lines.push(line)
    return this.open({ mail: this.mail }, createLog('info', { write }))
  }

  override async remove(): Promise<void> {
    await super.remove()
    await this.server.close()
  }

  /** The texts of all messages, or of those to an address, once there are so many. */
  async untilCame(count: number, to?: string): Promise<string[]> {
    for (const endsAt = performance.now() + withinMs; performance.now() < endsAt;) {
      const { messages } = this.server
      const found =
        to === undefined ? messages : messages.filter((one) => one.includes(`To: ${to}`))
      if (found.length >= count) return found.map(readText)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`${count} messages to ${to ?? 'all'} did not come: ${this.lines.join('')}`)
  }

  verify(token: string, proof: { password?: string; session?: Identity } = {}) {
    return this.handlers.verifyEmail({ token, clientAddress, ...proof }, anonymous)
  }
}

/** Of a link that verifies an address; empty where there is none. */
export function readVerificationToken(text = ''): string {
  return /https:\/\/a\.example\/dashboard\/verify#token=([\w-]{43})\s/.exec(text)?.[1] ?? ''
}

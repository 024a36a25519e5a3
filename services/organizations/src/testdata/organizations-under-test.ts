/**
 * The whole service in a temporary folder with its clock in hand, for tests to call as the gateway
 * does.
 */

import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { digestApiKey } from '@einvoicing/access/api-key'
import { createLog } from '@einvoicing/runtime/log'
import type { Role } from '@einvoicing/domain/role'
import type { Call } from '@einvoicing/rpc/call'
import type { CreateApiKeyRequest, Identity } from '@einvoicing/proto/organizations'
import type { OrganizationsConfig } from '../config'
import { openOrganizations, type Organizations } from '../service'

export const password = 'correct horse battery'
export const hardToGuess = (length: number) => 'zq8#Lp2vXw'.repeat(26).slice(0, length)
export const clientAddress = '192.0.2.1'
export const device = 'Browser'

const noMail = { from: 'no-reply@localhost', publicUrl: 'http://127.0.0.1:8080' }

export const anonymous: Call = {
  caller: { service: 'gateway', actor: 'service:gateway' },
  requestId: 'r',
  get deadline() {
    return Date.now() + 60_000
  },
}

export function createCall({
  organizationId,
  email,
  sessionId,
}: Pick<Identity, 'organizationId' | 'email' | 'sessionId'>): Call {
  const actor = `user:${email}`
  return { ...anonymous, caller: { service: 'gateway', organizationId, actor, sessionId } }
}

export async function readErrorCode(answer: Promise<unknown>): Promise<string> {
  try {
    await answer
    return 'OK'
  } catch (error) {
    return (error as { code: string }).code
  }
}

const timers = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const

/** For the tests of a file: attempts are counted by the time of day, which `pass` moves on. */
export function fakeTimeOfDay(): { pass(ms: number): void } {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: [...timers] })
  })
  afterEach(() => {
    jest.useRealTimers()
  })
  return {
    pass(ms) {
      jest.setSystemTime(Date.now() + ms)
    },
  }
}

export class OrganizationsUnderTest {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'organizations-'))
  nowMs = Date.parse('2026-05-03T10:00:00Z')
  private opened: Organizations | undefined

  async open(fields: Partial<OrganizationsConfig> = {}, log = createLog('silent')): Promise<void> {
    await this.close()
    this.opened = await openOrganizations(
      {
        store: this.store('organizations.db'),
        mail: noMail,
        signUp: 'open',
        sessionIdleMs: 30 * 60_000,
        factorSecret: { kind: 'own', file: this.file('second-factor.key') },
        ...fields,
      },
      { now: () => new Date(this.nowMs), log },
    )
  }

  async close(): Promise<void> {
    const { opened } = this
    this.opened = undefined
    await opened?.close()
  }

  async remove(): Promise<void> {
    await this.close()
    fs.rmSync(this.folder, { recursive: true })
  }

  file(name: string): string {
    return path.join(this.folder, name)
  }

  store(name: string): { kind: 'sqlite'; file: string } {
    return { kind: 'sqlite', file: this.file(name) }
  }

  get service(): Organizations {
    if (!this.opened) throw new Error('not opened')
    return this.opened
  }

  get handlers(): Organizations['handlers'] {
    return this.service.handlers
  }

  signUp(email = `${randomUUID()}@example.com`, from = clientAddress): Promise<Identity> {
    const request = { organizationName: 'Société', email, password, clientAddress: from, device }
    return this.handlers.signUp(request, anonymous)
  }

  signIn(email: string, guess: string, from = clientAddress): Promise<Identity> {
    return this.handlers.signIn({ email, password: guess, clientAddress: from, device }, anonymous)
  }

  /** Asks an email to join, and answers the token. */
  async invite(call: Call, email: string, role: Role = 'MEMBER') {
    const { invitationToken } = await this.handlers.inviteMember(
      { email, role, clientAddress },
      call,
    )
    return invitationToken
  }

  join(token: string, chosen = password, from = clientAddress): Promise<Identity> {
    const request = { token, password: chosen, clientAddress: from, device }
    return this.handlers.acceptInvitation(request, anonymous)
  }

  /** With the session of an account. */
  joinAs({ userId, ...who }: Identity, token: string): Promise<Identity> {
    const request = { token, password: '', clientAddress, device, userId }
    return this.handlers.acceptInvitation(request, createCall(who))
  }

  authenticate(key: string, clientNetwork?: string) {
    return this.handlers.authenticate({ keySha256: digestApiKey(key), clientNetwork }, anonymous)
  }

  async createKey(call: Call, name = 'CI', keyLimits: Partial<CreateApiKeyRequest> = {}) {
    const request = { name, scopes: [], allowedNetworks: [], ...keyLimits }
    const { apiKey, key } = await this.handlers.createApiKey(request, call)
    if (!apiKey) throw new Error('no API key was answered')
    return { id: apiKey.id, apiKey, key }
  }

  async listAudit(call: Call) {
    const page = await this.handlers.listOrganizationAudit({ page: 0, size: 100 }, call)
    return page.entries
  }
}

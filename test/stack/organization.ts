/**
 * An organization made through the dashboard as a person would, with complete mentions and an API
 * key.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  requestJson,
  send,
  untilDrawn,
  type Answer,
  type Download,
  type RequestOptions,
} from './http'
import { Invoices } from './invoices'
import type { Stack } from './stack'

export interface ApiKey {
  id: string
  name: string
  key: string
  last4: string
  createdAt: string
}

/** Everything the law asks for; the name carries what XML must escape. */
export const completeMentions = {
  name: 'Atlas & Fils <SARL>',
  legalForm: 'SARL',
  capital: '100 000 MAD',
  address: '12, boulevard Mohammed V',
  city: 'Casablanca',
  ice: '001234567000089',
  if: '12345678',
  rc: '98765',
  tp: '34567890',
  cnss: '4567890',
  rib: '011780000012345678901234',
  phone: '+212 522 000 000',
  email: 'factures@atlas.example',
}

/** A person signed in at the dashboard. */
export class Session {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  cookie = ''
  organizationId = ''
  /** Where it signed up from. */
  address: string | undefined

  constructor(baseUrl: string, email: string, password: string) {
    this.baseUrl = baseUrl
    this.email = email
    this.password = password
  }

  /** A call of the dashboard API, below `/dashboard/api`, with session and CSRF header. */
  call<Data = any>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer<Data>> {
    return requestJson<Data>(method, this.url(path), this.signedIn(options))
  }

  download(path: string): Promise<Download> {
    const get = () => send('GET', this.url(path), this.signedIn({}))
    return path.endsWith('/pdf') ? untilDrawn(get) : get()
  }

  /** Someone new, whom this one invited and who accepted. */
  async welcome(role: string): Promise<Session & { id: string }> {
    const email = `${randomUUID()}@atlas.example`
    const member = new Session(this.baseUrl, email, `correct horse ${randomUUID()}`)
    const invited = await this.call('POST', '/members', { body: { email, role } })
    const body = { token: invited.data.invitationToken, password: member.password }
    const accepted = await member.call('POST', '/invitation', { body })
    if (accepted.status !== 201) throw new Error(`${accepted.code} ${accepted.message}`)
    member.storeCookie(accepted)
    return Object.assign(member, { id: accepted.data.userId as string })
  }

  /** Takes the session's cookie from an answer to sign-up or sign-in. */
  storeCookie({ headers }: Answer): void {
    this.cookie = headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0] ?? '')
      .join('; ')
  }

  private url(path: string): string {
    return `${this.baseUrl}/dashboard/api${path}`
  }

  private signedIn({ headers, ...rest }: RequestOptions): RequestOptions {
    return {
      ...rest,
      headers: { Cookie: this.cookie, 'X-Requested-With': 'dashboard', ...headers },
    }
  }
}

export async function signUp(
  stack: Pick<Stack, 'baseUrl'>,
  organizationName = 'Atlas',
  email = `${randomUUID()}@atlas.example`,
): Promise<Session> {
  const session = new Session(stack.baseUrl, email, `correct horse ${randomUUID()}`)
  const { password } = session
  const body = { organizationName, email, password }
  const from = pickAddress(stack)
  const attempt = () => session.call('POST', '/signup', { body, from })
  let answer = await attempt()
  // One attached to that is not on this machine: thirty a minute from one address.
  while (answer.code === 'TOO_MANY_ATTEMPTS') {
    await setTimeout(1000 * Number(answer.headers.get('retry-after')))
    answer = await attempt()
  }
  if (answer.status !== 201) throw new Error(`sign-up: ${answer.code} ${answer.message}`)
  session.organizationId = answer.data.organizationId
  session.address = from
  session.storeCookie(answer)
  return session
}

/** Files share stacks, where one address may sign up thirty times a minute: each has its own. */
function pickAddress({ baseUrl }: Pick<Stack, 'baseUrl'>): string | undefined {
  if (new URL(baseUrl).hostname !== '127.0.0.1') return undefined
  return ['127', ...randomBytes(3).map((byte) => Math.max(2, byte % 255))].join('.')
}

export async function createKey(session: Session, name = 'test'): Promise<ApiKey> {
  const answer = await session.call<ApiKey>('POST', '/api-keys', { body: { name } })
  if (answer.status !== 201) throw new Error(`API key: ${answer.code} ${answer.message}`)
  return answer.data
}

export interface Organization {
  id: string
  session: Session
  key: ApiKey
  /** `/v1/invoices` with its key. */
  invoices: Invoices
}

/** Each with an ICE of its own, since a number is unique per issuer at the platform. */
export async function newOrganization(
  stack: Pick<Stack, 'baseUrl'>,
  mentions: Partial<typeof completeMentions> = {},
  email?: string,
): Promise<Organization> {
  const session = await signUp(stack, undefined, email)
  // Its check key makes it divisible by 97.
  const ice = String(97 * Math.floor((Math.random() * 1e15) / 97)).padStart(15, '0')
  const saved = await session.call('PUT', '/organization', {
    body: { ...completeMentions, ice, ...mentions },
  })
  if (saved.status !== 200) throw new Error(`mentions: ${saved.code} ${saved.message}`)
  const key = await createKey(session)
  const invoices = new Invoices(stack.baseUrl, key.key)
  return { id: session.organizationId, session, key, invoices }
}

/**
 * An email with a user and one without get the same work: no clock is needed to show that their
 * times do not differ.
 */

import type { Identity } from '@einvoicing/proto/organizations'
import { createLog } from '@einvoicing/runtime/log'
import { changeEmail } from './change-email'
import type { MailConfig } from './mail/mail-config'
import { Passwords } from './password'
import { provenBy, readPeppers } from './pepper'
import { requestPasswordReset } from './request-password-reset'
import { openFactorKeys } from './second-factor/keys'
import { createDeps } from './service'
import { signIn } from './sign-in'
import type { Deps } from './deps'
import { openSqliteStore } from './store/sqlite/sqlite-store'
import { startMailServer, type MailServer } from './testdata/mail-server'
import {
  createCall,
  device,
  OrganizationsUnderTest,
  readErrorCode,
} from './testdata/organizations-under-test'
import { requestEmailVerification } from './verify-email'

const known = 'a@example.com'
const unknown = 'b@example.com'
// Of a stranger: no user signed in from there.
const clientAddress = '198.51.100.1'

let underTest: OrganizationsUnderTest
let server: MailServer
let deps: Deps
let done: string[]
let requester: Identity

/** Notes the calls, and passes them on. */
function record<T extends object>(part: T, name: string): T {
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...values: unknown[]) => {
        done.push(`${name}.${String(key)}`)
        const answer: unknown = Reflect.apply(value, target, values)
        return key === 'countAttempts' ? record(answer as object, 'attempts') : answer
      }
    },
  })
}

beforeEach(async () => {
  done = []
  server = await startMailServer()
  underTest = new OrganizationsUnderTest()
  const transport = { kind: 'smtp', url: server.url } as const
  const mail: MailConfig = { transport, from: 'a@example.com', publicUrl: 'https://a.example' }
  await underTest.open({ mail })
  await underTest.signUp(known)
  requester = await underTest.signUp('c@example.com')
  const opened = openSqliteStore(underTest.file('organizations.db'))
  const store = record(opened, 'store')
  const factorSecret = { kind: 'own', file: underTest.file('second-factor.key') } as const
  deps = createDeps(
    {
      store: underTest.store('organizations.db'),
      mail,
      signUp: 'open',
      factorSecret,
      sessionIdleMs: 1_800_000,
    },
    {
      store,
      passwords: record(await Passwords.open(), 'passwords'),
      peppers: provenBy(store, await readPeppers(undefined)),
      factorKeys: await openFactorKeys(factorSecret, store),
      now: () => new Date(underTest.nowMs),
      log: createLog('silent'),
    },
  )
  // What it sends is of no request.
  await deps.mailer.close()
})
afterEach(async () => {
  await deps.failedSignIns.close()
  await deps.lastUses.close()
  await deps.sightings.close()
  await deps.renewals.close()
  await deps.store.close()
  await underTest.remove()
  await server.close()
})

const requests: Record<string, (email: string) => Promise<unknown>> = {
  'signing in': (email) =>
    signIn(deps, { email, password: 'a wrong guess', clientAddress, device }, { requestId: 'r' }),
  'a forgotten password': (email) => requestPasswordReset(deps, { email, clientAddress }),
  'a change of email': (email) =>
    changeEmail(deps, { userId: requester.userId, email, clientAddress }, createCall(requester)),
  'another link to verify an email': (email) =>
    requestEmailVerification(deps, { email, clientAddress }),
}

it.each(Object.keys(requests))('%s does the same work for any email', async (name) => {
  const work = async (email: string) => {
    done = []
    const code = await readErrorCode(requests[name]?.(email) ?? Promise.reject(new Error(name)))
    return [...done, code]
  }
  const ofUnknown = await work(unknown)
  expect(ofUnknown.length).toBeGreaterThan(2)
  expect(await work(known)).toEqual(ofUnknown)
  expect(await work(unknown)).toEqual(ofUnknown)
})

import { randomBytes } from 'node:crypto'
import { limits } from '@einvoicing/domain/limits'
import { createLog } from '@einvoicing/runtime/log'
import type { Identity } from '@einvoicing/proto/organizations'
import { v7 as newId } from 'uuid'
import { changeEmailFor } from './commands/change-email'
import { createMailWriter } from './mail/mailer'
import { openStore } from './store/open-store'
import { MailedOrganizations, readVerificationToken } from './testdata/mailed-organizations'
import {
  anonymous,
  clientAddress,
  createCall,
  fakeTimeOfDay,
  password,
  readErrorCode,
} from './testdata/organizations-under-test'

const email = 'a@example.com'
const to = 'new@example.com'

let underTest: MailedOrganizations
const open = () => underTest.openWithMail()

const time = fakeTimeOfDay()
beforeEach(async () => {
  underTest = await MailedOrganizations.prepare()
  // Accounts of before are verified.
  await underTest.open()
})
afterEach(() => underTest.remove())

const begin = async () => {
  const identity = await underTest.signUp(email)
  await open()
  return identity
}
const change = (identity: Identity, typed = to) =>
  underTest.handlers.changeEmail(
    { userId: identity.userId, email: typed, clientAddress },
    createCall(identity),
  )
const read = (identity: Identity) =>
  underTest.handlers.getEmail({ userId: identity.userId }, createCall(identity))
const cancel = (identity: Identity) =>
  underTest.handlers.cancelEmailChange({ userId: identity.userId }, createCall(identity))
const verify: MailedOrganizations['verify'] = (...of) => underTest.verify(...of)
const untilCame = (address: string, count = 1) => underTest.untilCame(count, address)
const readTokens = async () => ({
  old: readVerificationToken((await untilCame(email)).at(-1)),
  new: readVerificationToken((await untilCame(to)).at(-1)),
})

describe('a change of email, where mail is sent by SMTP', () => {
  it('is done when both addresses have confirmed it, in any browser of the user', async () => {
    const identity = await begin()
    const pending = { email: to, unconfirmed: [email, to] }
    expect(await change(identity)).toMatchObject({ email, pending })
    const tokens = await readTokens()
    expect(tokens.old).not.toBe(tokens.new)
    const half = await verify(tokens.new, { session: identity })
    expect(half).toEqual({ email: to, remaining: email })
    expect(await read(identity)).toMatchObject({ email, pending: { unconfirmed: [email] } })
    expect(await readErrorCode(underTest.signIn(to, password))).toBe('CREDENTIALS_INVALID')
    expect(await verify(tokens.old, { password })).toEqual({ email: to, changed: true })
    expect(await read(identity)).toEqual({ email: to, pending: undefined })
    expect(await readErrorCode(underTest.signIn(email, password))).toBe('CREDENTIALS_INVALID')
    expect((await underTest.signIn(to, password)).userId).toBe(identity.userId)
    const notices = await Promise.all([untilCame(email, 2), untilCame(to, 2)])
    for (const text of notices) expect(text.at(-1)).toContain(`${email} to ${to}`)
    const entries = await underTest.listAudit(createCall(identity))
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['email.change-requested', 'email.change-confirmed', 'email.changed']),
    )
    expect(entries.find(({ action }) => action === 'email.changed')).toMatchObject({
      detail: `${email} → ${to}`,
      network: clientAddress,
    })
    for (const token of Object.values(tokens)) expect(underTest.lines.join('')).not.toContain(token)
  })

  it('needs a proof that is no older than ten minutes, which is not counted', async () => {
    const identity = await begin()
    underTest.nowMs += limits.confirmationLifetimeMs
    expect(await readErrorCode(change(identity, 'other@example.com'))).toBe('OK')
    underTest.nowMs += 1
    for (let count = 0; count <= limits.emailChanges; count += 1) {
      expect(await readErrorCode(change(identity))).toBe('CONFIRMATION_REQUIRED')
    }
    const proof = { userId: identity.userId, password, clientAddress }
    await underTest.handlers.confirmSession(proof, createCall(identity))
    expect(await readErrorCode(change(identity))).toBe('OK')
  })

  it('answers the same for an address that has an account, whose owner gets no link', async () => {
    const holder = await underTest.signUp(to)
    const identity = await begin()
    const taken = await change(identity)
    const free = await change(identity, 'free@example.com')
    expect({ ...taken.pending, email: '', unconfirmed: [] }).toEqual({
      ...free.pending,
      email: '',
      unconfirmed: [],
    })
    await change(identity)
    const [text] = await untilCame(to)
    expect(text).toContain('already has an account')
    expect(readVerificationToken(text)).toBe('')
    expect((await underTest.signIn(to, password)).userId).toBe(holder.userId)
  })

  it('is not done by another account, nor without the password of this one', async () => {
    const stranger = await underTest.signUp('b@example.com')
    const identity = await begin()
    await change(identity)
    const tokens = await readTokens()
    for (const proof of [{}, { password: 'a guess' }, { session: stranger }]) {
      const failed = verify(tokens.new, proof)
      await expect(failed).rejects.toMatchObject({ fieldErrors: [{ field: 'password' }] })
    }
    expect(await read(identity)).toMatchObject({ pending: { unconfirmed: [email, to] } })
  })

  it.each([
    ['used', (identity: Identity, token: string) => verify(token, { session: identity })],
    ['of a change that was replaced', (identity: Identity) => change(identity, 'c@example.com')],
    ['of a change that was cancelled', (identity: Identity) => cancel(identity)],
    [
      'a day old',
      () => {
        underTest.nowMs += limits.emailLinkLifetimeMs
      },
    ],
    [
      'from before a new password',
      ({ userId, ...who }: Identity) =>
        underTest.handlers.changePassword(
          {
            userId,
            currentPassword: password,
            newPassword: 'adobe walls four',
            clientAddress,
            device: 'Browser',
          },
          createCall(who),
        ),
    ],
  ])('rejects a link that is %s', async (_, end) => {
    const identity = await begin()
    await change(identity)
    const tokens = await readTokens()
    await end(identity, tokens.new)
    const failed = verify(tokens.new, { session: identity, password })
    await expect(failed).rejects.toMatchObject({ fieldErrors: [{ field: 'token' }] })
    expect(await readErrorCode(underTest.signIn(to, password))).toBe('CREDENTIALS_INVALID')
  })

  it('fails with a reason when the new address has an account by then', async () => {
    const identity = await begin()
    await change(identity)
    const tokens = await readTokens()
    await verify(tokens.new, { session: identity })
    await underTest.signUp(to)
    await expect(verify(tokens.old, { session: identity })).rejects.toMatchObject({
      fieldErrors: [{ field: 'email', message: expect.stringContaining('has an account now') }],
    })
    expect(await read(identity)).toMatchObject({ email })
  })

  it('accepts a link in its last millisecond', async () => {
    const identity = await begin()
    await change(identity)
    const tokens = await readTokens()
    underTest.nowMs += limits.emailLinkLifetimeMs - 1
    await verify(tokens.old, { password })
    expect(await verify(tokens.new, { password })).toMatchObject({ changed: true })
  })

  it('ends a link for a new password that was mailed to the old address', async () => {
    const identity = await begin()
    await underTest.handlers.requestPasswordReset({ email, clientAddress }, anonymous)
    const [, token = ''] = /reset#token=([\w-]{43})/.exec((await untilCame(email))[0] ?? '') ?? []
    await change(identity)
    await untilCame(email, 2)
    const tokens = await readTokens()
    await verify(tokens.old, { session: identity })
    await verify(tokens.new, { session: identity })
    const reset = { token, password: 'another password', clientAddress }
    expect(await readErrorCode(underTest.handlers.resetPassword(reset, anonymous))).toBe(
      'VALIDATION_ERROR',
    )
  })

  it(`is requested ${limits.emailChanges} times in a quarter of an hour, and later again`, async () => {
    const identity = await begin()
    for (let count = 0; count < limits.emailChanges; count += 1) {
      expect(await readErrorCode(change(identity, `n${count}@example.com`))).toBe('OK')
    }
    expect(await readErrorCode(change(identity))).toBe('TOO_MANY_ATTEMPTS')
    time.pass(limits.wrongPasswordsWindowMs)
    expect(await readErrorCode(change(identity))).toBe('OK')
  })

  it(`writes to an address ${limits.emailChanges} times, by any users`, async () => {
    const others: Identity[] = []
    for (let count = 0; count < limits.emailChanges; count += 1) {
      others.push(await underTest.signUp(`o${count}@example.com`))
    }
    const identity = await begin()
    for (const other of others) expect(await readErrorCode(change(other))).toBe('OK')
    expect(await readErrorCode(change(identity))).toBe('TOO_MANY_ATTEMPTS')
    expect(await readErrorCode(change(identity, 'c@example.com'))).toBe('OK')
  })

  it('rejects an invalid email and the current address', async () => {
    const identity = await begin()
    for (const typed of ['', 'a', 'a@b.c\r\nBcc: x@example.com', ` ${email.toUpperCase()} `]) {
      const failed = change(identity, typed)
      await expect(failed).rejects.toMatchObject({ fieldErrors: [{ field: 'email' }] })
    }
  })

  it('stays over a restart', async () => {
    const identity = await begin()
    await change(identity)
    const tokens = await readTokens()
    await verify(tokens.old, { session: identity })
    await open()
    expect(await verify(tokens.new, { session: identity })).toMatchObject({ changed: true })
  })
})

describe('a change of email, where no mail is sent by SMTP', () => {
  it('is done at once, and says that an address has an account', async () => {
    await underTest.signUp('b@example.com')
    const identity = await underTest.signUp(email)
    expect(await readErrorCode(change(identity, 'b@example.com'))).toBe('EMAIL_TAKEN')
    expect(await change(identity)).toEqual({ email: to, pending: undefined })
    expect((await underTest.signIn(to, password)).userId).toBe(identity.userId)
    const actions = (await underTest.listAudit(createCall(identity))).map(({ action }) => action)
    expect(actions).toContain('email.changed')
  })

  it('names the new address when the session signs out', async () => {
    const identity = await underTest.signUp(email)
    await change(identity)
    const { userId } = identity
    await underTest.handlers.endSession({ clientAddress, userId }, createCall(identity))
    const [entry] = await underTest.listAudit(createCall(identity))
    expect(entry).toMatchObject({ action: 'user.signed-out', actor: `user:${to}` })
  })
})

describe('the operator, for a user who lost the old address', () => {
  const command = async (verifiesEmail: boolean, ...emails: [string, string]) => {
    const store = await openStore(underTest.store('organizations.db'), createLog('silent'))
    const now = () => new Date(underTest.nowMs)
    const mailer = createMailWriter(underTest.mail, { newId, now })
    const deps = {
      store,
      now,
      randomBytes,
      newId,
      publicUrl: 'https://a.example',
      mailer,
      actor: 'operator:Anna',
    }
    try {
      return await changeEmailFor({ ...deps, verifiesEmail }, ...emails)
    } finally {
      await store.close()
    }
  }

  it('has the new address alone confirm, which the old one reads', async () => {
    const identity = await begin()
    expect(await command(true, email, to)).toMatchObject({ from: email, to, pending: true })
    const [text] = await untilCame(to)
    expect((await untilCame(email))[0]).toContain('The operator of this service prepared')
    expect(await verify(readVerificationToken(text), { password })).toEqual({
      email: to,
      changed: true,
    })
    const entries = await underTest.listAudit(createCall(identity))
    expect(entries.find(({ action }) => action === 'email.change-requested')).toMatchObject({
      actor: 'operator:Anna',
    })
  })

  it('changes it at once without SMTP, and only to a free address', async () => {
    await underTest.signUp('b@example.com')
    await underTest.signUp(email)
    await expect(command(false, email, 'b@example.com')).rejects.toThrow('already has an account')
    await expect(command(false, 'x@example.com', to)).rejects.toThrow('no user has the email')
    expect(await command(false, email, to)).toEqual({ from: email, to, pending: false })
    expect(await readErrorCode(underTest.signIn(to, password))).toBe('OK')
  })
})

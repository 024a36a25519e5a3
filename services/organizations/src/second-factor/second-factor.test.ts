import { randomBytes, randomUUID } from 'node:crypto'
import {
  clientAddress,
  createCall,
  fakeTimeOfDay,
  OrganizationsUnderTest,
  password,
  readErrorCode,
  anonymous,
  device,
} from '../testdata/organizations-under-test'
import { Passkey } from '@einvoicing/servers/authenticators/passkey'
import { totpCode } from '@einvoicing/servers/authenticators/totp'
import type { Identity } from '@einvoicing/proto/organizations'
import { resetSecondFactor } from '../commands/reset-second-factor'
import { createMailWriter } from '../mail/mailer'
import { openSqliteStore } from '../store/sqlite/sqlite-store'
import { limits } from '@einvoicing/domain/limits'

const elsewhere = '198.51.100.7'
const origin = 'http://localhost:8080'
const client = { clientAddress, device, origin }

describe('a second factor', () => {
  const time = fakeTimeOfDay()
  let underTest: OrganizationsUnderTest
  let owner: Identity
  let secret: string
  let recoveryCodes: string[]

  beforeEach(async () => {
    underTest = new OrganizationsUnderTest()
    await underTest.open()
    owner = await underTest.signUp()
    const call = createCall(owner)
    const { userId } = owner
    ;({ secret } = await underTest.handlers.beginTotp({ userId, clientAddress }, call))
    const code = totpCode(secret, underTest.nowMs)
    const confirmed = await underTest.handlers.confirmTotp({ userId, code, clientAddress }, call)
    recoveryCodes = confirmed.codes
    // The code that turned it on is used.
    underTest.nowMs += 60_000
  })
  afterEach(() => underTest.remove())

  const codeNow = (offsetMs = 0) => totpCode(secret, underTest.nowMs + offsetMs)
  const begin = async (from = clientAddress) => {
    const { halfOpen = '', ...rest } = await underTest.signIn(owner.email, password, from)
    expect(rest.sessionId).toBe('')
    return halfOpen
  }
  const complete = (halfOpen: string, claim: object, from = clientAddress) =>
    underTest.handlers.completeSignIn(
      { halfOpen, ...client, ...claim, clientAddress: from },
      anonymous,
    )
  const answerTo = (halfOpen: string, claim: object, from?: string) =>
    readErrorCode(complete(halfOpen, claim, from))

  it('is needed to open a session, which has another id each time', async () => {
    const halfOpen = await begin()
    const identity = await complete(halfOpen, { code: codeNow() })
    expect(identity).toMatchObject({ email: owner.email, organizationId: owner.organizationId })
    expect(identity.sessionId).not.toBe('')
    expect(identity.sessionId).not.toBe(owner.sessionId)
    const actions = (await underTest.listAudit(createCall(owner))).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['second-factor.totp-added', 'user.signed-in']))
  })

  it('accepts a clock that is a minute off, not five', async () => {
    for (const [offset, answer] of [
      [-300_000, 'CREDENTIALS_INVALID'],
      [300_000, 'CREDENTIALS_INVALID'],
      [-60_000, 'CREDENTIALS_INVALID'], // used when it was turned on
    ] as const) {
      expect([offset, await answerTo(await begin(), { code: codeNow(offset) })]).toEqual([
        offset,
        answer,
      ])
    }
    expect(await answerTo(await begin(), { code: codeNow(60_000) })).toBe('OK')
    underTest.nowMs += 180_000
    expect(await answerTo(await begin(), { code: codeNow(-60_000) })).toBe('OK')
  })

  it('accepts a code once, even when used concurrently', async () => {
    const tokens = await Promise.all([begin(), begin(), begin()])
    const code = codeNow()
    const answers = await Promise.all(tokens.map((token) => answerTo(token, { code })))
    expect(answers.sort()).toEqual(['CREDENTIALS_INVALID', 'CREDENTIALS_INVALID', 'OK'])
    // An older one is over too.
    expect(await answerTo(await begin(), { code: codeNow(-30_000) })).toBe('CREDENTIALS_INVALID')
  })

  it('opens one session, and none when late, forged or changed', async () => {
    const halfOpen = await begin()
    const late = await begin()
    expect(await answerTo(halfOpen, { code: codeNow() })).toBe('OK')
    underTest.nowMs += 30_000
    expect(await answerTo(halfOpen, { code: codeNow() })).toBe('SESSION_INVALID')
    const otherStart = late.startsWith('A') ? 'B' : 'A'
    const otherEnd = late.at(-2) === 'A' ? 'BA' : 'AA'
    const changed = [`${late.slice(0, -2)}${otherEnd}`, `${otherStart}${late.slice(1)}`]
    for (const forged of ['', 'x', ...changed]) {
      expect(await answerTo(forged, { code: codeNow() })).toBe('SESSION_INVALID')
    }
    underTest.nowMs += limits.secondFactorLifetimeMs - 31_000
    expect(await answerTo(late, { code: '000000' })).toBe('CREDENTIALS_INVALID')
    underTest.nowMs += 1_000
    expect(await answerTo(late, { code: codeNow() })).toBe('SESSION_INVALID')
  })

  it('accepts each recovery code once, and counts them', async () => {
    expect(new Set(recoveryCodes).size).toBe(10)
    const [first = ''] = recoveryCodes
    const typed = ` ${first.toUpperCase().replace('-', ' ')} `
    expect(await answerTo(await begin(), { recoveryCode: typed })).toBe('OK')
    expect(await answerTo(await begin(), { recoveryCode: first })).toBe('CREDENTIALS_INVALID')
    expect(await answerTo(await begin(), { recoveryCode: 'nonsense' })).toBe('CREDENTIALS_INVALID')
    expect(await answerTo(await begin(), {})).toBe('CREDENTIALS_INVALID')
    const { userId } = owner
    const factors = await underTest.handlers.getSecondFactors({ userId }, createCall(owner))
    expect(factors).toMatchObject({ totp: true, recoveryCodesLeft: 9, required: false })
    const used = (await underTest.listAudit(createCall(owner))).find(
      ({ action }) => action === 'second-factor.recovery-code-used',
    )
    expect(used?.detail).toBe(`${owner.email}: 9 left`)
  })

  it('limits guesses, without locking out the owner', async () => {
    const halfOpen = await begin(elsewhere)
    const wrong = totpCode(secret, underTest.nowMs + 3_600_000)
    const answers: string[] = []
    while (answers.length <= limits.wrongCodes) {
      answers.push(await answerTo(halfOpen, { code: wrong }, elsewhere))
    }
    expect(answers.filter((one) => one === 'CREDENTIALS_INVALID')).toHaveLength(limits.wrongCodes)
    expect(answers.at(-1)).toBe('TOO_MANY_ATTEMPTS')
    // Even the right one, there; not where the owner is.
    expect(await answerTo(halfOpen, { code: codeNow() }, elsewhere)).toBe('TOO_MANY_ATTEMPTS')
    const [recoveryCode = ''] = recoveryCodes
    expect(await answerTo(await begin(elsewhere), { recoveryCode }, elsewhere)).toBe('OK')
    expect(await answerTo(await begin(), { code: codeNow() })).toBe('OK')
    time.pass(limits.wrongPasswordsWindowMs)
    underTest.nowMs += 60_000
    expect(await answerTo(await begin(elsewhere), { code: codeNow() }, elsewhere)).toBe('OK')
  })

  describe('is used beside a stranger on the same network', () => {
    const readToken = () =>
      readErrorCode(underTest.handlers.readInvitation({ token: 'wrong', clientAddress }, anonymous))
    const signInWithPasskey = async (of: object) => {
      const request = { passkey: JSON.stringify(of), ...client }
      return readErrorCode(underTest.handlers.signInWithPasskey(request, anonymous))
    }
    const offer = async () =>
      JSON.parse((await underTest.handlers.offerPasskeySignIn({ origin }, anonymous)).options)

    it('who guesses tokens, passkeys and recovery codes of their own', async () => {
      const { userId } = owner
      const call = createCall(owner)
      const phone = new Passkey(origin)
      const { options } = await underTest.handlers.offerPasskey({ userId, origin }, call)
      const passkey = JSON.stringify(phone.register(JSON.parse(options)))
      await underTest.handlers.addPasskey(
        { userId, name: 'Phone', passkey, origin, clientAddress },
        call,
      )
      const answers = new Set<string>()
      for (let count = 0; count <= limits.wrongGuesses; count += 1) await readToken()
      expect(await readToken()).toBe('TOO_MANY_ATTEMPTS')
      for (let count = 0; count <= limits.wrongGuesses; count += 1) {
        answers.add(await signInWithPasskey({ id: 'x', response: {} }))
      }
      expect([...answers]).toEqual(['CREDENTIALS_INVALID'])
      expect(await signInWithPasskey(phone.authenticate(await offer()))).toBe('OK')
      const [recoveryCode = ''] = recoveryCodes
      expect(await answerTo(await begin(), { recoveryCode })).toBe('OK')
    })

    it('whose wrong recovery codes are limited for each user', async () => {
      const halfOpen = await begin()
      const wrong = { recoveryCode: '00000-00000' }
      for (let count = 0; count < limits.wrongCodes; count += 1) {
        expect(await answerTo(halfOpen, wrong)).toBe('CREDENTIALS_INVALID')
      }
      const [recoveryCode = ''] = recoveryCodes
      expect(await answerTo(halfOpen, { recoveryCode })).toBe('TOO_MANY_ATTEMPTS')
      expect(await answerTo(halfOpen, { code: codeNow() })).toBe('OK')
      expect(await answerTo(await begin(elsewhere), { recoveryCode }, elsewhere)).toBe('OK')
      time.pass(limits.wrongPasswordsWindowMs)
      for (let count = 1; count < recoveryCodes.length; count += 1) {
        const right = { recoveryCode: recoveryCodes[count] }
        expect(await answerTo(await begin(), right)).toBe('OK')
      }
      expect(await answerTo(await begin(), wrong)).toBe('CREDENTIALS_INVALID')
    })
  })

  it('is limited over many networks too, but not where its user is known', async () => {
    const halfOpen = await begin()
    const answers = []
    for (let n = 1; n <= limits.wrongCodesSpread + 1; n += 1) {
      answers.push(await answerTo(halfOpen, { code: '12345' }, `203.0.113.${n}`))
    }
    expect(answers.at(-1)).toBe('TOO_MANY_ATTEMPTS')
    expect(await answerTo(await begin(), { code: codeNow() })).toBe('OK')
  })

  it('is limited over many networks in one session too', async () => {
    const confirm = (code: string, from: string) =>
      readErrorCode(
        underTest.handlers.confirmSession(
          { userId: owner.userId, password: '', clientAddress: from, origin, code },
          createCall(owner),
        ),
      )
    for (let n = 1; n <= limits.wrongCodesSpread; n += 1) {
      expect(await confirm('12345', `203.0.113.${n}`)).toBe('VALIDATION_ERROR')
    }
    expect(await confirm('12345', elsewhere)).toBe('TOO_MANY_ATTEMPTS')
    expect(await confirm(codeNow(), elsewhere)).toBe('TOO_MANY_ATTEMPTS')
    expect(await confirm(codeNow(), clientAddress)).toBe('OK')
  })

  it('confirms a session', async () => {
    const call = createCall(owner)
    const { userId } = owner
    const confirm = (claim: object) =>
      readErrorCode(
        underTest.handlers.confirmSession(
          { userId, password: '', clientAddress, origin, ...claim },
          call,
        ),
      )
    underTest.nowMs += limits.confirmationLifetimeMs
    const remove = () =>
      readErrorCode(underTest.handlers.removeTotp({ userId, clientAddress }, call))
    expect(await remove()).toBe('CONFIRMATION_REQUIRED')
    expect(await confirm({ code: '000000' })).toBe('VALIDATION_ERROR')
    expect(await confirm({ passkey: '{}' })).toBe('VALIDATION_ERROR')
    const code = codeNow()
    expect(await confirm({ code })).toBe('OK')
    expect(await confirm({ code })).toBe('VALIDATION_ERROR')
    expect(await remove()).toBe('OK')
    expect((await underTest.signIn(owner.email, password)).sessionId).not.toBe('')
  })

  it('that the organization requires is asked of every session', async () => {
    const call = createCall(owner)
    const member = await underTest.join(await underTest.invite(call, 'm@example.com'))
    await underTest.handlers.requireSecondFactor({ required: true }, call)
    const { organizationId, userId, passwordVersion, sessionId } = member
    const authenticate = (enrolling: boolean) =>
      underTest.handlers.authenticateMember(
        { organizationId, userId, passwordVersion, sessionId, enrolling },
        anonymous,
      )
    expect(await readErrorCode(authenticate(false))).toBe('SECOND_FACTOR_REQUIRED')
    expect(await authenticate(true)).toMatchObject({ secondFactorMissing: true })
    const its = createCall(member)
    const begun = await underTest.handlers.beginTotp({ userId, clientAddress }, its)
    const code = totpCode(begun.secret, underTest.nowMs)
    await underTest.handlers.confirmTotp({ userId, code, clientAddress }, its)
    expect(await authenticate(false)).toMatchObject({ secondFactorMissing: false })
    expect(
      await readErrorCode(underTest.handlers.requireSecondFactor({ required: false }, its)),
    ).toBe('FORBIDDEN')
  })

  it('that is lost is removed by the operator, with every session', async () => {
    const store = openSqliteStore(underTest.file('organizations.db'))
    const now = () => new Date()
    const made = { store, now, newId: randomUUID, randomBytes, publicUrl: '' }
    const transport = { kind: 'folder', folder: underTest.folder } as const
    const mailer = createMailWriter({ transport, from: '', publicUrl: '' }, made)
    const deps = { ...made, mailer, actor: 'operator:Anna' }
    const reset = () => resetSecondFactor(deps, owner.email.toUpperCase())
    expect(await reset()).toEqual({ email: owner.email })
    await expect(reset()).rejects.toThrow('has no second factor')
    await expect(resetSecondFactor(deps, 'x@example.com')).rejects.toThrow('no user has the email')
    expect(await store.takeMails({ now: '9', leaseUntil: '9', count: 9 })).toMatchObject([
      { kind: 'second-factor-changed', to: owner.email, about: { change: 'reset' } },
    ])
    await store.close()
    const { organizationId, userId, passwordVersion, sessionId } = owner
    const session = { organizationId, userId, passwordVersion, sessionId }
    const authenticated = underTest.handlers.authenticateMember(session, anonymous)
    expect(await readErrorCode(authenticated)).toBe('SESSION_INVALID')
    const again = await underTest.signIn(owner.email, password)
    expect(again.sessionId).not.toBe('')
    const audit = await underTest.listAudit(createCall(again))
    expect(audit.map(({ action, actor }) => [action, actor])).toContainEqual([
      'second-factor.reset',
      'operator:Anna',
    ])
  })

  it('is stored in no readable form, and read back only with its key', async () => {
    const fs = await import('node:fs')
    const bytes = fs
      .readdirSync(underTest.folder)
      .map((name) => fs.readFileSync(underTest.file(name)).toString('latin1'))
    const all = bytes.join('')
    for (const text of [
      secret,
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replace('-', '')),
    ]) {
      expect(all.includes(text)).toBe(false)
    }
    fs.writeFileSync(underTest.file('other'), 'another key of at least 32 characters')
    const file = underTest.file('other')
    await underTest.open({ factorSecret: { kind: 'given', file } })
    expect(await answerTo(await begin(), { code: codeNow() })).toBe('SERVICE_UNAVAILABLE')
    fs.appendFileSync(file, `\n${fs.readFileSync(underTest.file('second-factor.key'), 'utf8')}`)
    await underTest.open({ factorSecret: { kind: 'given', file } })
    expect(await answerTo(await begin(), { code: codeNow() })).toBe('OK')
  })
})

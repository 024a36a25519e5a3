import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { limits } from '@einvoicing/domain/limits'
import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { eventually } from '@einvoicing/servers/eventually'
import {
  readText,
  startMailServer,
  startRefusingServer,
  type MailServer,
} from '../testdata/mail-server'
import {
  anonymous,
  clientAddress,
  createCall,
  fakeTimeOfDay,
  OrganizationsUnderTest,
  password,
  readErrorCode,
} from '../testdata/organizations-under-test'

const from = 'invoices@example.com'
const publicUrl = 'https://a.example'
const email = 'a@example.com'

let underTest: OrganizationsUnderTest
let server: MailServer
let lines: string[]
const log = () => createLog('info', { write: (line: string) => lines.push(line) })
const open = (url = server.url) =>
  underTest.open({ mail: { transport: { kind: 'smtp', url }, from, publicUrl } }, log())

const time = fakeTimeOfDay()
beforeEach(async () => {
  lines = []
  server = await startMailServer()
  underTest = new OrganizationsUnderTest()
  await open()
})
afterEach(async () => {
  await underTest.remove()
  await server.close()
})

const forgot = (address = email, client = clientAddress) =>
  underTest.handlers.requestPasswordReset({ email: address, clientAddress: client }, anonymous)

const until = <T>(read: () => T | undefined) =>
  eventually(() => {
    const found = read()
    if (found === undefined) throw new Error(`it did not come: ${lines.join('')}`)
    return found
  })
const untilCame = (count: number) =>
  until(() => (server.messages.length >= count ? server.messages : undefined))
/** The message that verifies the email has come, and is put aside. */
const signUp = async () => {
  await underTest.signUp(email)
  await untilCame(1)
  server.messages.length = 0
}
const readToken = (message = '') =>
  /https:\/\/a\.example\/dashboard\/reset#token=([\w-]{43})/.exec(readText(message))?.[1] ?? ''
const reset = (token: string) =>
  underTest.handlers.resetPassword(
    { token, password: 'another password', clientAddress },
    anonymous,
  )

describe('a forgotten password', () => {
  it('is reset by a mailed link, and its owner gets a notice', async () => {
    await signUp()
    await forgot(' A@Example.com ')
    const [message = ''] = await untilCame(1)
    expect(message).toContain('To: a@example.com')
    expect(message).toContain(`From: ${from}`)
    expect(message).toMatch(/Message-ID: <[\da-f-]{36}@example\.com>/i)
    await reset(readToken(message))
    expect(await readErrorCode(underTest.signIn(email, password))).toBe('CREDENTIALS_INVALID')
    await underTest.signIn(email, 'another password')
    const [, notice = ''] = await untilCame(2)
    expect(readText(notice)).toContain('Le mot de passe de votre compte a été modifié')
    expect(lines.join('')).not.toContain(readToken(message))
  })

  it('sends nothing to an email without a user, and answers the same', async () => {
    expect(await forgot('unknown@example.com')).toEqual(await forgot())
    await signUp()
    await forgot()
    await untilCame(1)
    expect(server.messages).toHaveLength(1)
  })

  it('rejects an invalid email', async () => {
    for (const typed of ['', 'a', 'a@b.c\r\nBcc: x@example.com', `${'a'.repeat(250)}@b.ma`]) {
      expect(await readErrorCode(forgot(typed))).toBe('VALIDATION_ERROR')
    }
  })

  it(`mails ${limits.passwordResetsOfEmail} links in a quarter of an hour, and more later`, async () => {
    await signUp()
    for (let count = 0; count <= limits.passwordResetsOfEmail; count += 1) await forgot()
    await untilCame(limits.passwordResetsOfEmail)
    time.pass(limits.wrongPasswordsWindowMs)
    await forgot()
    await untilCame(limits.passwordResetsOfEmail + 1)
    expect(server.messages).toHaveLength(limits.passwordResetsOfEmail + 1)
  })

  it(`accepts ${limits.passwordResetsOfNetwork} requests of a network`, async () => {
    for (let count = 0; count < limits.passwordResetsOfNetwork; count += 1) {
      await forgot(`a${count}@example.com`)
    }
    expect(await readErrorCode(forgot('b@example.com'))).toBe('TOO_MANY_ATTEMPTS')
    await forgot('b@example.com', '198.51.100.1')
  })
})

describe('mail', () => {
  it('waits for a server that is unavailable, over a restart too', async () => {
    await signUp()
    const { port } = server.url
    await server.close()
    await forgot()
    await until(() => lines.find((line) => line.includes('mail could not be sent, retrying')))
    server = await startMailServer(Number(port))
    underTest.nowMs += 60_000
    await open()
    const [message = ''] = await untilCame(1)
    await reset(readToken(message))
  })

  it('shows in the metrics how long the oldest waits', async () => {
    const readAge = async () => {
      const [, age] =
        /^einvoicing_mails_oldest_age_seconds (\S+)$/m.exec(await metrics.metrics()) ?? []
      return Number(age)
    }
    await signUp()
    server.answer(451)
    await forgot()
    await until(() => lines.find((line) => line.includes('mail could not be sent, retrying')))
    underTest.nowMs += 3_600_000
    await open()
    await eventually(async () => expect(await readAge()).toBe(3_600))
    server.answer(0)
    underTest.nowMs += 600_000
    await open()
    await untilCame(1)
    await open()
    await eventually(async () => expect(await readAge()).toBe(0))
  })

  it('dated by a clock that was set back is tried again, and shows in the metrics', async () => {
    await signUp()
    server.answer(451)
    await forgot()
    const isTried = (attempts: number) => (line: string) =>
      line.includes('retrying') && line.includes(`"attempts":${attempts}`)
    await until(() => lines.find(isTried(1)))
    underTest.nowMs -= 3_600_000
    await open()
    await until(() => lines.find(isTried(2)))
    await eventually(async () =>
      expect(await metrics.metrics()).toMatch(/^einvoicing_mails_oldest_age_seconds 3600$/m),
    )
  })

  it('is retried after a temporary error, not after a permanent one', async () => {
    await signUp()
    server.answer(451)
    await forgot()
    await until(() => lines.find((line) => line.includes('mail could not be sent, retrying')))
    server.answer(550)
    underTest.nowMs += 60_000
    await open()
    await until(() => lines.find((line) => line.includes('mail rejected')))
    server.answer(0)
    underTest.nowMs += 60_000
    await open()
    const owner = createCall(await underTest.signIn(email, password))
    const entries = await underTest.listAudit(owner)
    expect(entries.find(({ action }) => action === 'mail.rejected')).toMatchObject({
      actor: 'service:organizations',
      detail: `${email}, 550`,
    })
    await forgot()
    await untilCame(1)
    expect(server.messages).toHaveLength(1)
  })

  it.each([
    ['554 in its greeting', { 220: '554 no SMTP service here' }],
    ['502 to EHLO and HELO', { EHLO: '502 not now', HELO: '502 not now' }],
    ['502 to STARTTLS', { EHLO: '250-host\r\n250 STARTTLS', STARTTLS: '502 not now' }],
    ['550 to the sender', { MAIL: '550 sender rejected' }],
    ['its sender at the recipient', { RCPT: '554 5.7.1 Relay access denied' }],
  ])('is retried while the server refuses the session or the sender: %s', async (_, answers) => {
    await signUp()
    const { port } = server.url
    await server.close()
    const refusing = await startRefusingServer(Number(port), answers)
    await forgot()
    await until(() => lines.find((line) => /mail rejected|retrying/.test(line)))
    await refusing.close()
    expect(lines.join('')).not.toContain('mail rejected')
    server = await startMailServer(Number(port))
    underTest.nowMs += 60_000
    await open()
    const [message = ''] = await untilCame(1)
    await reset(readToken(message))
  })

  it('without a server is a file in the data folder, for its owner alone', async () => {
    const folder = path.join(underTest.folder, 'mail')
    await underTest.open(
      { mail: { transport: { kind: 'folder', folder }, from, publicUrl } },
      log(),
    )
    await underTest.signUp(email)
    await forgot()
    await until(() => lines.find((line) => line.includes('mail written to a file')))
    const [name = ''] = await readdir(folder)
    const file = path.join(folder, name)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await reset(readToken(await readFile(file, 'utf8')))
  })

  it('without server and folder mail is not stored, which is logged', async () => {
    await underTest.open({}, log())
    await underTest.signUp(email)
    await forgot()
    expect(lines.join('')).toContain('SMTP_URL is not set')
  })
})

import { metrics } from '@einvoicing/runtime/metrics'
import { totpCode } from '@einvoicing/servers/authenticators/totp'
import type { Call } from '@einvoicing/rpc/call'
import type { Identity } from '@einvoicing/proto/organizations'
import { MailedOrganizations, readVerificationToken } from './testdata/mailed-organizations'
import { anonymous, createCall, device, password } from './testdata/organizations-under-test'
import { readErrorCode } from './testdata/organizations-under-test'

const email = 'a@example.com'
const clientAddress = '198.51.100.7'
const client = { clientAddress, device, origin: 'http://localhost:8080' }

let underTest: MailedOrganizations
let owner: Identity
let call: Call
beforeEach(async () => {
  underTest = await MailedOrganizations.prepare()
  await underTest.openWithMail()
  owner = await underTest.signUp(email)
  call = createCall(owner)
})
afterEach(() => underTest.remove())

async function countFailures(): Promise<number> {
  const counted = await metrics.getSingleMetric('einvoicing_sign_in_failures_total')?.get()
  return counted?.values.reduce((sum, { value }) => sum + value, 0) ?? 0
}

async function enrol(): Promise<void> {
  const { userId } = owner
  const { secret } = await underTest.handlers.beginTotp({ userId, clientAddress }, call)
  const code = totpCode(secret, underTest.nowMs)
  await underTest.handlers.confirmTotp({ userId, code, clientAddress }, call)
}

const confirm = (claim: object) => {
  const request = { userId: owner.userId, password: '', ...client, ...claim }
  return underTest.handlers.confirmSession(request, call)
}

const wrongProofs: Record<string, () => Promise<unknown>> = {
  'password of a sign-in': () => underTest.signIn(email, 'wrong', clientAddress),
  'password of an invitation': async () => {
    const inviter = createCall(await underTest.signUp('b@example.com'))
    return underTest.join(await underTest.invite(inviter, email), 'wrong password', clientAddress)
  },
  'password of a confirmation': () => confirm({ password: 'wrong' }),
  'current password': () => {
    const passwords = { currentPassword: 'wrong', newPassword: 'another password' }
    const request = { userId: owner.userId, ...passwords, ...client }
    return underTest.handlers.changePassword(request, call)
  },
  'password beside a link': async () => {
    const [text] = await underTest.untilCame(1, email)
    const token = readVerificationToken(text)
    return underTest.handlers.verifyEmail({ token, password: 'wrong', clientAddress }, anonymous)
  },
  'code of a sign-in': async () => {
    await enrol()
    const { halfOpen = '' } = await underTest.signIn(email, password, clientAddress)
    return underTest.handlers.completeSignIn({ halfOpen, ...client, code: '12345' }, anonymous)
  },
  'code of a confirmation': async () => {
    await enrol()
    return confirm({ code: '12345' })
  },
}

it.each(Object.keys(wrongProofs))('a wrong %s is counted, logged and audited', async (name) => {
  const before = await countFailures()
  expect(await readErrorCode(wrongProofs[name]?.() ?? Promise.resolve())).toMatch(/INVALID|ERROR/)
  expect(await countFailures()).toBe(before + 1)
  const logged = underTest.lines.filter((line) => line.includes('sign-in failed'))
  expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
    { requestId: 'r', network: clientAddress, userId: owner.userId },
  ])
  // What waits is written when the service stops.
  await underTest.openWithMail()
  expect((await underTest.listAudit(call))[0]).toMatchObject({
    action: 'user.sign-in-failed',
    actor: `user:${email}`,
    detail: `1 from ${clientAddress}`,
  })
})

it('a passkey of no user is counted', async () => {
  const before = await countFailures()
  const request = { passkey: '{}', ...client }
  expect(await readErrorCode(underTest.handlers.signInWithPasskey(request, anonymous))).toBe(
    'CREDENTIALS_INVALID',
  )
  expect(await countFailures()).toBe(before + 1)
})

import { limits } from '@einvoicing/domain/limits'
import { CommandError, type CommandDeps } from './commands/account-command'
import { grantOwner } from './commands/grant-owner'
import { createResetLink } from './commands/reset-password'
import { createMailWriter } from './mail/mailer'
import { randomBytes, randomUUID } from 'node:crypto'
import { openSqliteStore } from './store/sqlite/sqlite-store'
import {
  createCall,
  clientAddress,
  readErrorCode,
  anonymous,
  OrganizationsUnderTest,
  password,
} from './testdata/organizations-under-test'

let underTest: OrganizationsUnderTest
let deps: CommandDeps
beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
  // As the command: another process on the same file.
  const store = openSqliteStore(underTest.file('organizations.db'))
  const now = () => new Date(underTest.nowMs)
  const publicUrl = 'https://a.example'
  const mailer = createMailWriter({ from: '', publicUrl }, { newId: randomUUID, now })
  deps = { store, now, randomBytes, newId: randomUUID, publicUrl, mailer, actor: 'operator:Anna' }
})
afterEach(async () => {
  await deps.store.close()
  await underTest.remove()
})

const another = 'another password'
const reset = (token: string, chosen = another) =>
  underTest.handlers.resetPassword({ token, password: chosen, clientAddress }, anonymous)
const offer = async (email: string) => {
  const { link } = await createResetLink(deps, email)
  expect(link).toMatch(/^https:\/\/a\.example\/dashboard\/reset#token=[\w-]{43}$/)
  return link.split('=')[1] ?? ''
}

describe('a password reset by the operator', () => {
  it('sets a password once, ends every session, and is audited without its token', async () => {
    const identity = await underTest.signUp('a@example.com')
    const token = await offer('A@example.com')
    await reset(token)
    expect(await readErrorCode(underTest.handlers.authenticateMember(identity, anonymous))).toBe(
      'SESSION_INVALID',
    )
    expect(await readErrorCode(underTest.signIn('a@example.com', password))).toBe(
      'CREDENTIALS_INVALID',
    )
    const again = await underTest.signIn('a@example.com', another)
    await expect(reset(token)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [{ field: 'token' }],
    })
    const audit = await underTest.listAudit(createCall(again))
    expect(audit).toMatchObject([
      { action: 'user.signed-in' },
      { action: 'password.reset', actor: 'user:a@example.com' },
      { action: 'password.reset-offered', actor: 'operator:Anna', detail: 'a@example.com' },
      { action: 'organization.created' },
    ])
    expect(JSON.stringify(audit)).not.toContain(token)
  })

  it('is valid for thirty minutes, and not after another password change', async () => {
    await underTest.signUp('a@example.com')
    const late = await offer('a@example.com')
    underTest.nowMs += limits.passwordResetLifetimeMs
    expect(await readErrorCode(reset(late))).toBe('VALIDATION_ERROR')
    const [one, other] = [await offer('a@example.com'), await offer('a@example.com')]
    expect(await readErrorCode(reset(one))).toBe('OK')
    expect(await readErrorCode(reset(other))).toBe('VALIDATION_ERROR')
    expect(await readErrorCode(reset('x'))).toBe('VALIDATION_ERROR')
  })

  it('sets one password of those that come at once', async () => {
    await underTest.signUp('a@example.com')
    const token = await offer('a@example.com')
    const codes = await Promise.all(
      [1, 2, 3].map((n) => readErrorCode(reset(token, `${another} ${n}`))),
    )
    expect(codes.sort()).toEqual(['OK', 'VALIDATION_ERROR', 'VALIDATION_ERROR'])
  })
})

describe('an owner granted by the operator', () => {
  it('makes a member OWNER, or invites one', async () => {
    const identity = await underTest.signUp('a@example.com')
    const { organizationId } = identity
    const token = await underTest.invite(createCall(identity), 'b@example.com', 'READ_ONLY')
    await underTest.join(token)
    await grantOwner(deps, organizationId, 'b@example.com')
    const granted = await grantOwner(deps, organizationId, 'c@example.com')
    const link = 'link' in granted ? granted.link : ''
    const invited = await underTest.join(link.split('#')[1] ?? '')
    expect(invited).toMatchObject({ organizationId, role: 'OWNER' })
    const { members } = await underTest.handlers.listMembers({}, createCall(identity))
    expect(members.map(({ role }) => role)).toEqual(['OWNER', 'OWNER', 'OWNER'])
    const actors = (await underTest.listAudit(createCall(identity))).map(({ actor }) => actor)
    expect(actors.filter((actor) => actor === 'operator:Anna')).toHaveLength(2)
  })
})

it.each([
  ['nonsense', /is not an email/],
  ['unknown@example.com', /no user has the email unknown@example.com/],
])('%s gets no link, and the command says why', async (email, message) => {
  const reset = createResetLink(deps, email)
  await expect(reset).rejects.toThrow(CommandError)
  await expect(reset).rejects.toThrow(message)
})

it('grants nothing in an organization that does not exist', async () => {
  const granted = grantOwner(deps, randomUUID(), 'a@example.com')
  await expect(granted).rejects.toThrow(CommandError)
  await expect(granted).rejects.toThrow(/no organization has the id/)
})

import { limits } from '@einvoicing/domain/limits'
import type { Call } from '@einvoicing/rpc/call'
import { createLog } from '@einvoicing/runtime/log'
import { eventually } from '@einvoicing/servers/eventually'
import { composeMail } from './mail/compose-mail'
import { noticeTexts } from './mail/notice-texts'
import type { NoticeKind } from './mail/mail'
import { readVerificationToken } from './testdata/mailed-organizations'
import { readText, startMailServer, type MailServer } from './testdata/mail-server'
import {
  anonymous,
  createCall,
  OrganizationsUnderTest,
  password,
  readErrorCode,
} from './testdata/organizations-under-test'

const email = 'owner@example.com'
const from = 'invoices@example.com'
const publicUrl = 'https://a.example'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0'

let underTest: OrganizationsUnderTest
let server: MailServer
let call: Call

beforeEach(async () => {
  server = await startMailServer()
  underTest = new OrganizationsUnderTest()
  const transport = { kind: 'smtp', url: server.url } as const
  await underTest.open({ mail: { transport, from, publicUrl } }, createLog('silent'))
  const owner = await underTest.signUp(email)
  await verify(email)
  const signedIn = createCall(owner)
  call = { ...signedIn, caller: { ...signedIn.caller, network: '192.0.2.1', device: windows } }
})
afterEach(async () => {
  await underTest.remove()
  await server.close()
})

/** Its address, by the link that came. */
async function verify(to: string): Promise<void> {
  const isIt = (message: string) =>
    message.includes(`To: ${to}\r`) && readText(message).includes('/dashboard/verify#')
  await eventually(() => expect(server.messages.some(isIt)).toBe(true))
  const token = readVerificationToken(readText(server.messages.find(isIt) ?? ''))
  const clientAddress = '192.0.2.1'
  await underTest.handlers.verifyEmail({ token, password, clientAddress }, anonymous)
}

const signIn = (clientAddress: string, device: string) =>
  underTest.handlers.signIn({ email, password, clientAddress, device }, anonymous)

/** Without those that verify an email. */
const readNotices = () =>
  server.messages.filter((message) => !readText(message).includes('/dashboard/verify#'))

/** Sent so far, in any order: `to: first line of the French text`. */
async function untilSent(count: number): Promise<string[]> {
  await eventually(() => expect(readNotices().length).toBeGreaterThanOrEqual(count))
  return readNotices()
    .map((message) => {
      const to = /^To: (.*)\r$/m.exec(message)?.[1] ?? ''
      return `${to}: ${readText(message).split(/\r?\n\r?\n/)[1] ?? ''}`
    })
    .sort()
}

it('a sign-in from a new network or device is notified, from a known one it is not', async () => {
  await signIn('192.0.2.1', 'Browser')
  await signIn('198.51.100.7', 'Browser')
  const [first = ''] = await untilSent(1)
  expect(first).toContain(`${email}: Votre compte a servi à une connexion depuis un appareil`)
  expect(readText(readNotices()[0] ?? '')).toContain('from the network 198.51.100.7 (Browser)')
  await signIn('198.51.100.7', windows)
  await untilSent(2)
  await signIn('192.0.2.1', windows.replaceAll('150.0', '151.0'))
  await signIn('198.51.100.7', 'Browser')
  await underTest.createKey(call)
  expect(await untilSent(3)).toHaveLength(3)
  const entries = await underTest.listAudit(call)
  expect(entries.find(({ action }) => action === 'api-key.created')).toMatchObject({
    network: '192.0.2.1',
    device: windows,
  })
})

it('an invitation accepted by password from a new network is notified as a sign-in', async () => {
  const inviter = 'inviter@example.com'
  const there = createCall(await underTest.signUp(inviter))
  await verify(inviter)
  await underTest.join(await underTest.invite(there, email), password, '198.51.100.7')
  const [first = '', second = ''] = await untilSent(2)
  expect(first).toContain(`${inviter}: ${email} est désormais membre`)
  expect(second).toContain(`${email}: Votre compte a servi à une connexion depuis un appareil`)
  const readSignIns = async (by: Call) =>
    (await underTest.listAudit(by)).filter(({ action }) => action === 'user.signed-in')
  expect(await readSignIns(call)).toMatchObject([
    { actor: `user:${email}`, detail: '198.51.100.7, Browser', network: '198.51.100.7' },
  ])
  expect(await readSignIns(there)).toEqual([])
  const another = createCall(await underTest.signUp('another@example.com'))
  await underTest.join(await underTest.invite(another, email), password, '198.51.100.7')
  expect(await readSignIns(there)).toHaveLength(1)
  await signIn('203.0.113.9', 'Browser')
  expect(await untilSent(3)).toHaveLength(3)
})

it('owners learn of keys, members and the RIB; a member of their role and removal', async () => {
  const invited = await underTest.invite(call, 'second@example.com', 'MEMBER')
  const second = await underTest.join(invited)
  await verify('second@example.com')
  const memberId = second.userId
  await underTest.handlers.changeMemberRole({ memberId, role: 'READ_ONLY' }, call)
  await underTest.handlers.removeMember({ memberId }, call)
  const { id, apiKey } = await underTest.createKey(call, 'ERP')
  const rotate = { apiKeyId: id, name: '', overlapSeconds: 60 }
  await underTest.handlers.rotateApiKey(rotate, call)
  await underTest.handlers.revokeApiKey({ apiKeyId: id }, call)
  await underTest.handlers.revokeApiKey({ apiKeyId: id }, call)
  const { mentions } = await underTest.handlers.getOrganization({}, call)
  if (!mentions) throw new Error('no mentions')
  const rib = '011780000012345678901296'
  const replace = (changed: object) =>
    underTest.handlers.replaceLegalMentions({ mentions: { ...mentions, ...changed } }, call)
  await replace({ rib })
  await replace({ rib, city: 'Rabat' })
  const sent = await untilSent(9)
  const about = (text: string) => sent.filter((line) => line.includes(text)).length
  expect(sent).toHaveLength(9)
  expect(about('second@example.com est désormais membre de Société, avec le rôle Membre')).toBe(1)
  expect(about('le rôle de second@example.com est passé de Membre à Lecture seule')).toBe(2)
  expect(about('second@example.com n’est plus membre de Société')).toBe(2)
  expect(about('La clé d’API « ERP »')).toBe(3)
  expect(about(`« ERP » (…${apiKey.last4}) de Société a été révoquée`)).toBe(1)
  expect(about('sur le compte qui se termine par 1296')).toBe(1)
  expect(readNotices().join('')).not.toContain(rib)
})

it('an address that is not verified gets no notice, as owner, member or after its removal', async () => {
  const third = 'third@example.com'
  const { userId } = await underTest.join(await underTest.invite(call, third, 'OWNER'))
  await underTest.createKey(call, 'Buy at a.example')
  const change = { memberId: userId, role: 'MEMBER' } as const
  await underTest.handlers.changeMemberRole(change, call)
  await underTest.handlers.removeMember({ memberId: userId }, call)
  await signIn('198.51.100.7', 'Browser')
  const sent = await untilSent(5)
  expect(sent.filter((line) => line.startsWith(`${third}:`))).toEqual([])
  expect(sent.filter((line) => line.startsWith(`${email}:`))).toHaveLength(5)
})

it('a rejected change sends no notice', async () => {
  underTest.nowMs += limits.confirmationLifetimeMs + 1
  expect(await readErrorCode(underTest.createKey(call))).toBe('CONFIRMATION_REQUIRED')
  await signIn('198.51.100.7', 'Browser')
  expect(await untilSent(1)).toHaveLength(1)
})

it(`sends ${limits.noticesOfKind} of a kind to one address in an hour, and the last says so`, async () => {
  for (let count = 0; count <= limits.noticesOfKind + 1; count += 1) await underTest.createKey(call)
  await underTest.handlers.revokeApiKey({ apiKeyId: (await underTest.createKey(call)).id }, call)
  await untilSent(limits.noticesOfKind + 1)
  expect(readNotices()).toHaveLength(limits.noticesOfKind + 1)
  const last = readNotices().filter((message) => readText(message).includes('within this hour'))
  expect(last).toHaveLength(1)
  const made = await underTest.listAudit(call)
  expect(made.filter(({ action }) => action === 'api-key.created').length).toBe(
    limits.noticesOfKind + 3,
  )
})

it.each(Object.keys(noticeTexts) as NoticeKind[])(
  '%s is in both languages, text and HTML',
  (kind) => {
    const about = { organization: 'A <b>', email, name: '<i>', last4: '1296', device: windows }
    const mail = composeMail(kind, { network: '192.0.2.1', at: '2026-05-03T10:00:00Z', about })
    expect(mail.subject).toMatch(/ \/ /)
    expect(mail.text).toContain('Le 3 mai 2026')
    expect(mail.text).toContain('On 3 May 2026')
    expect(mail.html).not.toContain('<b>')
    expect(mail.html).not.toContain('<i>')
    expect(mail.html).toContain('Hello,')
  },
)

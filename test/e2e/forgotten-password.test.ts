import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { eventually } from '@einvoicing/servers/eventually'
import { requestJson } from '../stack/http'
import { newOrganization } from '../stack/organization'
import { startStandalone, type Standalone } from '../stack/standalone'

describe('a forgotten password', () => {
  let stack: Standalone
  beforeAll(async () => {
    stack = await startStandalone()
  })
  afterAll(() => stack.dispose())

  const post = (route: string, body: object) =>
    requestJson('POST', `${stack.baseUrl}/dashboard/api${route}`, {
      headers: { 'X-Requested-With': 'dashboard' },
      body,
    })
  /** Of those about the organization there may be more. */
  const readMails = async (subject: RegExp) => {
    const folder = path.join(stack.dataDir, 'mail')
    const names = await readdir(folder).catch(() => [])
    const mails = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
    return mails.filter((mail) => subject.test(mail.replaceAll('_', ' ')))
  }

  test('the mailed link sets a new password, and every session ends', async () => {
    const { session } = await newOrganization(stack)
    const { email } = session
    const known = await post('/password/forgot', { email })
    const unknown = await post('/password/forgot', { email: 'unknown@example.com' })
    expect([known.status, known.code, known.data]).toEqual([202, 'OK', {}])
    expect([unknown.status, unknown.code, unknown.message, unknown.data]).toEqual([
      ...[202, 'OK', known.message, {}],
    ])
    const token = await eventually(async () => {
      const [mail = ''] = await readMails(/Reset your/)
      const found = /reset#token=3D([\w-]{43})|reset#token=([\w-]{43})/.exec(
        mail.replace(/=\r?\n/g, ''),
      )
      if (!found) throw new Error(`no link in ${mail}`)
      return found[1] ?? found[2]
    })
    expect(await readMails(/Reset your/)).toHaveLength(1)
    const page = await (await fetch(`${stack.simulatorUrl}/mail`)).text()
    expect(page).toContain(`<a href="${stack.baseUrl}/dashboard/reset#token=${token}">`)
    expect(page).toContain(`<p>${email} ·`)
    const password = 'an entirely new password'
    expect((await post('/password/reset', { token, password })).status).toBe(200)
    expect((await session.call('GET', '/session')).code).toBe('SESSION_INVALID')
    expect((await post('/session', { email, password })).status).toBe(200)
    expect((await post('/password/reset', { token, password })).code).toBe('VALIDATION_ERROR')
    await eventually(async () => expect(await readMails(/was recov/)).toHaveLength(1))
  })

  test('an owner sends a member the link, without seeing it', async () => {
    const owner = await newOrganization(stack)
    const { session: member } = await newOrganization(stack)
    const invitation = await owner.session.call('POST', '/members', {
      body: { email: member.email, role: 'MEMBER' },
    })
    const token = invitation.data.invitationToken
    const joined = await member.call('POST', '/invitation', { body: { token } })
    member.storeCookie(joined)
    const { content } = (await owner.session.call('GET', '/members')).data
    const { id } = content.find(({ email }: { email: string }) => email === member.email)
    const send = (by: typeof member, memberId: string) =>
      by.call('POST', `/members/${memberId}/password-reset`)
    const refused = await send(member, id)
    expect([refused.status, refused.code]).toEqual([403, 'FORBIDDEN'])
    const stranger = await newOrganization(stack)
    expect((await send(stranger.session, id)).code).toBe('MEMBER_NOT_FOUND')
    const sent = await send(owner.session, id)
    expect([sent.status, sent.data]).toEqual([202, {}])
    await eventually(async () => {
      const mails = await readMails(/Reset your/)
      expect(mails.filter((mail) => mail.includes(`To: ${member.email}`))).toHaveLength(1)
    })
    expect((await member.call('GET', '/session')).status).toBe(200)
    const { data } = await owner.session.call('GET', '/audit?action=password.reset-requested')
    expect(data.content).toMatchObject([{ detail: member.email }])
  })

  test('needs an email', async () => {
    const answer = await post('/password/forgot', { email: 'nothing' })
    expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

import { randomUUID } from 'node:crypto'
import { anInvoice, Invoices } from '../stack/invoices'
import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, Session, type Organization } from '../stack/organization'

type Role = 'OWNER' | 'MEMBER' | 'ACCOUNTANT' | 'READ_ONLY'

onEveryStack('members', (stack) => {
  let organization: Organization
  let owner: Session
  beforeEach(async () => {
    organization = await newOrganization(stack())
    owner = organization.session
  })

  const visitor = (email = '', password = '') => new Session(stack().baseUrl, email, password)
  const invite = (email: string, role: Role, by = owner) =>
    by.call('POST', '/members', { body: { email, role } })

  const join = (role: Role) => owner.welcome(role)

  test('an invitation is read, accepted once, and audited', async () => {
    const email = `${randomUUID()}@atlas.example`
    const invited = await invite(email.toUpperCase(), 'MEMBER')
    const { invitationToken, ...member } = invited.data
    expect(invited.status).toBe(201)
    expect(member).toEqual({
      id: expect.any(String),
      email,
      role: 'MEMBER',
      status: 'INVITED',
      createdAt: expect.stringMatching(/Z$/),
      invitationExpiresAt: expect.stringMatching(/Z$/),
      isSelf: false,
    })
    const days =
      (Date.parse(member.invitationExpiresAt) - Date.parse(member.createdAt)) / 86_400_000
    expect(days).toBe(7)

    const body = { token: invitationToken }
    const read = await visitor().call('POST', '/invitation/read', { body })
    expect(read.data).toEqual({
      organizationName: 'Atlas & Fils <SARL>',
      email,
      role: 'MEMBER',
      expiresAt: member.invitationExpiresAt,
    })
    const session = visitor(email, 'a long enough password')
    const accept = { token: invitationToken, password: session.password }
    const accepted = await session.call('POST', '/invitation', { body: accept })
    expect(accepted.status).toBe(201)
    expect(accepted.data).toMatchObject({ organizationId: organization.id, email, role: 'MEMBER' })
    session.storeCookie(accepted)
    expect((await session.call('GET', '/session')).data).toEqual(accepted.data)
    const signedIn = await visitor().call('POST', '/session', {
      body: { email, password: session.password },
    })
    expect(signedIn.data.userId).toBe(accepted.data.userId)

    const again = await visitor().call('POST', '/invitation', { body: accept })
    expect([again.status, again.code]).toEqual([404, 'INVITATION_NOT_FOUND'])
    const listed = await session.call('GET', '/members')
    expect(listed.data.content).toMatchObject([
      { email: owner.email, role: 'OWNER', status: 'ACTIVE', isSelf: false },
      { email, role: 'MEMBER', status: 'ACTIVE', invitationExpiresAt: null, isSelf: true },
    ])
    const { data } = await owner.call('GET', '/audit?size=100')
    const actions = data.content.map(({ action, actor }: any) => `${action} ${actor}`)
    expect(actions).toEqual(
      expect.arrayContaining([`member.joined user:${email}`, `member.invited user:${owner.email}`]),
    )
    expect(JSON.stringify([data, listed.data])).not.toContain(invitationToken)
  })

  test('an invitation is renewed and withdrawn, and reports invalid fields', async () => {
    const email = `${randomUUID()}@atlas.example`
    const first = await invite(email, 'MEMBER')
    const second = await invite(email, 'READ_ONLY')
    expect(second.data.id).toBe(first.data.id)
    const read = async ({ data }: { data: any }) => {
      const body = { token: data.invitationToken }
      return (await visitor().call('POST', '/invitation/read', { body })).code
    }
    expect(await read(first)).toBe('INVITATION_NOT_FOUND')
    expect(await read(second)).toBe('OK')
    expect((await owner.call('DELETE', `/members/${second.data.id}`)).data).toEqual({})
    expect(await read(second)).toBe('INVITATION_NOT_FOUND')

    const taken = await invite(owner.email, 'MEMBER')
    expect([taken.status, taken.code]).toEqual([409, 'EMAIL_TAKEN'])
    const wrong = await owner.call('POST', '/members', { body: { email: 'x', role: 'ADMIN' } })
    expect(wrong.errors).toEqual([
      { field: 'email', message: 'must be an email address, like name@example.com' },
      {
        field: 'role',
        message: 'must be one of READ_ONLY, ACCOUNTANT, MEMBER, OWNER; got "ADMIN"',
      },
    ])
    const short = { token: 'x', password: 'short' }
    const rejected = await visitor().call('POST', '/invitation', { body: short })
    expect([rejected.status, rejected.errors?.[0]?.field]).toEqual([400, 'password'])
  })

  test.each([
    ['OWNER', 200, 200],
    ['MEMBER', 403, 200],
    ['ACCOUNTANT', 403, 403],
    ['READ_ONLY', 403, 403],
  ] as const)('%s: owners’ changes %i, invoices %i', async (role, owners, invoices) => {
    const session = await join(role)
    const of = (answer: { status: number; code: string }) =>
      answer.status === 403
        ? [answer.code, 403]
        : ['OK', answer.status === 201 ? 200 : answer.status]
    const expected = (status: number) => [status === 403 ? 'FORBIDDEN' : 'OK', status]
    const { id: keyId } = organization.key

    for (const [method, path, body] of [
      ['PUT', '/organization', { city: 'Fès' }],
      ['POST', '/api-keys', { name: 'theirs' }],
      ['POST', '/members', { email: `${randomUUID()}@atlas.example`, role: 'MEMBER' }],
      ['PUT', `/members/${session.id}`, { role }],
      ['DELETE', `/api-keys/${keyId}`],
    ] as const) {
      const answer = await session.call(method, path, body && { body })
      expect([path, ...of(answer)]).toEqual([path, ...expected(owners)])
      if (owners === 403)
        expect(answer.message).toContain(`needs the role OWNER; your role is ${role}`)
    }

    const draft = { ...anInvoice(), draft: true }
    const made = await session.call('POST', '/invoices', { body: draft })
    expect(of(made)).toEqual(expected(invoices))
    const { data } = await owner.call('POST', '/invoices', {
      body: { ...anInvoice(), draft: true },
    })
    for (const [method, path, body] of [
      ['PUT', `/invoices/${data.id}`, { buyerName: role }],
      ['POST', `/invoices/${data.id}/sign`],
    ] as const) {
      expect(of(await session.call(method, path, body && { body }))).toEqual(expected(invoices))
    }
    const cancelled = (await owner.call('POST', '/invoices', {
      body: { ...anInvoice(), draft: true },
    })) as { data: { id: string } }
    const cancel = await session.call('DELETE', `/invoices/${cancelled.data.id}`)
    expect(of(cancel)).toEqual(expected(invoices))
    const again = await session.call('POST', `/invoices/${cancelled.data.id}/resubmit`)
    expect(again.code).toBe(invoices === 403 ? 'FORBIDDEN' : 'INVOICE_NOT_RESUBMITTABLE')

    for (const path of [
      '/session',
      '/organization',
      '/api-keys',
      '/members',
      '/audit',
      '/invoices',
    ]) {
      expect([path, (await session.call('GET', path)).status]).toEqual([path, 200])
    }
  })

  test('an accountant exports what is stored, and is named in the history', async () => {
    const accountant = await join('ACCOUNTANT')
    const { id } = await new Invoices(stack().baseUrl, organization.key.key).created()
    for (const [path, type] of [
      [`/invoices/${id}/pdf`, 'application/pdf'],
      [`/invoices/${id}/xml`, 'application/xml'],
      ['/audit.csv', 'text/csv'],
    ] as const) {
      const { status, headers, bytes } = await accountant.download(path)
      const problem = status === 200 ? undefined : bytes.toString()
      expect([path, status, problem]).toEqual([path, 200, undefined])
      expect(headers.get('content-type')).toContain(type)
    }
    const { data } = await owner.call('GET', '/audit?action=member.joined')
    expect(data.content[0]).toMatchObject({
      actor: `user:${accountant.email}`,
      detail: 'ACCOUNTANT',
    })
  })

  test('a removal and a new role take effect with the next request', async () => {
    const session = await join('MEMBER')
    const create = () => session.call('POST', '/invoices', { body: anInvoice() })
    expect((await create()).status).toBe(201)
    const role = (name: Role) =>
      owner.call('PUT', `/members/${session.id}`, { body: { role: name } })
    expect((await role('READ_ONLY')).data).toMatchObject({ role: 'READ_ONLY', status: 'ACTIVE' })
    expect((await create()).code).toBe('FORBIDDEN')
    expect((await session.call('GET', '/session')).data.role).toBe('READ_ONLY')
    await role('MEMBER')
    expect((await create()).status).toBe(201)

    // While they are busy: each request is done completely or not at all.
    let removed = false
    const busy = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (;;) {
          const late = removed
          const { status, code } = await create()
          if (status !== 201) return [late, status, code]
          if (late) return [late, status, code]
        }
      }),
    )
    await owner.call('DELETE', `/members/${session.id}`)
    removed = true
    for (const [, status, code] of await busy) {
      expect([status, code]).toEqual([401, 'SESSION_INVALID'])
    }
    const { email, password } = session
    const back = await visitor().call('POST', '/session', { body: { email, password } })
    expect(back.code).toBe('CREDENTIALS_INVALID')
  })

  test('there is always an owner, also when two demote each other concurrently', async () => {
    const alone = await owner.call('GET', '/session')
    const self = `/members/${alone.data.userId}`
    const demotion = { body: { role: 'MEMBER' } }
    for (const rejected of [
      await owner.call('DELETE', self),
      await owner.call('PUT', self, demotion),
    ]) {
      expect([rejected.status, rejected.code]).toEqual([409, 'LAST_OWNER'])
      expect(rejected.message).toContain('make another member OWNER first')
    }
    const second = await join('OWNER')
    const answers = await Promise.all([
      owner.call('PUT', `/members/${second.id}`, demotion),
      second.call('PUT', self, demotion),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const [lost] = answers.filter(({ status }) => status !== 200)
    expect(['LAST_OWNER', 'FORBIDDEN']).toContain(lost!.code)
    const { data } = await owner.call('GET', '/members')
    expect(data.content.filter(({ role }: any) => role === 'OWNER')).toHaveLength(1)
  })

  test('of many who accept an invitation at once, one joins', async () => {
    const { data } = await invite(`${randomUUID()}@atlas.example`, 'MEMBER')
    const body = { token: data.invitationToken, password: 'a long enough password' }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => visitor().call('POST', '/invitation', { body })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404])
  })

  test('members of another organization are not found', async () => {
    const stranger = await newOrganization(stack())
    const member = await join('MEMBER')
    for (const id of [member.id, randomUUID(), 'x', '%zz']) {
      const remove = await stranger.session.call('DELETE', `/members/${id}`)
      expect([id, remove.status]).toEqual([id, 404])
      if (id !== '%zz') expect(remove.code).toBe('MEMBER_NOT_FOUND')
    }
    expect((await member.call('GET', '/session')).status).toBe(200)
  })

  test('a new password ends every other session; keys still work', async () => {
    const { email, password } = owner
    const elsewhere = visitor(email, password)
    elsewhere.storeCookie(await elsewhere.call('POST', '/session', { body: { email, password } }))
    const change = (currentPassword: string, newPassword: string) =>
      owner.call('PUT', '/password', { body: { currentPassword, newPassword } })
    const wrong = await change('not mine at all', 'another long password')
    expect([wrong.status, wrong.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(wrong.errors?.map(({ field }) => field)).toEqual(['currentPassword'])
    expect((await change(password, 'short')).errors?.[0]?.field).toBe('newPassword')

    const former = owner.cookie
    const changed = await change(password, 'another long password')
    expect([changed.status, changed.data]).toEqual([200, {}])
    owner.storeCookie(changed)
    expect((await owner.call('GET', '/session')).status).toBe(200)
    const { code } = await elsewhere.call('GET', '/session')
    expect(code).toBe('SESSION_INVALID')
    owner.cookie = former
    expect((await owner.call('GET', '/session')).code).toBe('SESSION_INVALID')
    const body = { email, password: 'another long password' }
    expect((await visitor().call('POST', '/session', { body })).status).toBe(200)
    await new Invoices(stack().baseUrl, organization.key.key).list()
  })
})

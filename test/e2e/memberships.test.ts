import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, Session, type Organization } from '../stack/organization'
import { totpCode } from '@einvoicing/servers/authenticators/totp'

onEveryStack('memberships', (stack) => {
  let client: Organization
  let own: Organization
  let accountant: Session
  beforeEach(async () => {
    client = await newOrganization(stack())
    own = await newOrganization(stack())
    accountant = own.session
  })

  const invite = async (role = 'ACCOUNTANT', email = accountant.email) => {
    const { data } = await client.session.call('POST', '/members', { body: { email, role } })
    return data.invitationToken as string
  }
  const join = async () => {
    const joined = await accountant.call('POST', '/invitation', { body: { token: await invite() } })
    expect(joined.status).toBe(201)
    const before = copySession(accountant)
    accountant.storeCookie(joined)
    return { joined, before }
  }
  const switchTo = async (organizationId: string) => {
    const body = { organizationId }
    const answer = await accountant.call('POST', '/session/organization', { body })
    if (answer.status === 200) accountant.storeCookie(answer)
    return answer
  }
  const copySession = ({ baseUrl, email, password, cookie }: Session) =>
    Object.assign(new Session(baseUrl, email, password), { cookie })

  test('an account accepts by its session, sees both organizations, and switches between them', async () => {
    const { joined, before } = await join()
    const memberships = [
      { organizationId: own.id, name: expect.any(String), role: 'OWNER' },
      { organizationId: client.id, name: expect.any(String), role: 'ACCOUNTANT' },
    ]
    expect(joined.data).toMatchObject({ organizationId: client.id, memberships })
    expect((await before.call('GET', '/session')).code).toBe('SESSION_INVALID')
    expect((await accountant.call('GET', '/session')).data).toMatchObject({ memberships })
    expect((await accountant.call('GET', '/organizations')).data.content).toEqual(memberships)
    const refused = await accountant.call('POST', '/api-keys', { body: { name: 'x' } })
    expect([refused.status, refused.code]).toEqual([403, 'FORBIDDEN'])

    const there = copySession(accountant)
    const back = await switchTo(own.id)
    expect(back.data).toMatchObject({ organizationId: own.id, role: 'OWNER', memberships })
    expect((await there.call('GET', '/invoices')).code).toBe('SESSION_INVALID')
    expect((await accountant.call('GET', '/organization')).data.organizationId).toBe(own.id)
    expect((await switchTo(client.id)).data.role).toBe('ACCOUNTANT')
    const { data } = await client.session.call('GET', '/audit?action=user.switched')
    expect(data.content.map(({ detail }: { detail: string }) => detail)).toEqual([
      'entered',
      'left',
    ])
  })

  test('a page that shows another organization than the session’s cannot write', async () => {
    await join()
    const write = (shown: string) =>
      accountant.call('POST', '/session/organization', {
        body: { organizationId: client.id },
        headers: { 'X-Organization-Id': shown },
      })
    const refused = await write(own.id)
    expect([refused.status, refused.code]).toEqual([409, 'ORGANIZATION_SWITCHED'])
    expect((await accountant.call('GET', '/session')).data.organizationId).toBe(client.id)
    expect((await write(client.id)).status).toBe(200)
  })

  test('an account accepts with its password, and no other organization is switched to', async () => {
    const token = await invite()
    const visitor = new Session(stack().baseUrl, accountant.email, accountant.password)
    const wrong = { token, password: 'not their password' }
    const refused = await visitor.call('POST', '/invitation', { body: wrong })
    expect([refused.status, refused.code]).toEqual([401, 'CREDENTIALS_INVALID'])
    const missing = await visitor.call('POST', '/invitation', { body: { token } })
    expect([missing.status, missing.code]).toEqual([401, 'SESSION_MISSING'])
    const right = { token, password: accountant.password }
    const joined = await visitor.call('POST', '/invitation', { body: right })
    expect([joined.status, joined.data.organizationId]).toEqual([201, client.id])

    const stranger = await newOrganization(stack())
    const others = await switchTo(stranger.id)
    expect([others.status, others.errors]).toEqual([
      400,
      [
        {
          field: 'organizationId',
          message: 'is not one of your organizations: see GET organizations',
        },
      ],
    ])
  })

  test('an owner ends the membership; the account stays in its other organization', async () => {
    await join()
    const there = copySession(accountant)
    await switchTo(own.id)
    const members = (await client.session.call('GET', '/members')).data.content
    const { id } = members.find(({ email }: { email: string }) => email === accountant.email)
    expect((await client.session.call('DELETE', `/members/${id}`)).status).toBe(200)
    expect((await accountant.call('GET', '/session')).data).toMatchObject({
      organizationId: own.id,
      memberships: [{ organizationId: own.id }],
    })
    expect((await there.call('GET', '/session')).status).toBe(401)
    expect((await switchTo(client.id)).status).toBe(400)
  })

  test('a member can leave; the only owner cannot', async () => {
    await join()
    const left = await accountant.call('DELETE', '/membership')
    expect([left.status, left.headers.has('set-cookie')]).toEqual([200, true])
    expect((await accountant.call('GET', '/session')).code).toBe('SESSION_INVALID')
    const { email, password } = accountant
    const again = new Session(stack().baseUrl, email, password)
    again.storeCookie(left)
    const there = { organizationId: own.id, memberships: [{ organizationId: own.id }] }
    expect(left.data.session).toMatchObject(there)
    expect((await again.call('GET', '/session')).data).toMatchObject(there)
    const { content } = (await client.session.call('GET', '/members')).data
    expect(content.map((member: { email: string }) => member.email)).not.toContain(email)
    const signedIn = await again.call('POST', '/session', { body: { email, password } })
    expect(signedIn.data).toMatchObject(there)
    again.storeCookie(signedIn)
    const refused = await again.call('DELETE', '/membership')
    expect([refused.status, refused.code]).toEqual([409, 'LAST_OWNER'])
    expect((await again.call('GET', '/session')).status).toBe(200)
  })

  test('a password alone does not join when a second factor is set up', async () => {
    const begun = await accountant.call('POST', '/totp')
    const { secret } = begun.data
    const code = totpCode(secret, Date.now() - 30_000)
    expect((await accountant.call('PUT', '/totp', { body: { code } })).status).toBe(200)
    const token = await invite()
    const { email, password } = accountant
    const half = new Session(stack().baseUrl, email, password)
    const begin = await half.call('POST', '/invitation', { body: { token, password } })
    expect(begin.data).toEqual({ secondFactor: ['totp', 'recovery'] })
    half.storeCookie(begin)
    const early = await half.call('POST', '/invitation', { body: { token } })
    expect(early.status).toBe(401)
    const { content } = (await client.session.call('GET', '/members')).data
    const entry = content.find((one: { email: string }) => one.email === email)
    expect(entry).toMatchObject({ status: 'INVITED' })
    const body = { code: totpCode(secret) }
    half.storeCookie(await half.call('POST', '/session/second-factor', { body }))
    const joined = await half.call('POST', '/invitation', { body: { token } })
    expect([joined.status, joined.data.organizationId]).toEqual([201, client.id])
  })

  test('switching asks for the second factor that an organization requires', async () => {
    await join()
    await switchTo(own.id)
    await client.session.call('PUT', '/organization/second-factor', { body: { required: true } })
    const entered = await switchTo(client.id)
    expect(entered.data).toMatchObject({ organizationId: client.id, secondFactorMissing: true })
    expect((await accountant.call('GET', '/invoices')).code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await switchTo(own.id)).data.secondFactorMissing).toBe(false)
    expect((await accountant.call('GET', '/invoices')).status).toBe(200)
  })
})

import { EnvReader } from '@einvoicing/runtime/env'
import { readSecurityContact } from './security-txt'
import { fetchFrom, openForTest } from './testdata/open-gateway'

const path = '/.well-known/security.txt'

it.each(['mailto:security@example.com', 'https://example.com/report'])(
  'names the security contact, without a key: %s',
  async (SECURITY_CONTACT) => {
    const now = () => new Date('2026-05-03T10:00:00Z')
    const gateway = await openForTest({ SECURITY_CONTACT }, { now })
    const response = await fetch(gateway.url + path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ])
    expect(await response.text()).toBe(
      `Contact: ${SECURITY_CONTACT}\nExpires: 2026-06-02T00:00:00Z\n`,
    )
    expect((await fetchFrom(gateway, path, { method: 'POST' })).body.code).toBe(
      'METHOD_NOT_ALLOWED',
    )
    await gateway.close()
  },
)

it('has no default contact', async () => {
  const gateway = await openForTest()
  const { status, body } = await fetchFrom(gateway, path, { headers: { Authorization: '' } })
  expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
  await gateway.close()
})

it.each([
  'security@example.com',
  'http://example.com',
  'mailto:unknown',
  'https://',
  'mailto:a@b\nX: y',
])('refuses a contact that is none: %j', (SECURITY_CONTACT) => {
  const env = new EnvReader({ SECURITY_CONTACT })
  readSecurityContact(env)
  expect(() => env.throwErrors()).toThrow(/^SECURITY_CONTACT must be mailto:/)
})

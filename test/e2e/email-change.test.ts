/** Without SMTP, where no address is verified. With it: `services/organizations/src/change-email.test.ts`. */

import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, Session } from '../stack/organization'

onEveryStack('a change of email', (stack) => {
  test('takes effect at once: the new address signs in, the old one does not', async () => {
    const { session } = await newOrganization(stack())
    const { email: before, password } = session
    const email = `new-${before}`
    const changed = await session.call('POST', '/email/change', { body: { email } })
    expect([changed.status, changed.data]).toEqual([200, { email, pending: null }])
    expect((await session.call('GET', '/session')).data.email).toBe(email)
    const signIn = async (address: string) => {
      const visitor = new Session(stack().baseUrl, address, password)
      return visitor.call('POST', '/session', { body: { email: address, password } })
    }
    expect((await signIn(before)).code).toBe('CREDENTIALS_INVALID')
    expect((await signIn(email)).data).toMatchObject({
      email,
      organizationId: session.organizationId,
    })
    const { data } = await session.call('GET', '/audit?action=email.changed')
    expect(data.content).toMatchObject([{ detail: `${before} → ${email}` }])
  })

  test('a used address, the same address and an invalid one are errors', async () => {
    const { session } = await newOrganization(stack())
    const other = await newOrganization(stack())
    const change = (email: string) => session.call('POST', '/email/change', { body: { email } })
    const taken = await change(other.session.email)
    expect([taken.status, taken.code]).toEqual([409, 'EMAIL_TAKEN'])
    const same = await change(session.email)
    expect([same.status, same.errors]).toEqual([
      400,
      [{ field: 'email', message: 'is already your address: enter another one' }],
    ])
    const nonsense = await change('nothing')
    expect([nonsense.status, nonsense.errors?.[0]?.field]).toEqual([400, 'email'])
    expect((await session.call('GET', '/session')).data.email).toBe(session.email)
  })
})

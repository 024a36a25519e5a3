/** Beside a service that sends no mail, a command must not store any: no process would send it. */

import { randomUUID } from 'node:crypto'
import { createLog } from '@einvoicing/runtime/log'
import { noFactors } from '@einvoicing/organizations/second-factor/factors'
import { openMongoStore } from '@einvoicing/organizations/store/mongo/mongo-store'
import type { OrganizationStore } from '@einvoicing/organizations/store/store'
import { anOrganization } from '@einvoicing/organizations/testdata/store-under-test'
import { describeWith } from '@einvoicing/servers/describe-with'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { grantOwnership, resetFactors } from './accounts'

describeWith('mongod', 'accounts in MongoDB', () => {
  let server: Mongod
  let store: OrganizationStore
  let url: string
  const printed: string[] = []
  const shell = (settings: NodeJS.ProcessEnv = {}) => ({
    environment: { MONGODB_URL: url, ...settings },
    operator: 'Anna',
    print: (text: string) => void printed.push(text),
    note: () => undefined,
  })
  beforeAll(async () => {
    server = await startMongod()
    url = server.url.replace(/\/(?=\?|$)/, `/accounts_${randomUUID().slice(0, 8)}`)
    store = await openMongoStore({ kind: 'mongodb', url }, createLog('silent'))
  })
  beforeEach(() => printed.splice(0))
  afterAll(async () => {
    await store.close()
    await server.dispose()
  })

  async function addEnrolled() {
    const organization = anOrganization()
    const { id: organizationId, createdAt: at, user } = organization
    await store.addOrganization(organization, { at, actor: 'user', action: 'organization.created' })
    const totp = { secret: 'encrypted', lastStep: 0 }
    await store.changeSecondFactors({ organizationId, actor: 'user' }, user.id, () => ({
      after: { ...noFactors, totp },
      audits: [],
    }))
    return { organizationId, email: user.email }
  }
  const takeMails = async () => {
    const now = new Date(Date.now() + 60_000).toISOString()
    const mails = await store.takeMails({ now, leaseUntil: now, count: 1 })
    for (const { id } of mails) await store.finishMail(id)
    return mails
  }

  it('get no notice that waits for a mail server', async () => {
    const { organizationId, email } = await addEnrolled()
    await resetFactors(shell(), email)
    expect(printed.join()).toContain('all their sessions have ended')
    expect(printed.join()).not.toContain('notice')
    await grantOwnership(shell(), organizationId, 'b@example.com')
    expect(await takeMails()).toEqual([])
  })

  it.each<NodeJS.ProcessEnv>([
    { DATA_DIR: 'data' },
    {
      SMTP_URL: 'smtp://mail.example.com',
      MAIL_FROM: 'invoices@example.com',
      PUBLIC_URL: 'https://invoices.example.com',
    },
  ])('get a notice where mail is sent: %j', async (settings) => {
    const { email } = await addEnrolled()
    await resetFactors(shell(settings), email)
    expect(printed.join()).toContain('a notice is queued for sending')
    const about = expect.objectContaining({ change: 'reset' }) as object
    expect(await takeMails()).toMatchObject([{ kind: 'second-factor-changed', to: email, about }])
  })
})

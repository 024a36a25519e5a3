import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { openSqliteStore } from '@einvoicing/organizations/store/sqlite/sqlite-store'
import type { OrganizationStore } from '@einvoicing/organizations/store/store'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'

const email = 'a@example.com'
const organizationId = randomUUID()

let folder: string
let store: OrganizationStore
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'accounts-'))
  store = openSqliteStore(path.join(folder, 'organizations.db'))
  const at = new Date().toISOString()
  const user = { id: randomUUID(), organizationId, email, role: 'OWNER', createdAt: at } as const
  const password = { passwordHash: '', passwordVersion: 0, knownNetworks: [], knownDevices: [] }
  const mentions = { name: 'Atelier', ice: '001234567000089' } as never
  await store.addOrganization(
    {
      id: organizationId,
      mentions,
      createdAt: at,
      approval: 'PENDING',
      user: { ...user, ...password },
    },
    { at, actor: `user:${email}`, action: 'organization.created' },
  )
})
afterEach(async () => {
  await store.close()
  fs.rmSync(folder, { recursive: true })
})

async function admin(...words: string[]): Promise<string> {
  const program = runUnbuilt(path.join(__dirname, 'main.ts'))
  const env = { PATH: process.env['PATH'], DATA_DIR: folder }
  const args = [...program, ...words, '--operator', 'Anna']
  return (await promisify(execFile)(process.execPath, args, { env })).stdout
}

async function findAudited(action: string) {
  const { entries } = await store.listAudit(organizationId, { page: 0, size: 10 })
  return entries.find((entry) => entry.action === action)
}

it.each([[['reset-password']], [['accounts', 'reset-password']]])(
  '%j prints a link, audited by the name of the operator',
  async (words) => {
    expect(await admin(...words, email)).toMatch(/\/dashboard\/reset#token=[\w-]{43}\n$/)
    expect(await findAudited('password.reset-offered')).toMatchObject({ actor: 'operator:Anna' })
  },
)

it.each([[['grant-owner']], [['accounts', 'grant-owner']]])(
  '%j prints an invitation, audited, of which the owners get a notice',
  async (words) => {
    const printed = await admin(...words, organizationId, 'b@example.com')
    expect(printed).toMatch(/\/dashboard\/invitation#[\w-]{43}\n$/)
    expect(await findAudited('member.invited')).toMatchObject({
      actor: 'operator:Anna',
      detail: 'b@example.com, OWNER',
    })
    const now = new Date(Date.now() + 60_000).toISOString()
    const mails = await store.takeMails({ now, leaseUntil: now, count: 10 })
    expect(mails).toMatchObject([{ kind: 'owner-invited', to: email }])
  },
)

it('organizations list, approve and suspend', async () => {
  expect(await admin('organizations', 'list')).toContain(`${organizationId}  PENDING`)
  await admin('organizations', 'approve', organizationId)
  expect(await findAudited('organization.approved')).toMatchObject({ actor: 'operator:Anna' })
  await admin('organizations', 'suspend', organizationId, '--reason', 'no documents')
  expect(await findAudited('organization.suspended')).toMatchObject({ detail: 'no documents' })
  expect(await admin('organizations', 'list', '--status', 'suspended')).toContain(organizationId)
})

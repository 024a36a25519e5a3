import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { anInvoice, newNumber } from '../stack/invoices'
import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, type Session } from '../stack/organization'
import { startStandalone, type Standalone } from '../stack/standalone'

const program = path.join(__dirname, '../../deploy/admin/dist/main.js')
const run = promisify(execFile)

describe('an organization that needs an approval', () => {
  let stack: Standalone
  beforeAll(async () => {
    stack = await startStandalone({ env: { SIGNUP: 'approval', RATE_LIMIT_PER_MINUTE: '100000' } })
  })
  afterAll(() => stack.dispose())

  const admin = async (...words: string[]) => {
    const env = { ...process.env, DATA_DIR: stack.dataDir }
    const all = [program, 'organizations', ...words, '--json', '--operator', 'Anna']
    const { stdout } = await run(process.execPath, all, { env })
    return stdout
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  const readError = (words: string[]) =>
    admin(...words).then(
      () => 'OK',
      (error: unknown) => {
        const { code, stderr } = error as { code: number; stderr: string }
        return `${code} ${stderr}`
      },
    )

  test('does everything but sign, until an operator approved it', async () => {
    const { id, session, invoices } = await newOrganization(stack)
    const draft = await invoices.created({ draft: true })
    const notApproved = { status: 409, code: 'ORGANIZATION_NOT_APPROVED', data: null }
    expect(await invoices.create(anInvoice())).toMatchObject(notApproved)
    expect(await invoices.sign(draft.id)).toMatchObject(notApproved)
    const body = anInvoice()
    expect(await session.call('POST', '/invoices', { body })).toMatchObject(notApproved)
    const before = await session.call('GET', '/organization')
    expect([before.data.approval, before.data.missing]).toEqual(['PENDING', []])
    expect(await admin('list', '--status', 'pending')).toMatchObject([
      { organizationId: id, approval: 'PENDING', owners: [session.email] },
    ])

    await admin('approve', id)
    expect((await invoices.sign(draft.id)).status).toBe(200)
    expect((await invoices.create(body)).status).toBe(201)
    expect((await session.call('GET', '/organization')).data).not.toHaveProperty('approval')
    const audit = await session.call('GET', '/audit?actor=operator:')
    expect(audit.data.content).toMatchObject([
      { action: 'organization.approved', actor: 'operator:Anna' },
    ])
  })

  test('a suspended organization cannot sign from the answer on; it reads and exports', async () => {
    const { id, session, invoices } = await newOrganization(stack)
    await admin('approve', id)
    const signed = await invoices.created()
    let suspendedAt = Infinity
    const sent: { at: number; status: number }[] = []
    const creating = (async () => {
      for (let at = 0; at < suspendedAt + 500;) {
        at = performance.now()
        sent.push({ at, status: (await invoices.create(anInvoice())).status })
      }
    })()
    await admin('suspend', id, '--reason', 'Documents expired')
    suspendedAt = performance.now()
    await creating
    const later = sent.filter(({ at }) => at > suspendedAt).map(({ status }) => status)
    expect(new Set(later)).toEqual(new Set([409]))
    expect(sent.some(({ status }) => status === 201)).toBe(true)
    expect((await invoices.read(signed.id)).status).toBe(200)
    expect((await session.download('/audit.csv')).status).toBe(200)
    expect((await session.call('GET', '/organization')).data.approval).toBe('SUSPENDED')
    expect(await readError(['suspend', id, '--reason', 'again'])).toContain('1 ')
  })

  test('has its ICE exclusively, and only the operator changes name and ICE', async () => {
    const ice = '001525714000070'
    const [one, other] = [
      await newOrganization(stack, { ice }),
      await newOrganization(stack, { ice }),
    ]
    await admin('approve', one.id)
    expect(await readError(['approve', other.id])).toContain(`the ICE ${ice} belongs to ${one.id}`)
    const change = (body: object) => one.session.call('PUT', '/organization', { body })
    expect(await change({ name: 'Autre' })).toMatchObject({
      status: 400,
      errors: [{ field: 'name', message: expect.stringContaining('contact the operator') }],
    })
    await admin('change', one.id, '--name', 'Atlas SA', '--reason', 'minutes of 3 May')
    const { data } = await one.session.call('GET', '/organization')
    expect(data).toMatchObject({ name: 'Atlas SA', ice })
  })

  test('can invite and work while it waits', async () => {
    const { session } = await newOrganization(stack)
    const member: Session = await session.welcome('MEMBER')
    const draft = { ...anInvoice({ invoiceNumber: newNumber() }), draft: true }
    expect((await member.call('POST', '/invoices', { body: draft })).status).toBe(201)
  })
})

onEveryStack('an organization that needs no approval', (stack) => {
  test('name and ICE are fixed by the first signed invoice', async () => {
    const { session: owner, invoices } = await newOrganization(stack())
    await invoices.created({ draft: true })
    const change = (body: object) => owner.call('PUT', '/organization', { body })
    expect((await change({ name: 'Atlas SA', ice: '001525714000070' })).status).toBe(200)
    await invoices.created()
    const rejected = await change({ name: 'Autre', ice: '002791346000039', city: 'Fès' })
    const fields = rejected.errors?.map(({ field }) => field)
    expect([rejected.status, fields]).toEqual([400, ['name', 'ice']])
    expect(rejected.errors?.[0]?.message).toContain('contact the operator of this service')
    const changed = await change({ name: 'Atlas SA', city: 'Fès' })
    expect([changed.status, changed.data.city]).toEqual([200, 'Fès'])
  })
})

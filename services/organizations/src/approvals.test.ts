import { randomBytes, randomUUID } from 'node:crypto'
import type { Call } from '@einvoicing/rpc/call'
import type { CommandDeps } from './commands/account-command'
import { approve, changeIdentity, listOrganizations, suspend } from './commands/approvals'
import { createMailWriter } from './mail/mailer'
import { openSqliteStore } from './store/sqlite/sqlite-store'
import { createCall, OrganizationsUnderTest } from './testdata/organizations-under-test'

const ice = '001525714000070'

let underTest: OrganizationsUnderTest
let deps: CommandDeps
beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open({ signUp: 'approval' })
  // As the command: another process on the same file.
  const store = openSqliteStore(underTest.file('organizations.db'))
  const now = () => new Date(underTest.nowMs)
  const publicUrl = 'https://a.example'
  const transport = { kind: 'folder', folder: underTest.file('mail') } as const
  const mailer = createMailWriter(
    { transport, from: 'a@b.ma', publicUrl },
    { newId: randomUUID, now },
  )
  deps = { store, now, randomBytes, newId: randomUUID, publicUrl, mailer, actor: 'operator:Anna' }
})
afterEach(async () => {
  await deps.store.close()
  await underTest.remove()
})

const fill = async (call: Call, changed: object = { ice }, hasSigned = false) => {
  const { mentions } = await underTest.handlers.getOrganization({}, call)
  if (!mentions) throw new Error('no mentions')
  const request = { mentions: { ...mentions, ...changed }, hasSigned }
  return underTest.handlers.replaceLegalMentions(request, call)
}
const listFieldErrors = async (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => 'OK',
    (error: unknown) => (error as { fieldErrors?: unknown }).fieldErrors,
  )
const newOne = async (email = `${randomUUID()}@example.com`) => {
  const owner = await underTest.signUp(email)
  const call = createCall(owner)
  const { key } = await underTest.createKey(call)
  const read = async () => {
    const { mentions: _, ...organization } = await underTest.handlers.getOrganization({}, call)
    return [(await underTest.authenticate(key)).approval, organization.approval]
  }
  return { id: owner.organizationId, call, read }
}
const dueMails = async () => {
  const now = deps.now().toISOString()
  return deps.store.takeMails({ now, leaseUntil: '2099-01-01T00:00:00.000Z', count: 50 })
}

it('a new organization waits for its approval, and can sign from then on', async () => {
  const { id, call, read } = await newOne('owner@example.com')
  expect(await read()).toEqual(['PENDING', 'PENDING'])
  await expect(approve(deps, id)).rejects.toThrow('Société has no ICE yet')
  await fill(call)
  await approve(deps, id)
  expect(await read()).toEqual([undefined, undefined])
  await expect(approve(deps, id)).rejects.toThrow('is already approved')
  const [entry] = await underTest.listAudit(call)
  expect(entry).toMatchObject({ action: 'organization.approved', actor: 'operator:Anna' })
  expect(await dueMails()).toMatchObject([
    { kind: 'organization-approved', to: 'owner@example.com', about: { ice } },
  ])
})

it('a suspended organization cannot sign from the answer on, and learns why', async () => {
  const { id, call, read } = await newOne()
  await fill(call)
  await approve(deps, id)
  await expect(suspend(deps, id, ' ')).rejects.toThrow('--reason must not be blank')
  await suspend(deps, id, 'Documents expired')
  expect(await read()).toEqual(['SUSPENDED', 'SUSPENDED'])
  const [entry] = await underTest.listAudit(call)
  expect(entry).toMatchObject({ action: 'organization.suspended', detail: 'Documents expired' })
  await approve(deps, id)
  expect(await read()).toEqual([undefined, undefined])
})

it('name and ICE of an approved one are the operator’s to change', async () => {
  const { id, call } = await newOne()
  await fill(call)
  await approve(deps, id)
  expect(await listFieldErrors(fill(call, { ice: '002791346000039', name: 'Autre' }))).toEqual([
    { field: 'name', message: expect.stringContaining('contact the operator') },
    { field: 'ice', message: expect.stringContaining('contact the operator') },
  ])
  await fill(call, { city: 'Rabat' })
  const reason = 'Renamed by its shareholders'
  await changeIdentity(deps, id, { change: { name: ' Autre ' }, reason })
  const { mentions } = await underTest.handlers.getOrganization({}, call)
  expect(mentions).toMatchObject({ name: 'Autre', ice, city: 'Rabat' })
  const [entry] = await underTest.listAudit(call)
  expect(entry).toMatchObject({
    action: 'organization.changed',
    actor: 'operator:Anna',
    detail: `name: Société → Autre (${reason})`,
  })
  await changeIdentity(deps, id, { change: { ice: '002791346000039' }, reason })
  for (const listed of [ice, '002791346000039']) {
    const issuers = await underTest.handlers.findIssuers({ ice: listed }, call)
    expect(issuers).toEqual({ organizationIds: [id] })
  }
  await expect(changeIdentity(deps, id, { change: { ice: '1' }, reason })).rejects.toThrow(
    'ice must',
  )
  await expect(changeIdentity(deps, id, { change: {}, reason })).rejects.toThrow('give --name')
})

it('an ICE belongs to one approved organization', async () => {
  const [one, other] = [await newOne(), await newOne()]
  for (const { call } of [one, other]) await fill(call)
  await approve(deps, one.id)
  await expect(approve(deps, other.id)).rejects.toThrow(
    `the ICE ${ice} belongs to ${one.id} (Société), which is approved`,
  )
  expect(await other.read()).toEqual(['PENDING', 'PENDING'])
  await suspend(deps, one.id, 'Not the holder')
  await approve(deps, other.id)
  await expect(approve(deps, one.id)).rejects.toThrow(`belongs to ${other.id}`)
})

it('an earlier one counts as approved; its first invoice fixes name and ICE', async () => {
  await underTest.open({ signUp: 'open' })
  const { call, read } = await newOne()
  await underTest.open({ signUp: 'approval' })
  expect(await read()).toEqual([undefined, undefined])
  await fill(call)
  expect(await listFieldErrors(fill(call, { name: 'Autre' }, true))).toEqual([
    { field: 'name', message: expect.stringContaining('since your first invoice was signed') },
  ])
  await fill(call, { name: 'Autre' })
})

it('of another approved organization an ICE is refused', async () => {
  await underTest.open({ signUp: 'open' })
  const old = await newOne()
  await underTest.open({ signUp: 'approval' })
  const { id, call } = await newOne()
  await fill(call)
  await approve(deps, id)
  expect(await listFieldErrors(fill(old.call))).toEqual([
    { field: 'ice', message: expect.stringContaining('belongs to another approved organization') },
  ])
})

it('lists organizations with their owners, by approval', async () => {
  const [one, other] = [await newOne('one@example.com'), await newOne('other@example.com')]
  await fill(one.call)
  await approve(deps, one.id)
  const list = async (approval?: 'PENDING') => {
    const found = []
    for await (const listed of listOrganizations(deps, approval)) found.push(listed)
    return found
  }
  expect(await list()).toMatchObject([
    { organizationId: one.id, approval: 'APPROVED', ice, owners: ['one@example.com'] },
    { organizationId: other.id, approval: 'PENDING', ice: '', owners: ['other@example.com'] },
  ])
  expect(await list('PENDING')).toMatchObject([{ organizationId: other.id }])
})

it('finds no organization by another id', async () => {
  await expect(approve(deps, randomUUID())).rejects.toThrow('no organization has the id')
  await expect(suspend(deps, randomUUID(), 'x')).rejects.toThrow('no organization has the id')
})

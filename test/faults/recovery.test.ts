/**
 * The store is set back to an older copy while archive and platform have moved on: what was
 * answered since is taken back from its signed original, and no number is used twice.
 */

import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '@einvoicing/servers/eventually'
import { anInvoice } from '../stack/invoices'
import { newOrganization, type Organization } from '../stack/organization'
import { startStandalone, type Standalone } from '../stack/standalone'
import { readAudit, expectDocuments, listAll, submissionTotal, untilAllDecided } from './record'

const command = path.join(__dirname, '../../deploy/admin/dist/main.js')

interface Reported {
  status: number | null
  output: string
  errors: string
}

function recover(dataDir: string, ...words: string[]): Promise<Reported> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [command, 'recover', ...words],
      { env },
      (_, output, errors) => resolve({ status: child.exitCode, output, errors }),
    )
  })
}

describe('a store restored from an older copy', () => {
  let stack: Standalone
  let organization: Organization
  let folder: string
  const store = () => path.join(stack.dataDir, 'invoices.db')
  const copy = () => path.join(folder, 'invoices.db')

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-copy-'))
    stack = await startStandalone()
    organization = await newOrganization(stack)
  })
  afterAll(async () => {
    await stack.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  /** All is decided, and so many signed XML are in the archive. */
  const untilArchived = (count: number) =>
    eventually(async () => {
      for (const status of ['SIGNED', 'TRANSMITTED']) {
        expect((await organization.invoices.list({ status })).data.totalElements).toBe(0)
      }
      const files = await readdir(path.join(stack.dataDir, 'artefacts'), { recursive: true })
      expect(files.filter((file) => file.endsWith('/signed.xml/signed.xml'))).toHaveLength(count)
    }, 60_000)
  const setBack = async () => {
    await stack.stop()
    await rm(`${store()}-wal`, { force: true })
    await rm(`${store()}-shm`, { force: true })
    await cp(copy(), store())
  }

  test('is rejected while the service uses the store, and without a subcommand', async () => {
    expect(await recover(stack.dataDir, 'list')).toMatchObject({
      status: 2,
      errors: expect.stringContaining('is in use by another process; stop it'),
    })
    expect(await recover(stack.dataDir)).toMatchObject({
      status: 2,
      errors: expect.stringContaining('Usage: admin recover'),
    })
  })

  test('takes back what was answered since, and settles it with the platform', async () => {
    const { invoices, session } = organization
    await invoices.created()
    await invoices.created()
    const draft = await invoices.created({ draft: true })
    const otherDraft = await invoices.created({ draft: true })
    await untilArchived(2)
    await stack.stop()
    await cp(store(), copy())
    await stack.restart()

    const made: any[] = []
    for (let n = 0; n < 20; n += 1) made.push(await invoices.created({ buyerName: `Client ${n}` }))
    await invoices.sign(draft.id)
    await invoices.sign(otherDraft.id)
    await untilArchived(24)
    const before = await listAll(invoices)
    expect(before.every(({ status }) => status === 'ACCEPTED')).toBe(true)
    await setBack()

    const listed = await recover(stack.dataDir, 'list')
    expect([listed.status, listed.errors]).toEqual([1, ''])
    expect(listed.output.match(/^missing: number /gm)).toHaveLength(22)
    expect(listed.output).toMatch(
      /^24 originals in the archive: 22 missing in the store, 0 taken back, 0 refused$/m,
    )
    const taken = await recover(stack.dataDir, 'take')
    expect([taken.status, taken.errors]).toEqual([0, ''])
    expect(taken.output).toMatch(/: 0 missing in the store, 22 taken back, 0 refused$/m)
    const again = await recover(stack.dataDir, 'take')
    expect([again.status, again.output]).toEqual([
      0,
      '24 originals in the archive: 0 missing in the store, 0 taken back, 0 refused\n',
    ])

    await stack.restart()
    const all = await untilAllDecided(invoices, 60_000)
    const essence = ({ id, invoiceNumber, status, amountTtc, buyerName, dgiReference }: any) =>
      [id, invoiceNumber, status, amountTtc, buyerName, dgiReference].join(' ')
    expect(all.map(essence).sort()).toEqual(before.map(essence).sort())
    const restored = all.find(({ id }) => id === made[3].id)
    // What a UUIDv7 begins with.
    const idMs = Number.parseInt(restored.id.replace('-', '').slice(0, 12), 16)
    expect(Date.parse(restored.createdAt)).toBe(idMs)
    await expectDocuments(invoices, all)
    expect(await submissionTotal(stack.simulatorUrl)).toBe(24)
    const sameNumber = await invoices.create(anInvoice({ invoiceNumber: made[4].invoiceNumber }))
    expect([sameNumber.status, sameNumber.code]).toEqual([409, 'INVOICE_NUMBER_EXISTS'])
    const story = (await readAudit(session)).filter(({ invoiceId }) => invoiceId === made[0].id)
    expect(story.map(({ action, actor, to }) => [action, actor, to])).toEqual([
      ['invoice.recovered', 'service:invoices', 'SIGNED'],
      ['invoice.transmitted', 'service:clearance', 'TRANSMITTED'],
      ['invoice.accepted', 'service:clearance', 'ACCEPTED'],
    ])
    expect(story[0].detail).toMatch(
      /^taken back from the signed original in the archive, SHA-256 [\da-f]{64}, because/,
    )
  }, 120_000)

  test('never overwrites what was done before it', async () => {
    const { invoices } = organization
    const { organizationId } = organization.session
    const rival = await invoices.created()
    await untilArchived(25)
    await setBack()
    await stack.restart()
    // Someone opened the endpoints before the invoices were taken back.
    const { status, data } = await invoices.create(
      anInvoice({ invoiceNumber: rival.invoiceNumber, buyerName: 'Un autre' }),
    )
    expect(status).toBe(201)
    const drafts = (await invoices.list({ status: 'PENDING' })).data.content
    expect(drafts).toHaveLength(2)
    await invoices.cancel(drafts[0].id)
    await untilRejectedAsDuplicate(data.id)
    await stack.stop()

    const taken = await recover(stack.dataDir, 'take')
    expect(taken.status).toBe(1)
    expect(taken.output).toContain(
      `refused: number ${rival.invoiceNumber} of 2026-01-31, invoice ${rival.id}, organization ${organizationId}: another invoice of the organization has its number`,
    )
    expect(taken.output).toContain(
      `invoice ${drafts[0].id}, organization ${organizationId}: the store has it CANCELLED`,
    )
    expect(taken.output).toMatch(/ 0 missing in the store, 21 taken back, 2 refused$/m)
    await stack.restart()
    expect((await invoices.read(data.id)).data.buyerName).toBe('Un autre')
    expect((await invoices.read(drafts[0].id)).data.status).toBe('CANCELLED')
  }, 120_000)

  /** The platform has that number already, of another document. */
  const untilRejectedAsDuplicate = async (id: string) => {
    const { status, dgiErrorCode } = await organization.invoices.decided(id)
    expect([status, dgiErrorCode]).toEqual(['REJECTED', 'DUPLICATE_INVOICE'])
    await untilArchived(26)
  }
})

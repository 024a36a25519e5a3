import { copyFile, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EinvoicingClient } from '@einvoicing/client'
import { eventually } from '@einvoicing/servers/eventually'
import { newNumber } from '../stack/invoices'
import { onOwnStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import type { Standalone } from '../stack/standalone'
import { thrownBy } from './client-calls'
import { einvoicing } from './command-line'

const levels = ['T', 'LT', 'LTA'] as const

onOwnStack('evidence by clients', { SANDBOX_CRL_SECONDS: '1' }, (stack) => {
  let organization: Organization
  let client: EinvoicingClient
  let id: string
  let best: Buffer
  let draftNumber: string
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'levels-'))
    organization = await newOrganization(stack())
    client = new EinvoicingClient({ baseUrl: stack().baseUrl, apiKey: organization.key.key })
    ;({ id } = await organization.invoices.created())
    draftNumber = newNumber()
    await organization.invoices.created({ draft: true, invoiceNumber: draftNumber })
    const found = await eventually(() => client.download(id, 'xml', { level: 'LTA' }), 90_000)
    best = Buffer.from(found.bytes)
  }, 120_000)
  afterAll(() => rm(folder, { recursive: true }))

  const run = (args: string[]) =>
    einvoicing(args, {
      env: { EINVOICING_URL: stack().baseUrl, EINVOICING_API_KEY: organization.key.key },
      cwd: folder,
    })

  test('the client reads and saves each level, and the original without', async () => {
    for (const level of levels) {
      expect(Buffer.from((await client.download(id, 'xml', { level })).bytes)).toEqual(best)
      const file = path.join(folder, `client-${level}.xml`)
      await client.save(id, 'xml', { level, file })
      expect(await readFile(file)).toEqual(best)
    }
    const original = Buffer.from((await client.download(id, 'xml')).bytes)
    expect(original).toEqual(await organization.invoices.bytes(id, 'xml'))
    expect(original.equals(best)).toBe(false)
    expect(best.toString()).toContain('<xades141:ArchiveTimeStamp ')
  })

  test('the client reports a missing level by its code', async () => {
    const draft = (await client.find(draftNumber))!
    const options = { level: 'T' } as const
    const error = await thrownBy(client.download(draft.id, 'xml', options))
    expect(error).toMatchObject({ code: 'ARTEFACT_NOT_AVAILABLE', status: 409 })
  })

  test('the command line saves each level, under the name of the service or another', async () => {
    for (const level of levels) {
      const ran = await run(['xml', id, '--level', level, '-o', `${level}.xml`])
      expect(ran).toEqual({ code: 0, output: `${level}.xml\n`, errors: '' })
      expect(await readFile(path.join(folder, `${level}.xml`))).toEqual(best)
    }
    const before = await readdir(folder)
    const named = await run(['--json', 'xml', id, '--level', 'LTA'])
    const { file } = JSON.parse(named.output) as { file: string }
    expect(before).not.toContain(file)
    expect(await readFile(path.join(folder, file))).toEqual(best)
  })

  test.each(['proof.md', 'fr/proof.md'])('%s has the commands that verify them', async (page) => {
    const { dataDir } = stack() as Standalone
    const place = (from: string, to: string) => copyFile(from, path.join(folder, to))
    await place(path.join(dataDir, 'signer/trusted-certificate.pem'), 'signers.pem')
    await place(path.join(dataDir, 'simulator/tsa-root.pem'), 'time-stamps.pem')
    await client.save(id, 'xml', { file: path.join(folder, 'facture.xml') })
    await client.save(id, 'xml', { level: 'LTA', file: path.join(folder, 'proof.xml') })
    const text = await readFile(path.join(__dirname, '../../docs/guide', page), 'utf8')
    const commands = [...text.matchAll(/^einvoicing (verify .+)$/gm)]
    expect(commands).toHaveLength(2)
    for (const [, words = ''] of commands) {
      const ran = await run(words.split(' '))
      expect([words, ran]).toEqual([words, { code: 0, output: ran.output, errors: '' }])
      expect(ran.output).toMatch(/^VALID, /m)
    }
  })

  test('the command line exits with the code for a missing level, and for an unknown one', async () => {
    const early = await run(['xml', draftNumber, '--level', 'LT', '-o', 'none.xml'])
    expect([early.code, early.output]).toEqual([1, ''])
    expect(early.errors).toMatch(/^ARTEFACT_NOT_AVAILABLE: /)
    expect(await readdir(folder)).not.toContain('none.xml')
    const wrong = await run(['xml', id, '--level', 'lta'])
    expect([wrong.code, wrong.errors]).toEqual([
      2,
      expect.stringContaining('Allowed choices are T, LT, LTA.'),
    ])
    expect((await run(['pdf', id, '--level', 'LTA'])).code).toBe(2)
  })
})

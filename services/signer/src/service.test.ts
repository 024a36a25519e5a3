import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@einvoicing/runtime/log'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import { openSigner, type Signer } from './service'

const invoice = JSON.parse(
  readFileSync(join(__dirname, 'testdata', 'hard-text.json'), 'utf8'),
) as Invoice
const call: Call = {
  caller: { service: 'invoices', actor: 'api-key:test' },
  requestId: '-',
  deadline: Date.now() + 60_000,
}

let now = new Date('2026-11-21T10:00:00.123Z')
let signer: Signer
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'signer-'))
  const config = { kind: 'software', directory, algorithm: 'ecp256' } as const
  signer = await openSigner(config, { now: () => now, log: createLog('silent') })
})
afterAll(() => signer.close())

it('answers the document, its hash and the time it says it was signed', async () => {
  const { xml, sha256, signedAt } = await signer.handlers.signDocument({ invoice }, call)
  expect(sha256).toBe(createHash('sha256').update(xml).digest('hex'))
  expect(signedAt).toBe('2026-11-21T10:00:00.123Z')
  expect(xml.toString()).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<Invoice /)
  expect(xml.toString()).toContain(`<xades:SigningTime>${signedAt}</xades:SigningTime>`)
})

it('writes what XML 1.1 takes for line ends as references, and hashes the characters', async () => {
  const { xml } = await signer.handlers.signDocument({ invoice }, call)
  const text = xml.toString()
  expect(text).toContain('nel&#x85;here, ls&#x2028;here')
  const covered = text
    .replace(/^<\?xml[^\n]*\n/, '')
    .replace(/<ds:Signature .*<\/ds:Signature>/s, '')
    .replaceAll('&#x85;', '\u0085')
    .replaceAll('&#x2028;', '\u2028')
  const golden = readFileSync(join(__dirname, 'testdata', 'hard-text.xml'), 'utf8')
  expect(covered).toBe(golden)
  expect(text).toContain(createHash('sha256').update(golden).digest('base64'))
})

it('names the file of the certificate to trust', async () => {
  expect(await readFile(signer.trustedCertificateFile!, 'utf8')).toMatch(/^-----BEGIN CERTIFICATE/)
})

it('says that it works, until its certificate ends: then it is unavailable, not broken', async () => {
  await expect(signer.handlers.checkSigner({}, call)).resolves.toEqual({
    dependencies: [{ name: 'key file', essential: true, problem: '' }],
  })
  const before = now
  now = new Date('2032-01-01T00:00:00Z')
  const { dependencies } = await signer.handlers.checkSigner({}, call)
  expect(dependencies[0]?.problem).not.toBe('')
  await expect(signer.handlers.signDocument({ invoice }, call)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause: expect.objectContaining({
      message: expect.stringContaining('expired') as string,
    }) as Error,
  })
  now = before
})

it('treats an invoice that breaks the contract as a defect', async () => {
  await expect(signer.handlers.signDocument({ invoice: undefined }, call)).rejects.toThrow(
    /without/,
  )
  const wrong = { ...invoice, amountTtc: invoice.amountTtc + 1 }
  await expect(signer.handlers.signDocument({ invoice: wrong }, call)).rejects.toThrow(/add up/)
})

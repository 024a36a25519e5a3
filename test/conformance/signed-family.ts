import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@einvoicing/runtime/log'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { KeyAlgorithm } from '@einvoicing/signer/keys/signing-key'
import { openSigner } from '@einvoicing/signer/service'
import type { Random } from '../stack/random'
import { goldenInvoices, randomInvoice } from './family'

const randomCount = 40
const longestLineCount = 2_000

export interface SignedCase {
  invoice: Invoice
  xml: Buffer
  /** Name of its file in the folder. */
  file: string
}

export interface SignedFamily {
  folder: string
  cases: readonly SignedCase[]
  /** PEM files of the authorities, one for each kind of key. */
  trusted: readonly string[]
}

/**
 * Everything under P-256, the longest allowed among them; every fourth under RSA-2048 and every
 * tenth under RSA-3072.
 */
export async function signFamily(random: Random): Promise<SignedFamily> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  const invoices = [
    ...goldenInvoices(),
    ...Array.from({ length: randomCount }, (_, index) => [
      `random-${index}`,
      randomInvoice(random),
    ]),
  ] as [string, Invoice][]
  const longest: [string, Invoice] = ['longest', randomInvoice(random, longestLineCount)]
  const every = (step: number) => invoices.filter((_, index) => index % step === 0)
  const signed = [
    await signAll(folder, 'ecp256', [...invoices, longest]),
    await signAll(folder, 'rsa2048', every(4)),
    await signAll(folder, 'rsa3072', every(10)),
  ]
  return {
    folder: join(folder, 'documents'),
    cases: signed.flatMap(({ cases }) => cases),
    trusted: signed.map(({ trusted }) => trusted),
  }
}

/** The golden invoices of these names, under P-256. */
export async function signGolden(
  folder: string,
  names: readonly string[],
): Promise<{ documents: { name: string; xml: Buffer; invoice: Invoice }[]; trusted: string }> {
  const chosen = goldenInvoices().filter(([name]) => names.includes(name))
  const { cases, trusted } = await signAll(folder, 'ecp256', chosen)
  const documents = cases.map(({ file, xml, invoice }) => ({ name: file, xml, invoice }))
  return { documents, trusted }
}

async function signAll(
  folder: string,
  algorithm: KeyAlgorithm,
  invoices: readonly [string, Invoice][],
): Promise<{ cases: SignedCase[]; trusted: string }> {
  const directory = join(folder, algorithm)
  const config = { kind: 'software', directory, algorithm } as const
  const signer = await openSigner(config, { now: () => new Date(), log: createLog('silent') })
  const documents = join(folder, 'documents')
  await mkdir(documents, { recursive: true })
  const cases = await Promise.all(
    invoices.map(async ([name, invoice]): Promise<SignedCase> => {
      const { xml } = await signer.handlers.signDocument({ invoice }, call)
      const file = `${algorithm}-${name}.xml`
      await writeFile(join(documents, file), xml)
      return { invoice, xml, file }
    }),
  )
  await signer.close()
  return { cases, trusted: signer.trustedCertificateFile! }
}

const call: Call = {
  caller: { service: 'invoices', actor: 'service:conformance' },
  requestId: 'conformance',
  deadline: Infinity,
}

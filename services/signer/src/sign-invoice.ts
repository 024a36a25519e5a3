import { createHash } from 'node:crypto'
import type { Clock } from '@einvoicing/runtime/clock'
import { metrics, timed } from '@einvoicing/runtime/metrics'
import { unavailable } from '@einvoicing/domain/api-error'
import { inSpan, type Span } from '@einvoicing/runtime/trace'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { SignedDocument } from '@einvoicing/proto/signer'
import { Histogram } from 'prom-client'
import { assertInvoice } from './assert-invoice'
import type { SignVerified } from './keys/sign-verified'
import { oncePerIdentity, type SigningIdentity, type SigningKey } from './keys/signing-key'
import { writeDocument } from './ubl/document'
import { createSignatureTemplate, sha256Base64 } from './xades/signature'

const duration = new Histogram({
  name: 'einvoicing_signing_duration_seconds',
  help: 'Time from the digest to the verified signature, by algorithm of the key and outcome',
  labelNames: ['algorithm', 'outcome'],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [metrics],
})

export interface SignInvoiceDeps {
  key: SigningKey
  signVerified: SignVerified
  now: Clock
}

export type SignInvoice = (invoice: Invoice, span?: Span) => Promise<SignedDocument>

/** SERVICE_UNAVAILABLE while key or certificate cannot sign. */
export function createSignInvoice({ key, signVerified, now }: SignInvoiceDeps): SignInvoice {
  const templateFor = oncePerIdentity(createSignatureTemplate)
  return async (invoice, span) => {
    const issuer = assertInvoice(invoice)
    const identity = requireIdentity(key)
    const template = templateFor(identity)
    const document = inSpan(span, { name: 'UBL' }, () => writeDocument(invoice, issuer))
    const before = Buffer.from(document.beforeSignature)
    const after = Buffer.from(document.afterSignature)
    const signedAt = now().toISOString()
    const signedProperties = template.signedProperties(signedAt)
    const signedInfo = template.signedInfo(
      sha256Base64(before, after),
      sha256Base64(signedProperties),
    )
    const sign = () => signVerified(Buffer.from(signedInfo), identity)
    const signed = await inSpan(span, { name: 'signature' }, () =>
      orUnavailable(timed(duration, { algorithm: identity.algorithm }, sign)),
    )
    const value = signed.toString('base64')
    const signature = template.signature({ signedInfo, signedProperties, value })
    const portable = toPortable(document.afterSignature, after)
    const xml = Buffer.concat([xmlDeclaration, before, Buffer.from(signature), portable])
    return { xml, sha256: createHash('sha256').update(xml).digest('hex'), signedAt }
  }
}

// Before the document is written, so that an unavailable key costs almost nothing.
export function requireIdentity(key: SigningKey): SigningIdentity {
  try {
    return key.identity()
  } catch (cause) {
    throw unavailable('The signer', cause)
  }
}

async function orUnavailable(signature: Promise<Buffer>): Promise<Buffer> {
  try {
    return await signature
  } catch (cause) {
    throw unavailable('The signer', cause)
  }
}

const xmlDeclaration = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n')

// Parsers that apply XML 1.1 line ends (section 2.11) to XML 1.0 turn these into line feeds, and
// would find the digest wrong. As references they are preserved.
const xml11LineEnds = ['\u0085', '\u2028', '\u2029']

function toPortable(text: string, bytes: Buffer): Buffer {
  const found = xml11LineEnds.filter((character) => text.includes(character))
  if (found.length === 0) return bytes
  const toReference = (character: string) => `&#x${character.charCodeAt(0).toString(16)};`
  return Buffer.from(
    found.reduce((made, character) => made.replaceAll(character, toReference(character)), text),
  )
}

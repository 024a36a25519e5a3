/**
 * An invoice becomes the legal original: written, hashed, signed, and verified against the
 * certificate before it leaves.
 *
 * Refuses an invoice that breaks what `invoices` promised (a defect), and to answer while key or
 * certificate cannot sign.
 */

import { createHash } from 'node:crypto'
import type { Clock } from '@einvoicing/kernel/clock'
import { unavailable } from '@einvoicing/kernel/refusal'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { SignedDocument } from '@einvoicing/proto/signer'
import { assertInvoice } from './assert-invoice'
import type { SignVerified } from './keys/sign-verified'
import { writeDocument } from './ubl/document'
import { sha256Base64, type SignatureTemplate } from './xades/signature'

export interface SignInvoiceDeps {
  template: SignatureTemplate
  signVerified: SignVerified
  now: Clock
}

export type SignInvoice = (invoice: Invoice) => Promise<SignedDocument>

export function createSignInvoice({ template, signVerified, now }: SignInvoiceDeps): SignInvoice {
  return async (invoice) => {
    const document = writeDocument(invoice, assertInvoice(invoice))
    const signedAt = now().toISOString()
    const signedProperties = template.signedProperties(signedAt)
    const signedInfo = template.signedInfo(
      sha256Base64(document.beforeSignature, document.afterSignature),
      sha256Base64(signedProperties),
    )
    const value = (await signOrRefuse(signedInfo, signVerified)).toString('base64')
    const signature = template.signature({ signedInfo, signedProperties, value })
    const xml = serialize(document.beforeSignature + signature + document.afterSignature)
    return { xml, sha256: createHash('sha256').update(xml).digest('hex'), signedAt }
  }
}

async function signOrRefuse(signedInfo: string, signVerified: SignVerified): Promise<Buffer> {
  try {
    return await signVerified(Buffer.from(signedInfo))
  } catch (cause) {
    throw unavailable('The signer', cause)
  }
}

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

// Parsers that apply the line ends of XML 1.1 (section 2.11) to XML 1.0 turn these into line feeds,
// xmldom U+2029 too, and would find the digest wrong. As references they reach every parser, and
// the canonical form is the character again.
const foreignLineEnds = /[\u0085\u2028\u2029]/g

function serialize(canonical: string): Buffer {
  const portable = canonical.replace(
    foreignLineEnds,
    (character) => `&#x${character.charCodeAt(0).toString(16)};`,
  )
  return Buffer.from(xmlDeclaration + portable)
}

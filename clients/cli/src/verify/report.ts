/** All that can be said of one signed invoice, without asking anybody. */

import type { X509Certificate } from 'node:crypto'
import type { Document, Element } from '@xmldom/xmldom'
import {
  checkDocument,
  checkSignatureValue,
  checkSignedProperties,
  signedPropertiesOf,
  type Check,
} from './signature'
import { certificatesOf, checkTrust, checkValidity, signerOf, type Signer } from './signer'
import { allOf, ds, readXml, textOf, xades, xades141, Unreadable } from './xml'

export interface Report {
  /** Whether every check holds. */
  valid: boolean
  checks: Check[]
  /** As the document says. */
  invoiceNumber: string | null
  /** By its form; what time stamps say is not verified. */
  level: string | null
  /** As the signer says; ISO 8601 with its zone. */
  signingTime: string | null
  signer: Signer | null
  /** `null` where nobody was named to trust. */
  trusted: boolean | null
}

const cbc = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2'

export function verifyInvoice(
  bytes: Uint8Array,
  trusted: readonly X509Certificate[] | undefined,
): Report {
  let document: Document
  try {
    document = readXml(bytes)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return unverifiable('form', error.message)
  }
  const signatures = allOf(document, ds('Signature'))
  const [signature] = signatures
  if (!signature) return unverifiable('form', 'it bears no signature', document)
  if (signatures.length > 1) {
    return unverifiable(
      'form',
      `it bears ${signatures.length} signatures, where one belongs`,
      document,
    )
  }
  return reportOf(document, signature, trusted)
}

function reportOf(
  document: Document,
  signature: Element,
  trusted: readonly X509Certificate[] | undefined,
): Report {
  const certificates = certificatesOf(signature)
  const [signer] = certificates
  const signingTime = signingTimeOf(signature)
  const at = signingTime === null ? undefined : new Date(signingTime)
  const trust = trusted && checkTrust({ certificates, trusted, at })
  const checks = [
    { name: 'form', ok: true },
    checkDocument(document, signature),
    checkSignedProperties(document, signature, signer),
    checkSignatureValue(signature, signer),
    checkValidity(signer, at),
    ...(trust ? [trust] : []),
  ]
  return {
    valid: checks.every(({ ok }) => ok),
    checks,
    invoiceNumber: invoiceNumberOf(document),
    level: levelOf(signature),
    signingTime,
    signer: signer ? signerOf(signer) : null,
    trusted: trust?.ok ?? null,
  }
}

function unverifiable(name: string, fault: string, document?: Document): Report {
  return {
    valid: false,
    checks: [{ name, ok: false, fault }],
    invoiceNumber: document ? invoiceNumberOf(document) : null,
    level: null,
    signingTime: null,
    signer: null,
    trusted: null,
  }
}

function signingTimeOf(signature: Element): string | null {
  const properties = signedPropertiesOf(signature)
  const [element] = properties ? allOf(properties, xades('SigningTime')) : []
  const time = textOf(element)
  return Number.isNaN(Date.parse(time)) ? null : time
}

function invoiceNumberOf({ documentElement }: Document): string | null {
  const children = Array.from(documentElement?.childNodes ?? []) as Element[]
  const id = children.find((node) => node.localName === 'ID' && node.namespaceURI === cbc)
  return id ? textOf(id) : null
}

/** ETSI EN 319 132-1, section 6: each level has what the one before has, and more. */
function levelOf(signature: Element): string {
  const holds = (local: string) => allOf(signature, xades(local)).length > 0
  const isBasic = ['SigningTime', 'SigningCertificateV2', 'DataObjectFormat'].every(holds)
  if (!isBasic) return 'below XAdES B-B'
  if (!holds('SignatureTimeStamp')) return 'XAdES B-B'
  if (!holds('CertificateValues') || !holds('RevocationValues')) return 'XAdES B-T'
  return allOf(signature, xades141('ArchiveTimeStamp')).length > 0 ? 'XAdES B-LTA' : 'XAdES B-LT'
}

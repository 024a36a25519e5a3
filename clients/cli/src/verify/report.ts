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
import { formFault } from './form'
import {
  certificatesOf,
  checkTrust,
  checkUsage,
  checkValidity,
  signerOf,
  type Signer,
} from './signer'
import { allOf, ds, readXml, textOf, xades, xades141, Unreadable } from './xml'

export interface Report {
  /** Whether every check holds, and an authority that was named to trust vouches for the signer. */
  valid: boolean
  /** Whether every check holds, whoever the signer is. */
  intact: boolean
  checks: Check[]
  /** What nothing here says. */
  notChecked: string[]
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
  const fault = formFault(document, signature)
  if (fault !== undefined) return unverifiable('form', fault, document)
  return reportOf(document, signature, trusted)
}

const neverChecked = ['revocation of the certificate', 'time of signing']

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
    checkUsage(signer),
    ...(trust ? [trust] : []),
  ]
  const intact = checks.every(({ ok }) => ok)
  return {
    valid: intact && trust?.ok === true,
    intact,
    checks,
    notChecked: trust ? neverChecked : ['trusted authority', ...neverChecked],
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
    intact: false,
    checks: [{ name, ok: false, fault }],
    notChecked: ['everything else'],
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
  const ids = children.filter((node) => node.localName === 'ID' && node.namespaceURI === cbc)
  return ids.length === 1 ? textOf(ids[0]) : null
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

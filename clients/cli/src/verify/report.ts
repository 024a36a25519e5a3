import type { X509Certificate } from 'node:crypto'
import type { Document, Element } from '@xmldom/xmldom'
import {
  checkDocument,
  checkSignatureValue,
  checkSignedProperties,
  findSignedProperties,
  type Check,
} from './signature'
import { findFormError } from './form'
import {
  readCertificates,
  checkTrust,
  checkUsage,
  checkValidity,
  describeSigner,
  type Signer,
} from './signer'
import { findAll, ds, readXml, readText, xades, xades141, Unreadable } from './xml'

export interface Report {
  /** Whether every check passes and a trusted authority issued the signer's certificate. */
  valid: boolean
  /** Whether every check passes, for any signer. */
  intact: boolean
  checks: Check[]
  notChecked: string[]
  invoiceNumber: string | null
  /** By its structure; time stamps are not verified. */
  level: string | null
  /** Stated by the signer; ISO 8601 with its zone. */
  signingTime: string | null
  signer: Signer | null
  /** `null` without trusted authorities. */
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
    return createFailedReport('form', error.message)
  }
  const signatures = findAll(document, ds('Signature'))
  const [signature] = signatures
  if (!signature) return createFailedReport('form', 'it has no signature', document)
  if (signatures.length > 1) {
    return createFailedReport(
      'form',
      `it has ${signatures.length} signatures instead of one`,
      document,
    )
  }
  const problem = findFormError(document, signature)
  if (problem !== undefined) return createFailedReport('form', problem, document)
  return createReport(document, signature, trusted)
}

const neverChecked = ['revocation of the certificate', 'time of signing']

function createReport(
  document: Document,
  signature: Element,
  trusted: readonly X509Certificate[] | undefined,
): Report {
  const certificates = readCertificates(signature)
  const [signer] = certificates
  const signingTime = readSigningTime(signature)
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
    invoiceNumber: readInvoiceNumber(document),
    level: readLevel(signature),
    signingTime,
    signer: signer ? describeSigner(signer) : null,
    trusted: trust?.ok ?? null,
  }
}

function createFailedReport(name: string, problem: string, document?: Document): Report {
  return {
    valid: false,
    intact: false,
    checks: [{ name, ok: false, fault: problem }],
    notChecked: ['everything else'],
    invoiceNumber: document ? readInvoiceNumber(document) : null,
    level: null,
    signingTime: null,
    signer: null,
    trusted: null,
  }
}

function readSigningTime(signature: Element): string | null {
  const properties = findSignedProperties(signature)
  const [element] = properties ? findAll(properties, xades('SigningTime')) : []
  const time = readText(element)
  return Number.isNaN(Date.parse(time)) ? null : time
}

function readInvoiceNumber({ documentElement }: Document): string | null {
  const children = Array.from(documentElement?.childNodes ?? []) as Element[]
  const ids = children.filter((node) => node.localName === 'ID' && node.namespaceURI === cbc)
  return ids.length === 1 ? readText(ids[0]) : null
}

/** ETSI EN 319 132-1, section 6: each level includes the one before. */
function readLevel(signature: Element): string {
  const holds = (local: string) => findAll(signature, xades(local)).length > 0
  const isBasic = ['SigningTime', 'SigningCertificateV2', 'DataObjectFormat'].every(holds)
  if (!isBasic) return 'below XAdES B-B'
  if (!holds('SignatureTimeStamp')) return 'XAdES B-B'
  if (!holds('CertificateValues') || !holds('RevocationValues')) return 'XAdES B-T'
  return findAll(signature, xades141('ArchiveTimeStamp')).length > 0 ? 'XAdES B-LTA' : 'XAdES B-LT'
}

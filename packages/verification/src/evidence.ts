/**
 * XAdES levels T, LT and LTA; ETSI EN 319 132-1, sections 5.3 to 5.5. Each child is in exclusive
 * canonical form and declares its namespaces: an archive time stamp covers its text.
 */

import {
  DocumentError,
  base64,
  decodeBase64,
  dsig,
  etsi,
  excC14n,
  unsignedClosing,
  unsignedOpening,
} from './signature-form'
import type { SignatureParts, SignedParts } from './signature-form'

export interface RevocationData {
  /** In DER. */
  crls: readonly Buffer[]
  /** Each a whole OCSPResponse; a BasicOCSPResponse would not be accepted. */
  ocspResponses: readonly Buffer[]
}

export type Evidence =
  | { kind: 'signatureTimeStamp'; token: Buffer }
  /** Issuers that neither KeyInfo nor a token holds. */
  | { kind: 'certificates'; certificates: readonly Buffer[] }
  | ({ kind: 'revocationData' } & RevocationData)
  /** Numbered from 1. */
  | { kind: 'archiveTimeStamp'; number: number; token: Buffer }
  /** About the time stamp of that number, for the next one. */
  | ({ kind: 'timeStampValidationData'; number: number } & RevocationData)

const etsi141 = 'http://uri.etsi.org/01903/v1.4.1#'
const method = `<ds:CanonicalizationMethod xmlns:ds="${dsig}" Algorithm="${excC14n}"></ds:CanonicalizationMethod>`

function writeEvidence(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'signatureTimeStamp':
      return (
        `<xades:SignatureTimeStamp xmlns:xades="${etsi}" Id="signature-time-stamp">${method}` +
        `${encapsulate('TimeStamp', evidence.token)}</xades:SignatureTimeStamp>`
      )
    case 'certificates':
      return (
        `<xades:CertificateValues xmlns:xades="${etsi}">` +
        `${encapsulateAll('X509Certificate', evidence.certificates)}</xades:CertificateValues>`
      )
    case 'revocationData':
      return writeRevocationData(evidence)
    case 'archiveTimeStamp':
      return (
        `<xades141:ArchiveTimeStamp xmlns:xades141="${etsi141}" Id="archive-time-stamp-${evidence.number}">` +
        `${method}<xades:EncapsulatedTimeStamp xmlns:xades="${etsi}">${evidence.token.toString('base64')}` +
        `</xades:EncapsulatedTimeStamp></xades141:ArchiveTimeStamp>`
      )
    case 'timeStampValidationData':
      return (
        `<xades141:TimeStampValidationData xmlns:xades141="${etsi141}" URI="#archive-time-stamp-${evidence.number}">` +
        `${writeRevocationData(evidence)}</xades141:TimeStampValidationData>`
      )
  }
}

function writeRevocationData({ crls, ocspResponses }: RevocationData): string {
  const list = (name: string, item: string, values: readonly Buffer[]) =>
    values.length === 0 ? '' : `<xades:${name}>${encapsulateAll(item, values)}</xades:${name}>`
  return (
    `<xades:RevocationValues xmlns:xades="${etsi}">${list('CRLValues', 'CRLValue', crls)}` +
    `${list('OCSPValues', 'OCSPValue', ocspResponses)}</xades:RevocationValues>`
  )
}

function encapsulateAll(name: string, values: readonly Buffer[]): string {
  return values.map((value) => encapsulate(name, value)).join('')
}

function encapsulate(name: string, value: Buffer): string {
  return `<xades:Encapsulated${name}>${value.toString('base64')}</xades:Encapsulated${name}>`
}

const encapsulated = (name: string) =>
  `<xades:Encapsulated${name}>${base64}</xades:Encapsulated${name}>`
const revocationValues =
  `<xades:RevocationValues xmlns:xades="${etsi}">` +
  `(?:<xades:CRLValues>(?:${encapsulated('CRLValue')})+</xades:CRLValues>)?` +
  `(?:<xades:OCSPValues>(?:${encapsulated('OCSPValue')})+</xades:OCSPValues>)?</xades:RevocationValues>`

const forms: Readonly<Record<Evidence['kind'], string>> = {
  signatureTimeStamp: `<xades:SignatureTimeStamp xmlns:xades="${etsi}" Id="signature-time-stamp">${method}${encapsulated('TimeStamp')}</xades:SignatureTimeStamp>`,
  certificates: `<xades:CertificateValues xmlns:xades="${etsi}">(?:${encapsulated('X509Certificate')})+</xades:CertificateValues>`,
  revocationData: revocationValues,
  archiveTimeStamp: `<xades141:ArchiveTimeStamp xmlns:xades141="${etsi141}" Id="archive-time-stamp-\\d{1,3}">${method}<xades:EncapsulatedTimeStamp xmlns:xades="${etsi}">${base64}</xades:EncapsulatedTimeStamp></xades141:ArchiveTimeStamp>`,
  timeStampValidationData: `<xades141:TimeStampValidationData xmlns:xades141="${etsi141}" URI="#archive-time-stamp-\\d{1,3}">${revocationValues}</xades141:TimeStampValidationData>`,
}

const kinds = Object.keys(forms) as Evidence['kind'][]
const child = new RegExp(
  kinds.map((kind) => `(?<${kind}>${forms[kind].replace(/(?<![\\\]])\./g, '\\.')})`).join('|'),
  'y',
)

/** What time stamps cover besides evidence; each part in canonical form. */
export interface Covered {
  text: string
  signature: Pick<SignatureParts, 'properties' | 'info' | 'value' | 'keyInfo'>
}

export interface ReadEvidence {
  evidence: Evidence
  text: string
}

/** In order. Throws `DocumentError` for anything that `writeEvidence` would not have written. */
export function readEvidence({ signature: { unsigned = '' } }: SignedParts): ReadEvidence[] {
  return readEvidenceText(unsigned)
}

/** Each child in its canonical form. */
export function readEvidenceText(unsigned: string): ReadEvidence[] {
  const found: ReadEvidence[] = []
  child.lastIndex = 0
  while (child.lastIndex < unsigned.length) {
    const groups = child.exec(unsigned)?.groups
    const kind = kinds.find((one) => groups?.[one] !== undefined)
    const text = kind && groups?.[kind]
    if (kind === undefined || text === undefined) {
      throw new DocumentError('the evidence does not have the form that this service writes')
    }
    found.push({ evidence: parseEvidence(kind, text), text })
  }
  return found
}

function parseEvidence(kind: Evidence['kind'], text: string): Evidence {
  const number = Number(/archive-time-stamp-(\d+)"/.exec(text)?.[1])
  const values = (name: string) =>
    [...text.matchAll(new RegExp(`<xades:Encapsulated${name}[^>]*>([^<]+)<`, 'g'))].map(
      ([, value = '']) => decodeBase64(value),
    )
  const [token = Buffer.alloc(0)] = values('TimeStamp')
  const revocationData = { crls: values('CRLValue'), ocspResponses: values('OCSPValue') }
  switch (kind) {
    case 'signatureTimeStamp':
      return { kind, token }
    case 'certificates':
      return { kind, certificates: values('X509Certificate') }
    case 'revocationData':
      return { kind, ...revocationData }
    case 'archiveTimeStamp':
      return { kind, number, token }
    case 'timeStampValidationData':
      return { kind, number, ...revocationData }
  }
}

const afterProperties = '</xades:QualifyingProperties></ds:Object></ds:Signature>'

/** Appended: the bytes before and after stay the same. */
export function appendEvidence(xml: Buffer, evidence: readonly Evidence[]): Buffer {
  const at = xml.indexOf(afterProperties)
  const children = Buffer.from(evidence.map(writeEvidence).join(''))
  const isFirst = !xml.subarray(0, at).includes(unsignedClosing)
  const parts = isFirst
    ? [xml.subarray(0, at), Buffer.from(unsignedOpening), children, Buffer.from(unsignedClosing)]
    : [xml.subarray(0, at - unsignedClosing.length), children, Buffer.from(unsignedClosing)]
  return Buffer.concat([...parts, xml.subarray(at)])
}

export function removeEvidence(xml: Buffer): Buffer {
  const start = xml.indexOf(unsignedOpening)
  const end = xml.lastIndexOf(unsignedClosing)
  if (start < 0 || end < start) return xml
  return Buffer.concat([xml.subarray(0, start), xml.subarray(end + unsignedClosing.length)])
}

/** Section 5.3. */
export function signatureTimeStampInput({ signature }: Pick<Covered, 'signature'>): Buffer {
  return Buffer.from(writeSignatureValue(signature.value))
}

/** Of an archive time stamp after this evidence (section 5.5.2.2). */
export function archiveTimeStampInput(
  { text, signature }: Covered,
  evidence: readonly ReadEvidence[],
): Buffer {
  const keyInfo = `<ds:KeyInfo xmlns:ds="${dsig}"><ds:X509Data>${signature.keyInfo}</ds:X509Data></ds:KeyInfo>`
  return Buffer.from(
    [
      ...[text, signature.properties, signature.info],
      ...[writeSignatureValue(signature.value), keyInfo],
      ...evidence.map((one) => one.text),
    ].join(''),
  )
}

function writeSignatureValue(value: string): string {
  return `<ds:SignatureValue xmlns:ds="${dsig}">${value}</ds:SignatureValue>`
}

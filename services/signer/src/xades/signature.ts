/** XAdES baseline B-B (ETSI EN 319 132-1, clause 6.3), written in canonical form. */

import { createHash } from 'node:crypto'
import type { SigningIdentity } from '../keys/signing-key'
import { documentPrefixes } from '../ubl/namespaces'
import {
  envelopedSignature,
  exclusiveCanonicalization,
  sha256Digest,
  signatureMethod,
} from './algorithms'

const ds = 'xmlns:ds="http://www.w3.org/2000/09/xmldsig#"'
const xades = 'xmlns:xades="http://uri.etsi.org/01903/v1.3.2#"'
const signedPropertiesType = 'http://uri.etsi.org/01903#SignedProperties'

// A document holds one signature, so ids are constant.
const id = {
  signature: 'signature',
  document: 'signed-document',
  signedProperties: 'signed-properties',
} as const

export interface SignatureTemplate {
  signedProperties(signingTime: string): string
  signedInfo(documentDigest: string, signedPropertiesDigest: string): string
  /** `value` is base64. */
  signature(parts: { signedInfo: string; signedProperties: string; value: string }): string
}

export function createSignatureTemplate({
  algorithm,
  certificates,
}: SigningIdentity): SignatureTemplate {
  const properties = splitSignedProperties(certificates[0])
  const info = splitSignedInfo(signatureMethod[algorithm])
  const keyInfo = writeKeyInfo(certificates)
  return {
    signedProperties: (signingTime) => properties.before + signingTime + properties.after,
    signedInfo: (documentDigest, signedPropertiesDigest) =>
      info.before + documentDigest + info.between + signedPropertiesDigest + info.after,
    signature: ({ signedInfo, signedProperties, value }) =>
      `<ds:Signature ${ds} Id="${id.signature}">${signedInfo}` +
      `<ds:SignatureValue>${value}</ds:SignatureValue>${keyInfo}` +
      `<ds:Object><xades:QualifyingProperties ${xades} Target="#${id.signature}">` +
      `${signedProperties}</xades:QualifyingProperties></ds:Object></ds:Signature>`,
  }
}

export function sha256Base64(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('base64')
}

function splitSignedProperties(signingCertificate: Buffer): { before: string; after: string } {
  const certificateDigest = createHash('sha256').update(signingCertificate).digest('base64')
  return {
    before:
      `<xades:SignedProperties ${xades} Id="${id.signedProperties}">` +
      '<xades:SignedSignatureProperties><xades:SigningTime>',
    after:
      '</xades:SigningTime><xades:SigningCertificateV2><xades:Cert><xades:CertDigest>' +
      `<ds:DigestMethod ${ds} Algorithm="${sha256Digest}"></ds:DigestMethod>` +
      `<ds:DigestValue ${ds}>${certificateDigest}</ds:DigestValue>` +
      '</xades:CertDigest></xades:Cert></xades:SigningCertificateV2></xades:SignedSignatureProperties>' +
      '<xades:SignedDataObjectProperties>' +
      `<xades:DataObjectFormat ObjectReference="#${id.document}">` +
      '<xades:MimeType>application/xml</xades:MimeType></xades:DataObjectFormat>' +
      '</xades:SignedDataObjectProperties></xades:SignedProperties>',
  }
}

function splitSignedInfo(method: string): { before: string; between: string; after: string } {
  const digestMethod = `<ds:DigestMethod Algorithm="${sha256Digest}"></ds:DigestMethod>`
  return {
    before:
      `<ds:SignedInfo ${ds}>` +
      `<ds:CanonicalizationMethod Algorithm="${exclusiveCanonicalization}"></ds:CanonicalizationMethod>` +
      `<ds:SignatureMethod Algorithm="${method}"></ds:SignatureMethod>` +
      `<ds:Reference Id="${id.document}" URI=""><ds:Transforms>` +
      `<ds:Transform Algorithm="${envelopedSignature}"></ds:Transform>` +
      `<ds:Transform Algorithm="${exclusiveCanonicalization}">` +
      `<ec:InclusiveNamespaces xmlns:ec="${exclusiveCanonicalization}" PrefixList="${documentPrefixes}"></ec:InclusiveNamespaces>` +
      `</ds:Transform></ds:Transforms>${digestMethod}<ds:DigestValue>`,
    between:
      '</ds:DigestValue></ds:Reference>' +
      `<ds:Reference Type="${signedPropertiesType}" URI="#${id.signedProperties}"><ds:Transforms>` +
      `<ds:Transform Algorithm="${exclusiveCanonicalization}"></ds:Transform></ds:Transforms>` +
      `${digestMethod}<ds:DigestValue>`,
    after: '</ds:DigestValue></ds:Reference></ds:SignedInfo>',
  }
}

function writeKeyInfo(certificates: readonly Buffer[]): string {
  const data = certificates
    .map((der) => `<ds:X509Certificate>${der.toString('base64')}</ds:X509Certificate>`)
    .join('')
  return `<ds:KeyInfo><ds:X509Data>${data}</ds:X509Data></ds:KeyInfo>`
}

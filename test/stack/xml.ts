/**
 * Reads a signed invoice with code that shares nothing with ours: xmldom for the tree, xml-crypto
 * for the signature.
 */

import { verify, X509Certificate } from 'node:crypto'
import { DOMParser, type Document, type Element } from '@xmldom/xmldom'
import { type SignatureAlgorithm, SignedXml } from 'xml-crypto'

const signatureSpace = 'http://www.w3.org/2000/09/xmldsig#'
const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'

export function parseXml(bytes: Buffer): Document {
  // Left alone, xmldom turns U+0085 and U+2028 into line feeds, which XML 1.0 does not.
  const normalizeLineEndings = (text: string) => text.replace(/\r\n?/g, '\n')
  return new DOMParser({ normalizeLineEndings, onError: refuse }).parseFromString(
    bytes.toString('utf8'),
    'text/xml',
  )
}

/**
 * Text of each element found by walking child names, prefixes left out:
 * `LegalMonetaryTotal/PayableAmount`.
 */
export function textsAt(root: Document | Element, path: string): string[] {
  return elementsAt(root, path).map((element) => element.textContent ?? '')
}

export function textAt(root: Document | Element, path: string): string | undefined {
  return textsAt(root, path)[0]
}

export function elementsAt(root: Document | Element, path: string): Element[] {
  const start = 'documentElement' in root ? root.documentElement : root
  return path
    .split('/')
    .reduce(
      (found, name) => found.flatMap((element) => childrenNamed(element, name)),
      start ? [start] : [],
    )
}

/** Whether the one signature verifies with the certificate it carries. */
export function isSignatureValid(bytes: Buffer): boolean {
  const document = parseXml(bytes)
  const signatures = document.getElementsByTagNameNS(signatureSpace, 'Signature')
  const signature = signatures.item(0)
  const certificate = document.getElementsByTagNameNS(signatureSpace, 'X509Certificate').item(0)
  if (signatures.length !== 1 || !signature || !certificate?.textContent) return false
  const der = Buffer.from(certificate.textContent, 'base64')
  const publicCert = new X509Certificate(der).toString()
  const verifier = new SignedXml({ publicCert, getCertFromKeyInfo: () => null })
  verifier.SignatureAlgorithms[ecdsaSha256] = EcdsaSha256
  verifier.loadSignature(signature)
  return verifier.checkSignature(bytes.toString('utf8'))
}

/**
 * What xml-crypto lacks: ECDSA as XMLDSig wants it, r and s end to end (RFC 9231, section 2.3.6).
 */
class EcdsaSha256 implements SignatureAlgorithm {
  readonly getAlgorithmName = () => ecdsaSha256

  readonly getSignature = (): string => {
    throw new Error('this reader does not sign')
  }

  readonly verifySignature = (signed: unknown, key: unknown, signature: string): boolean =>
    verify(
      'sha256',
      Buffer.from(String(signed)),
      { key: String(key), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64'),
    )
}

function childrenNamed(element: Element, name: string): Element[] {
  return Array.from(element.childNodes).filter(
    (node): node is Element => node.nodeType === 1 && (node as Element).localName === name,
  )
}

// Of what xmldom warns of, U+FFFD in a text, a client may send.
function refuse(level: string, message: string): void {
  if (level !== 'warning') throw new Error(`${level}: ${message}`)
}

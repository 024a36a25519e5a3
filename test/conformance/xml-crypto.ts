/** The signature as xml-crypto and xmldom see it: no line of ours, and a key from configuration, never from the document. */

import { X509Certificate, verify } from 'node:crypto'
import { SignedXml, type SignatureAlgorithm } from 'xml-crypto'
import { parseXml } from '../stack/xml'

const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'

/** Whether the document verifies under `certificate` (PEM); what cannot even be read does not. */
export function verifiesWithXmlCrypto(xml: Buffer, certificate: string): boolean {
  try {
    const signature = parseXml(xml).getElementsByTagName('ds:Signature').item(0)
    const signed = new SignedXml({ publicCert: certificate, getCertFromKeyInfo: () => null })
    signed.SignatureAlgorithms[ecdsaSha256] = EcdsaSha256
    signed.loadSignature(signature)
    return signed.checkSignature(xml.toString())
  } catch {
    return false
  }
}

class EcdsaSha256 implements SignatureAlgorithm {
  getAlgorithmName = () => ecdsaSha256
  getSignature = () => {
    throw new Error('verifies only')
  }
  verifySignature = (material: string, key: unknown, value: string) =>
    verify(
      'sha256',
      Buffer.from(material),
      { key: new X509Certificate(String(key)).publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(value, 'base64'),
    )
}

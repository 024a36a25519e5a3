import type { KeyAlgorithm } from '../keys/signing-key'

export const exclusiveCanonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const envelopedSignature = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
export const sha256Digest = 'http://www.w3.org/2001/04/xmlenc#sha256'

export const signatureMethod = {
  ecp256: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256',
  rsa2048: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  rsa3072: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
} satisfies Record<KeyAlgorithm, string>

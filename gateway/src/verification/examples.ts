const signer = {
  subject: 'C=MA, O=Electronic Invoicing Service, CN=Electronic Invoicing Service Signer',
  issuer: 'C=MA, O=Electronic Invoicing Service, CN=Electronic Invoicing Service CA',
  serialNumber: '3F9A0B51C2D4E6F8',
  validFrom: '2026-05-02T08:00:00.000Z',
  validTo: '2031-05-01T08:00:00.000Z',
  fingerprint: Array.from({ length: 32 }, () => 'A1').join(':'),
  trusted: true,
}

const problem = null
const problemOfDigest = 'the digest differs: something outside the signature was changed'
const passed = (...names: string[]) => names.map((name) => ({ name, ok: true, fault: problem }))
const signed = ['form', 'document', 'signedProperties', 'signature', 'certificate', 'authority']

export const verificationExamples = {
  valid: {
    valid: true,
    level: 'XAdES-B-B',
    checks: passed(...signed, 'amounts', 'held'),
    notChecked: ['timeStamp', 'revocation'],
    signer,
    signingTime: '2026-05-03T09:30:00.000Z',
    timeStamps: [],
    provenAt: null,
    standsUntil: '2031-05-01T08:00:00.000Z',
    invoice: {
      type: 'INVOICE',
      invoiceNumber: 'F-2026-0001',
      invoiceDate: '2026-05-03',
      issuerIce: '001234567000089',
      buyerName: 'Client SARL',
      currency: 'MAD',
      amountHt: 1000,
      amountVat: 200,
      amountTtc: 1200,
    },
    held: {
      isHeld: true,
      sameBytes: true,
      sha256: 'a'.repeat(64),
      status: 'ACCEPTED',
      dgiReference: 'DGI-2026-000001',
      creditedTtc: 0,
    },
  },
  changed: {
    valid: false,
    level: 'XAdES-B-B',
    checks: [
      ...passed('form'),
      {
        name: 'document',
        ok: false,
        fault: problemOfDigest,
      },
      ...passed('signedProperties', 'signature', 'certificate', 'authority'),
    ],
    notChecked: ['timeStamp', 'revocation', 'amounts', 'held'],
    signer,
    signingTime: '2026-05-03T09:30:00.000Z',
    timeStamps: [],
    provenAt: null,
    standsUntil: null,
    invoice: null,
    held: null,
  },
}

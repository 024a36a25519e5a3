import type { Texts } from './texts-shape'

export const english: Texts = {
  direction: 'ltr',
  name: 'English',
  page: 'Verification of a document',
  languages: 'Language',
  kinds: {
    INVOICE: 'Invoice',
    CREDIT_NOTE: 'Credit note',
    PREPAYMENT_INVOICE: 'Deposit invoice',
  },
  test: 'Test environment: this document has no legal value. The simulator of the tax platform answered, not the DGI.',
  decisions: {
    accepted: {
      title: 'You may book this document',
      detail: 'The tax platform (DGI) accepted it.',
    },
    waiting: {
      title: 'Not yet: the decision is awaited',
      detail:
        'The document is signed; the tax platform (DGI) has not answered yet. Reload this page later.',
    },
    rejected: {
      title: 'Do not book this document',
      detail:
        'The tax platform (DGI) rejected it. Ask the seller for a corrected document with another number.',
    },
    failed: {
      title: 'Do not book this document yet',
      detail:
        'The tax platform (DGI) made no decision in time. The seller has to send it again: contact them.',
    },
    notSent: {
      title: 'Do not book this document',
      detail:
        'The tax platform (DGI) rejected the invoice that this credit note corrects, so it was not sent.',
    },
  },
  credited: {
    whole: {
      title: 'Cancelled as a whole by credit notes',
      detail:
        'The tax platform (DGI) accepted it, then credit notes cancelled all of it: book it together with them.',
    },
    part: {
      title: 'You may book this document, with its credit notes',
      detail: 'The tax platform (DGI) accepted it; credit notes correct it, see below.',
    },
  },
  reference: 'Reference',
  decidedAt: 'Decided on',
  sentAt: 'Sent on',
  reason: 'Reason',
  credits: {
    heading: 'Credited since?',
    none: 'No credit note was issued for this document.',
    isCredit: 'This document is a credit note itself.',
    number: 'Credit note',
    status: 'Status',
    amount: 'Amount including VAT',
    total: 'Total of credit notes',
    remains: 'What remains',
    statuses: { accepted: 'Accepted', waiting: 'Decision awaited', failed: 'No decision in time' },
  },
  seller: { heading: 'Seller', name: 'Company name', address: 'Address' },
  document: {
    heading: 'Document',
    type: 'Type',
    number: 'Number',
    date: 'Date',
    due: 'Due',
    preceding: 'Refers to',
    ofDate: 'of',
    reason: 'Reason',
    buyer: 'Buyer',
  },
  amounts: {
    heading: 'Amounts',
    ht: 'Total excluding VAT',
    vat: 'VAT',
    base: 'of',
    ttc: 'Total including VAT',
    paid: 'Already paid',
    duty: 'Stamp duty',
    withheld: 'VAT withheld at source',
    due: 'Amount due',
  },
  file: {
    heading: 'Is my file the original?',
    label: 'Choose the XML file that you received',
    hint: 'Its digest is computed in your browser and compared: the file is sent nowhere.',
    digest: 'SHA-256 of the original',
    same: 'Yes: your file is the original, byte for byte.',
    pdf: 'This is a PDF, the readable picture of the document. The original is the XML file attached to it: save the attachment, then choose it here.',
    other:
      'No: this file is not the original. It was changed or saved again, or it is another document; a proof downloaded here differs from the original too. Download the original below.',
    unreadable: 'This file could not be read.',
    unable:
      'Your browser computes no digest at this address. Compute it with “sha256sum” or “certutil -hashfile FILE SHA256” and compare.',
    busy: 'Computing the digest…',
    noScript:
      'Without JavaScript, compute the digest with “sha256sum” or “certutil -hashfile FILE SHA256” and compare.',
  },
  signature: {
    heading: 'Signature and proof',
    valid: 'The signature was verified just now: it is valid, and nothing was changed.',
    invalid: 'The signature could not be validated. Contact the seller.',
    unknown: 'Verification is unavailable at the moment: reload the page later.',
    signer: 'Signed by',
    signedAt: 'Signed on',
    stampedAt: 'Time-stamped on',
    noStampYet: 'There is no time stamp yet: it usually comes within a minute.',
    noStamp: 'There is no time stamp so far.',
    authority: 'Time-stamp authority',
    level: 'Level of the signature',
    stands: 'Can be verified until',
  },
  downloads: {
    heading: 'Downloads',
    original: 'Original (XML)',
    originalHint: 'The legal document, to be stored for ten years.',
    proof: 'Proof (XML)',
    proofHint: 'The original and, besides, what proves its signature over the years.',
    noProofYet: 'The proof is not ready yet.',
    noProof: 'So far there is no proof besides the original.',
    pdf: 'PDF',
    pdfHint: 'To read and print; the original is attached to it.',
  },
  address: 'Address of this page:',
  notFound: {
    title: 'There is no document at this address',
    detail:
      'Compare the address with the PDF, character by character. If it is correct, do not rely on the document and contact the seller.',
  },
  tooMany: {
    title: 'Too many requests',
    detail: 'Your network has requested too many pages. Try again in a minute.',
  },
  unavailable: {
    title: 'Unavailable at the moment',
    detail: 'The service cannot answer now. Try again in a minute.',
  },
}

import type { InvoiceType } from '@einvoicing/domain/invoice-types'

interface Decision {
  /** Whether it may be booked, as a heading. */
  title: string
  detail: string
}

export interface Texts {
  direction: 'ltr' | 'rtl'
  name: string
  page: string
  languages: string
  kinds: Readonly<Record<InvoiceType, string>>
  test: string
  decisions: Readonly<Record<'accepted' | 'waiting' | 'rejected' | 'failed' | 'notSent', Decision>>
  /** Instead of `accepted`, when accepted credit notes took all of it, or there are others. */
  credited: Readonly<Record<'whole' | 'part', Decision>>
  reference: string
  decidedAt: string
  sentAt: string
  reason: string
  credits: {
    heading: string
    none: string
    isCredit: string
    number: string
    status: string
    amount: string
    total: string
    remains: string
    statuses: Readonly<Record<'accepted' | 'waiting' | 'failed', string>>
  }
  seller: { heading: string; name: string; address: string }
  document: {
    heading: string
    type: string
    number: string
    date: string
    due: string
    preceding: string
    ofDate: string
    reason: string
    buyer: string
  }
  amounts: {
    heading: string
    ht: string
    vat: string
    base: string
    ttc: string
    paid: string
    duty: string
    withheld: string
    due: string
  }
  file: {
    heading: string
    label: string
    hint: string
    digest: string
    same: string
    pdf: string
    other: string
    unreadable: string
    unable: string
    busy: string
    noScript: string
  }
  signature: {
    heading: string
    valid: string
    invalid: string
    unknown: string
    signer: string
    signedAt: string
    stampedAt: string
    noStampYet: string
    noStamp: string
    authority: string
    level: string
    stands: string
  }
  downloads: {
    heading: string
    original: string
    originalHint: string
    proof: string
    proofHint: string
    noProofYet: string
    noProof: string
    pdf: string
    pdfHint: string
  }
  address: string
  notFound: Decision
  tooMany: Decision
  unavailable: Decision
}

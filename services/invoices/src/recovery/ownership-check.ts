/**
 * Whether an original of the archive may come back into the store: our signer made it, and it is of
 * the organization under whose key it lies. Whoever can write to the bucket can lay anything there.
 */

import type { X509Certificate } from 'node:crypto'
import { DocumentError, verifyDocument } from '@einvoicing/verification/verify-document'
import type { InvoiceStore } from '../store/store'

// ICEs seldom change: the newest and the oldest invoices tell them.
const invoicesPerPage = 100

export class OwnershipCheck {
  private readonly icesByOrganization = new Map<string, Promise<Set<string>>>()
  private readonly store: Pick<InvoiceStore, 'list'>
  private readonly trusted: readonly X509Certificate[]

  constructor(store: Pick<InvoiceStore, 'list'>, trusted: readonly X509Certificate[]) {
    this.store = store
    this.trusted = trusted
  }

  /**
   * Throws `DocumentError`. Of an organization that the store has no signed invoice of, the first
   * original tells the ICE that the others must bear.
   */
  async check(organizationId: string, xml: Uint8Array): Promise<void> {
    const { issuerIce } = verifyDocument(xml, this.trusted)
    const ices = await this.getIces(organizationId)
    if (ices.size === 0) ices.add(issuerIce)
    if (!ices.has(issuerIce)) {
      throw new DocumentError(
        `its issuer has the ICE ${issuerIce}, and the invoices of this organization have ${[...ices].join(', ')}`,
      )
    }
  }

  private getIces(organizationId: string): Promise<Set<string>> {
    const known = this.icesByOrganization.get(organizationId) ?? this.readIces(organizationId)
    this.icesByOrganization.set(organizationId, known)
    return known
  }

  private async readIces(organizationId: string): Promise<Set<string>> {
    const asked = { page: { page: 0, size: invoicesPerPage }, sortBy: 'createdAt' }
    const pages = await Promise.all(
      [true, false].map((descending) => this.store.list(organizationId, { ...asked, descending })),
    )
    const signed = pages.flatMap(({ invoices }) => invoices).filter(({ signedAt }) => signedAt)
    return new Set(signed.flatMap(({ issuer }) => issuer?.ice ?? []))
  }
}

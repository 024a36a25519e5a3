import type { X509Certificate } from 'node:crypto'
import { DocumentError } from '@einvoicing/verification/signature-form'
import { verifyDocument } from '@einvoicing/verification/verify-document'
import type { InvoiceStore } from '../store/store'

// ICEs seldom change: the newest and the oldest invoices are enough.
const invoicesPerPage = 100

/** Anyone who can write to the bucket can put a file under any organization's key. */
export class OwnershipCheck {
  private readonly icesByOrganization = new Map<string, Promise<Set<string>>>()
  private readonly store: Pick<InvoiceStore, 'list'>
  private readonly trusted: readonly X509Certificate[]

  constructor(store: Pick<InvoiceStore, 'list'>, trusted: readonly X509Certificate[]) {
    this.store = store
    this.trusted = trusted
  }

  /** Throws `DocumentError`. Without stored invoices, the first document sets the ICE. */
  async check(organizationId: string, xml: Uint8Array): Promise<void> {
    const { issuerIce } = verifyDocument(xml, this.trusted)
    const ices = await this.getIces(organizationId)
    if (ices.size === 0) ices.add(issuerIce)
    if (!ices.has(issuerIce)) {
      throw new DocumentError(
        `its issuer has the ICE ${issuerIce}, but the invoices of this organization have ${[...ices].join(', ')}`,
      )
    }
  }

  private getIces(organizationId: string): Promise<Set<string>> {
    const known = this.icesByOrganization.get(organizationId) ?? this.readIces(organizationId)
    this.icesByOrganization.set(organizationId, known)
    return known
  }

  private async readIces(organizationId: string): Promise<Set<string>> {
    const query = { page: { page: 0, size: invoicesPerPage }, sortBy: 'createdAt' }
    const pages = await Promise.all(
      [true, false].map((descending) => this.store.list(organizationId, { ...query, descending })),
    )
    const signed = pages.flatMap(({ invoices }) => invoices).filter(({ signedAt }) => signedAt)
    return new Set(signed.flatMap(({ issuer }) => issuer?.ice ?? []))
  }
}

import type { X509Certificate } from 'node:crypto'
import { DocumentError } from '@einvoicing/verification/signature-form'
import { verifyDocument } from '@einvoicing/verification/verify-document'
import type { InvoiceStore } from '../store/store'

// ICEs seldom change: the newest and the oldest invoices are enough.
const invoicesPerPage = 100

/** The copy may be older than a change of the ICE: the operator knows what it does not. */
export type StatedIces = ReadonlyMap<string, readonly string[]>

interface OwnershipDeps {
  store: Pick<InvoiceStore, 'list'>
  trusted: readonly X509Certificate[]
  stated: StatedIces
}

/** Anyone who can write to the bucket can put a file under any organization's key. */
export class OwnershipCheck {
  private readonly icesByOrganization = new Map<string, Promise<Set<string>>>()
  private readonly deps: OwnershipDeps

  constructor(deps: OwnershipDeps) {
    this.deps = deps
  }

  /** Throws `DocumentError`. Without a known ICE, the first document sets it. */
  async check(organizationId: string, xml: Uint8Array): Promise<void> {
    const { issuerIce } = verifyDocument(xml, this.deps.trusted)
    const ices = await this.getIces(organizationId)
    if (ices.size === 0) ices.add(issuerIce)
    if (!ices.has(issuerIce)) {
      throw new DocumentError(
        `its issuer has the ICE ${issuerIce}, but the invoices of this organization have ${[...ices].join(', ')}; if it once had that ICE, add --ice ${organizationId}=${issuerIce}`,
      )
    }
  }

  private getIces(organizationId: string): Promise<Set<string>> {
    const known = this.icesByOrganization.get(organizationId) ?? this.readIces(organizationId)
    this.icesByOrganization.set(organizationId, known)
    return known
  }

  private async readIces(organizationId: string): Promise<Set<string>> {
    const { store, stated } = this.deps
    const query = { page: { page: 0, size: invoicesPerPage }, sortBy: 'createdAt' }
    const pages = await Promise.all(
      [true, false].map((descending) => store.list(organizationId, { ...query, descending })),
    )
    const signed = pages.flatMap(({ invoices }) => invoices).filter(({ signedAt }) => signedAt)
    const ices = signed.flatMap(({ issuer }) => issuer?.ice ?? [])
    return new Set([...ices, ...(stated.get(organizationId) ?? [])])
  }
}

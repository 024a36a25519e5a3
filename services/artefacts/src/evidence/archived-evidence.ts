import { ApiError } from '@einvoicing/domain/api-error'
import type { AddEvidenceRequest } from '@einvoicing/proto/artefacts'
import type { Log } from '@einvoicing/runtime/log'
import { removeEvidence } from '@einvoicing/verification/evidence'
import { artefactKey, evidenceKey, stampedKey, toStoredObject } from '../artefact'
import { reportForeign } from '../foreign-artefacts'
import { ObjectTaken, type Objects } from '../objects/objects'

interface Archive {
  objects: Pick<Objects, 'get' | 'put'>
  log: Log
}

/** Of one invoice, and the document that it is about. */
export class ArchivedEvidence {
  private readonly archive: Archive
  private readonly organizationId: string
  private readonly request: AddEvidenceRequest
  private original: Buffer | undefined

  constructor({ objects, log }: Archive, organizationId: string, request: AddEvidenceRequest) {
    this.archive = { objects, log }
    this.organizationId = organizationId
    this.request = request
  }

  keyTo(artefact: number): string {
    return evidenceKey(this.organizationId, this.request.invoiceId, artefact)
  }

  keyToStamped(stamp: number): string {
    return stampedKey(this.organizationId, this.request.invoiceId, stamp)
  }

  async find(key: string): Promise<Buffer | undefined> {
    return (await this.archive.objects.get(key))?.bytes
  }

  async read(key: string): Promise<Buffer> {
    const kept = await this.find(key)
    if (!kept) throw new Error(`${key} cannot be read after it was written`)
    return kept
  }

  /** True when these bytes are stored: another process may have been faster. */
  async write(key: string, bytes: Buffer): Promise<boolean> {
    const { invoiceDate, signedAt } = this.request
    const object = toStoredObject('signedXml', bytes, { invoiceDate, signedAt })
    try {
      await this.archive.objects.put(key, object)
      return true
    } catch (error) {
      if (!(error instanceof ObjectTaken)) throw error
      return false
    }
  }

  async readOriginal(): Promise<Buffer> {
    return (await this.findOriginal()) ?? missing()
  }

  /** Evidence that the store names may be all that is left of it. */
  async readDocument(): Promise<Buffer> {
    const { artefact } = this.request
    const original = await this.findOriginal()
    if (original || artefact === undefined) return original ?? missing()
    return removeEvidence(await this.read(this.keyTo(artefact)))
  }

  private async findOriginal(): Promise<Buffer | undefined> {
    const key = artefactKey(this.organizationId, this.request.invoiceId, 'signedXml')
    return (this.original ??= await this.find(key))
  }

  reportForeign(key: string, problem: string): void {
    const { invoiceId } = this.request
    const { organizationId } = this
    reportForeign(this.archive.log, 'evidence', { key, problem, invoiceId, organizationId })
  }

  reportOtherDocument(key: string): void {
    this.reportForeign(key, 'it is of another document')
  }
}

function missing(): never {
  throw new ApiError('ARTEFACT_NOT_AVAILABLE', 'The signed XML is not in the archive.')
}

/** Of the entries as JSON: far below what a message holds, however long they are. */
const pageBytesMax = 4 * 1024 * 1024

export interface AuditPageRequest {
  page: number
  size: number
  skip?: number | undefined
}

export interface AuditPageEntries<Entry> {
  entries: Entry[]
  skipped?: number
  cut?: boolean
}

export function auditWindow({ page, size, skip = 0 }: AuditPageRequest) {
  return { offset: page * size + skip, count: Math.max(0, size - skip) }
}

/** Cut only for a request with `skip`: others take what is missing for the end of the log. */
export class AuditPageWriter<Entry> {
  private readonly entries: Entry[] = []
  private readonly skip: number | undefined
  private bytes = 0
  private isCut = false

  constructor({ skip }: AuditPageRequest) {
    this.skip = skip
  }

  /** False when the page is full, and the entry not in it. */
  add(entry: Entry): boolean {
    if (this.skip !== undefined) this.bytes += Buffer.byteLength(JSON.stringify(entry))
    this.isCut = this.entries.length > 0 && this.bytes > pageBytesMax
    if (!this.isCut) this.entries.push(entry)
    return !this.isCut
  }

  end(): AuditPageEntries<Entry> {
    const { entries, skip, isCut } = this
    return skip === undefined ? { entries } : { entries, skipped: skip, cut: isCut }
  }
}

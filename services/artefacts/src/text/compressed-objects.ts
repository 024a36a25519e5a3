/** Small objects in one compressed stream (ISO 32000-1, 7.5.7): there are many tags. */

import { deflateSync } from 'node:zlib'
import type { PdfDocument, Reference } from './pdf-document'

interface Internals {
  _offsets: (number | undefined)[]
  _offset: number
  _root: Reference
  _info: Reference
  _id: Uint8Array
  _write(data: string | Buffer): void
  _refEnd(reference: Reference): void
  _finalize(): void
}

interface CompressedObject {
  id: number
  body: string
}

// Of an entry: its kind, an offset or the number of a stream, and the place in that stream.
const entryWidths = [1, 4, 3] as const
const entryLength = 8

export class CompressedObjects {
  private readonly document: PdfDocument
  private readonly internals: Internals
  private readonly objects: CompressedObject[] = []
  private stream: Reference | undefined

  constructor(document: PdfDocument) {
    this.document = document
    this.internals = document as unknown as Internals
    this.internals._finalize = () => this.writeCrossReferences()
  }

  /** Instead of ending the reference. */
  add(reference: Reference, body: string): void {
    this.objects.push({ id: reference.id, body })
    this.internals._refEnd(reference)
  }

  /** Call once, after the last object. */
  end(): void {
    let offset = 0
    const places = this.objects.map(({ id, body }) => {
      const place = `${id} ${offset}`
      offset += body.length + 1
      return place
    })
    const head = `${places.join(' ')}\n`
    const bodies = this.objects.map(({ body }) => `${body}\n`)
    const [N, First] = [this.objects.length, head.length]
    this.stream = this.document.ref({ Type: 'ObjStm', N, First })
    this.stream.end(Buffer.from(head + bodies.join(''), 'latin1'))
  }

  /** A table as pdfkit writes it has no place for objects in a stream (7.5.8). */
  private writeCrossReferences(): void {
    const { _offset: start, _offsets: offsets, _root, _info, _id } = this.internals
    const id = offsets.push(start)
    const table = Buffer.alloc((offsets.length + 1) * entryLength)
    offsets.forEach((offset, i) => table.writeUIntBE(offset ?? 0, (i + 1) * entryLength + 1, 4))
    for (let i = 1; i <= offsets.length; i += 1) table[i * entryLength] = 1
    this.objects.forEach(({ id }, i) => {
      table[id * entryLength] = 2
      table.writeUIntBE(this.stream?.id ?? 0, id * entryLength + 1, 4)
      table.writeUIntBE(i, id * entryLength + 5, 3)
    })
    const bytes = deflateSync(table)
    const name = Buffer.from(_id).toString('hex')
    this.internals._write(
      `${id} 0 obj\n<</Type /XRef /Size ${offsets.length + 1} /W [${entryWidths.join(' ')}] ` +
        `/Root ${String(_root)} /Info ${String(_info)} /ID [<${name}> <${name}>] ` +
        `/Filter /FlateDecode /Length ${bytes.length}>>\nstream`,
    )
    this.internals._write(bytes)
    this.internals._write(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF`)
    this.document.push(null)
  }
}

import { createHash } from 'node:crypto'
import { toPdfString, type PdfDocument } from '../text/pdf-document'

export interface Attachment {
  name: string
  bytes: Buffer
  signedAt: Date
}

interface Internals {
  _root: { data: Record<string, unknown> }
  addNamedEmbeddedFile(name: string, reference: unknown): void
}

/**
 * The source of the pages (ISO 19005-3, Annex E). Not by pdfkit's `file`, which writes the checksum
 * as 32 letters; ISO 32000-1 requires 16 bytes.
 */
export function attachOriginal(document: PdfDocument, attachment: Attachment): void {
  const { name, bytes, signedAt } = attachment
  const file = document.ref({
    Type: 'EmbeddedFile',
    Subtype: 'application#2Fxml',
    Params: {
      Size: bytes.length,
      CreationDate: signedAt,
      ModDate: signedAt,
      CheckSum: createHash('md5').update(bytes).digest(),
    },
  })
  file.end(bytes)
  const specification = document.ref({
    Type: 'Filespec',
    AFRelationship: 'Source',
    F: toPdfString(name),
    UF: toPdfString(name),
    EF: { F: file, UF: file },
    Desc: toPdfString('Original signé (UBL 2.1, XAdES)'),
  })
  specification.end(undefined)
  const internals = document as unknown as Internals
  internals.addNamedEmbeddedFile(name, specification)
  internals._root.data['AF'] = [specification]
}

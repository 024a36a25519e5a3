import type { Opened } from './connection'
import { EinvoicingError } from './errors'

export type ArtefactKind = 'pdf' | 'xml' | 'qr'

export interface SavedArtefact {
  fileName: string
  mediaType: string
  /** Hexadecimal. */
  sha256: string
}

export interface Artefact extends SavedArtefact {
  bytes: Uint8Array
}

/** Throws `EinvoicingError` DOWNLOAD_DAMAGED. */
export async function readArtefact(opened: Opened): Promise<Artefact> {
  const bytes = new Uint8Array(await new Response(opened.body).arrayBuffer())
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  checkWhole(opened, { sha256, length: bytes.length })
  return { ...readNames(opened), sha256, bytes }
}

/** Writes to `file`, complete and verified or not at all. Node only. */
export async function saveArtefact(
  opened: Opened,
  file: string | ((fileName: string) => string),
): Promise<SavedArtefact & { file: string }> {
  // Loaded here, so that the rest runs in browsers.
  const [{ createHash }, { open, rename, rm }] = await Promise.all([
    import('node:crypto'),
    import('node:fs/promises'),
  ])
  const names = readNames(opened)
  const target = typeof file === 'string' ? file : file(names.fileName)
  const part = `${target}.${crypto.randomUUID()}.part`
  const hash = createHash('sha256')
  let length = 0
  const handle = await open(part, 'wx')
  try {
    for await (const chunk of opened.body ?? []) {
      hash.update(chunk)
      length += chunk.length
      await handle.appendFile(chunk)
    }
    const sha256 = hash.digest('hex')
    checkWhole(opened, { sha256, length })
    await handle.sync()
    await handle.close()
    await rename(part, target)
    return { ...names, sha256, file: target }
  } catch (error) {
    await handle.close()
    await rm(part, { force: true })
    throw error
  }
}

// The service's ETag is the SHA-256 of the bytes; a proxy that compresses makes it a weak one.
const digestTag = /^(?:W\/)?"([0-9a-f]{64})"$/

function checkWhole(
  { headers, status, requestId }: Opened,
  { sha256, length }: { sha256: string; length: number },
): void {
  const promised = digestTag.exec(headers.get('etag') ?? '')?.[1]
  const statedLength = headers.has('content-encoding') ? null : headers.get('content-length')
  const isWhole =
    promised === undefined
      ? statedLength !== null && Number(statedLength) === length
      : promised === sha256
  if (isWhole) return
  const message = `The download is damaged: the ${length} bytes received do not match the length or digest that the service announced.`
  throw new EinvoicingError('DOWNLOAD_DAMAGED', message, { status, requestId })
}

function readNames({ headers }: Opened) {
  const disposition = headers.get('content-disposition') ?? ''
  const mediaType = headers.get('content-type')?.split(';')[0] ?? 'application/octet-stream'
  return { fileName: fileNameIn(disposition), mediaType }
}

/** By RFC 6266, `filename*` before `filename`; never a path. */
export function fileNameIn(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1]
  const plain = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replace(/\\(.)/g, '$1')
  const token = /filename=([^;"\s]+)/i.exec(disposition)?.[1]
  const name = decoded(extended) ?? plain ?? token ?? ''
  const safe = name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+/, '_')
  return safe === '' ? 'download' : safe
}

function decoded(name: string | undefined): string | undefined {
  try {
    return name === undefined ? undefined : decodeURIComponent(name)
  } catch {
    return undefined
  }
}

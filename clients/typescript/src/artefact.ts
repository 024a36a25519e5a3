import { readAll } from './body'
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
  const bytes = await readAll(opened.body)
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
  // Loaded here and below, so that the rest runs in browsers.
  const { writeFile } = await import('node:fs/promises')
  const target = typeof file === 'string' ? file : file(readNames(opened).fileName)
  const path = await findReplaceable(target)
  if (path !== undefined) return { ...(await replaceFile(opened, path)), file: target }
  const { bytes, ...saved } = await readArtefact(opened)
  await writeFile(target, bytes)
  return { ...saved, file: target }
}

/** Without symbolic links, which must stay; `undefined` for a device or a pipe. */
async function findReplaceable(file: string): Promise<string | undefined> {
  const { realpath, stat } = await import('node:fs/promises')
  try {
    return (await stat(file)).isFile() ? await realpath(file) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return resolveDangling(file)
  }
}

async function resolveDangling(file: string): Promise<string> {
  const [{ readlink, realpath }, path] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
  ])
  const linked = await readlink(file).catch(() => undefined)
  if (linked === undefined) return file
  const folder = await realpath(path.dirname(file))
  return resolveDangling(path.isAbsolute(linked) ? linked : `${folder}/${linked}`)
}

async function replaceFile(opened: Opened, path: string): Promise<SavedArtefact> {
  const [{ createHash }, { open, rename, rm, stat }] = await Promise.all([
    import('node:crypto'),
    import('node:fs/promises'),
  ])
  const mode = await stat(path).then(
    (replaced) => replaced.mode & 0o777,
    () => undefined,
  )
  const part = `${path}.${crypto.randomUUID()}.part`
  const hash = createHash('sha256')
  let length = 0
  const handle = await open(part, 'wx', mode)
  try {
    if (mode !== undefined) await handle.chmod(mode)
    for await (const chunk of opened.body) {
      hash.update(chunk)
      length += chunk.length
      await handle.appendFile(chunk)
    }
    const sha256 = hash.digest('hex')
    checkWhole(opened, { sha256, length })
    await handle.sync()
    await handle.close()
    await rename(part, path)
    return { ...readNames(opened), sha256 }
  } catch (error) {
    await handle.close()
    await rm(part, { force: true })
    throw error
  }
}

// The ETag is the SHA-256 of the bytes, as a proxy that compresses changes it (decision 0178).
const digestTag = /^(?:W\/)?"([0-9a-f]{64})(?:-(?:gzip|br|deflate|zstd))?"$/

function checkWhole(opened: Opened, { sha256, length }: { sha256: string; length: number }): void {
  const { headers, status, requestId } = opened
  const promised = digestTag.exec(headers.get('etag') ?? '')?.[1]
  if (promised === undefined ? isLengthRight(headers, length) : promised === sha256) return
  const message = `The download is damaged: the ${length} bytes received do not match the length or digest that the service announced.`
  throw new EinvoicingError('DOWNLOAD_DAMAGED', message, { status, requestId })
}

/** The stream of a compressed answer fails if it ends early; its bytes have no stated length. */
function isLengthRight(headers: Headers, length: number): boolean {
  const stated = headers.get('content-length')
  if (!headers.has('content-encoding')) return stated !== null && Number(stated) === length
  const isFromService = headers.has('content-disposition')
  return isFromService && (stated !== null || headers.has('transfer-encoding'))
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

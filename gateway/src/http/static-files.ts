// Only files listed at start are served, so no path leads out of the folder (docs/decisions/0065).

import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request } from 'express'
import { sendBytes, type Headers } from './envelope'
import { toEtag, matchesIfNoneMatch } from './etag'
import type { Handle, RouteTable } from './route-table'

interface StaticFile {
  mediaType: string
  body: Buffer
}

// A name with a digest means that the content never changes.
const digested = /-[\w-]{8}\.\w+$/
const immutable = 'public, max-age=31536000, immutable'
const revalidated = 'no-cache'

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** A page, `docs.html`, is at `/docs`. */
export function createFolderRoutes(folder: string): RouteTable {
  if (!existsSync(folder)) return {}
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  return Object.fromEntries(
    files.map((file) => {
      const name = path
        .relative(folder, file)
        .split(path.sep)
        .join('/')
        .replace(/\.html$/, '')
      const cacheControl = digested.test(file) ? immutable : revalidated
      return [`/${escaped(name)}`, { GET: staticFile(() => readStaticFile(file), cacheControl) }]
    }),
  )
}

async function readStaticFile(file: string): Promise<StaticFile> {
  const mediaType = mediaTypes[path.extname(file)]
  if (mediaType === undefined)
    throw new Error(`${file}: no media type is known for this file extension`)
  return { mediaType, body: await readFile(file) }
}

const escaped = (name: string) => encodeURI(name).replace(/[{}()[\]+?!:*\\]/g, '\\$&')

type Encoding = 'br' | 'gzip' | 'identity'

interface Version {
  headers: Headers
  etag: string
  body: Buffer
}

// A failed read is repeated at the next request.
function staticFile(read: () => Promise<StaticFile>, cacheControl: string): Handle {
  const file = once(read)
  const version = (encoding: Encoding) => once(async () => encode(await file(), encoding))
  const versions = { br: version('br'), gzip: version('gzip'), identity: version('identity') }
  return async (request, response) => {
    const { headers, etag, body } = await versions[encodingFor(request)]()
    const known = { ...headers, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' }
    if (matchesIfNoneMatch(etag, request.headers['if-none-match'])) {
      response.writeHead(304, known).end()
    } else {
      sendBytes(response, { status: 200, headers: known, body })
    }
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}

function encodingFor(request: Request): Encoding {
  const accepted = request.acceptsEncodings('br', 'gzip', 'identity')
  return accepted === 'br' || accepted === 'gzip' ? accepted : 'identity'
}

const compress = {
  // Higher quality costs much more time than it saves bytes.
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
}

const isCompressed = /^(image\/(?!svg)|font\/)/

async function encode({ mediaType, body }: StaticFile, encoding: Encoding): Promise<Version> {
  const plain = encoding === 'identity' || isCompressed.test(mediaType)
  const encoded = plain ? body : await compress[encoding](body)
  const etag = toEtag(createHash('sha256').update(encoded).digest('hex'))
  const headers = {
    'Content-Type': mediaType,
    ETag: etag,
    ...(!plain && { 'Content-Encoding': encoding }),
  }
  return { headers, etag, body: encoded }
}

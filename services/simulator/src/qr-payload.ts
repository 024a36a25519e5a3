/** A compact JWS (RFC 7515) with ES256. Short, because clients store it with each invoice. */

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { writeDurably } from '@einvoicing/runtime/durable-file'

const header = Buffer.from(JSON.stringify({ alg: 'ES256' })).toString('base64url')
const textBytesMax = 40
const hashBytes = 16

export interface InvoiceStamp {
  reference: string
  issuerIce: string
  /** Shortened with `…` when long; absent in stamps of older versions. */
  issuerName?: string | undefined
  /** Shortened with `…` when long. */
  number: string
  issueDate: string
  amountTtc: string
  currency: string
  /** The first 16 bytes of the signed document's SHA-256, base64url. */
  documentHash: string
  /** UNCL 1001; absent in stamps of older versions, which are of invoices. */
  typeCode?: string | undefined
}

/** P-256; written to `file` on first start. */
export async function openStampKey(file: string): Promise<KeyObject> {
  if (!existsSync(file)) await writeDurably(file, generateKey(), 0o600)
  return createPrivateKey(await readFile(file))
}

function generateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

export function signStamp(stamp: InvoiceStamp, key: KeyObject): string {
  const claims = {
    r: stamp.reference,
    i: stamp.issuerIce,
    s: stamp.issuerName && shorten(stamp.issuerName),
    n: shorten(stamp.number),
    d: stamp.issueDate,
    t: stamp.amountTtc,
    c: stamp.currency,
    h: stamp.documentHash,
    k: stamp.typeCode,
  }
  const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

/** `undefined` for a payload that the platform did not sign. */
export function readStamp(payload: string, key: KeyObject): InvoiceStamp | undefined {
  const [head, claims, signature, ...rest] = payload.split('.')
  if (head !== header || !claims || !signature || rest.length > 0) return undefined
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isValid) return undefined
  const { r, i, s, n, d, t, c, h, k } = JSON.parse(
    Buffer.from(claims, 'base64url').toString(),
  ) as Record<'r' | 'i' | 'n' | 'd' | 't' | 'c' | 'h', string> & { s?: string; k?: string }
  return {
    reference: r,
    issuerIce: i,
    issuerName: s,
    number: n,
    issueDate: d,
    amountTtc: t,
    currency: c,
    documentHash: h,
    typeCode: k,
  }
}

export function stampHash(documentSha256: string): string {
  return Buffer.from(documentSha256, 'hex').subarray(0, hashBytes).toString('base64url')
}

function shorten(text: string): string {
  if (Buffer.byteLength(text) <= textBytesMax) return text
  let shortened = ''
  for (const character of text) {
    if (Buffer.byteLength(`${shortened}${character}…`) > textBytesMax) break
    shortened += character
  }
  return `${shortened}…`
}

import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { verifyCrl } from '@einvoicing/verification/revocation/crl'
import { verifyOcspResponse } from '@einvoicing/verification/revocation/ocsp'
import { encodeOcspRequest } from '@einvoicing/verification/revocation/ocsp-request'
import { readRevocationPlaces } from '@einvoicing/verification/revocation/places'
import { isAfterEnd } from '@einvoicing/verification/revocation/statement'
import type { HttpClient } from '../time-stamps/http-client'
import { CertificateEnded, type RevocationAnswer, type RevocationQuery } from './revocations'

export interface Found extends RevocationAnswer {
  nextUpdate: Date | undefined
  revokedAt: Date | undefined
}

export interface SourceOptions {
  http: HttpClient
  files: readonly string[]
  /** The authority runs on this machine. */
  isSandbox: boolean
  /** The address may have changed since the certificate was made. */
  sandboxCrlUrl: string | undefined
}

const requestDeadlineMs = 10_000
/** It is embedded in every document, for ten years. */
const crlBytesMax = 1024 * 1024
const ocspBytesMax = 64 * 1024

type Attempt = () => Promise<Found>

/** OCSP before lists, because it is smaller. */
export async function* listSources(
  query: RevocationQuery,
  options: SourceOptions,
): AsyncGenerator<Attempt> {
  const { files, sandboxCrlUrl } = options
  const places = readRevocationPlaces(query.certificate)
  const crls = [...places.crls, ...(sandboxCrlUrl === undefined ? [] : [sandboxCrlUrl])]
  for (const file of files) yield* listBlocks(file, query)
  for (const url of places.ocsp) {
    yield async () =>
      readData({ kind: 'ocsp', bytes: await requestOcsp(url, query, options) }, query)
  }
  for (const url of new Set(crls)) {
    yield async () => readData({ kind: 'crl', bytes: await download(url, query, options) }, query)
  }
}

async function* listBlocks(file: string, query: RevocationQuery): AsyncGenerator<Attempt> {
  try {
    for (const bytes of await readBlocks(file)) yield async () => readEither(bytes, query)
  } catch (error) {
    yield async () => {
      throw error
    }
  }
}

/** Of PEM, each block. */
async function readBlocks(file: string): Promise<Buffer[]> {
  const bytes = await readFile(file)
  if (bytes.length > 2 * crlBytesMax) throw new Error(`${file} is larger than ${2 * crlBytesMax}`)
  const pem = /-----BEGIN (?:(?:X509 )?CRL|OCSP RESPONSE)-----([^-]+)-----END/g
  const blocks = [...bytes.toString('latin1').matchAll(pem)]
  return blocks.length === 0 ? [bytes] : blocks.map(([, text = '']) => Buffer.from(text, 'base64'))
}

function readEither(bytes: Buffer, query: RevocationQuery): Found {
  try {
    return readData({ kind: 'crl', bytes }, query)
  } catch (error) {
    // An OCSPResponse begins with a status.
    const isOcsp = bytes[0] === 0x30 && bytes.subarray(2, 8).includes(0x0a)
    if (isOcsp) return readData({ kind: 'ocsp', bytes }, query)
    throw error
  }
}

export function readData(
  data: Pick<Found, 'kind' | 'bytes'>,
  { certificate, issuer }: RevocationQuery,
): Found {
  const verify = data.kind === 'crl' ? verifyCrl : verifyOcspResponse
  const statement = verify(data.bytes, [issuer])
  const status = statement.about(certificate)
  if (status === undefined) throw new Error('it has no status for this certificate')
  if (status === 'good' && isAfterEnd(statement, certificate)) {
    throw new CertificateEnded(certificate)
  }
  const { thisUpdate, nextUpdate } = statement
  const revokedAt = status === 'good' ? undefined : status.revokedAt
  return { ...data, thisUpdate, nextUpdate, revokedAt }
}

function download(url: string, query: RevocationQuery, options: SourceOptions): Promise<Buffer> {
  return options.http.send({
    method: 'GET',
    url: allow(url, options),
    deadlineMs: remaining(query),
    answerBytesMax: crlBytesMax,
  })
}

function requestOcsp(url: string, query: RevocationQuery, options: SourceOptions): Promise<Buffer> {
  return options.http.send({
    method: 'POST',
    url: allow(url, options),
    headers: { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' },
    body: encodeOcspRequest(query.certificate, query.issuer),
    deadlineMs: remaining(query),
    answerBytesMax: ocspBytesMax,
  })
}

function remaining({ deadline }: RevocationQuery): number {
  return Math.min(requestDeadlineMs, deadline - Date.now())
}

/** A certificate of a real authority must not name an address of our own machine. */
function allow(url: string, { isSandbox }: SourceOptions): string {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const isOwn =
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    (isIP(host) !== 0 && /^(127\.|0\.|169\.254\.|::|fe80:)/i.test(host))
  if (isOwn && !isSandbox) {
    throw new Error(
      `${new URL(url).origin} is an address of this machine, which is allowed only in a sandbox`,
    )
  }
  return url
}

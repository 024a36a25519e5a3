/** For the sandbox, with its own root. Keys stay, so that its stamps can be verified. */

import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '@einvoicing/runtime/durable-file'
import {
  issueToken,
  writeRejection,
  writeResponse,
} from '@einvoicing/verification/time-stamps/issue-token'
import type { TimeStampRequest } from '@einvoicing/verification/time-stamps/request'
import type { TsaFailure } from './failures'
import type { KeyPair, RevocationList, Revoked, StamperOptions } from './key-pair'

export interface SandboxTsa {
  rootPem: string
  /** A TimeStampResp, wrong in the way of `failure`. */
  answer(request: TimeStampRequest, failure: TsaFailure | undefined): Promise<Buffer>
  revocationList(): Promise<RevocationList>
  /** Revoked in the next list; it still stamps. */
  revoke(): Promise<void>
  replace(): Promise<void>
  /** Resolves once its certificate names the address of the revocation list. */
  nameList(url: string): Promise<void>
}

export interface SandboxTsaOptions {
  dataDir: string
  crlSeconds: number
  tsaCertificateDays: number
  now: () => Date
}

/** Of the private enterprise numbers for examples (RFC 5612). */
const sandboxPolicy = '1.3.6.1.4.1.32473.1'

const dayMs = 86_400_000

export async function openSandboxTsa(options: SandboxTsaOptions): Promise<SandboxTsa> {
  const { dataDir, now, tsaCertificateDays: days } = options
  const root = await openPair(join(dataDir, 'tsa-root-key.pem'), async () =>
    (await makers()).makeRoot(now()),
  )
  // Its port is known once it listens; requests before wait.
  let crlUrl = ''
  let setStamper: (pair: KeyPair | Promise<KeyPair>) => void
  let stamper = new Promise<KeyPair>((resolve) => (setStamper = resolve))
  const stamperFile = join(dataDir, 'tsa-key.pem')
  const makeStamper = async () => (await makers()).makeStamper(root, { now: now(), days, crlUrl })
  const revokedFile = join(dataDir, 'tsa-revoked.json')
  const revoked: Revoked[] = existsSync(revokedFile)
    ? (JSON.parse(await readFile(revokedFile, 'utf8')) as Revoked[])
    : []
  const rootPem = root.certificate.toString()
  await writeDurably(join(dataDir, 'tsa-root.pem'), rootPem, 0o644)
  const wrongStampers = new Map<TsaFailure, Promise<KeyPair>>()
  const stamperFor = (failure: TsaFailure | undefined): Promise<KeyPair> => {
    if (failure !== 'wrongUsage' && failure !== 'untrusted') return stamper
    const made =
      wrongStampers.get(failure) ?? makeWrong(failure, root, { now: now(), days, crlUrl })
    wrongStampers.set(failure, made)
    return made
  }

  return {
    rootPem,
    async answer(request, failure) {
      if (failure === 'rejection')
        return writeRejection('Rejected, because tsaRejectionRate says so.')
      const { privateKey, certificate } = await stamperFor(failure)
      const time = failure === 'oldTime' ? new Date(now().getTime() - dayMs) : now()
      const token = issueToken(
        spoil(request, failure),
        { privateKey, certificates: [certificate], policy: sandboxPolicy },
        { time, serialNumber: BigInt(`0x${randomBytes(15).toString('hex')}`) },
      )
      return writeResponse(token)
    },
    revocationList: listRevocations(root, revoked, options),
    async revoke() {
      const { serialNumber } = (await stamper).certificate
      revoked.push({ serialNumber, at: now().toISOString() })
      await writeDurably(revokedFile, JSON.stringify(revoked), 0o644)
    },
    async replace() {
      stamper = openPair(stamperFile, makeStamper, () => false)
      await stamper
    },
    async nameList(url) {
      crlUrl = url
      const fits = ({ certificate }: KeyPair) =>
        certificate.raw.includes(Buffer.from(crlUrl)) && Math.round(livesDays(certificate)) === days
      setStamper(openPair(stamperFile, makeStamper, fits))
      await stamper
    },
  }
}

function livesDays({ validFrom, validTo }: X509Certificate): number {
  return (Date.parse(validTo) - Date.parse(validFrom)) / dayMs
}

function spoil(request: TimeStampRequest, failure: TsaFailure | undefined): TimeStampRequest {
  if (failure === 'wrongImprint') {
    return { ...request, digest: Buffer.from(request.digest).reverse() }
  }
  return failure === 'wrongNonce' ? { ...request, nonce: request.nonce + 1n } : request
}

async function makeWrong(
  failure: 'wrongUsage' | 'untrusted',
  root: KeyPair,
  options: StamperOptions,
): Promise<KeyPair> {
  const { makeRoot, makeStamper, makeWrongStamper } = await makers()
  if (failure === 'wrongUsage') return makeWrongStamper(root, options)
  return makeStamper(await makeRoot(options.now, 'A Stranger'), options)
}

/** A new one at each multiple of the period, as if published by schedule. */
function listRevocations(
  root: KeyPair,
  revoked: readonly Revoked[],
  { crlSeconds, now }: SandboxTsaOptions,
): () => Promise<RevocationList> {
  const periodMs = crlSeconds * 1_000
  let latest: Promise<RevocationList> | undefined
  let latestMs: number | undefined
  return () => {
    const startMs = Math.floor(now().getTime() / periodMs) * periodMs
    if (latest && startMs === latestMs) return latest
    latestMs = startMs
    const times = { thisUpdate: new Date(startMs), nextUpdate: new Date(startMs + periodMs) }
    const list = { ...times, revoked: [...revoked] }
    latest = makers().then(async ({ makeRevocationList }) => ({
      ...list,
      bytes: await makeRevocationList(root, list),
    }))
    return latest
  }
}

/** Loaded only if used: it costs as much as the rest of the start. */
const makers = () => import('@einvoicing/simulator/time-stamps/make-certificates')

/** A pair that does not fit any more is replaced; the root still verifies its stamps. */
async function openPair(
  file: string,
  make: () => Promise<KeyPair>,
  fits: (pair: KeyPair) => boolean = () => true,
): Promise<KeyPair> {
  if (existsSync(file)) {
    const pem = await readFile(file, 'utf8')
    const kept = { privateKey: createPrivateKey(pem), certificate: new X509Certificate(pem) }
    if (fits(kept)) return kept
  }
  const pair = await make()
  const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await writeDurably(file, `${key}${pair.certificate.toString()}`, 0o600)
  return pair
}

// Reloaded when they change. Files that do not match are an error at start; later they are logged,
// and the previous ones stay in use.

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import type { experimental } from '@grpc/grpc-js'
import { Gauge } from 'prom-client'
import { systemClock, type Clock } from '@einvoicing/runtime/clock'
import { SettingsError } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { Outage } from '@einvoicing/runtime/outage'
import { pollEvery, type Poll } from '@einvoicing/runtime/poll'

const checkEveryMs = 30_000
const dayMs = 86_400_000
const warnBeforeDays = 30

const expires = new Gauge({
  name: 'einvoicing_tls_certificate_expires_timestamp_seconds',
  help: 'Expiry of the certificate of this service, or of the first authority to expire, in seconds since the epoch',
  labelNames: ['certificate'] as const,
  registers: [metrics],
})

export interface TlsConfig {
  /** PEM, with intermediates. */
  certificateFile: string
  keyFile: string
  /** PEM: the authorities that issue the certificates of all services. */
  authorityFile: string
}

interface Contents {
  authority: Buffer
  key: Buffer
  certificate: Buffer
}

type AuthorityListener = experimental.CaCertificateUpdateListener
type IdentityListener = experimental.IdentityCertificateUpdateListener

export class TlsFiles implements experimental.CertificateProvider {
  private readonly files: TlsConfig
  private readonly log: Log
  private readonly now: Clock
  private readonly authorityListeners = new Set<AuthorityListener>()
  private readonly identityListeners = new Set<IdentityListener>()
  private readonly outage: Outage
  private readonly poll: Poll
  private latest: Contents
  private nextWarningMs = 0

  /** Throws `SettingsError` naming the file that cannot be read or does not fit. */
  constructor(files: TlsConfig, log: Log, now: Clock = systemClock) {
    this.files = files
    this.log = log
    this.now = now
    this.latest = readMatchingFiles(files)
    this.outage = new Outage({
      log,
      startMessage: 'TLS files have changed but cannot be used, still using the previous ones',
      endMessage: 'TLS files can be used again',
    })
    this.poll = pollEvery(checkEveryMs, async () => this.reload())
  }

  /** Uses changed files if they match; warns once a day of certificates that end soon. */
  reload(): void {
    try {
      const found = readMatchingFiles(this.files)
      if (!isSame(found, this.latest)) this.use(found)
      this.outage.recovered('files')
    } catch (err) {
      this.outage.failed('files', { err })
    }
    this.reportExpiry()
  }

  close(): void {
    this.poll.close()
  }

  // gRPC also expects the current value, after this call.
  addCaCertificateListener(listener: AuthorityListener): void {
    this.authorityListeners.add(listener)
    process.nextTick(() => listener({ caCertificate: this.latest.authority }))
  }

  removeCaCertificateListener(listener: AuthorityListener): void {
    this.authorityListeners.delete(listener)
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.identityListeners.add(listener)
    process.nextTick(() => listener(toIdentity(this.latest)))
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.identityListeners.delete(listener)
  }

  private use(found: Contents): void {
    this.latest = found
    this.nextWarningMs = 0
    for (const listener of this.authorityListeners) listener({ caCertificate: found.authority })
    for (const listener of this.identityListeners) listener(toIdentity(found))
    const validTo = new Date(findEarliestExpiry(found.certificate)).toISOString()
    this.log.info({ validTo }, 'TLS files reloaded')
  }

  private reportExpiry(): void {
    const nowMs = this.now().getTime()
    const mayWarn = nowMs >= this.nextWarningMs
    for (const [certificate, setting, pem] of [
      ['service', 'TLS_CERTIFICATE_FILE', this.latest.certificate],
      ['authority', 'TLS_CA_FILE', this.latest.authority],
    ] as const) {
      const endsAtMs = findEarliestExpiry(pem)
      expires.set({ certificate }, endsAtMs / 1_000)
      const daysLeft = Math.floor((endsAtMs - nowMs) / dayMs)
      if (!mayWarn || daysLeft >= warnBeforeDays) continue
      this.nextWarningMs = nowMs + dayMs
      const validTo = new Date(endsAtMs).toISOString()
      const what = daysLeft < 0 ? 'has ended' : 'ends soon'
      this.log.warn({ validTo, daysLeft }, `a certificate in ${setting} ${what}: renew it`)
    }
  }
}

function toIdentity({ certificate, key }: Contents): experimental.IdentityCertificateUpdate {
  return { certificate, privateKey: key }
}

function isSame(one: Contents, other: Contents): boolean {
  return (
    one.authority.equals(other.authority) &&
    one.key.equals(other.key) &&
    one.certificate.equals(other.certificate)
  )
}

function readMatchingFiles({ authorityFile, keyFile, certificateFile }: TlsConfig): Contents {
  const authority = readPem('TLS_CA_FILE', authorityFile)
  const key = readPem('TLS_KEY_FILE', keyFile)
  const certificate = readPem('TLS_CERTIFICATE_FILE', certificateFile)
  try {
    tls.createSecureContext({ ca: authority, key, cert: certificate })
    if (![authority, certificate].every((pem) => findEarliestExpiry(pem) < Infinity)) {
      throw new Error('a file contains no certificate')
    }
  } catch (cause) {
    const { message } = cause as Error
    throw new SettingsError([
      `TLS_CERTIFICATE_FILE, TLS_KEY_FILE and TLS_CA_FILE do not fit together (${message}): name a certificate, its key and its authority`,
    ])
  }
  return { authority, key, certificate }
}

/** In milliseconds since the epoch. */
function findEarliestExpiry(pem: Buffer): number {
  const blocks = pem.toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  const ends = (blocks ?? []).map((block) => Date.parse(new X509Certificate(block).validTo))
  return Math.min(...ends)
}

function readPem(setting: string, file: string): Buffer {
  try {
    const pem = readFileSync(file)
    if (pem.includes('-----BEGIN ')) return pem
    throw new Error(`${file} contains no PEM data`)
  } catch (cause) {
    throw new SettingsError([`${setting} cannot be used: ${(cause as Error).message}`])
  }
}

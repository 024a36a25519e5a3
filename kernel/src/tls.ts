/**
 * Mutual TLS between services: each proves itself by a certificate of the authority that all trust.
 *
 * All three files or none: a half-set TLS is a fault, never plain text.
 */

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as grpc from '@grpc/grpc-js'
import { Gauge } from 'prom-client'
import { SettingsError, type EnvReader } from './env'
import { metrics } from './metrics'

const expires = new Gauge({
  name: 'einvoicing_tls_certificate_expires_timestamp_seconds',
  help: 'When the certificate of this service, or the first of its authorities, ends; seconds since the epoch',
  labelNames: ['certificate'] as const,
  registers: [metrics],
})

export interface TlsConfig {
  /** PEM: this service's certificate, then its intermediates. */
  certificateFile: string
  /** PEM: its private key. */
  keyFile: string
  /** PEM: the authorities that issue the certificates of all services. */
  authorityFile: string
}

const all = 'TLS_CERTIFICATE_FILE, TLS_KEY_FILE and TLS_CA_FILE'

export function readTlsConfig(env: EnvReader): TlsConfig | undefined {
  const certificateFile = env.optionalText('TLS_CERTIFICATE_FILE')
  const keyFile = env.optionalText('TLS_KEY_FILE')
  const authorityFile = env.optionalText('TLS_CA_FILE')
  if (certificateFile && keyFile && authorityFile) {
    return { certificateFile, keyFile, authorityFile }
  }
  if (certificateFile ?? keyFile ?? authorityFile) {
    env.fault(`mutual TLS between services wants all of ${all}, or none`, undefined)
  }
  return undefined
}

export interface RpcCredentials {
  server: grpc.ServerCredentials
  channel: grpc.ChannelCredentials
}

/** Throws `SettingsError` naming the file that cannot be read or does not fit. */
export function openCredentials(tls: TlsConfig | undefined): RpcCredentials {
  if (!tls) {
    return {
      server: grpc.ServerCredentials.createInsecure(),
      channel: grpc.credentials.createInsecure(),
    }
  }
  const authority = readPem('TLS_CA_FILE', tls.authorityFile)
  const key = readPem('TLS_KEY_FILE', tls.keyFile)
  const certificate = readPem('TLS_CERTIFICATE_FILE', tls.certificateFile)
  try {
    expires.set({ certificate: 'service' }, endOfFirst(certificate))
    expires.set({ certificate: 'authority' }, endOfFirst(authority))
    return {
      server: grpc.ServerCredentials.createSsl(
        authority,
        [{ private_key: key, cert_chain: certificate }],
        true,
      ),
      channel: grpc.credentials.createSsl(authority, key, certificate),
    }
  } catch (cause) {
    const { message } = cause as Error
    throw new SettingsError([
      `${all} do not fit together (${message}): name a certificate, its key and its authority`,
    ])
  }
}

/** Of all certificates in a PEM file the one that ends first, in seconds since the epoch. */
function endOfFirst(pem: Buffer): number {
  const blocks = pem.toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  const ends = (blocks ?? []).map((block) => Date.parse(new X509Certificate(block).validTo))
  return Math.min(...ends) / 1_000
}

function readPem(setting: string, file: string): Buffer {
  try {
    const pem = readFileSync(file)
    if (pem.includes('-----BEGIN ')) return pem
    throw new Error(`${file} holds no PEM`)
  } catch (cause) {
    throw new SettingsError([`${setting} cannot be used: ${(cause as Error).message}`])
  }
}

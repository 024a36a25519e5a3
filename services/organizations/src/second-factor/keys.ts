/** Secrets outside the store: they encrypt stored second factors and sign challenges. */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { unavailable } from '@einvoicing/domain/api-error'
import { makeSecretOnce, readSecretLines, type Secrets } from '@einvoicing/runtime/secret-file'
import type { OrganizationStore } from '../store/store'

export type FactorSecretConfig =
  | { kind: 'given'; file: string }
  | { kind: 'own'; file: string }
  /** In the store: a copy of the store contains the secrets too. */
  | { kind: 'store' }

export interface FactorKeys {
  /** Opened with the same `context`. */
  seal(text: string, context: string): string
  open(sealed: string, context: string): string
  /** `expiresAt` in milliseconds. */
  sign(purpose: string, content: Buffer, expiresAt: number): string
  /** `undefined` when forged, expired, or signed for another purpose. */
  verify(purpose: string, token: string, now: number): Buffer | undefined
}

/** Throws `SERVICE_UNAVAILABLE` while the store that holds them is unavailable. */
export type ReadFactorKeys = () => Promise<FactorKeys>

const setting = 'SECOND_FACTOR_KEY_FILE'
const secretBytes = 32
const markBytes = 4
const ivBytes = 12
const tagBytes = 16
const expiryBytes = 6
const macBytes = 32

/** Throws `SettingsError` for a file that is missing or too short. */
export async function openFactorKeys(
  config: FactorSecretConfig,
  store: Pick<OrganizationStore, 'rememberFirst'>,
): Promise<ReadFactorKeys> {
  if (config.kind === 'store') return keysInStore(store)
  if (config.kind === 'own') await makeSecretOnce(config.file)
  const given = createFactorKeys(await readSecretLines(setting, config.file))
  return () => Promise.resolve(given)
}

function keysInStore(store: Pick<OrganizationStore, 'rememberFirst'>): ReadFactorKeys {
  let keys: FactorKeys | undefined
  return async () => {
    const made = randomBytes(secretBytes).toString('base64url')
    keys ??= createFactorKeys([await store.rememberFirst('second-factor-key', made)])
    return keys
  }
}

interface Line {
  mark: Buffer
  cipher: Buffer
  mac: Buffer
}

/** The first is in use; the others are accepted. */
function createFactorKeys(secrets: Secrets): FactorKeys {
  const lines = secrets.map(deriveLine)
  const [current] = lines as [Line, ...Line[]]
  return {
    seal: (text, context) => seal(current, text, context),
    open: (sealed, context) => open(lines, sealed, context),
    sign: (purpose, content, expiresAt) => sign(current, purpose, { content, expiresAt }),
    verify(purpose, token, now) {
      for (const line of lines) {
        const content = verify(line, purpose, { token, now })
        if (content) return content
      }
      return undefined
    },
  }
}

function deriveLine(secret: string): Line {
  const derive = (label: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `second factor: ${label}`, 32))
  return {
    mark: derive('mark').subarray(0, markBytes),
    cipher: derive('cipher'),
    mac: derive('mac'),
  }
}

function seal({ mark, cipher: key }: Line, text: string, context: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  const sealed = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([mark, iv, cipher.getAuthTag(), ...sealed]).toString('base64url')
}

function open(lines: readonly Line[], sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const mark = bytes.subarray(0, markBytes)
  const line = lines.find((one) => one.mark.equals(mark))
  if (!line) {
    throw unavailable(
      'The second factor',
      new Error(
        `${setting} does not contain the key that encrypted a stored secret: restore that line`,
      ),
    )
  }
  const iv = bytes.subarray(markBytes, markBytes + ivBytes)
  const tag = bytes.subarray(markBytes + ivBytes, markBytes + ivBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', line.cipher, iv)
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
  const text = decipher.update(bytes.subarray(markBytes + ivBytes + tagBytes))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}

function sign(
  { mac }: Line,
  purpose: string,
  { content, expiresAt }: { content: Buffer; expiresAt: number },
): string {
  const expiry = Buffer.alloc(expiryBytes)
  expiry.writeUIntBE(Math.floor(expiresAt), 0, expiryBytes)
  const body = Buffer.concat([expiry, content])
  return Buffer.concat([computeMac(mac, purpose, body), body]).toString('base64url')
}

function verify(
  { mac }: Line,
  purpose: string,
  { token, now }: { token: string; now: number },
): Buffer | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length < macBytes + expiryBytes) return undefined
  // Another spelling of the same bytes would count as unused.
  if (bytes.toString('base64url') !== token) return undefined
  const body = bytes.subarray(macBytes)
  if (!timingSafeEqual(computeMac(mac, purpose, body), bytes.subarray(0, macBytes)))
    return undefined
  if (body.readUIntBE(0, expiryBytes) <= now) return undefined
  return body.subarray(expiryBytes)
}

function computeMac(key: Buffer, purpose: string, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`${purpose}\0`).update(body).digest()
}

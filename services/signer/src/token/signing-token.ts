import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { probe } from '../keys/prove-key'
import type { SigningIdentity } from '../keys/signing-key'
import { chainFrom, chooseCertificate, readPemCertificates, type Proof } from './certificate-chain'
import { findCertificates } from './certificates-in-token'
import type { Cryptoki, Handle } from './cryptoki'
import { findSigningKey, signDigest, type KeyInToken, type KeyName } from './key-in-token'
import { TokenError } from './token-error'
import { openToken, type Token, type TokenAccess } from './token'

export interface SigningTokenConfig extends Omit<TokenAccess, 'pin'> {
  key: KeyName
  sessions: number
  /** PEM with intermediates, when they are not in the token. */
  certificateFile: string | undefined
}

export interface SigningToken {
  readonly sessions: number
  /** Reads key and certificate again, and signs a probe. */
  identify(): Promise<SigningIdentity>
  sign(digest: Buffer): Promise<Buffer>
}

export function openSigningToken(
  cryptoki: Cryptoki,
  config: SigningTokenConfig,
  pin: string,
): SigningToken {
  const token = openToken(cryptoki, { tokenLabel: config.tokenLabel, pin })
  let key = findSigningKey(token, config.key)
  const sessions = token.openSessions(config.sessions)
  const withSession = createSessionPool(sessions)
  const sign = (digest: Buffer) =>
    withSession((session) => signDigest(token, key, { session, digest }))
  return {
    sessions: sessions.length,
    sign,
    async identify() {
      key = findSigningKey(token, config.key)
      const signature = await sign(createHash('sha256').update(probe).digest())
      return {
        algorithm: key.algorithm,
        certificates: await findChain(token, { key, config, proof: { probe, signature } }),
      }
    },
  }
}

async function findChain(
  token: Token,
  { key, config, proof }: { key: KeyInToken; config: SigningTokenConfig; proof: Proof },
): Promise<[Buffer, ...Buffer[]]> {
  const { certificateFile } = config
  if (certificateFile !== undefined) {
    const certificates = await readCertificateFile(certificateFile)
    const where = `PKCS11_CERTIFICATE_FILE ${certificateFile}`
    const candidates = certificates.slice(0, 1)
    return chainFrom(chooseCertificate(candidates, { proof, now: new Date(), where }), certificates)
  }
  const stored = findCertificates(token)
  const candidates = stored.filter(({ id }) => id.equals(key.id))
  const where = `the token "${token.label}" under CKA_ID ${key.id.toString('hex')}`
  const signing = chooseCertificate(toCertificates(candidates), { proof, now: new Date(), where })
  return chainFrom(signing, toCertificates(stored))
}

const toCertificates = <T>(stored: readonly { certificate: T }[]): T[] =>
  stored.map(({ certificate }) => certificate)

async function readCertificateFile(file: string) {
  try {
    const certificates = readPemCertificates(await readFile(file, 'utf8'))
    if (certificates.length > 0) return certificates
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'damaged'
    const sentence = `PKCS11_CERTIFICATE_FILE ${file} cannot be read (${reason}): it must hold the certificate and its intermediates in PEM`
    throw new TokenError('wrong', sentence, { cause })
  }
  throw new TokenError('wrong', `PKCS11_CERTIFICATE_FILE ${file} holds no certificate in PEM`)
}

function createSessionPool(
  sessions: readonly Handle[],
): <T>(use: (session: Handle) => Promise<T>) => Promise<T> {
  const free = [...sessions]
  const waiting: ((session: Handle) => void)[] = []
  return async (use) => {
    const session = free.pop() ?? (await new Promise<Handle>((resolve) => waiting.push(resolve)))
    try {
      return await use(session)
    } finally {
      const next = waiting.shift()
      if (next) next(session)
      else free.push(session)
    }
  }
}

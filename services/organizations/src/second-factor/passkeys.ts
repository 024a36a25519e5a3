/** Challenges are signed, not stored: a flood of unfinished sign-ins stores nothing. */

import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { limits } from '@einvoicing/domain/limits'
import type { Deps } from '../deps'
import type { User } from '../store/store'
import { useToken, type SecondFactors, type StoredPasskey } from './factors'
import type { FactorKeys } from './keys'

const timeout = limits.secondFactorLifetimeMs
const challengeBytes = 16
const rpName = 'Electronic invoicing'

// With the first passkey: its 300 modules would be a tenth of every start.
const loadWebAuthn = () => import('@simplewebauthn/server')

type OfferDeps = Pick<Deps, 'factorKeys' | 'randomBytes' | 'now'>

function toRpId(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : ''
}

async function createChallenge(deps: OfferDeps, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  const keys = await deps.factorKeys()
  const expiresAt = deps.now().getTime() + limits.secondFactorLifetimeMs
  const content = Buffer.from(deps.randomBytes(challengeBytes))
  return Uint8Array.from(Buffer.from(keys.sign(purpose, content, expiresAt), 'base64url'))
}

/** JSON. The answer is verified with the same `purpose`. */
export async function offerRegistration(
  deps: OfferDeps,
  { user, factors }: { user: Pick<User, 'id' | 'email'>; factors: SecondFactors },
  { purpose, origin }: { purpose: string; origin: string },
): Promise<string> {
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName,
    rpID: toRpId(origin),
    userID: Uint8Array.from(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.email,
    challenge: await createChallenge(deps, purpose),
    timeout,
    excludeCredentials: factors.passkeys.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return JSON.stringify(options)
}

/** JSON. Without `factors` any passkey of this service may answer. */
export async function offerAuthentication(
  deps: OfferDeps,
  { purpose, origin }: { purpose: string; origin: string },
  factors?: SecondFactors,
): Promise<string> {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const rpID = toRpId(origin)
  const allowed = factors?.passkeys.filter(({ rpId }) => rpId === rpID).map(toDescriptor)
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: await createChallenge(deps, purpose),
    timeout,
    userVerification: 'required',
    ...(allowed && { allowCredentials: allowed }),
  })
  return JSON.stringify(options)
}

function toDescriptor({ credentialId: id, transports }: StoredPasskey) {
  return { id, transports: [...transports] as AuthenticatorTransport[] }
}

export interface Answered {
  answer: string
  purpose: string
  origin: string
  now: Date
}

/** `undefined` for an invalid answer. */
export async function verifyRegistration(
  keys: FactorKeys,
  { answer, purpose, origin, now }: Answered,
): Promise<{ passkey: Omit<StoredPasskey, 'id' | 'name'>; challenge: string } | undefined> {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const response = readJson(answer) as RegistrationResponseJSON
  let used = ''
  try {
    const { verified, registrationInfo: info } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => {
        used = challenge
        return keys.verify(purpose, challenge, now.getTime()) !== undefined
      },
      expectedOrigin: origin,
      expectedRPID: toRpId(origin),
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { id, publicKey, counter, transports = [] } = info.credential
    const passkey = {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transports.slice(0, 10).map((one) => one.slice(0, 32)),
      rpId: toRpId(origin),
      createdAt: now.toISOString(),
    }
    return { passkey, challenge: used }
  } catch {
    // The library throws plain errors for invalid input of a client.
    return undefined
  }
}

export interface VerifiedPasskey {
  credentialId: string
  newCounter: number
  challenge: string
}

/** `undefined` for an invalid answer. */
export async function verifyAuthentication(
  keys: FactorKeys,
  factors: SecondFactors,
  { answer, purpose, origin, now }: Answered,
): Promise<VerifiedPasskey | undefined> {
  const response = readJson(answer) as AuthenticationResponseJSON
  const rpId = toRpId(origin)
  const stored = factors.passkeys.find(
    (one) => one.credentialId === response.id && one.rpId === rpId,
  )
  if (!stored) return undefined
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  let used = ''
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => {
        used = challenge
        return keys.verify(purpose, challenge, now.getTime()) !== undefined
      },
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: stored.credentialId,
        publicKey: Uint8Array.from(Buffer.from(stored.publicKey, 'base64url')),
        counter: stored.counter,
        transports: [...stored.transports] as AuthenticatorTransport[],
      },
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { newCounter } = authenticationInfo
    return { credentialId: stored.credentialId, newCounter, challenge: used }
  } catch {
    return undefined
  }
}

/** `undefined` when the challenge was used, the passkey is gone, or its counter did not grow. */
export function usePasskey(
  factors: SecondFactors,
  { credentialId, newCounter, challenge }: VerifiedPasskey,
  now: Date,
): SecondFactors | undefined {
  const stored = factors.passkeys.find((one) => one.credentialId === credentialId)
  if (!stored) return undefined
  const counts = newCounter > 0 || stored.counter > 0
  if (counts && newCounter <= stored.counter) return undefined
  const time = { now: now.getTime(), lifetimeMs: limits.secondFactorLifetimeMs }
  const after = useToken(factors, challenge, time)
  if (!after) return undefined
  const seen = { ...stored, counter: newCounter, lastUsedAt: now.toISOString() }
  return { ...after, passkeys: after.passkeys.map((one) => (one === stored ? seen : one)) }
}

/** The user id in the answer; `undefined` when there is none. */
export function readUserHandle(answer: string): string | undefined {
  const { response } = readJson(answer) as { response?: { userHandle?: unknown } }
  const handle = response?.userHandle
  return typeof handle === 'string' ? Buffer.from(handle, 'base64url').toString() : undefined
}

function readJson(text: string): object {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? value : {}
}

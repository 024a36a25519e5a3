/** The WebAuthn library is loaded when it is needed. */

import { call } from './connection'
import type { Schemas } from './schemas'
import { safeAnonymousOptions, type Session } from './session'

type Options = Schemas['PasskeyOptions']

/** The user closed the browser's dialog, or it has no passkey for this page. */
export class PasskeyDeclined extends Error {}

/** Browsers bind passkeys to a name: none for an IP address, or without https. */
export function canUsePasskeys(): boolean {
  const isName = !/^(\d+(\.\d+){3}|\[.*\])$/.test(window.location.hostname)
  return isName && window.isSecureContext && 'PublicKeyCredential' in window
}

async function orDeclined<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (cause) {
    throw new PasskeyDeclined('no passkey was given', { cause })
  }
}

export async function askPasskey(options: Options): Promise<Schemas['PasskeySignIn']['passkey']> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const answer = await orDeclined(() => startAuthentication({ optionsJSON: options }))
  return answer as unknown as Schemas['PasskeySignIn']['passkey']
}

export async function signInWithPasskey(): Promise<Session> {
  const path = '/session/passkey'
  const options = await call<Options>('POST', `${path}/options`, safeAnonymousOptions)
  const passkey = await askPasskey(options)
  return call<Session>('POST', path, { body: { passkey }, ...safeAnonymousOptions })
}

export async function readConfirmingPasskey() {
  return askPasskey(await call<Options>('POST', '/session/confirm/options', { isSafe: true }))
}

export async function addPasskey(name: string): Promise<Schemas['AddedPasskey']> {
  const options = await call<Options>('POST', '/passkeys/options')
  const { startRegistration } = await import('@simplewebauthn/browser')
  type Asked = Parameters<typeof startRegistration>[0]['optionsJSON']
  const passkey = await orDeclined(() =>
    startRegistration({ optionsJSON: options as unknown as Asked }),
  )
  return call('POST', '/passkeys', { body: { name, passkey } })
}

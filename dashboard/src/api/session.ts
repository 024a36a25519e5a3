import { call } from './connection'
import type { Schemas } from './schemas'

export type Session = Schemas['Identity']
export type Role = Session['role']
export type Invitation = Schemas['Invitation']

export const readSession = (signal?: AbortSignal) =>
  call<Session>('GET', '/session', { isAnonymous: true, ...(signal && { signal }) })

/** No session yet: one of these opens it. */
export type FactorsNeeded = Exclude<Schemas['SignedIn'], Session>

export const safeAnonymousOptions = { isAnonymous: true, isSafe: true }

export const signIn = (body: Schemas['Credentials']) =>
  call<Session | FactorsNeeded>('POST', '/session', { body, ...safeAnonymousOptions })

export const giveSecondFactor = (body: Schemas['SecondFactor']) =>
  call<Session>('POST', '/session/second-factor', { body, ...safeAnonymousOptions })

export const signUp = (body: Schemas['NewAccount']) =>
  call<Session>('POST', '/signup', { body, isAnonymous: true })

export const signOut = () => call('DELETE', '/session', safeAnonymousOptions)

export const readInvitation = (token: string) =>
  call<Invitation>('POST', '/invitation/read', { body: { token }, ...safeAnonymousOptions })

export const acceptInvitation = (body: Schemas['InvitationAccepted']) =>
  call<Session | FactorsNeeded>('POST', '/invitation', { body, isAnonymous: true })

export const requestPasswordReset = (body: Schemas['PasswordForgotten']) =>
  call('POST', '/password/forgot', { body, isAnonymous: true })

export const resetPassword = (body: Schemas['PasswordReset']) =>
  call('POST', '/password/reset', { body, isAnonymous: true })

export const changePassword = (body: Schemas['PasswordChange']) =>
  call('PUT', '/password', { body })

export const confirmSession = (body: Schemas['Confirmation']) =>
  call('POST', '/session/confirm', { body, isSafe: true })

/** Signing up, in and out, invitations, passwords. */

import { call } from './connection'

export type Role = 'OWNER' | 'MEMBER' | 'READ_ONLY'

export interface Session {
  organizationId: string
  organizationName: string
  userId: string
  email: string
  role: Role
  expiresAt: string
}

export interface Credentials {
  email: string
  password: string
}

export interface Invitation {
  organizationName: string
  email: string
  role: Role
  expiresAt: string
}

export const readSession = (signal?: AbortSignal) =>
  call<Session>('GET', '/session', { isAnonymous: true, ...(signal && { signal }) })

export const signIn = (body: Credentials) =>
  call<Session>('POST', '/session', { body, isAnonymous: true })

export const signUp = (body: Credentials & { organizationName: string }) =>
  call<Session>('POST', '/signup', { body, isAnonymous: true })

export const signOut = () => call('DELETE', '/session', { isAnonymous: true })

export const readInvitation = (token: string) =>
  call<Invitation>('POST', '/invitation/read', { body: { token }, isAnonymous: true })

export const acceptInvitation = (body: { token: string; password: string }) =>
  call<Session>('POST', '/invitation', { body, isAnonymous: true })

export const changePassword = (body: { currentPassword: string; newPassword: string }) =>
  call('PUT', '/password', { body })

import { useQuery } from '@tanstack/react-query'
import { call } from './connection'
import type { Schemas } from './schemas'

export const verifyEmail = (body: Schemas['EmailVerification']) =>
  call<Schemas['VerifiedEmail']>('POST', '/email/verify', { body, isAnonymous: true })

export type EmailState = Schemas['EmailState']

export const emailKey = ['email'] as const

export function useEmail() {
  return useQuery({
    queryKey: emailKey,
    queryFn: ({ signal }) => call<EmailState>('GET', '/email/change', { signal }),
  })
}

export const changeEmail = (body: Schemas['EmailChange']) =>
  call<EmailState>('POST', '/email/change', { body })

export const cancelEmailChange = () => call<EmailState>('DELETE', '/email/change')

export const resendVerification = (body: Schemas['EmailUnverified']) =>
  call('POST', '/email/resend', { body, isAnonymous: true })

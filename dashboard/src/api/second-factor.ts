import { useQuery } from '@tanstack/react-query'
import { call } from './connection'
import type { Schemas } from './schemas'

export type SecondFactors = Schemas['SecondFactors']
export type Passkey = SecondFactors['passkeys'][number]

export const secondFactorsKey = ['second-factors'] as const

export function useSecondFactors() {
  return useQuery({
    queryKey: secondFactorsKey,
    queryFn: ({ signal }) => call<SecondFactors>('GET', '/second-factor', { signal }),
  })
}

export const beginTotp = () => call<Schemas['NewTotp']>('POST', '/totp')

export const confirmTotp = (body: Schemas['TotpConfirmation']) =>
  call<Schemas['RecoveryCodes']>('PUT', '/totp', { body })

export const removeTotp = () => call('DELETE', '/totp')

export const renewRecoveryCodes = () => call<Schemas['RecoveryCodes']>('POST', '/recovery-codes')

export const renamePasskey = (id: string, body: Schemas['PasskeyChange']) =>
  call<Passkey>('PUT', `/passkeys/${id}`, { body })

export const removePasskey = (id: string) => call('DELETE', `/passkeys/${id}`)

export const requireSecondFactor = (required: boolean) =>
  call('PUT', '/organization/second-factor', { body: { required } })

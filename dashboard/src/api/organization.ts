/** The organization's legal mentions, and which are missing. */

import { useQuery } from '@tanstack/react-query'
import { call } from './connection'
import type { Schemas } from './schemas'

export const mentionNames = [
  'name',
  'legalForm',
  'capital',
  'address',
  'city',
  'ice',
  'if',
  'rc',
  'tp',
  'cnss',
  'rib',
  'phone',
  'email',
] as const satisfies MentionName[]

export type Organization = Schemas['Organization']
export type MentionName = keyof Schemas['LegalMentions']
export type Mentions = Pick<Organization, MentionName>

export const organizationKey = ['organization'] as const

export function useOrganization() {
  return useQuery({
    queryKey: organizationKey,
    queryFn: ({ signal }) => call<Organization>('GET', '/organization', { signal }),
  })
}

export const updateMentions = (mentions: Mentions) =>
  call<Organization>('PUT', '/organization', { body: mentions })

/** The organization's legal mentions, and which are missing. */

import { useQuery } from '@tanstack/react-query'
import { call } from './connection'

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
] as const

export type MentionName = (typeof mentionNames)[number]
export type Mentions = Record<MentionName, string | null>
export type Organization = Mentions & { organizationId: string; missing: MentionName[] }

export const organizationKey = ['organization'] as const

export function useOrganization() {
  return useQuery({
    queryKey: organizationKey,
    queryFn: ({ signal }) => call<Organization>('GET', '/organization', { signal }),
  })
}

export const updateMentions = (mentions: Mentions) =>
  call<Organization>('PUT', '/organization', { body: mentions })

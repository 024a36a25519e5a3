/** The people of the organization, and those invited. */

import { useQuery } from '@tanstack/react-query'
import { call } from './connection'
import type { Role } from './session'

export interface Member {
  id: string
  email: string
  role: Role
  status: 'ACTIVE' | 'INVITED'
  createdAt: string
  invitationExpiresAt: string | null
  isSelf: boolean
}

/** The token is told this once: the page makes the link of it. */
export type Invited = Member & { invitationToken: string }

export const membersKey = ['members'] as const

export function useMembers() {
  return useQuery({
    queryKey: membersKey,
    queryFn: async ({ signal }) => {
      const { content } = await call<{ content: Member[] }>('GET', '/members', { signal })
      return content
    },
  })
}

export const invite = (body: { email: string; role: Role }) =>
  call<Invited>('POST', '/members', { body })

export const changeRole = (id: string, role: Role) =>
  call<Member>('PUT', `/members/${id}`, { body: { role } })

export const removeMember = (id: string) => call('DELETE', `/members/${id}`)

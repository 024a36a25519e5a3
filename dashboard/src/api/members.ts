import { useQuery } from '@tanstack/react-query'
import { call } from './connection'
import type { Schemas } from './schemas'
import type { Role } from './session'

export type Member = Schemas['Member']

/** The token is in this response only; the page makes the link from it. */
export type Invited = Schemas['InvitedMember']

export const membersKey = ['members'] as const

export function useMembers() {
  return useQuery({
    queryKey: membersKey,
    queryFn: async ({ signal }) => {
      const { content } = await call<Schemas['Members']>('GET', '/members', { signal })
      return content
    },
  })
}

export const invite = (body: Schemas['NewMember']) => call<Invited>('POST', '/members', { body })

export const changeRole = (id: string, role: Role) =>
  call<Member>('PUT', `/members/${id}`, { body: { role } })

export const removeMember = (id: string) => call('DELETE', `/members/${id}`)

export const sendMemberReset = (id: string) => call('POST', `/members/${id}/password-reset`)

export const endMemberSessions = (id: string) =>
  call<Schemas['EndedSessions']>('DELETE', `/members/${id}/sessions`)

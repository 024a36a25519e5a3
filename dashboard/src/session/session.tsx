/** When the session expires during a call, a dialog asks for the password, and the call goes on. */

import { mayDo } from '@einvoicing/domain/role'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import {
  isSessionExpired,
  onOrganizationShown,
  onSecondFactorRequired,
  onSessionExpired,
} from '../api/connection'
import { switchOrganization } from '../api/memberships'
import { readSession, signOut, type Session } from '../api/session'
import { SessionExpired } from './session-expired'

interface SessionState {
  /** `null`: signed out; `undefined`: not known yet. */
  session: Session | null | undefined
  error: Error | null
  retry(): void
  begin(session: Session): void
  end(): Promise<void>
}

const SessionContext = createContext<SessionState | undefined>(undefined)
const sessionKey = ['session']

class SignedOut extends Error {}

interface Renewal {
  done: Promise<void>
  resolve(): void
  reject(error: Error): void
}

function awaitRenewal(): Renewal {
  const renewal: Partial<Renewal> = {}
  renewal.done = new Promise((resolve, reject) => Object.assign(renewal, { resolve, reject }))
  return renewal as Renewal
}

/** Read again when the service reports a missing second factor. */
function useSessionQuery() {
  const query = useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) =>
      readSession(signal).then(shown, (error: unknown) => {
        if (isSessionExpired(error)) return null
        throw error
      }),
    staleTime: Infinity,
    gcTime: Infinity,
  })
  const { refetch } = query
  useEffect(() => {
    onSecondFactorRequired(() => void refetch())
    return () => onSecondFactorRequired(undefined)
  }, [refetch])
  return query
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const { data, error, refetch } = useSessionQuery()
  const [isOver, setIsOver] = useState(false)
  const renewal = useRef<Renewal | undefined>(undefined)

  const begin = useCallback(
    (session: Session) => {
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
      queries.setQueryData(sessionKey, shown(session))
    },
    [queries],
  )
  const end = useCallback(async () => {
    await signOut()
    notifications.clean()
    queries.setQueryData(sessionKey, null)
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
  }, [queries])

  useEffect(() => {
    onSessionExpired(() => {
      setIsOver(true)
      renewal.current ??= awaitRenewal()
      return renewal.current.done
    })
    return () => onSessionExpired(undefined)
  }, [])

  const settle = (settled: (waiting: Renewal) => void) => {
    setIsOver(false)
    if (renewal.current) settled(renewal.current)
    renewal.current = undefined
  }
  const state = useMemo(
    () => ({
      session: data,
      error,
      retry: () => void refetch(),
      begin,
      end,
    }),
    [data, error, refetch, begin, end],
  )
  return (
    <SessionContext value={state}>
      {children}
      {data && isOver && (
        <SessionExpired
          email={data.email}
          onSignedIn={(session) => {
            void returnTo(data.organizationId, session).then(
              (returned) => {
                queries.setQueryData(sessionKey, returned)
                settle((waiting) => waiting.resolve())
              },
              // The user may have stayed on the page for what is typed there.
              (error: unknown) => settle((waiting) => waiting.reject(error as Error)),
            )
          }}
          onLeave={() => {
            settle((waiting) => waiting.reject(new SignedOut('left')))
            void end()
          }}
        />
      )}
    </SessionContext>
  )
}

/** Called before any data of the session is requested. */
function shown(session: Session): Session {
  onOrganizationShown(session.organizationId)
  return session
}

/** Waiting calls belong to this organization; signing in may open another one. */
async function returnTo(organizationId: string, session: Session): Promise<Session> {
  if (session.organizationId === organizationId) return session
  try {
    return await switchOrganization(organizationId)
  } catch (error) {
    window.location.assign('/dashboard/')
    throw error
  }
}

export function useSessionState(): SessionState {
  const state = useContext(SessionContext)
  if (!state) throw new Error('SessionProvider is missing')
  return state
}

export function useSession(): Session {
  const { session } = useSessionState()
  if (!session) throw new Error('no user is signed in')
  return session
}

export interface Rights {
  /** Keys, mentions, members. */
  canManage: boolean
  /** Invoices: create, edit, sign, cancel, send again. */
  canWrite: boolean
}

/** For hiding buttons of actions that the service would reject. */
export function useRights(): Rights {
  const { role } = useSession()
  return { canManage: mayDo(role, 'OWNER'), canWrite: mayDo(role, 'MEMBER') }
}

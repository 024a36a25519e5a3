/** A call waits for a dialog when the session has expired or lacks a second factor. */

import { mayDo } from '@einvoicing/domain/role'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient, type RefetchOptions } from '@tanstack/react-query'
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
import { useLocation } from 'wouter'
import {
  isSessionExpired,
  onEnrolmentRequired,
  onOrganizationShown,
  onSessionExpired,
} from '../api/connection'
import { switchOrganization } from '../api/memberships'
import { readSession, signOut, type Session } from '../api/session'
import { forgetLists } from '../components/last-list'
import { createDeferred, type Deferred } from './deferred'
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

function useSessionQuery() {
  return useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) =>
      readSession(signal).then(shown, (error: unknown) => {
        if (isSessionExpired(error)) return null
        throw error
      }),
    staleTime: Infinity,
    gcTime: Infinity,
  })
}

/** Calls that wait until the user has signed in again, or has set up a second factor. */
function useWaitingCalls(refetch: ReturnType<typeof useSessionQuery>['refetch']) {
  const [isOver, setIsOver] = useState(false)
  const renewal = useRef<Deferred | undefined>(undefined)
  const settle = useCallback((settled: (waiting: Deferred) => void) => {
    setIsOver(false)
    if (renewal.current) settled(renewal.current)
    renewal.current = undefined
  }, [])
  const reread = useCallback(
    async (options?: RefetchOptions) => {
      const { data } = await refetch(options)
      // Without a session it is not known who will sign in next: nothing is sent for them.
      if (data === null) settle((waiting) => waiting.reject(new SignedOut('expired')))
      else if (data && !data.secondFactorMissing) settle((waiting) => waiting.resolve())
      return data
    },
    [refetch, settle],
  )
  useEffect(() => {
    const wait = () => (renewal.current ??= createDeferred()).done
    onSessionExpired(() => {
      setIsOver(true)
      return wait()
    })
    onEnrolmentRequired(async () => {
      const session = await reread({ cancelRefetch: false })
      if (session?.secondFactorMissing) await wait()
    })
    return () => {
      onSessionExpired(undefined)
      onEnrolmentRequired(undefined)
    }
  }, [reread])
  return { isOver, settle, reread }
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const { data, error, refetch } = useSessionQuery()
  const { isOver, settle, reread } = useWaitingCalls(refetch)

  const begin = useCallback(
    (session: Session) => {
      settle((waiting) => waiting.reject(new SignedOut('another session')))
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
      queries.setQueryData(sessionKey, shown(session))
    },
    [queries, settle],
  )
  const end = useCallback(async () => {
    await signOut()
    settle((waiting) => waiting.reject(new SignedOut('left')))
    forgetLists()
    notifications.clean()
    queries.setQueryData(sessionKey, null)
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
  }, [queries, settle])

  const goOn = async (before: Session, session: Session) => {
    if (session.userId !== before.userId) {
      begin(session)
      navigate('/', { replace: true })
      return
    }
    try {
      queries.setQueryData(sessionKey, await returnTo(before.organizationId, session))
      settle((waiting) => waiting.resolve())
    } catch (error) {
      // The user may have stayed on the page for what is typed there.
      settle((waiting) => waiting.reject(error as Error))
    }
  }
  const state = useMemo(
    () => ({ session: data, error, retry: () => void reread(), begin, end }),
    [data, error, reread, begin, end],
  )
  return (
    <SessionContext value={state}>
      {children}
      {data && isOver && (
        <SessionExpired
          email={data.email}
          onSignedIn={(session) => void goOn(data, session)}
          onLeave={end}
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
  canManage: boolean
  /** Invoices: create, edit, sign, cancel, send again. */
  canWrite: boolean
}

/** For hiding buttons of actions that the service would reject. */
export function useRights(): Rights {
  const { role } = useSession()
  return { canManage: mayDo(role, 'OWNER'), canWrite: mayDo(role, 'MEMBER') }
}

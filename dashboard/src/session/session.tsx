/**
 * Who sits here and what they may do. When the session is over in the middle of something, a dialog
 * over the page asks for the password, and what waited goes on.
 */

import { mayDo } from '@einvoicing/domain/role'
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
import { isSessionOver, onSessionOver } from '../api/connection'
import { readSession, signOut, type Session } from '../api/session'
import { SessionOver } from './session-over'

interface Sitting {
  /** `null`: nobody is signed in; `undefined`: not known yet. */
  session: Session | null | undefined
  /** Why it is not known. */
  error: Error | null
  askAgain(): void
  begin(session: Session): void
  end(): Promise<void>
}

const SittingContext = createContext<Sitting | undefined>(undefined)
const sessionKey = ['session']

/** Somebody left rather than signing in again. */
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

export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) =>
      readSession(signal).catch((refused: unknown) => {
        if (isSessionOver(refused)) return null
        throw refused
      }),
    staleTime: Infinity,
    gcTime: Infinity,
  })
  const [isOver, setIsOver] = useState(false)
  const renewal = useRef<Renewal | undefined>(undefined)

  const begin = useCallback(
    (session: Session) => {
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
      queries.setQueryData(sessionKey, session)
    },
    [queries],
  )
  const end = useCallback(async () => {
    await signOut()
    queries.setQueryData(sessionKey, null)
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
  }, [queries])

  useEffect(() => {
    onSessionOver(() => {
      setIsOver(true)
      renewal.current ??= awaitRenewal()
      return renewal.current.done
    })
    return () => onSessionOver(undefined)
  }, [])

  const settle = (settled: (waiting: Renewal) => void) => {
    setIsOver(false)
    if (renewal.current) settled(renewal.current)
    renewal.current = undefined
  }
  const sitting = useMemo(
    () => ({ session: data, error, askAgain: () => void refetch(), begin, end }),
    [data, error, refetch, begin, end],
  )
  return (
    <SittingContext value={sitting}>
      {children}
      {data && isOver && (
        <SessionOver
          email={data.email}
          onSignedIn={(session) => {
            queries.setQueryData(sessionKey, session)
            settle((waiting) => waiting.resolve())
          }}
          onLeave={() => {
            settle((waiting) => waiting.reject(new SignedOut('left')))
            void end()
          }}
        />
      )}
    </SittingContext>
  )
}

export function useSitting(): Sitting {
  const sitting = useContext(SittingContext)
  if (!sitting) throw new Error('SessionProvider is missing')
  return sitting
}

/** Only for what is shown to somebody signed in. */
export function useSession(): Session {
  const { session } = useSitting()
  if (!session) throw new Error('nobody is signed in')
  return session
}

export interface Rights {
  /** Keys, mentions, members. */
  canManage: boolean
  /** Invoices: create, edit, sign, cancel, send again. */
  canWrite: boolean
}

/** What the service would refuse anyway gets no button. */
export function useRights(): Rights {
  const { role } = useSession()
  return { canManage: mayDo(role, 'OWNER'), canWrite: mayDo(role, 'MEMBER') }
}

/** Asks before typing is lost: by a link, the back button, a reload or a closed tab. */

import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useTexts } from '../i18n/texts'
import { Confirm } from '../shown/confirm'

const base = '/dashboard'

/** What was about to be done, and is done if it is meant. */
interface Departure {
  go(): void
}

export function Leaving({ isDirty }: { isDirty: boolean }) {
  const { draft } = useTexts()
  const [, navigate] = useLocation()
  const [departure, setDeparture] = useState<Departure>()
  useBackGuard(isDirty, () => setDeparture({ go: () => window.history.go(-2) }))
  useEffect(() => {
    if (!isDirty) return undefined
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const href = leavesTo(event)
      if (href === undefined) return
      event.preventDefault()
      event.stopPropagation()
      const { pathname, search } = new URL(href)
      setDeparture({ go: () => navigate(`${pathname.slice(base.length) || '/'}${search}`) })
    }
    window.addEventListener('beforeunload', onUnload)
    window.addEventListener('click', onClick, true)
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      window.removeEventListener('click', onClick, true)
    }
  }, [isDirty, navigate])
  return (
    <Confirm
      isOpen={departure !== undefined}
      title={draft.leaveTitle}
      action={draft.leaveAction}
      dismiss={draft.stay}
      saving={{ isSaving: false, error: null }}
      onConfirm={() => departure?.go()}
      onClose={() => setDeparture(undefined)}
    >
      <Text size="sm">{draft.leave}</Text>
    </Confirm>
  )
}

/**
 * A browser cannot be kept from going back, but to a second entry of the same page it goes without
 * leaving it.
 */
function useBackGuard(isOn: boolean, onBack: () => void): void {
  const told = useRef(onBack)
  useEffect(() => {
    told.current = onBack
  })
  useEffect(() => {
    if (!isOn) return undefined
    const { href } = window.location
    const stay = () => window.history.pushState({ isGuard: true }, '', href)
    if (!isGuard(window.history.state)) stay()
    const onPop = () => {
      if (window.location.href !== href) return
      stay()
      told.current()
    }
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [isOn])
}

const isGuard = (state: unknown) => state instanceof Object && 'isGuard' in state

/** Where a plain click on a link of this page would lead; the browser itself asks for others. */
function leavesTo(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank') return undefined
  if (link.origin !== window.location.origin || !link.pathname.startsWith(base)) return undefined
  return link.getAttribute('href')?.startsWith('#') ? undefined : link.href
}

import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useTexts } from '../i18n/texts'
import { Confirm } from './confirm'

const base = '/dashboard'

interface Departure {
  go(): void
}

let confirmBefore: ((go: () => void) => void) | undefined

/** For leaving a page without a link. */
export function leaveSafely(go: () => void): void {
  if (confirmBefore) confirmBefore(go)
  else go()
}

let isReplacing = false

/** To what a form was saved as, in the form's place: the back button does not open it again. */
export function replaceForm(go: () => void): void {
  if (!isGuard(window.history.state)) {
    go()
    return
  }
  isReplacing = true
  const onPop = () => {
    isReplacing = false
    go()
  }
  window.addEventListener('popstate', onPop, { once: true })
  window.history.back()
}

export function UnsavedChanges({ isDirty }: { isDirty: boolean }) {
  const { frame } = useTexts()
  const [, navigate] = useLocation()
  const [departure, setDeparture] = useState<Departure>()
  const goBack = () => {
    // In a tab of its own a form has nothing behind it.
    if (window.history.length > 2) window.history.go(-2)
    else navigate('/')
  }
  useBackGuard(isDirty, () => setDeparture({ go: goBack }))
  useEffect(() => {
    if (!isDirty) return undefined
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const href = findDestination(event)
      if (href === undefined) return
      event.preventDefault()
      event.stopPropagation()
      const { pathname, search } = new URL(href)
      setDeparture({ go: () => navigate(`${pathname.slice(base.length) || '/'}${search}`) })
    }
    window.addEventListener('beforeunload', onUnload)
    window.addEventListener('click', onClick, true)
    confirmBefore = (go) => setDeparture({ go })
    return () => {
      confirmBefore = undefined
      window.removeEventListener('beforeunload', onUnload)
      window.removeEventListener('click', onClick, true)
    }
  }, [isDirty, navigate])
  return (
    <Confirm
      isOpen={departure !== undefined}
      title={frame.leaveTitle}
      action={frame.leaveAction}
      dismiss={frame.stay}
      saving={{ isSaving: false, isRunning: () => false, error: null }}
      onConfirm={() => {
        setDeparture(undefined)
        departure?.go()
      }}
      onClose={() => setDeparture(undefined)}
    >
      <Text size="sm">{frame.leave}</Text>
    </Confirm>
  )
}

// A page cannot block the back button; but a second history entry of the same page catches it.
function useBackGuard(isOn: boolean, onBack: () => void): void {
  const latestOnBack = useRef(onBack)
  useEffect(() => {
    latestOnBack.current = onBack
  })
  useEffect(() => {
    if (!isOn) return undefined
    const { href } = window.location
    const stay = () => window.history.pushState({ isGuard: true }, '', href)
    if (!isGuard(window.history.state)) stay()
    const onPop = () => {
      if (window.location.href !== href || isReplacing) return
      stay()
      latestOnBack.current()
    }
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [isOn])
}

const isGuard = (state: unknown) => state instanceof Object && 'isGuard' in state

/** The target of a plain click on one of our links; the browser itself asks about others. */
function findDestination(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank') return undefined
  if (link.origin !== window.location.origin || !link.pathname.startsWith(base)) return undefined
  return link.getAttribute('href')?.startsWith('#') ? undefined : link.href
}

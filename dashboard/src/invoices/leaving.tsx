/** Asks before typing is lost: by a link, a reload or a closed tab. */

import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useTexts } from '../i18n/texts'
import { Confirm } from '../shown/confirm'

const base = '/dashboard'

export function Leaving({ isDirty }: { isDirty: boolean }) {
  const { draft } = useTexts()
  const [, navigate] = useLocation()
  const [target, setTarget] = useState<string>()
  useEffect(() => {
    if (!isDirty) return undefined
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const href = leavesTo(event)
      if (href === undefined) return
      event.preventDefault()
      event.stopPropagation()
      setTarget(href)
    }
    window.addEventListener('beforeunload', onUnload)
    window.addEventListener('click', onClick, true)
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      window.removeEventListener('click', onClick, true)
    }
  }, [isDirty])
  return (
    <Confirm
      isOpen={target !== undefined}
      title={draft.leaveTitle}
      action={draft.leaveAction}
      dismiss={draft.stay}
      saving={{ isSaving: false, error: null }}
      onConfirm={() => {
        const { pathname, search } = new URL(target ?? '', window.location.href)
        navigate(`${pathname.slice(base.length) || '/'}${search}`)
      }}
      onClose={() => setTarget(undefined)}
    >
      <Text size="sm">{draft.leave}</Text>
    </Confirm>
  )
}

/** Where a plain click on a link of this page would lead; the browser itself asks for others. */
function leavesTo(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank') return undefined
  if (link.origin !== window.location.origin || !link.pathname.startsWith(base)) return undefined
  return link.getAttribute('href')?.startsWith('#') ? undefined : link.href
}

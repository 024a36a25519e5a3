import { Kbd, Modal, Table } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'
import { leaveSafely } from '../components/unsaved-changes'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'

export interface ShortcutsProps {
  isOpen: boolean
  onOpen(isOpen: boolean): void
}

const keys = ['/', 'n', '?'] as const

export function Shortcuts({ isOpen, onOpen }: ShortcutsProps) {
  const { frame } = useTexts()
  const { canWrite } = useRights()
  const [, navigate] = useLocation()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('[role=dialog]')) return
    if (event.key === '?') onOpen(true)
    else if (event.key === '/') focusSearch(() => navigate('/invoices'))
    else if (event.key === 'n' && canWrite) leaveSafely(() => navigate('/invoices/new'))
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <Modal opened={isOpen} onClose={() => onOpen(false)} title={frame.shortcuts}>
      <Table>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">
                <Kbd>{key}</Kbd>
              </Table.Th>
              <Table.Td>{frame.shortcutKeys[key]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}

const searchWithinMs = 3_000

/** On another page: opens the list and waits for its field. */
function focusSearch(toList: () => void): void {
  const focus = () => {
    const field = document.querySelector<HTMLElement>('main input[type=search]')
    field?.focus()
    return field !== null
  }
  if (focus()) return
  leaveSafely(() => {
    toList()
    const end = Date.now() + searchWithinMs
    const retry = () => {
      if (!focus() && Date.now() < end) requestAnimationFrame(retry)
    }
    retry()
  })
}

/** Asks before what cannot be taken back. */

import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import { Refusal } from './refusal'
import type { Saving } from './saving'

export interface ConfirmProps {
  isOpen: boolean
  title: string
  /** What will happen, and what it means. */
  children: ReactNode
  /** The deed in words: "Revoke", never "OK". */
  action: string
  /** "Cancel" unless said: where that is the deed's own name. */
  dismiss?: string
  /** Red, for what destroys, unless said. */
  color?: string
  saving: Pick<Saving<undefined>, 'isSaving' | 'error'>
  onConfirm(): void
  onClose(): void
}

export function Confirm({
  isOpen,
  title,
  children,
  action,
  dismiss,
  color = 'red',
  saving,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const texts = useTexts()
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} centered>
      <Stack>
        {children}
        <Refusal error={saving.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {dismiss ?? texts.frame.cancel}
          </Button>
          <Button color={color} loading={saving.isSaving} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

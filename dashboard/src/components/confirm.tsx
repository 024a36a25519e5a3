import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import { ErrorAlert } from './error-alert'
import type { Saving } from './saving'

export interface ConfirmProps {
  isOpen: boolean
  title: string
  children: ReactNode
  action: string
  /** "Cancel" by default; another word when the action itself is to cancel. */
  dismiss?: string
  color?: string
  saving: Pick<Saving<undefined>, 'isSaving' | 'isRunning' | 'error'>
  isBlocked?: boolean
  onConfirm(): void
  onClose(): void
}

export function Confirm({
  isOpen,
  title,
  children,
  action,
  dismiss,
  color = 'red.9',
  saving,
  isBlocked = false,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const texts = useTexts()
  const { isSaving } = saving
  // Closed meanwhile, it would show neither what was done nor why it failed.
  const close = () => {
    if (!saving.isRunning()) onClose()
  }
  return (
    <Modal opened={isOpen} onClose={close} title={title}>
      <Stack>
        {children}
        <ErrorAlert error={saving.error} />
        <Group justify="flex-end">
          <Button variant="default" disabled={isSaving} onClick={close} data-autofocus>
            {dismiss ?? texts.frame.cancel}
          </Button>
          <Button color={color} loading={isSaving} disabled={isBlocked} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

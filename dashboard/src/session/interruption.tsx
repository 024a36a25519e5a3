import { Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export interface InterruptionProps {
  title: string
  lead: string
  zIndex?: number
  children: ReactNode
}

/** Over the page, whose text stays; cannot be closed. */
export function Interruption({ title, lead, zIndex, children }: InterruptionProps) {
  return (
    <Modal
      opened
      title={title}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={() => undefined}
      {...(zIndex !== undefined && { zIndex })}
    >
      <Text size="sm" mb="sm">
        {lead}
      </Text>
      {children}
    </Modal>
  )
}

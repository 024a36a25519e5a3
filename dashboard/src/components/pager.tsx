import { ActionIcon, Group, Text } from '@mantine/core'
import type { InvoicePage } from '../api/invoices'
import { useTexts } from '../i18n/texts'
import { Icon } from './icon'

export interface PagerProps {
  page: Pick<InvoicePage, 'page' | 'totalPages' | 'first' | 'last'>
  /** Counts from 0. */
  onPage(page: number): void
}

export function Pager({ page: { page, totalPages, first, last }, onPage }: PagerProps) {
  const { frame } = useTexts()
  if (totalPages < 2 && first) return null
  const show = (shown: number) => {
    onPage(shown)
    window.scrollTo({ top: 0 })
  }
  return (
    <Group justify="flex-end" gap="xs" mt="md" role="navigation" aria-label={frame.pagination}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {frame.pageOf(page + 1, totalPages)}
      </Text>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={frame.previous}
        disabled={first}
        onClick={() => show(page - 1)}
      >
        <Icon name="chevronLeft" />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={frame.next}
        disabled={last}
        onClick={() => show(page + 1)}
      >
        <Icon name="chevronRight" />
      </ActionIcon>
    </Group>
  )
}

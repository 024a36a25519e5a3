import { Button, Skeleton, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import { Icon, type IconName } from './icon'
import { ErrorAlert } from './error-alert'
import classes from './states.module.css'

export interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  /** As high as the content, so that nothing moves. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

/** Old data stay on the page while newer data load, and when loading fails. */
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  const texts = useTexts()
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    )
  }
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />
  return (
    <div role="status" aria-label={texts.frame.loading}>
      {skeleton ?? <Lines count={6} />}
    </div>
  )
}

export function Problem({ error, retry }: { error: unknown; retry: () => void }) {
  const texts = useTexts()
  return (
    <Stack gap="sm" align="flex-start" mb="md">
      <ErrorAlert error={error} />
      <Button variant="default" leftSection={<Icon name="refresh" />} onClick={retry}>
        {texts.frame.retry}
      </Button>
    </Stack>
  )
}

export interface EmptyProps {
  icon: IconName
  title: string
  children?: ReactNode
}

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div className={classes['empty']}>
      <Icon name={icon} size={32} />
      <Text fw={600}>{title}</Text>
      {children}
    </div>
  )
}

export function Lines({ count, height = 44 }: { count: number; height?: number }) {
  return (
    <Stack gap={8}>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} radius="sm" />
      ))}
    </Stack>
  )
}

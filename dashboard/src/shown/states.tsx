/**
 * The four faces of what is asked for: loading in the shape of what comes, an error with a way on,
 * nothing yet, and what was asked.
 */

import { Button, Skeleton, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import { Icon, type IconName } from './icon'
import { Refusal } from './refusal'
import classes from './states.module.css'

export interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  /** As high as what will be there, so that nothing moves. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

/** Old data stay on the page while newer are asked for, and when asking fails. */
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
      <Refusal error={error} />
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

/** Nothing yet: what would be here, and how it comes to be. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div className={classes['empty']}>
      <Icon name={icon} size={32} />
      <Text fw={600}>{title}</Text>
      {children}
    </div>
  )
}

/** A skeleton of rows, each `height` pixels high. */
export function Lines({ count, height = 44 }: { count: number; height?: number }) {
  return (
    <Stack gap={8}>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} radius="sm" />
      ))}
    </Stack>
  )
}

import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import { Icon } from '../components/icon'
import classes from './start.module.css'

export type StepState = 'done' | 'now' | 'later'

export interface StepProps {
  number: number
  title: string
  state: StepState
  children: ReactNode
}

export function Step({ number, title, state, children }: StepProps) {
  const { start } = useTexts()
  return (
    <li
      className={classes['step']}
      data-state={state}
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <span className={classes['number']} aria-hidden="true">
        {state === 'done' ? <Icon name="check" size={18} /> : number}
      </span>
      <div className={classes['body']}>
        <Title order={2} size="h4" className={classes['title'] ?? ''}>
          {title}
          <Text span size="xs" className={classes['state'] ?? ''}>
            {start[state]}
          </Text>
        </Title>
        {children}
      </div>
    </li>
  )
}

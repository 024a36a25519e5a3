import { Text, Title } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import classes from './page.module.css'

export interface PageProps {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

// After the first page the heading takes the focus, so that a screen reader announces the new page.
let isFirst = true

export function Page({ title, lead, actions, children }: PageProps) {
  const texts = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = texts.frame.titled(title)
  }, [texts, title])
  useEffect(() => {
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  return (
    <>
      <header className={classes['head']}>
        <div>
          <Title order={1} size="h2" ref={heading} tabIndex={-1} className={classes['title']}>
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" mt={4}>
              {lead}
            </Text>
          )}
        </div>
        {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
      </header>
      {children}
    </>
  )
}

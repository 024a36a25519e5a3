/** What every page is made in: its title in the tab and as heading, which takes the focus. */

import { Text, Title } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import classes from './page.module.css'

export interface PageProps {
  title: string
  /** One sentence under the title. */
  lead?: ReactNode
  /** Buttons at the right of the title. */
  actions?: ReactNode
  children: ReactNode
}

// The first page loaded leaves the focus where the browser puts it; from then on the heading takes
// it, so that a screen reader tells where one has come to.
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

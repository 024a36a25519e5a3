import { Text } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { LanguageSwitch } from '../frame/language-switch'
import { SchemeMenu } from '../frame/scheme-menu'
import { useTexts } from '../i18n/texts'
import icon from '../icon.svg'
import { Page } from '../components/page'
import classes from './signed-out-frame.module.css'

export interface SignedOutFrameProps {
  title: string
  lead?: ReactNode
  children?: ReactNode
  foot?: ReactNode
  aside?: ReactNode
}

export function SignedOutFrame({ title, lead, children, foot, aside }: SignedOutFrameProps) {
  const { frame } = useTexts()
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  return (
    <div className={classes['page']}>
      <header className={classes['head']}>
        <span className={classes['brand']}>
          <img src={icon} alt="" width={28} height={28} />
          <Text component="span" fw={650}>
            {frame.product}
          </Text>
        </span>
        <span className={classes['switches']}>
          <LanguageSwitch />
          <SchemeMenu />
        </span>
      </header>
      <main className={classes['main']} data-aside={aside !== undefined || undefined}>
        <div>
          <div className={`panel ${classes['panel'] ?? ''}`}>
            <Page title={title} lead={lead}>
              {children}
            </Page>
          </div>
          {foot !== undefined && (
            <Text size="sm" ta="center" mt="md">
              {foot}
            </Text>
          )}
        </div>
        {aside}
      </main>
    </div>
  )
}

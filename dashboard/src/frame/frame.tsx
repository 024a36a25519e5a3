import { Burger, Drawer, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../i18n/texts'
import icon from '../icon.svg'
import { ApprovalNote } from '../organization/approval-note'
import { AccountMenu } from './account-menu'
import classes from './frame.module.css'
import { LanguageSwitch } from './language-switch'
import { LiveIndicator } from './live-indicator'
import { Navigation } from './navigation'
import { OrganizationSwitch } from './organization-switch'
import { SchemeMenu } from './scheme-menu'
import { Shortcuts } from './shortcuts'
import { TestBadge } from './test-badge'

export function Frame({ children }: { children: ReactNode }) {
  const { frame } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  const [showsShortcuts, setShowsShortcuts] = useState(false)
  return (
    <div className={classes['frame']}>
      <a href="#content" className={classes['skip']}>
        {frame.skip}
      </a>
      <header className={classes['top']}>
        <Burger
          className={classes['burger'] ?? ''}
          opened={isOpen}
          onClick={() => setIsOpen(true)}
          aria-label={frame.menu}
          aria-expanded={isOpen}
          size="sm"
        />
        <Link href="/" className={classes['brand'] ?? ''} aria-label={frame.product}>
          <img src={icon} alt="" width={28} height={28} />
          <Text component="span" fw={650} className={classes['product'] ?? ''}>
            {frame.product}
          </Text>
        </Link>
        <TestBadge />
        <OrganizationSwitch />
        <div className={classes['switches']}>
          <LiveIndicator />
          <LanguageSwitch />
          <SchemeMenu />
          <AccountMenu onShortcuts={() => setShowsShortcuts(true)} />
        </div>
      </header>
      <aside className={classes['side']}>
        <Navigation />
      </aside>
      <Drawer opened={isOpen} onClose={() => setIsOpen(false)} title={frame.menu} size={280}>
        <Navigation onLeave={() => setIsOpen(false)} />
      </Drawer>
      <Shortcuts isOpen={showsShortcuts} onOpen={setShowsShortcuts} />
      <main id="content" tabIndex={-1} className={classes['content']}>
        <ApprovalNote />
        {children}
      </main>
    </div>
  )
}

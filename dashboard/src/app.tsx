import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './theme.css'
import './global.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { Router } from 'wouter'
import { createQueryClient } from './api/query-client'
import { ErrorBoundary } from './frame/error-boundary'
import { OfflineBanner } from './frame/offline-banner'
import { Pages } from './frame/pages'
import { TextsProvider, useTexts } from './i18n/texts'
import { Confirmation } from './session/confirmation'
import { SessionProvider } from './session/session'
import { createPageTheme } from './theme'

export function App() {
  const [queries] = useState(createQueryClient)
  return (
    <TextsProvider>
      <Themed>
        <QueryClientProvider client={queries}>
          <Router base="/dashboard">
            <OfflineBanner />
            <ErrorBoundary>
              <SessionProvider>
                <Pages />
                <Confirmation />
              </SessionProvider>
            </ErrorBoundary>
            <Notifications position="top-right" autoClose={4_000} className="toasts" />
          </Router>
        </QueryClientProvider>
      </Themed>
    </TextsProvider>
  )
}

function Themed({ children }: { children: ReactNode }) {
  const { frame } = useTexts()
  const theme = useMemo(() => createPageTheme(frame.close), [frame.close])
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}

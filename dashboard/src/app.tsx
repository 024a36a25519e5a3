import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './theme.css'
import './global.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Router } from 'wouter'
import { createQueryClient } from './api/query-client'
import { ErrorBoundary } from './frame/error-boundary'
import { OfflineBanner } from './frame/offline-banner'
import { Pages } from './frame/pages'
import { TextsProvider } from './i18n/texts'
import { SessionProvider } from './session/session'
import { theme } from './theme'

export function App() {
  const [queries] = useState(createQueryClient)
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <TextsProvider>
        <QueryClientProvider client={queries}>
          <Router base="/dashboard">
            <OfflineBanner />
            <ErrorBoundary>
              <SessionProvider>
                <Pages />
              </SessionProvider>
            </ErrorBoundary>
            <Notifications position="bottom-right" autoClose={4_000} />
          </Router>
        </QueryClientProvider>
      </TextsProvider>
    </MantineProvider>
  )
}

/**
 * Which page is shown at which address. Pages are loaded when they are first gone to; what somebody
 * not signed in may see is here from the start.
 */

import { lazy, Suspense, type ComponentType } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { useTexts } from '../i18n/texts'
import { LiveProvider } from '../live/invoice-events'
import { Door } from '../session/door'
import { Invitation } from '../session/invitation'
import { ResetPassword } from '../session/reset-password'
import { useSitting } from '../session/session'
import { SignIn } from '../session/sign-in'
import { SignUp } from '../session/sign-up'
import { Lines, Problem } from '../shown/states'
import { ErrorBoundary } from './error-boundary'
import { Frame } from './frame'
import { Home } from './home'
import { NothingHere } from './nothing-here'

const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }))

const pages: readonly [path: string, Page: ComponentType][] = [
  ['/start', page(() => import('../start/start'), 'Start')],
  ['/overview', page(() => import('../overview/overview'), 'Overview')],
  ['/invoices', page(() => import('../invoices/list'), 'InvoiceList')],
  ['/invoices/new', page(() => import('../invoices/editor'), 'NewDraft')],
  ['/invoices/:id/edit', page(() => import('../invoices/editor'), 'EditDraft')],
  ['/invoices/:id', page(() => import('../invoices/detail'), 'InvoiceDetail')],
  ['/keys', page(() => import('../keys/keys'), 'Keys')],
  ['/audit', page(() => import('../audit/audit'), 'Audit')],
  ['/members', page(() => import('../members/members'), 'Members')],
  ['/organization', page(() => import('../organization/organization'), 'Organization')],
  ['/account', page(() => import('../account/account'), 'Account')],
]

export function Pages() {
  const { frame } = useTexts()
  const { session, error, askAgain } = useSitting()
  if (session === undefined) {
    if (!error) return null
    return (
      <Door title={frame.product}>
        <Problem error={error} retry={askAgain} />
      </Door>
    )
  }
  return (
    <Switch>
      <Route path="/invitation" component={Invitation} />
      <Route path="/reset" component={ResetPassword} />
      {session === null ? <Outside /> : <Inside />}
    </Switch>
  )
}

function Outside() {
  return (
    <Switch>
      <Route path="/sign-up" component={SignUp} />
      <Route component={SignIn} />
    </Switch>
  )
}

function Inside() {
  const [location] = useLocation()
  return (
    <LiveProvider>
      <Frame>
        <ErrorBoundary key={location}>
          <Suspense fallback={<Lines count={8} />}>
            <Switch>
              <Route path="/" component={Home} />
              <Route path="/sign-in">
                <Redirect to="/" replace />
              </Route>
              <Route path="/sign-up">
                <Redirect to="/" replace />
              </Route>
              {pages.map(([path, Page]) => (
                <Route key={path} path={path} component={Page} />
              ))}
              <Route component={NothingHere} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </Frame>
    </LiveProvider>
  )
}

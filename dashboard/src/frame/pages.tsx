/** Pages are loaded on first use, except those for signed-out users. */

import { lazy, Suspense, useState, type ComponentType } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { useTexts } from '../i18n/texts'
import { LiveProvider } from '../live/invoice-events'
import { SignedOutFrame } from '../session/signed-out-frame'
import { ForgottenPassword } from '../session/forgotten-password'
import { Invitation } from '../session/invitation'
import { ResetPassword } from '../session/reset-password'
import { useSessionState } from '../session/session'
import { SignIn } from '../session/sign-in'
import { SignUp } from '../session/sign-up'
import { Unverified } from '../session/unverified'
import { VerifyEmail } from '../session/verify-email'
import { Lines, Problem } from '../components/states'
import { ErrorBoundary } from './error-boundary'
import { Frame } from './frame'
import { Home } from './home'
import { NotFound } from './not-found'

const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }))

const Enrol = page(() => import('../session/enrol'), 'Enrol')
const EnrolDialog = page(() => import('../session/enrol'), 'EnrolDialog')

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
  const { session, error, retry } = useSessionState()
  if (session === undefined) {
    if (!error) return null
    return (
      <SignedOutFrame title={frame.product}>
        <Problem error={error} retry={retry} />
      </SignedOutFrame>
    )
  }
  return (
    <Switch>
      <Route path="/invitation" component={Invitation} />
      <Route path="/reset" component={ResetPassword} />
      <Route path="/verify" component={VerifyEmail} />
      {session === null ? (
        <SignedOutPages />
      ) : session.emailUnverified ? (
        <Unverified />
      ) : (
        <MemberPages
          key={`${session.organizationId} ${session.userId}`}
          isFactorMissing={session.secondFactorMissing}
        />
      )}
    </Switch>
  )
}

function SignedOutPages() {
  return (
    <Switch>
      <Route path="/sign-up" component={SignUp} />
      <Route path="/forgotten" component={ForgottenPassword} />
      <Route component={SignIn} />
    </Switch>
  )
}

/** Pages that were shown stay, with what is typed in them. */
function MemberPages({ isFactorMissing }: { isFactorMissing: boolean }) {
  const [isShown, setIsShown] = useState(!isFactorMissing)
  if (!isFactorMissing && !isShown) setIsShown(true)
  return (
    <>
      {isShown && <SignedInPages />}
      {isFactorMissing && (
        <Suspense fallback={isShown ? null : <Lines count={8} />}>
          {isShown ? <EnrolDialog /> : <Enrol />}
        </Suspense>
      )}
    </>
  )
}

function SignedInPages() {
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
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </Frame>
    </LiveProvider>
  )
}

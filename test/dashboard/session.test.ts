/** Coming in, staying, being interrupted, leaving: whatever happens, nothing typed is lost. */

import { openSqlite } from '@einvoicing/stores/sqlite'
import { migrations } from '@einvoicing/organizations/store/sqlite/schema'
import { Session, signUp } from '../stack/organization'
import type { Standalone } from '../stack/standalone'
import path from 'node:path'
import type { Route } from 'playwright-core'
import { newOrganization, onDashboard, toCookie, violations, waitInPage } from './visit'

const failing = async (route: Route) => {
  if (route.request().method() === 'GET') return route.continue()
  const json = { code: 'SERVICE_UNAVAILABLE', message: 'unavailable', data: null, errors: null }
  return route.fulfill({ status: 503, json })
}

const withSession = (changes: object) => async (route: Route) => {
  if (route.request().method() !== 'GET') return failing(route)
  const answer = await route.fetch()
  const { data, ...envelope } = await answer.json()
  return route.fulfill({ json: { ...envelope, data: { ...data, ...changes } } })
}

onDashboard('sessions', ({ stack, visit }) => {
  /** Ten minutes pass for the sessions of its organization. */
  const confirmedLongAgo = async ({ organizationId }: Session) => {
    const { dataDir } = stack() as Standalone
    const database = openSqlite(path.join(dataDir, 'organizations.db'), migrations)
    const long = new Date(Date.now() - 11 * 60_000).toISOString()
    const age = database.prepare('UPDATE session SET confirmed_at = ? WHERE organization_id = ?')
    age.run([long, organizationId])
    database.close()
  }

  test('a deep link is reached after signing in, and a wrong password says so in French', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ path: '/keys', locale: 'fr-FR' })
    await page.getByRole('heading', { name: 'Connexion' }).waitFor()
    await page.getByLabel('Adresse e-mail').fill(session.email)
    await page.getByLabel('Mot de passe', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await page.getByText('Adresse e-mail ou mot de passe incorrect.').waitFor()
    await page.getByLabel('Mot de passe', { exact: true }).fill(session.password)
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await page.getByRole('heading', { name: 'Clés d’API' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/keys')
  })

  test('a session that ends during a form loses no typed text', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/organization' })
    const city = page.getByLabel('City', { exact: true })
    await city.fill('Tanger')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.getByLabel('Password', { exact: true }).fill('wrong, wrong')
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.getByRole('alert').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByLabel('Password', { exact: true }).fill(session.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('These details will appear on your next invoices.').waitFor()
    expect(await city.inputValue()).toBe('Tanger')
    expect((await session.call('GET', '/organization')).data.city).toBe('Tanger')
  })

  test('a form asks for a confirmation when the last one is too old', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/organization', locale: 'fr-FR' })
    const rib = page.getByLabel('RIB', { exact: true })
    await rib.fill('011780000012345678909999')
    await confirmedLongAgo(session)
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirmez votre identité' })
    await dialog.getByLabel('Mot de passe', { exact: true }).fill('wrong, wrong')
    await page.keyboard.press('Enter')
    await dialog.getByText('Le mot de passe actuel est incorrect.').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Annuler' }).click()
    await page.getByText('confirmez d’abord votre identité').waitFor()
    expect(await rib.inputValue()).toBe('011780000012345678909999')
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await dialog.getByLabel('Mot de passe', { exact: true }).fill(session.password)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Ces mentions figureront').waitFor()
    // A copy of the cookie from before is not confirmed with it.
    expect((await session.call('GET', '/session')).code).toBe('SESSION_INVALID')
    const { name, value } = (await page.context().cookies())[0] ?? {}
    session.cookie = `${name}=${value}`
    expect((await session.call('GET', '/organization')).data.rib).toBe('011780000012345678909999')
  })

  test('a call that still sent the cookie from before a confirmation is sent again', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/organization' })
    await page.getByLabel('City', { exact: true }).fill('Agadir')
    const { cookie } = session
    const body = { password: session.password }
    const confirmMeanwhile = async (route: Route) => {
      const headers = { ...route.request().headers(), cookie }
      // As in another page of this browser, while this call is under way.
      session.storeCookie(await session.call('POST', '/session/confirm', { body }))
      await page.context().addCookies([toCookie(session)])
      const response = await route.fetch({ headers })
      expect(response.status()).toBe(401)
      await route.fulfill({ response })
    }
    await page.route('**/dashboard/api/organization', confirmMeanwhile, { times: 1 })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('These details will appear on your next invoices.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect((await session.call('GET', '/organization')).data.city).toBe('Agadir')
  })

  test('a stolen session is visible and can be ended from another device', async () => {
    const { session } = await newOrganization(stack())
    const { email, password } = session
    const thief = new Session(stack().baseUrl, email, password)
    const headers = { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/140.0' }
    thief.storeCookie(await thief.call('POST', '/session', { body: { email, password }, headers }))
    const page = await visit({ session, path: '/account', screen: 'phone' })
    await page.getByText('This session').waitFor()
    await page.getByRole('button', { name: 'Sign out: Firefox, Windows' }).click()
    await page.getByText('Firefox, Windows').waitFor({ state: 'hidden' })
    expect((await thief.call('GET', '/session')).code).toBe('SESSION_INVALID')
    expect((await session.call('GET', '/session')).code).toBe('OK')
  })

  test('a link of the operator sets a new password once', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ path: '/reset#token=nonsense', locale: 'fr-FR' })
    await page.getByRole('heading', { name: 'Choisir un nouveau mot de passe' }).waitFor()
    await page.getByLabel('Nouveau mot de passe').fill('un nouveau mot de passe')
    await page.getByRole('button', { name: 'Enregistrer le mot de passe' }).click()
    await page.getByText('Ce lien n’est plus valable').waitFor()
    expect((await session.call('GET', '/session')).code).toBe('OK')
  })

  test('legal details saved by another user are shown, and no typed text is lost', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/organization' })
    const phone = page.getByLabel('Phone', { exact: true })
    await phone.fill('+212 600 00 00 09')
    expect((await session.call('PUT', '/organization', { body: { city: 'Fès' } })).code).toBe('OK')
    await page.getByRole('button', { name: 'Save' }).click()
    const alert = page
      .getByRole('alert')
      .filter({ hasText: 'Another user has changed these details' })
    await alert.getByText('City: Fès').waitFor()
    expect(await violations(page)).toEqual([])
    expect(await phone.inputValue()).toBe('+212 600 00 00 09')
    expect(await page.getByLabel('City', { exact: true }).inputValue()).toBe('Fès')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('These details will appear on your next invoices.').waitFor()
    const { data } = await session.call('GET', '/organization')
    expect(data).toMatchObject({ city: 'Fès', phone: '+212 600 00 00 09' })
  })

  test('an error after legal details that another user changed is shown', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/organization' })
    await page.getByLabel('Phone', { exact: true }).fill('+212 600 00 00 09')
    await session.call('PUT', '/organization', { body: { city: 'Fès' } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('City: Fès').waitFor()
    await page.route('**/dashboard/api/organization', failing)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The service is temporarily unavailable.').waitFor()
  })

  test('the language is the browser’s, can be changed, and is kept', async () => {
    const page = await visit({ path: '/sign-in', locale: 'fr-FR' })
    await page.getByRole('heading', { name: 'Connexion' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('fr')
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.locator('html[lang=en]').waitFor()
    await waitInPage(page, 'document.title === "Sign in · Electronic invoicing"')
  })

  test('dark is the system’s, can be changed, and is there before anything is painted', async () => {
    const page = await visit({ path: '/sign-in', dark: true })
    const html = page.locator('html')
    expect(await html.getAttribute('data-mantine-color-scheme')).toBe('dark')
    await page.getByRole('button', { name: 'Appearance' }).click()
    await page.getByRole('menuitemradio', { name: 'Light' }).click()
    expect(await html.getAttribute('data-mantine-color-scheme')).toBe('light')
    await page.reload({ waitUntil: 'commit' })
    await waitInPage(page, 'document.documentElement.dataset.mantineColorScheme === "light"')
  })

  test('by keyboard: the first stop skips to the content, and a new page has the focus', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/keys' })
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.getByRole('link', { name: 'Audit log' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('h1:focus', { hasText: 'Audit log' }).waitFor()
    await waitInPage(page, 'document.title === "Audit log · Electronic invoicing"')
  })

  test('signing out that fails says so until it is closed', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({
      session,
      path: '/keys',
      before: (opened) => opened.clock.install(),
    })
    await page.route('**/dashboard/api/session', failing)
    await page.getByRole('button', { name: `Account of ${session.email}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'temporarily unavailable' })
    await alert.waitFor()
    await page.clock.runFor(60_000)
    expect(await alert.count()).toBe(1)
    await page.unrouteAll()
    await page.getByRole('button', { name: `Account of ${session.email}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('signing out of an expired session that fails says so in its dialog, and not in the next', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/keys' })
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
    await page.context().clearCookies()
    await page.route('**/dashboard/api/session', failing)
    await page.getByRole('link', { name: 'Members' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.getByRole('button', { name: 'Use another account' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'temporarily unavailable' }).waitFor()
    await page.unrouteAll()
    await dialog.getByLabel('Password', { exact: true }).fill(session.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await dialog.waitFor()
    expect(await dialog.getByRole('alert').count()).toBe(0)
  })

  test('of a user without a verified address, the error of the last action is shown', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({
      session,
      before: async (opened) => {
        await opened.route('**/dashboard/api/session', withSession({ emailUnverified: true }))
        await opened.route('**/dashboard/api/email/resend', async (route) => {
          const envelope = { code: 'TOO_MANY_ATTEMPTS', message: 'wait', data: null, errors: null }
          await route.fulfill({ status: 429, json: envelope })
        })
      },
    })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('alert').filter({ hasText: 'temporarily unavailable' }).waitFor()
    await page.getByRole('button', { name: 'Send the link again' }).click()
    await page.getByRole('alert').filter({ hasText: 'Too many attempts.' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    await page.getByRole('button', { name: 'I have opened the link' }).click()
    await page.getByText('The address is not verified yet.').waitFor()
    expect(await page.getByText('Too many attempts.').count()).toBe(0)
  })

  test.each(['secondFactorMissing', 'emailUnverified'])(
    'signing out that fails says so before anything else is done (%s)',
    async (name) => {
      const { session } = await newOrganization(stack())
      const page = await visit({
        session,
        before: (opened) => opened.route('**/dashboard/api/session', withSession({ [name]: true })),
      })
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('alert').filter({ hasText: 'temporarily unavailable' }).waitFor()
      expect(await violations(page)).toEqual([])
    },
  )

  test('signing out leaves nothing to read', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/keys' })
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
    await page.getByRole('button', { name: `Account of ${session.email}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect((await page.context().cookies()).filter(({ name }) => name === 'session')).toEqual([])
  })

  test('a used address is an error; a double click signs up once', async () => {
    const taken = await signUp(stack())
    const page = await visit({ path: '/sign-up' })
    await page.getByLabel('Organization name').fill('Atlas')
    await page.getByLabel('Email address').fill(taken.email)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('alert').waitFor()
    let requests = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/signup')) requests += 1
    })
    await page.getByLabel('Email address').fill(`other-${taken.email}`)
    await page.getByRole('button', { name: 'Create account' }).dblclick()
    await page.getByRole('heading', { name: 'Start' }).waitFor()
    expect(requests).toBe(1)
  })
})

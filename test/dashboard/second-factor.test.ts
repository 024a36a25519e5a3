import type { CDPSession, Page } from 'playwright-core'
import type { Session } from '../stack/organization'
import { totpCode } from '@einvoicing/servers/authenticators/totp'
import { cutWords, newOrganization, onDashboard, violations, widthOver } from './visit'

onDashboard('second factors', ({ stack, visit }) => {
  const halfMinute = 30_000

  /** Of Chromium's own: it verifies its user and never asks. */
  type Credential = Parameters<CDPSession['send']>[1] & object
  let credential: Credential | undefined
  /** Chromium forgets a virtual one with the document: what it holds is carried over. */
  const addAuthenticator = async (page: Page) => {
    const devtools = await page.context().newCDPSession(page)
    const keep = (event: { credential: Credential }) => (credential = event.credential)
    devtools.on('WebAuthn.credentialAdded', keep)
    devtools.on('WebAuthn.credentialAsserted', keep)
    // Of an earlier document, where one is left.
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.disable')
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    if (!credential) return
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential } as never)
  }
  const signOutKeepingPasskeys = async (page: Page, { email }: Session) => {
    await page.getByRole('button', { name: `Account of ${email}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
    await addAuthenticator(page)
  }
  const setUpTotp = async (session: Session) => {
    const { secret } = (await session.call('POST', '/totp')).data
    const body = { code: totpCode(secret, Date.now() - halfMinute) }
    const { data } = await session.call('PUT', '/totp', { body })
    return { secret: secret as string, recoveryCodes: data.recoveryCodes as string[] }
  }
  const typeCredentials = async (page: Page, { email, password }: Session) => {
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
  }
  const readable = async (page: Page) => {
    expect(await violations(page)).toEqual([])
    expect(await widthOver(page)).toBeLessThanOrEqual(0)
    expect(await cutWords(page)).toEqual([])
  }

  test('an authenticator app is set up by keyboard, and signs in, on a phone', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/account', screen: 'phone' })
    await page.getByRole('button', { name: 'Set up the app' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Set up the app' })
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    const shown = await dialog.getByRole('region', { name: 'Secret key' }).innerText()
    const secret = shown.replace(/\s/g, '')
    await readable(page)
    await dialog.getByLabel('Six-digit code').fill('12345')
    await page.keyboard.press('Enter')
    await dialog.getByText('is not the code that the app shows now').waitFor()
    await dialog.getByLabel('Six-digit code').fill(totpCode(secret, Date.now() - halfMinute))
    await page.keyboard.press('Enter')
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    await codes.getByRole('listitem').nth(9).waitFor()
    await readable(page)
    const [first = ''] = await codes.getByRole('listitem').allInnerTexts()
    await codes.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('You have 10 codes left').waitFor()

    const other = await visit({ path: '/account', screen: 'phone' })
    await typeCredentials(other, session)
    await other.getByRole('heading', { name: 'Second factor' }).waitFor()
    await readable(other)
    await other.getByLabel('Six-digit code').fill('000000')
    await other.keyboard.press('Enter')
    await other.getByText('Incorrect, or already used.').waitFor()
    await other.getByLabel('Six-digit code').fill(totpCode(secret))
    await other.keyboard.press('Enter')
    await other.getByRole('heading', { name: 'My account' }).waitFor()

    const lost = await visit({ path: '/account', locale: 'fr-FR' })
    await lost.getByLabel('Adresse e-mail').fill(session.email)
    await lost.getByLabel('Mot de passe', { exact: true }).fill(session.password)
    await lost.getByRole('button', { name: 'Se connecter' }).click()
    await lost.getByRole('button', { name: 'Utiliser un code de secours' }).click()
    await lost.getByLabel('Code de secours').fill(first)
    await lost.keyboard.press('Enter')
    await lost.getByText('Il vous reste 9 codes').waitFor()
    await readable(lost)
  })

  test('a passkey is added, signs in without a password, is renamed and removed', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({
      session,
      path: '/account',
      host: 'localhost',
      before: addAuthenticator,
    })
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()
    await readable(page)
    await signOutKeepingPasskeys(page, session)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('button', { name: `Account of ${session.email}` }).waitFor()

    await signOutKeepingPasskeys(page, session)
    await typeCredentials(page, session)
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    await readable(page)
    await addAuthenticator(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('button', { name: `Account of ${session.email}` }).click()
    await page.getByRole('menuitem', { name: 'My account' }).click()
    await page.getByRole('button', { name: 'Rename: Laptop' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove: Old laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('cell', { name: 'Old laptop', exact: true }).waitFor({ state: 'hidden' })
    const { origin } = new URL(page.url())
    const read = await page.request.get(`${origin}/dashboard/api/second-factor`)
    const { data } = (await read.json()) as { data: object }
    expect(data).toMatchObject({
      passkeys: [],
      recoveryCodesLeft: 0,
    })
  })

  test('an expired session continues after password and code, and loses no typed text', async () => {
    const { session } = await newOrganization(stack())
    const { secret } = await setUpTotp(session)
    const page = await visit({ session, path: '/organization' })
    const city = page.getByLabel('City', { exact: true })
    await city.fill('Agadir')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.getByLabel('Password', { exact: true }).fill(session.password)
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Six-digit code').fill(totpCode(secret))
    await readable(page)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('These details will appear on your next invoices.').waitFor()
    expect(await city.inputValue()).toBe('Agadir')
  })

  test('an owner requires it: a signed-in member is led to set it up', async () => {
    const { session } = await newOrganization(stack())
    const member = await session.welcome('MEMBER')
    const owners = await visit({ session, path: '/members' })
    const page = await visit({
      session: member,
      path: '/invoices',
      locale: 'fr-FR',
      screen: 'phone',
    })
    await page.getByRole('heading', { name: 'Factures' }).waitFor()
    await setUpTotp(session)
    await owners.getByRole('switch', { name: 'Require a second factor for all members' }).click()
    await owners.getByRole('switch', { checked: true }).waitFor()
    await readable(owners)
    await page.goto(page.url())
    await page.getByRole('heading', { name: 'Configurez un second facteur' }).waitFor()
    await page.getByRole('button', { name: 'Configurer l’application' }).click()
    const shown = await page.getByRole('region', { name: 'Clé secrète' }).innerText()
    await readable(page)
    await page.getByLabel('Code à six chiffres').fill(totpCode(shown.replace(/\s/g, '')))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Je les ai notés' }).click()
    await page.getByRole('heading', { name: 'Factures' }).waitFor()
  })

  test('required while a member types: it is set up in a dialog, and nothing typed is lost', async () => {
    const { session } = await newOrganization(stack())
    const member = await session.welcome('MEMBER')
    const page = await visit({ session: member, path: '/invoices/new', screen: 'phone' })
    const field = (path: string) => page.locator(`[data-path="${path}"]`)
    await field('invoiceNumber').fill('E-1')
    await field('lines.0.description').fill('Conseil')
    await field('lines.0.unitPrice').fill('1')
    await setUpTotp(session)
    const rule = { body: { required: true } }
    expect((await session.call('PUT', '/organization/second-factor', rule)).code).toBe('OK')
    await page.getByRole('button', { name: 'Save draft' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up a second factor' })
    await dialog.getByRole('button', { name: 'Set up the app' }).click()
    const shown = await page.getByRole('region', { name: 'Secret key' }).innerText()
    await readable(page)
    await page.getByLabel('Six-digit code').fill(totpCode(shown.replace(/\s/g, '')))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByRole('heading', { name: 'Invoice E-1' }).waitFor()
    expect(await dialog.count()).toBe(0)
  })

  test('the passkey of another member starts again, and sends nothing of the expired session', async () => {
    const { session } = await newOrganization(stack())
    const other = await session.welcome('OWNER')
    credential = undefined
    const others = await visit({
      session: other,
      path: '/account',
      host: 'localhost',
      before: addAuthenticator,
    })
    await others.getByRole('button', { name: 'Add a passkey' }).click()
    await others.getByRole('dialog').getByLabel('Name').fill('Laptop')
    await others.keyboard.press('Enter')
    await others.getByRole('button', { name: 'I have stored them' }).click()
    await others.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()

    const page = await visit({ session, path: '/organization', host: 'localhost' })
    await page.getByLabel('City', { exact: true }).fill('Agadir')
    await addAuthenticator(page)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('button', { name: `Account of ${other.email}` }).waitFor()
    expect(new URL(page.url()).pathname).not.toBe('/dashboard/organization')
    expect(await page.getByLabel('City', { exact: true }).count()).toBe(0)
    expect((await session.call('GET', '/organization')).data.city).not.toBe('Agadir')
  })

  test('while it is typed, a new password is reported as easy to guess', async () => {
    const page = await visit({ path: '/sign-up' })
    await page.getByLabel('Organization name').fill('Atlas Conseil')
    await page.getByLabel('Email address').fill('nadia@example.com')
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('password1234')
    await page.getByText('Too easy to guess: try several words.').waitFor()
    await password.fill('Atlas Conseil 1')
    await page
      .getByText('Too easy to guess: it repeats your email address or organization.')
      .waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('it repeats your own email or organization').waitFor()
    await password.fill('trois cigognes à midi')
    await page.getByText('Hard to guess.').waitFor()
    expect(await violations(page)).toEqual([])
  })
})

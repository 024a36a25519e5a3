/** An address that is verified by a link, where mail is sent by SMTP. */

import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { hasChromium, launchChromium } from '../stack/chromium'
import { eventually } from '../stack/eventually'
import { startStandalone, type Standalone } from '../stack/standalone'
import { screens, violations } from './visit'

const password = 'four walls of adobe'

/** To who has not verified their email. */
const closed = [
  ['GET', '/organization'],
  ['PUT', '/organization'],
  ['GET', '/invoices'],
  ['POST', '/invoices'],
  ['POST', '/api-keys'],
  ['POST', '/members'],
  ['PUT', '/password'],
  ['POST', '/totp'],
  ['GET', '/audit'],
] as const

;(hasChromium ? describe : describe.skip)('the address of a new account', () => {
  let server: SMTPServer
  const messages: string[] = []
  let stack: Standalone
  let browser: Browser
  beforeAll(async () => {
    server = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      onData(stream, _session, callback) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          messages.push(Buffer.concat(chunks).toString())
          callback()
        })
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as AddressInfo
    const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'invoices@example.com' }
    stack = await startStandalone({ env })
    browser = await launchChromium()
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await stack.dispose()
    await new Promise<void>((resolve) => server.close(resolve))
  }, 60_000)

  const open = async (context: BrowserContext, url: string): Promise<Page> => {
    const page = await context.newPage()
    page.setDefaultTimeout(45_000)
    await page.goto(url)
    return page
  }
  const readLink = (email: string, nth: number) =>
    eventually(async () => {
      const mail = messages.filter((one) => one.includes(`To: ${email}`))[nth] ?? ''
      // Quoted-printable: RFC 2045, section 6.7.
      const text = mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
      const [, token] = /verify#token=([\w-]{43})/.exec(text) ?? []
      if (token === undefined) throw new Error(`no link for ${email}`)
      return `${stack.baseUrl}/dashboard/verify#token=${token}`
    })
  const expectReadable = async (page: Page) => {
    expect(await violations(page)).toEqual([])
    const tooWide = 'document.documentElement.scrollWidth > window.innerWidth'
    expect(await page.evaluate(tooWide)).toBe(false)
  }

  test.each([
    ['fr-FR', 'desk'],
    ['en-US', 'phone'],
  ] as const)(
    'is verified from sign-up on, in this browser and in another (%s, %s)',
    async (locale, screen) => {
      const isFrench = locale === 'fr-FR'
      const say = (fr: string, en: string) => (isFrench ? fr : en)
      const email = `${screen}@example.com`
      const context = await browser.newContext({ ...screens[screen], locale })
      const asked: string[] = []
      context.on('request', (request) => {
        asked.push(`${request.url()} ${JSON.stringify(request.headers())}`)
      })
      const page = await open(context, `${stack.baseUrl}/dashboard/sign-up`)
      const labels = [
        say('Adresse e-mail', 'Email address'),
        say('Mot de passe', 'Password'),
      ] as const
      await page.getByLabel(say('Nom de l’organisation', 'Organization name')).fill('Atelier Nord')
      await page.getByLabel(labels[0]).fill(email)
      await page.getByLabel(labels[1], { exact: true }).fill(password)
      await page.keyboard.press('Enter')
      const title = say('Confirmez votre adresse e-mail', 'Verify your email address')
      await page.getByRole('heading', { name: title }).waitFor()
      await page
        .getByRole('button', { name: say('J’ai ouvert le lien', 'I have opened the link') })
        .click()
      await page.getByText(say('n’est pas encore confirmée', 'is not verified yet')).waitFor()
      await expectReadable(page)
      const call = async (method: string, path: string) => {
        const url = `${stack.baseUrl}/dashboard/api${path}`
        const headers = { 'X-Requested-With': 'dashboard' }
        const body = method === 'GET' ? {} : { data: {} }
        const answer = await page.request.fetch(url, { method, headers, ...body })
        return ((await answer.json()) as { code: string }).code
      }
      for (const [method, path] of closed) {
        expect([path, await call(method, path)]).toEqual([path, 'EMAIL_NOT_VERIFIED'])
      }
      for (const path of ['/session', '/sessions']) expect(await call('GET', path)).toBe('OK')
      const first = await readLink(email, 0)
      await page
        .getByRole('button', { name: say('Renvoyer le lien', 'Send the link again') })
        .click()
      await page
        .getByText(say('un nouveau lien est en route', 'a new link is on its way'))
        .waitFor()
      const second = await readLink(email, 1)
      // A deep link shows the same page.
      await page.goto(`${stack.baseUrl}/dashboard/invoices`)
      await page.getByRole('heading', { name: title }).waitFor()

      const other = await browser.newContext({ ...screens[screen], locale })
      const stranger = await open(other, first)
      const confirm = say('Confirmer cette adresse', 'Verify this address')
      await stranger.getByRole('button', { name: confirm }).click()
      const typed = stranger.getByLabel(
        say('Mot de passe de ce compte', 'Password of this account'),
      )
      await typed.fill('not the password')
      await stranger.keyboard.press('Enter')
      await stranger
        .getByText(say('pas le mot de passe de ce compte', 'not the password of this account'))
        .waitFor()
      await expectReadable(stranger)
      await other.close()

      const opened = await open(context, second)
      await opened.getByRole('button', { name: confirm }).click()
      await opened
        .getByRole('heading', { name: say('Adresse confirmée', 'Address verified') })
        .waitFor()
      await expectReadable(opened)
      await opened.getByRole('link', { name: say('Continuer', 'Continue') }).click()
      await opened.waitForURL(/\/dashboard\/(start|overview)$/)
      const again = await open(context, first)
      await again.getByRole('button', { name: confirm }).click()
      await again.getByRole('alert').waitFor()
      // The page that waited goes on too.
      await page
        .getByRole('button', { name: say('J’ai ouvert le lien', 'I have opened the link') })
        .click()
      await page.getByRole('heading', { name: title }).waitFor({ state: 'hidden' })

      const token = second.split('=')[1] ?? ''
      expect(asked.filter((one) => one.includes(token))).toEqual([])
      expect(stack.output()).not.toContain(token)
      await context.close()
    },
    180_000,
  )
})

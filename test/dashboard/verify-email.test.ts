import { expectReadable, onMailedDashboard } from './mailed-dashboard'
import { screens } from './visit'

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

onMailedDashboard('the address of a new account', ({ stack, browser, open, readLink }) => {
  test.each([
    ['fr-FR', 'desk'],
    ['en-US', 'phone'],
  ] as const)(
    'is verified from sign-up on, in this browser and in another (%s, %s)',
    async (locale, screen) => {
      const isFrench = locale === 'fr-FR'
      const say = (fr: string, en: string) => (isFrench ? fr : en)
      const email = `${screen}@example.com`
      const context = await browser().newContext({ ...screens[screen], locale })
      const asked: string[] = []
      context.on('request', (request) => {
        asked.push(`${request.url()} ${JSON.stringify(request.headers())}`)
      })
      const page = await open(context, `${stack().baseUrl}/dashboard/sign-up`)
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
        const url = `${stack().baseUrl}/dashboard/api${path}`
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
      await page.goto(`${stack().baseUrl}/dashboard/invoices`)
      await page.getByRole('heading', { name: title }).waitFor()

      const other = await browser().newContext({ ...screens[screen], locale })
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
      expect(stack().output()).not.toContain(token)
      await context.close()
    },
    180_000,
  )
})

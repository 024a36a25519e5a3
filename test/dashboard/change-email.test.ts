import { randomUUID } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright-core'
import { expectReadable, onMailedDashboard } from './mailed-dashboard'
import { screens } from './visit'

const password = 'four walls of adobe'

onMailedDashboard('a change of email', ({ stack, browser, open, readLink }) => {
  const call = async ({ request }: BrowserContext, method: string, path: string, data?: object) => {
    const url = `${stack().baseUrl}/dashboard/api${path}`
    const headers = { 'X-Requested-With': 'dashboard' }
    const answer = await request.fetch(url, { method, headers, ...(data && { data }) })
    return ((await answer.json()) as { code: string }).code
  }
  const signUp = async (context: BrowserContext, email: string) => {
    const account = { organizationName: 'Atelier Nord', email, password }
    expect(await call(context, 'POST', '/signup', account)).toBe('OK')
    const token = (await readLink(email, 0)).split('=')[1]
    expect(await call(context, 'POST', '/email/verify', { token })).toBe('OK')
  }

  test.each([
    ['fr-FR', 'phone'],
    ['en-US', 'desk'],
  ] as const)(
    '%s, %s',
    async (locale, screen) => {
      const say = (fr: string, en: string) => (locale === 'fr-FR' ? fr : en)
      const heading = (page: Page, fr: string, en: string) =>
        page.getByRole('heading', { name: say(fr, en) }).waitFor()
      const newAddress = say('Nouvelle adresse e-mail', 'New email address')
      const confirm = say('Confirmer cette adresse', 'Verify this address')
      const [old, next, taken] = ['old', 'next', 'taken'].map(
        (name) => `${name}-${randomUUID().slice(0, 8)}@example.com`,
      ) as [string, string, string]
      const context = await browser().newContext({ ...screens[screen], locale })
      const other = await browser().newContext({ ...screens[screen], locale })
      const asked: string[] = []
      context.on('request', (request) => {
        asked.push(`${request.url()} ${JSON.stringify(request.headers())}`)
      })
      await signUp(context, old)
      const page = await open(context, `${stack().baseUrl}/dashboard/account`)
      const change = async (to: string) => {
        await page.getByLabel(newAddress).fill(to)
        await page.keyboard.press('Enter')
      }

      // What only looks like an address, and the address of now.
      await change('nothing')
      await page.getByText(say('Saisissez une adresse e-mail', 'Enter an email address')).waitFor()
      await change(old)
      await page.getByText(say('C’est déjà votre adresse', 'is already your address')).waitFor()
      await change(next)
      const toOpen = say('lien à ouvrir', 'link to be opened')
      await page.getByText(toOpen).first().waitFor()
      expect(await page.getByText(toOpen).count()).toBe(2)
      await page.getByText(toOpen).first().scrollIntoViewIfNeeded()
      await expectReadable(page)

      // Another browser needs the password.
      const links = { next: await readLink(next, 0), old: await readLink(old, 1) }
      const elsewhere = await open(other, links.next)
      await elsewhere.getByRole('button', { name: confirm }).click()
      const typed = elsewhere.getByLabel(
        say('Mot de passe de ce compte', 'Password of this account'),
      )
      await typed.fill('not the password')
      await elsewhere.keyboard.press('Enter')
      await elsewhere
        .getByText(say('pas le mot de passe de ce compte', 'not the password of this account'))
        .waitFor()
      await expectReadable(elsewhere)
      await typed.fill(password)
      await elsewhere.keyboard.press('Enter')
      await heading(elsewhere, 'Une des deux adresses est confirmée', 'One address confirmed')
      await elsewhere.getByText(old).waitFor()
      await expectReadable(elsewhere)
      await page.reload()
      await page.getByText(`${next}${say(' : confirmée', ': confirmed')}`).waitFor()

      // Used: it says so, and changes nothing.
      const again = await open(other, links.next)
      await again.getByRole('button', { name: confirm }).click()
      await again.getByText(say('n’est plus valable', 'no longer valid')).waitFor()

      const opened = await open(context, links.old)
      await opened.getByRole('button', { name: confirm }).focus()
      await opened.keyboard.press('Enter')
      await heading(opened, 'Adresse modifiée', 'Address changed')
      await opened.getByText(next).waitFor()
      await expectReadable(opened)
      await opened.getByRole('link', { name: say('Continuer', 'Continue') }).click()
      await opened.waitForURL(/\/dashboard\/(start|overview)$/)
      expect(await call(other, 'POST', '/session', { email: old, password })).toBe(
        'CREDENTIALS_INVALID',
      )
      expect(await call(other, 'POST', '/session', { email: next, password })).toBe('OK')

      // The address gets an account of its own before both links were opened.
      await page.reload()
      await page
        .getByText(say(`Vous vous connectez avec ${next}`, `You sign in with ${next}`))
        .waitFor()
      await change(taken)
      await page.getByText(toOpen).first().waitFor()
      const late = { taken: await readLink(taken, 0), next: await readLink(next, 1) }
      expect(
        await call(other, 'POST', '/signup', {
          organizationName: 'Atelier Sud',
          email: taken,
          password,
        }),
      ).toBe('OK')
      for (const link of [late.taken, late.next]) {
        const last = await open(context, link)
        await last.getByRole('button', { name: confirm }).click()
        if (link === late.taken) {
          await heading(last, 'Une des deux adresses est confirmée', 'One address confirmed')
          continue
        }
        await last
          .getByText(
            say('La nouvelle adresse a désormais un compte', 'The new address has had an account'),
          )
          .waitFor()
        await expectReadable(last)
      }
      await page.reload()
      await page
        .getByRole('button', { name: say('Annuler le changement', 'Cancel the change') })
        .click()
      await page.getByLabel(newAddress).waitFor()
      await expectReadable(page)
      await page.getByLabel(newAddress).scrollIntoViewIfNeeded()

      for (const link of [...Object.values(links), ...Object.values(late)]) {
        const token = link.split('=')[1] ?? ''
        expect(asked.filter((one) => one.includes(token))).toEqual([])
        expect(stack().output()).not.toContain(token)
      }
      await context.close()
      await other.close()
    },
    180_000,
  )
})

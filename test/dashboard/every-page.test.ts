/** What holds of every page, in both languages, on a desk and a phone, in light and dark. */

import type { Page } from 'playwright-core'
import { completeMentions } from '../stack/organization'
import {
  cutWords,
  newOrganization,
  onDashboard,
  openPdfPreview,
  screens,
  violations,
  waitInPage,
  widthOver,
} from './visit'

const pages = [
  '/start',
  '/overview',
  '/invoices',
  '/invoices/new',
  '/keys',
  '/audit',
  '/members',
  '/organization',
  '/account',
  '/none',
]

/** Asks before changes are lost. */
async function leaveChanged(page: Page): Promise<void> {
  await page.getByLabel('City', { exact: true }).fill('Agadir')
  await page.getByRole('link', { name: 'Electronic invoicing' }).click()
}

onDashboard('every page', ({ stack, visit }) => {
  test.each([
    ['en-US', 'desk', false],
    ['fr-FR', 'phone', true],
  ] as const)(
    'in %s on a %s (dark: %s) is accessible and fits the screen',
    async (locale, screen, dark) => {
      const { session, invoices } = await newOrganization(stack())
      await session.call('POST', '/members', {
        body: { email: 'new@atlas.example', role: 'MEMBER' },
      })
      const { id } = await invoices.created({ draft: true, buyerName: 'شركة الأطلس للتوزيع' })
      const page = await visit({ session, locale, screen, dark })
      for (const path of [...pages, `/invoices/${id}`, `/invoices/${id}/edit`]) {
        await page.goto(`${stack().baseUrl}/dashboard${path}`)
        await page.locator('main h1').waitFor()
        await page.waitForLoadState('networkidle').catch(() => undefined)
        if (path === '/invoices') await page.locator('tbody tr').first().waitFor()
        expect([path, await violations(page)]).toEqual([path, []])
        expect([path, (await widthOver(page)) <= 0]).toEqual([path, true])
        expect([path, await cutWords(page)]).toEqual([path, []])
        // As wide as a small phone, or a desk at 400 %.
        await page.setViewportSize({ width: 320, height: 640 })
        const fits = 'innerWidth === 320 && document.documentElement.scrollWidth <= innerWidth'
        await waitInPage(page, fits)
        expect([path, (await widthOver(page)) <= 0]).toEqual([path, true])
        await page.setViewportSize(screens[screen].viewport)
      }
    },
    300_000,
  )

  test.each([
    ['light', false, 'desk'],
    ['dark', true, 'phone'],
  ] as const)(
    'every dialog is accessible, in %s',
    async (_, dark, screen) => {
      const { session, invoices } = await newOrganization(stack())
      await session.call('POST', '/members', {
        body: { email: 'new@atlas.example', role: 'MEMBER' },
      })
      const { id } = await invoices.created({ draft: true })
      const click = (name: string | RegExp) => (page: Page) =>
        page.getByRole('button', { name }).first().click()
      const dialogs: [string, (page: Page) => Promise<unknown>][] = [
        ['/keys', click('New key')],
        ['/keys', click(/^Rotate/)],
        ['/keys', click(/^Revoke/)],
        ['/members', click('Invite')],
        ['/members', click(/^Withdraw invitation/)],
        [`/invoices/${id}`, click('Discard draft')],
        [`/invoices/${id}`, click('Sign')],
        [`/invoices/${id}`, openPdfPreview],
        ['/overview', (page) => page.keyboard.press('?')],
        ['/organization', leaveChanged],
      ]
      if (screen === 'phone') dialogs.push(['/overview', click('Menu')])
      for (const [path, open] of dialogs) {
        const page = await visit({ session, path, screen, dark })
        await page.locator('main h1').waitFor()
        await open(page)
        const dialog = page.getByRole('dialog')
        await dialog.waitFor()
        const name = await dialog.getAttribute('aria-labelledby')
        expect([path, name]).toEqual([path, expect.any(String)])
        expect([path, await violations(page)]).toEqual([path, []])
        expect([path, (await widthOver(page)) <= 0]).toEqual([path, true])
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
        await page.context().close()
      }
    },
    300_000,
  )

  test('a script in a text is shown as text', async () => {
    const script = `<img src=x onerror="document.title='broken'"><script>document.title='in'</script>`
    const texts = ['name', 'legalForm', 'capital', 'address', 'city', 'phone'] as const
    const mentions = Object.fromEntries(texts.map((name) => [name, script]))
    const { session } = await newOrganization(stack(), mentions)
    const named = await session.call('POST', '/api-keys', { body: { name: script.slice(0, 100) } })
    expect(named.status).toBe(201)
    const page = await visit({ session })
    for (const path of ['/organization', '/keys', '/audit', '/start']) {
      await page.goto(`${stack().baseUrl}/dashboard${path}`)
      await page.locator('main h1').waitFor()
      if (path === '/organization') {
        const city = page.getByLabel('City', { exact: true })
        await city.waitFor()
        expect(await city.inputValue()).toBe(script)
      } else {
        await page.getByText('<img src=x').filter({ visible: true }).first().waitFor()
      }
      expect(await page.title()).not.toMatch(/broken|^in$/)
      expect(await page.locator('main img').count()).toBe(0)
    }
  })

  test('a call without the header is rejected, and nothing is changed', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/organization' })
    await page.locator('main h1').waitFor()
    const answer = await page.evaluate(async () => {
      const body = JSON.stringify({ city: 'Elsewhere' })
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch('/dashboard/api/organization', { method: 'PUT', headers, body })
      return [answer.status, ((await answer.json()) as { code: string }).code]
    })
    expect(answer).toEqual([403, 'CSRF_REFUSED'])
    const { data } = await session.call('GET', '/organization')
    expect(data.city).toBe(completeMentions.city)
  })

  test('the page stands at every address below /dashboard, for browsers alone', async () => {
    const { baseUrl } = stack()
    const get = (path: string, accept: string) =>
      fetch(baseUrl + path, { headers: { Accept: accept }, redirect: 'manual' })
    const html = 'text/html,application/xhtml+xml'
    const page = await get('/dashboard/invoices/01a20165', html)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self';/)
    expect(await page.text()).not.toMatch(/<style|style=|<script>|https?:/)
    const toProgram = await get('/dashboard/invoices/01a20165', 'application/json')
    expect(toProgram.status).toBe(404)
    expect(await toProgram.json()).toMatchObject({ code: 'NOT_FOUND' })
    const root = await get('/', html)
    expect([root.status, root.headers.get('location')]).toEqual([302, '/dashboard'])
    expect((await get('/dashboard/api/nothing', html)).status).toBe(401)
  })
})

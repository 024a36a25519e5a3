/** Reads the documentation in Chromium; no request may go to another origin. */

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { seriousProblems } from '../stack/axe'
import { hasChromium, launchChromium } from '../stack/chromium'
import { onBorrowedStack } from '../stack/on-every-stack'
import { newNumber } from '../stack/invoices'
import { newOrganization } from '../stack/organization'
import { guidePages } from './guide-samples'

const desk = { width: 1280, height: 900 }
const screens = [
  { name: 'dark', viewport: desk, colorScheme: 'dark' },
  { name: 'desk', viewport: desk, colorScheme: 'light' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const

const guidePaths = ['/docs/guide', '/docs/guide/fr'].flatMap((guide) =>
  guidePages.map((page) => (page === 'README.md' ? guide : `${guide}/${page.replace('.md', '')}`)),
)

/** Of Swagger UI: a link in a button, boxes that scroll without focus, fields without a name. */
const swaggersOwn = /^(nested-interactive|scrollable-region-focusable|select-name|label)\b/

// Transitions begin with the next frame.
const untilColoursSettled = `
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    .then(() => document.getAnimations().map(({ finished }) => finished.catch(() => undefined)))
    .then((finished) => Promise.all(finished))
    .then(() => undefined)`

async function ourProblems(page: Page): Promise<string[]> {
  return (await seriousProblems(page)).filter((violation) => !swaggersOwn.test(violation))
}

onBorrowedStack('the documentation', (stack) => {
  const url = (path: string) => stack().baseUrl + path

  test('is served with its policy, and can be cached', async () => {
    const page = await fetch(url('/docs'))
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toMatch(/style-src 'self'(;|$)/)
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const html = await page.text()
    expect(html).not.toMatch(/<style|style=|<script>|https?:/)
    const assets = [...html.matchAll(/(?:href|src)="(\/docs\/assets\/[^"]+)"/g)]
    expect(assets.length).toBeGreaterThanOrEqual(5)
    for (const [, asset = ''] of assets) {
      const answer = await fetch(url(asset), { headers: { 'Accept-Encoding': 'br' } })
      expect([asset, answer.status, answer.headers.get('content-encoding')]).toEqual([
        asset,
        200,
        'br',
      ])
      expect(answer.headers.get('cache-control')).toMatch(/immutable/)
    }
  })

  test('leaves / to the dashboard', async () => {
    const headers = { Accept: 'text/html,*/*;q=0.8' }
    const answer = await fetch(url('/'), { headers, redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/dashboard'])
  })

  describe('in Chromium', () => {
    if (!hasChromium) {
      test.skip('chromium is not installed', () => undefined)
      return
    }
    let browser: Browser
    beforeAll(async () => {
      browser = await launchChromium()
    })
    afterAll(() => browser.close())

    /** A page and its errors. */
    async function open(screen: BrowserContextOptions): Promise<{ page: Page; wrong: string[] }> {
      const context = await browser.newContext(screen)
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      const wrong: string[] = []
      page.on('console', (message) => {
        if (/error|warning/.test(message.type())) wrong.push(message.text())
      })
      page.on('pageerror', ({ message }) => wrong.push(message))
      page.on('request', (request) => {
        const requested = request.url()
        if (!requested.startsWith(stack().baseUrl) && !requested.startsWith('data:'))
          wrong.push(requested)
      })
      return { page, wrong }
    }

    // Each width and each colour scheme once: judging takes longer than loading.
    const isJudged = (name: string) => name !== 'desk'

    const isTooWide = (page: Page) =>
      page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

    /** Each page is loaded once, then seen on each screen: loading costs more than looking. */
    async function onEachScreen(page: Page, look: (name: string) => Promise<void>): Promise<void> {
      for (const { name, viewport, colorScheme } of screens) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        await page.evaluate(untilColoursSettled)
        await look(name)
      }
    }

    test('every page renders without an error on a desk, on a phone and in the dark', async () => {
      const { page, wrong } = await open({ viewport: desk, hasTouch: true })
      for (const path of guidePaths) {
        await page.goto(url(path))
        expect(await page.locator('main h1').innerText()).not.toBe('')
        await onEachScreen(page, async (name) => {
          expect([path, name, await isTooWide(page)]).toEqual([path, name, false])
          if (isJudged(name))
            expect([path, name, await seriousProblems(page)]).toEqual([path, name, []])
        })
      }
      await page.emulateMedia({ colorScheme: 'dark' }) // from the start; light by a change
      await page.goto(url('/docs'))
      await page.locator('#operations-Invoices-createInvoice').waitFor()
      // Folded: its first operation is not drawn.
      expect(await page.locator('[id^="operations-Dashboard-"]').count()).toBe(0)
      await onEachScreen(page, async (name) => {
        expect([name, await isTooWide(page)]).toEqual([name, false])
        const isDark = await page.evaluate(
          "document.documentElement.classList.contains('dark-mode')",
        )
        expect([name, isDark]).toEqual([name, name === 'dark'])
        if (isJudged(name)) expect([name, await ourProblems(page)]).toEqual([name, []])
      })
      expect(wrong).toEqual([])
      await page.context().close()
    }, 600_000)

    test('the page sends requests with a key, which is not stored', async () => {
      const organization = await newOrganization(stack())
      const { page, wrong } = await open({ viewport: desk })
      await page.goto(url('/docs'))
      await page.locator('.scheme-container .authorize').click()
      await page.getByLabel('auth-bearer-value').fill(organization.key.key)
      await page.locator('.modal-ux .authorize').first().click()
      await page.locator('.modal-ux .btn-done').first().click()

      // By keyboard, as far as the body.
      const operation = page.locator('#operations-Invoices-createInvoice')
      await operation.locator('.opblock-summary-control').focus()
      await page.keyboard.press('Enter')
      const body = operation.locator('textarea.body-param__text')
      const invoiceNumber = newNumber('DOCS')
      const example = JSON.parse(await body.inputValue()) as object
      await body.fill(JSON.stringify({ ...example, invoiceNumber }))
      const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
      await operation.locator('.execute').click()
      expect((await answered).status()).toBe(201)
      await operation
        .locator('.live-responses-table .response-col_status', { hasText: '201' })
        .waitFor()
      const { data } = await organization.invoices.list({ invoiceNumber })
      expect(data.totalElements).toBe(1)
      expect(await ourProblems(page)).toEqual([])

      const stored = await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
      )
      expect(stored).not.toContain('svc_sk_')
      await page.reload()
      await page.locator('.scheme-container .authorize.unlocked').waitFor()
      expect(wrong).toEqual([])
      await page.context().close()
    }, 240_000)

    test('the guide is searched, in French and English, and says that it is a test', async () => {
      const { page, wrong } = await open({ viewport: desk })
      await page.goto(url('/docs/guide/fr/errors'))
      expect(await page.locator('.test-badge').innerText()).toBe('Test : sans valeur légale')
      // Without accents, as people type.
      await page.getByRole('searchbox').fill('arrondis tva')
      await page.getByRole('link', { name: 'Arrondis', exact: true }).first().waitFor()
      await page.getByRole('searchbox').fill('zzzz')
      await page.getByText('Aucun résultat').waitFor()
      await page.getByRole('link', { name: 'English' }).click()
      expect(await page.locator('h1').innerText()).toBe('Errors')
      await page.goto(url('/docs/fr'))
      await page.getByText('Créer une facture : calculée et signée').first().waitFor()
      expect(wrong).toEqual([])
      await page.context().close()
    }, 120_000)

    test('the guide is read without JavaScript', async () => {
      const { page, wrong } = await open({ javaScriptEnabled: false })
      await page.goto(url('/docs/guide'))
      await page.getByRole('link', { name: 'Errors' }).first().click()
      expect(await page.locator('h1').innerText()).toBe('Errors')
      await page.goto(url('/docs'))
      expect(await page.locator('noscript').innerText()).toContain('guide')
      expect(wrong).toEqual([])
      await page.context().close()
    }, 120_000)
  })
})

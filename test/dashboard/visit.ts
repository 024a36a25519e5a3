/**
 * The dashboard as someone meets it: in Chromium, against a service of our own. Whatever goes
 * wrong on a page besides what a test asks about (a breach of the policy, an error in a script, a
 * request to another origin) fails the test that opened it.
 */

import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { eventually } from '@einvoicing/servers/eventually'
import { allProblems } from '../stack/axe'
import { type ChromiumOptions, hasChromium, launchChromium } from '../stack/chromium'
import { onBorrowedStack, onOwnStack } from '../stack/on-every-stack'
import { newOrganization, type Session } from '../stack/organization'
import type { Stack } from '../stack/stack'

export const screens = {
  desk: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>

export interface VisitPlan {
  /** Signed in as; no one unless said. */
  session?: Session
  /** Below `/dashboard`. */
  path?: string
  locale?: 'fr-FR' | 'en-US'
  timezoneId?: string
  screen?: keyof typeof screens
  dark?: boolean
  /** For passkeys, which no browser binds to an IP address. */
  host?: 'localhost'
  /** Before the first page: routes to be broken, clocks to be moved. */
  before?(page: Page): Promise<unknown>
}

export interface DashboardOptions extends ChromiumOptions {
  /** Settings: the dashboard is then that of a stack of its own. */
  env?: Readonly<Record<string, string>>
}

export interface Dashboard {
  stack(): Stack
  /** Opens a page; English on a desk unless said. */
  visit(plan?: VisitPlan): Promise<Page>
}

/** The words of buttons that are not to be seen whole. */
export async function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('button, a[role=button], .mantine-Button-label')]
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
    .map(({ innerText }) => innerText)`)
}

export { newOrganization, allProblems as violations }

export function onDashboard(
  chapter: string,
  tests: (dashboard: Dashboard) => void,
  { env, ...options }: DashboardOptions = {},
): void {
  if (!hasChromium) {
    test.skip(`${chapter}: chromium is not installed`, () => undefined)
    return
  }
  const inBrowser = (stack: () => Stack): void => {
    let browser: Browser
    let wrong: string[] = []
    beforeAll(async () => {
      browser = await launchChromium(options)
    }, 90_000)
    afterAll(() => browser.close())
    afterEach(async () => {
      const found = wrong
      wrong = []
      await Promise.all(browser.contexts().map((context) => context.close()))
      expect(found).toEqual([])
    })

    const visit = async (plan: VisitPlan = {}): Promise<Page> => {
      const { session, path = '', locale = 'en-US', screen = 'desk', dark = false } = plan
      const baseUrl = withHost(stack().baseUrl, plan.host)
      const context = await browser.newContext({
        ...screens[screen],
        locale,
        ...(plan.timezoneId !== undefined && { timezoneId: plan.timezoneId }),
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      })
      if (session) await context.addCookies([{ ...toCookie(session), ...toDomain(plan.host) }])
      const page = await context.newPage()
      page.setDefaultTimeout(45_000)
      watch(page, baseUrl, (problem) => wrong.push(problem))
      await page.addInitScript(describeViolations)
      await plan.before?.(page)
      await page.goto(`${baseUrl}/dashboard${path}`)
      return page
    }
    tests({ stack, visit })
  }
  if (env === undefined) onBorrowedStack(chapter, inBrowser)
  else onOwnStack(chapter, env, inBrowser)
}

function withHost(baseUrl: string, host?: string): string {
  return host === undefined ? baseUrl : `http://${host}:${new URL(baseUrl).port}`
}

function toDomain(host?: string) {
  return host === undefined ? {} : { domain: host }
}

/** The cookie of a session that was opened without a browser. */
export function toCookie({ cookie, baseUrl }: Session) {
  const [name = '', value = ''] = cookie.split('=')
  return { name, value, domain: new URL(baseUrl).hostname, path: '/dashboard', httpOnly: true }
}

function watch(page: Page, baseUrl: string, report: (problem: string) => void): void {
  page.on('console', (message) => {
    // Chromium logs answers of 4xx and 5xx too, which are often what a test wants.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (/error|warning/.test(message.type()) && !isAnswer) report(message.text())
  })
  page.on('pageerror', ({ message }) => report(message))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(baseUrl) && !/^(data|blob|chrome|chrome-extension):/.test(url))
      report(`asked ${url}`)
  })
}

// Runs in the page.
function describeViolations(): void {
  const inPage = globalThis as unknown as {
    document: { addEventListener(name: string, listen: (event: any) => void): void }
  }
  inPage.document.addEventListener('securitypolicyviolation', (event) => {
    throw new Error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`)
  })
}

/** Whether a part of the page lies over another. */
export async function isOverlaid(page: Page): Promise<boolean> {
  const overlaid = await page.evaluate(`(() => {
    const parts = [...document.querySelectorAll('main .panel')]
      .map((part) => part.getBoundingClientRect())
    const meet = (one, other) => one.left < other.right && other.left < one.right &&
      one.top < other.bottom && other.top < one.bottom
    return parts.some((one, index) => parts.slice(index + 1).some((other) => meet(one, other)))
  })()`)
  return Boolean(overlaid)
}

/** As a function: each poll would evaluate an expression again, which the page's policy forbids. */
export async function waitInPage(page: Page, condition: string): Promise<void> {
  await page.waitForFunction(`() => ${condition}`)
}

/** As a reader does, again after a 503: a slow machine may be late with the first PDF. */
export async function openPdfPreview(page: Page): Promise<void> {
  await eventually(async () => {
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/invoices/preview')),
      page.getByRole('button', { name: 'PDF preview' }).click(),
    ])
    expect(answer.status()).not.toBe(503)
  }, 60_000)
}

/** By how many pixels the page is wider than the screen; a test allows none. */
export async function widthOver(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
}

/** Whether the page took it instead of the browser. */
export const paste = (input: Locator, text: string): Promise<boolean> =>
  input.evaluate((one: any, pasted) => {
    const { ClipboardEvent, DataTransfer } = one.ownerDocument.defaultView
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    one.focus()
    return !one.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)

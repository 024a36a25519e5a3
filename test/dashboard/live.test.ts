import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { newOrganization, onDashboard } from './visit'

// Replaces the stream: `window.announce(id)` is an event of that invoice.
const fakeStream = `
  window.EventSource = class extends EventTarget {
    static CLOSED = 2
    readyState = 1
    close() {}
    constructor() {
      super()
      setTimeout(() => this.dispatchEvent(new Event('ready')))
      window.announce = (invoiceId) => this.dispatchEvent(new MessageEvent('invoice', {
        data: JSON.stringify({ invoiceId, invoiceNumber: 'N', status: 'SIGNED', updatedAt: '' }),
      }))
    }
  }`

const hide = (isHidden: boolean) => `
  Object.defineProperty(document, 'visibilityState', {
    configurable: true, get: () => '${isHidden ? 'hidden' : 'visible'}',
  })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`

const lines = [{ lineNumber: 1, description: 'x', quantity: 1, unitPrice: 10, vatRate: 20 }]

const underway = new Map<Page, number>()

onDashboard('live changes', ({ stack, visit }) => {
  const passSeconds = async (page: Page, count: number, id?: string) => {
    for (let second = 0; second < count; second += 1) {
      if (id !== undefined) await page.evaluate(`announce('${id}')`)
      await page.clock.runFor(1_000)
      await answered(page)
    }
  }

  /** So that an answer takes no time of the page's clock. */
  const answered = async (page: Page) => {
    do await sleep(20)
    while ((underway.get(page) ?? 0) > 0)
    // The page has not handled the last answer when it has come.
    await page.evaluate('1')
  }

  const open = async (toPath: (id: string) => string) => {
    const { session, invoices } = await newOrganization(stack())
    const { id } = await invoices.created({ lines, draft: true })
    const page = await visit({
      session,
      path: toPath(id),
      before: async (opened) => {
        await opened.addInitScript(fakeStream)
        await opened.clock.install()
      },
    })
    const requests: string[] = []
    const count = (step: number) => () => underway.set(page, (underway.get(page) ?? 0) + step)
    page.on('request', count(1))
    page.on('requestfinished', count(-1))
    page.on('requestfailed', count(-1))
    await page.locator('[data-live=live]').waitFor()
    // From here on only `passSeconds` moves the clock.
    await page.waitForLoadState('networkidle')
    await page.clock.pauseAt(Date.now() + 120_000)
    await passSeconds(page, 60)
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    return { page, id, requests }
  }

  test.each([
    ['the edit page', (id: string) => `/invoices/${id}/edit`],
    ['the invoice page', (id: string) => `/invoices/${id}`],
  ])('each second make at most twenty requests a minute on %s', async (_, toPath) => {
    const { page, id, requests } = await open(toPath)
    await passSeconds(page, 60, id)
    expect(requests.length).toBeGreaterThan(5)
    expect(requests.length).toBeLessThanOrEqual(20)
  })

  test('of other invoices do not read the shown one again', async () => {
    const { page, id, requests } = await open((shown) => `/invoices/${shown}`)
    await passSeconds(page, 5, '019a0000-0000-7000-8000-000000000000')
    expect(requests).toEqual([])
    await passSeconds(page, 3, id)
    expect(requests).toContain(`/dashboard/api/invoices/${id}`)
  })

  test('make no request of a hidden page, which is read again once it is visible', async () => {
    const { page, id, requests } = await open((shown) => `/invoices/${shown}/edit`)
    await page.evaluate(hide(true))
    await passSeconds(page, 5, id)
    expect(requests).toEqual([])
    await page.evaluate(hide(false))
    await passSeconds(page, 3)
    const path = `/dashboard/api/invoices/${id}`
    expect(requests.filter((requested) => requested === path)).toEqual([path])
    requests.length = 0
    await passSeconds(page, 10)
    expect(requests).toEqual([])
  })
})

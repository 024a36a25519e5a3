import type { Browser, Page } from 'playwright-core'
import { allProblems } from '../stack/axe'
import { hasChromium, launchChromium } from '../stack/chromium'
import { newNumber, type Invoices } from '../stack/invoices'
import { onOwnStack } from '../stack/on-every-stack'
import { newOrganization } from '../stack/organization'
import { screens, widthOver } from './visit'

const describeInChromium = hasChromium ? onOwnStack : skip

function skip(chapter: string): void {
  test.skip(`${chapter}: chromium is not installed`, () => undefined)
}

describeInChromium("a document's page", { TRUST_PROXY: 'loopback' }, (stack) => {
  let browser: Browser
  let invoices: Invoices
  let urls: Record<string, string>
  let xml: Buffer
  let wrong: string[] = []
  let visits = 0

  beforeAll(async () => {
    browser = await launchChromium()
    ;({ invoices } = await newOrganization(stack()))
    const accepted = await invoices.created({ buyerName: 'Client SARL', dueDate: '2026-12-31' })
    const credited = await invoices.created()
    const rejected = await invoices.created({ buyerIce: '000000000000101' })
    await Promise.all([accepted, credited, rejected].map(({ id }) => invoices.decided(id)))
    const { data: note } = await invoices.creditNote(credited.id, {
      invoiceNumber: newNumber('AV'),
      invoiceDate: credited.invoiceDate,
      correctionReason: 'Retour de marchandise',
    })
    await invoices.decided(note.id)
    xml = await invoices.bytes(accepted.id, 'xml')
    urls = {
      accepted: accepted.verificationUrl,
      credited: credited.verificationUrl,
      rejected: rejected.verificationUrl,
      note: note.verificationUrl,
      none: `${stack().baseUrl}/v/none`,
    }
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    const found = wrong
    wrong = []
    await Promise.all(browser.contexts().map((context) => context.close()))
    expect(found).toEqual([])
  })

  /** Each from an address of its own, because one may ask thirty times a minute. */
  async function visit(url: string, options: object = {}): Promise<Page> {
    visits += 1
    const context = await browser.newContext({
      ...screens.desk,
      extraHTTPHeaders: { 'X-Forwarded-For': `203.0.113.${visits}` },
      ...options,
    })
    const page = await context.newPage()
    page.on('console', (message) => {
      const isAnswer = message.text().startsWith('Failed to load resource')
      if (/error|warning/.test(message.type()) && !isAnswer) wrong.push(message.text())
    })
    page.on('pageerror', ({ message }) => wrong.push(message))
    page.on('request', (request) => {
      if (!request.url().startsWith(stack().baseUrl) && !request.url().startsWith('data:'))
        wrong.push(`requested ${request.url()}`)
    })
    await page.goto(url)
    return page
  }

  test.each([
    ['fr', 'desk'],
    ['ar', 'phone'],
    ['en', 'phone'],
    ['ar', 'desk'],
  ] as const)(
    'in %s on a %s fits, and is accessible',
    async (language, screen) => {
      for (const [name, url] of Object.entries(urls)) {
        const page = await visit(`${url}?lang=${language}`, screens[screen])
        expect([name, await allProblems(page)]).toEqual([name, []])
        expect([name, (await widthOver(page)) <= 0]).toEqual([name, true])
        await page.setViewportSize({ width: 320, height: 640 })
        expect([name, (await widthOver(page)) <= 0]).toEqual([name, true])
        await page.context().close()
      }
    },
    180_000,
  )

  test.each([
    ['accepted', 'You may book this document'],
    ['credited', 'Cancelled as a whole by credit notes'],
    ['rejected', 'Do not book this document'],
    ['none', 'There is no document at this address'],
  ])('of one that is %s says first: %s', async (name, title) => {
    const page = await visit(urls[name]!, { locale: 'en-US' })
    expect(await page.locator('h1').innerText()).toBe(title)
  })

  test('compares a chosen file without sending it', async () => {
    const page = await visit(urls['accepted']!, { locale: 'en-US' })
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel('Choose the XML file').setInputFiles({ name, mimeType: '', buffer })
    const result = page.locator('#result')
    await choose('facture.xml', xml)
    await result.filter({ hasText: 'Yes: your file is the original' }).waitFor()
    await choose('facture.xml', Buffer.concat([xml, Buffer.from(' ')]))
    await result.filter({ hasText: 'No: this file is not the original' }).waitFor()
    await choose('facture.pdf', Buffer.from('%PDF-1.7 and more'))
    await result.filter({ hasText: 'This is a PDF' }).waitFor()
    expect(requests).toEqual([])
    expect(await allProblems(page)).toEqual([])
  })

  test('is used with the keyboard: language, file, downloads', async () => {
    const page = await visit(`${urls['accepted']}?lang=ar`)
    const reached: string[] = []
    for (let count = 0; count < 8; count += 1) {
      await page.keyboard.press('Tab')
      const what = `document.activeElement.id || document.activeElement.getAttribute('href') || ''`
      reached.push(String(await page.evaluate(what)).replace(/^.*\//, ''))
    }
    expect(reached.slice(0, 5)).toEqual(['?lang=fr', '?lang=ar', '?lang=en', 'file', 'xml'])
    expect(reached).toContain('pdf')
    await page.getByRole('link', { name: 'English' }).press('Enter')
    await page.getByText('You may book this document').waitFor()
  })

  test('sends its address to no other page', async () => {
    const page = await visit(urls['accepted']!)
    await page.evaluate(`document.body.innerHTML = '<a href="/docs">x</a>'`)
    const [request] = await Promise.all([
      page.waitForRequest(/\/docs$/),
      page.getByRole('link', { name: 'x' }).click(),
    ])
    expect(await request.headerValue('referer')).toBeNull()
  })

  test('prints on one or two sheets, without interactive parts', async () => {
    const page = await visit(`${urls['credited']}?lang=fr`)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('nav').isVisible()).toBe(false)
    expect(await page.locator('input[type=file]').isVisible()).toBe(false)
    expect(await page.locator('.downloads').isVisible()).toBe(false)
    expect(await page.getByText('/v/').isVisible()).toBe(true)
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)!.length).toBeLessThanOrEqual(2)
  })
})

import { readFile } from 'node:fs/promises'
import { eventually } from '@einvoicing/servers/eventually'
import { setBehaviour } from '../faults/record'
import { requireSimulator } from '../stack/stack'
import { newOrganization, onDashboard, violations, waitInPage, widthOver } from './visit'

const noon = '2026-05-03T12:30:00.000Z'
const rejectedIce = '000000000000101'

// `window.handled`: addresses of answers that the page has acted on, as it does before its timers.
const noteHandled = `
  window.handled = []
  const { text } = Response.prototype
  Response.prototype.text = async function () {
    const body = await text.call(this)
    setTimeout(() => window.handled.push(this.url))
    return body
  }`

const lines = (unitPrice: number) => [
  { lineNumber: 1, description: 'Conseil', quantity: 1, unitPrice, vatRate: 20 },
]

onDashboard('overview', ({ stack, visit }) => {
  test('/ leads there once there are invoices, and counts lead to lists', async () => {
    const { session, invoices } = await newOrganization(stack())
    const { id } = await invoices.created({ lines: lines(1000) })
    const { id: refused } = await invoices.created({ buyerIce: rejectedIce })
    await invoices.created({ lines: lines(300), currency: 'JPY' })
    for (const one of [id, refused]) await invoices.decided(one)
    const page = await visit({ session })
    await page.waitForURL(/\/overview$/)
    const statuses = page.getByRole('navigation', { name: 'By status' })
    await statuses.getByRole('link', { name: /^2 Accepted ?, view list$/ }).waitFor()
    await page.getByRole('heading', { name: 'Amount incl. VAT per day, in MAD' }).waitFor()
    await page.getByRole('heading', { name: 'Amount incl. VAT per day, in JPY' }).waitFor()
    await page.getByText(/Total: JPY\s360$|Total: ¥360$/).waitFor()
    await page.getByText('The tax authority does not know the buyer’s ICE.').waitFor()
    await page.getByText(/^[\d,]+ days left$/).waitFor()
    expect(await violations(page)).toEqual([])
    await statuses.getByRole('link', { name: /^1 Rejected ?, view list$/ }).click()
    await page.waitForURL(/\/invoices\?status=REJECTED$/)
    await page.getByText('1 invoice', { exact: true }).waitFor()
  })

  test('statistics update live with the invoices', async () => {
    const { session, invoices } = await newOrganization(stack())
    await invoices.created()
    const page = await visit({ session, path: '/overview', locale: 'fr-FR', screen: 'phone' })
    await page.locator('[data-live=live]').waitFor({ state: 'attached' })
    await page.evaluate('window.stayed = true')
    await invoices.created()
    await page.getByRole('link', { name: /^2 Acceptée/ }).waitFor({ timeout: 60_000 })
    expect(await page.evaluate('window.stayed')).toBe(true)
    expect(await widthOver(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
  })

  test.each([
    ['en-US', 60, '60 days left', 0],
    ['en-US', 59, '59 days left', 1],
    ['fr-FR', 1, '1 jour restant', 1],
    ['fr-FR', 0, 'Expire aujourd’hui', 1],
    ['fr-FR', -1, 'Expiré : plus aucune facture ne peut être signée.', 1],
  ] as const)('the end of the certificate is announced in time (%s, %i)', async (...row) => {
    const [locale, daysLeft, reported, alerts] = row
    const { session } = await newOrganization(stack())
    const page = await visit({
      session,
      locale,
      path: '/overview',
      before: (opened) =>
        opened.route('**/dashboard/api/overview?*', async (route) => {
          const answer = await route.fetch()
          const { data, ...envelope } = await answer.json()
          const notAfter = new Date(Date.now() + daysLeft * 86_400_000).toISOString()
          const certificate = { notAfter, daysLeft }
          await route.fulfill({ json: { ...envelope, data: { ...data, certificate } } })
        }),
    })
    const panel = page.locator('section').filter({ hasText: /Signing certificate|Certificat/ })
    await panel.getByText(reported).waitFor()
    expect(await panel.getByRole('alert').count()).toBe(alerts)
    expect(await violations(page)).toEqual([])
  })

  test.each([
    ['en-US', 'Expires tomorrow', '1 invoice.'],
    ['fr-FR', 'Expire demain', 'pour 1 facture.'],
  ] as const)('tomorrow is a day of Morocco, and one invoice is one (%s)', async (...row) => {
    const [locale, reported, count] = row
    const { session, invoices } = await newOrganization(stack())
    await invoices.created()
    const page = await visit({
      session,
      locale,
      path: '/overview',
      before: async (opened) => {
        await opened.clock.setFixedTime('2026-07-10T20:00:00.000Z')
        await opened.route('**/dashboard/api/overview?*', async (route) => {
          const answer = await route.fetch()
          const { data, ...envelope } = await answer.json()
          const certificate = { notAfter: '2026-07-10T23:30:00.000Z', daysLeft: 0 }
          const clearance = { count: 1, medianMs: 1_000, p95Ms: 1_000 }
          const json = { ...envelope, data: { ...data, certificate, clearance } }
          await route.fulfill({ json })
        })
      },
    })
    await page.getByText(reported).waitFor()
    await page.getByText(count).waitFor()
  })

  test('long words break on a phone, and nothing is pushed aside', async () => {
    const { session, invoices } = await newOrganization(stack())
    const invoiceNumber = 'N'.repeat(64)
    const { id } = await invoices.created({ invoiceNumber, buyerName: 'ش'.repeat(250) })
    for (const path of ['/invoices', `/invoices/${id}`]) {
      const page = await visit({ session, path, screen: 'phone' })
      await page.locator('main').getByText(invoiceNumber).first().waitFor()
      expect([path, await widthOver(page)]).toEqual([path, 0])
    }
  })

  test('the audit log is filtered, the view is in the address, and exported as it is seen', async () => {
    const { session, invoices } = await newOrganization(stack())
    const { id } = await invoices.created()
    await invoices.decided(id)
    const page = await visit({ session, path: '/audit' })
    await page.getByRole('cell', { name: /Invoice accepted/ }).waitFor()
    await page
      .getByRole('cell', { name: /^\d+ [0-9a-f]{8}$/ })
      .first()
      .waitFor()
    await page.getByText('Raw response from the tax authority').first().click()
    await page.getByText('"status": "ACCEPTED"').first().waitFor()
    await page.getByLabel('Action', { exact: true }).selectOption('api-key.')
    await page.waitForURL(/action=api-key\./)
    await page.getByRole('cell', { name: /Key created/ }).waitFor()
    await page.getByRole('cell', { name: /Invoice accepted/ }).waitFor({ state: 'detached' })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ])
    const csv = await readFile(await file.path(), 'utf8')
    expect(csv).toContain('"Key created"')
    expect(csv).not.toContain('Invoice accepted')
    await page.getByLabel('From').fill('2000-01-01')
    await page.getByLabel('To', { exact: true }).fill('2000-01-02')
    await page.getByText('No entries match these filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('cell', { name: /Invoice accepted/ }).waitFor()
  })

  test('an invoice is found by its number, and what is typed meanwhile stays', async () => {
    const { session, invoices } = await newOrganization(stack())
    const { id } = await invoices.created({ invoiceNumber: 'T-1' })
    const page = await visit({ session, path: '/audit' })
    const number = page.getByLabel('Invoice number', { exact: true })
    await page.route('**/invoices?*invoiceNumber=T-1&*', async (route) => {
      const response = await route.fetch()
      await page.getByLabel('From').fill('2000-01-01')
      await number.press('End')
      await number.pressSequentially('2')
      await route.fulfill({ response })
    })
    await number.fill('T-1')
    await page.waitForURL(new RegExp(id))
    await page.waitForURL((url) => !url.search.includes(id))
    await page.getByText('No invoice has this number.').waitFor()
    expect(await number.inputValue()).toBe('T-12')
    expect(page.url()).toContain('from=2000-01-01')
    await page.unrouteAll()
    await number.fill('T-1')
    await page.waitForURL(new RegExp(id))
    expect(await number.inputValue()).toBe('T-1')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.waitForURL((url) => !url.search.includes(id))
    expect(await number.inputValue()).toBe('')
    await page.goBack()
    await page.waitForURL(new RegExp(id))
    expect(await number.inputValue()).toBe('T-1')
  })

  test('a number without an invoice is gone once the filters are cleared', async () => {
    const { session, invoices } = await newOrganization(stack())
    const { id } = await invoices.created({ invoiceNumber: 'T-1' })
    await invoices.decided(id)
    const page = await visit({
      session,
      path: '/audit',
      before: (opened) => opened.addInitScript(noteHandled),
    })
    const number = page.getByLabel('Invoice number', { exact: true })
    const clear = page.getByRole('button', { name: 'Clear filters' })
    await number.fill('T-9')
    await page.getByText('No invoice has this number.').waitFor()
    await clear.click()
    await page.getByText('No invoice has this number.').waitFor({ state: 'detached' })
    expect(await number.inputValue()).toBe('')
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/invoices?*invoiceNumber=T-1&*', async (route) => {
      await released
      await route.continue()
    })
    const sent = page.waitForRequest('**/invoices?*invoiceNumber=T-1&*')
    await number.fill('T-1')
    await sent
    await clear.click()
    release()
    await waitInPage(page, 'window.handled.some((url) => url.includes("invoiceNumber=T-1&"))')
    await page.getByRole('cell', { name: /Invoice accepted/ }).waitFor()
    expect(page.url()).not.toContain('invoiceId')
    expect(await number.inputValue()).toBe('')
  })

  test.each([
    ['/audit?page=1.5', 'Organization created'],
    ['/audit?page=99', 'Organization created'],
    ['/invoices?sort=foo&page=1e99', 'T-2'],
  ])('%s shows what there is', async (path, shown) => {
    const { session, invoices } = await newOrganization(stack())
    await invoices.created({ invoiceNumber: 'T-2' })
    const page = await visit({ session, path })
    await page.getByRole('cell', { name: shown }).first().waitFor()
  })

  test('a search for an invoice that fails is reported at its field', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/audit' })
    const number = page.getByLabel('Invoice number', { exact: true })
    await page.route('**/invoices?*invoiceNumber=T-1&*', (route) => route.abort())
    await number.fill('T-1')
    await page.getByText('The service did not respond.').waitFor()
    expect(await number.getAttribute('aria-invalid')).toBe('true')
  })

  test('times are those of Morocco in any browser', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({
      session,
      path: '/audit',
      timezoneId: 'Asia/Tokyo',
      before: (opened) =>
        opened.route('**/dashboard/api/audit?*', async (route) => {
          const answer = await route.fetch()
          const { data, ...envelope } = await answer.json()
          const content = data.content.map((entry: object) => ({ ...entry, at: noon }))
          await route.fulfill({ json: { ...envelope, data: { ...data, content } } })
        }),
    })
    const time = page.locator('tbody time').first()
    expect(await time.innerText()).toMatch(/^5\/3\/26, 1:30:00\sPM$/)
    await page.getByText('Moroccan time').waitFor()
  })

  test('days in the wrong order leave the list, and are marked', async () => {
    const { session, invoices } = await newOrganization(stack())
    const { id } = await invoices.created({ invoiceNumber: 'T-3' })
    await invoices.decided(id)
    const page = await visit({ session, path: '/audit' })
    await page.getByLabel('From').fill('2000-01-02')
    await page.getByLabel('To', { exact: true }).fill('2000-01-01')
    await page.getByText('This date is before the first one.').waitFor()
    await page.getByRole('cell', { name: /Invoice accepted/ }).waitFor()
    expect(await page.getByText('Some fields are not valid').count()).toBe(0)
  })
})

onDashboard(
  'what could not be sent',
  ({ stack, visit }) => {
    test('is shown, and is sent again by a button', async () => {
      const { session, invoices } = await newOrganization(stack())
      const simulator = requireSimulator(stack())
      await setBehaviour(simulator, { errorRate: 1 })
      const { id } = await invoices.created({ invoiceNumber: 'S-1' })
      const page = await visit({ session, path: `/invoices/${id}` })
      await page.locator('main header [data-status=FAILED]').waitFor({ timeout: 60_000 })
      await page.getByRole('alert').filter({ hasText: 'may already have been received' }).waitFor()
      expect(await violations(page)).toEqual([])
      await setBehaviour(simulator, { errorRate: 0 })
      await page.getByRole('button', { name: 'Send again' }).first().click()
      // A slow machine may be late for the 12 s once more.
      await eventually(async () => {
        const again = page.getByRole('button', { name: 'Send again' }).first()
        if (await again.isVisible()) await again.click({ timeout: 5_000 })
        await page.locator('main header [data-status=ACCEPTED]').waitFor({ timeout: 20_000 })
      }, 120_000)
    }, 300_000)
  },
  { env: { CLEARANCE_GIVE_UP_AFTER_SECONDS: '12' } },
)

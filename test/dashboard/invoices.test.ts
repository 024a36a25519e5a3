import type { Page } from 'playwright-core'
import { eventually } from '@einvoicing/servers/eventually'
import {
  type Dashboard,
  isOverlaid,
  newOrganization,
  onDashboard,
  toCookie,
  violations,
  waitInPage,
  widthOver,
} from './visit'

const script = '<img src=x onerror=alert(1)>'

const numbers = (page: Page) => page.locator('tbody tr td:first-child').allInnerTexts()

const desk = ['fr-FR', 'desk', 'Facture', 'Historique', 'Télécharger : XML signé'] as const
const phone = ['en-US', 'phone', 'Invoice', 'History', 'Download: Signed XML'] as const

const testAccepted = ({ stack, visit }: Dashboard, row: typeof desk | typeof phone): void => {
  const [locale, screen, titled, timeline, download] = row
  test(`one that is accepted shows totals, history and documents (${locale}, ${screen})`, async () => {
    const { session, invoices } = await newOrganization(stack())
    const { id } = await invoices.created({
      invoiceNumber: 'A-1',
      lines: [
        { lineNumber: 1, description: 'Conseil', quantity: 2, unitPrice: 4500, vatRate: 20 },
        { lineNumber: 2, description: 'Port', quantity: 1, unitPrice: 120.5, vatRate: 14 },
      ],
    })
    const page = await visit({ session, path: `/invoices/${id}`, locale, screen })
    await page.getByRole('heading', { name: `${titled} A-1` }).waitFor()
    await page.locator('main header [data-status=ACCEPTED]').waitFor({ timeout: 60_000 })
    const totals = await page.locator('table').last().innerText()
    expect(totals).toMatch(/1[\s.,\u202f]800[.,]00/)
    expect(totals).toMatch(/16[.,]87/)
    expect(totals).toMatch(/10[\s.,\u202f]937[.,]37/)
    const steps = page.getByRole('heading', { name: timeline }).locator('xpath=..').locator('li')
    await steps.filter({ has: page.locator('[data-status=ACCEPTED]') }).waitFor()
    expect(await steps.count()).toBe(3)
    // The name of a key comes by an answer of its own.
    await steps
      .first()
      .filter({ hasText: /(Clé d’API|API key) test/ })
      .waitFor()
    await steps.last().locator('summary').click()
    await steps.last().getByText('"status": "ACCEPTED"').waitFor()

    const image = page.locator('main img')
    await image.waitFor()
    await waitInPage(page, `document.querySelector('main img').naturalWidth > 0`)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: download }).click(),
    ])
    expect(file.suggestedFilename()).toBe('A-1.xml')
    if (screen === 'desk') {
      await page.locator('main iframe').waitFor()
      await eventually(async () => {
        const framed = page.frames().filter((frame) => frame.url().includes(`${id}/pdf`))
        expect(framed.length).toBeGreaterThanOrEqual(1)
      })
    }
    expect(await violations(page)).toEqual([])
    expect(await widthOver(page)).toBeLessThanOrEqual(0)
  })
}

const tests = ({ stack, visit }: Dashboard): void => {
  test('are searched, filtered, sorted and paged, all of it in the address', async () => {
    const { session, invoices } = await newOrganization(stack())
    for (let count = 1; count <= 27; count += 1) {
      const lines = [
        { lineNumber: 1, description: 'x', quantity: count, unitPrice: 10, vatRate: 20 },
      ]
      await invoices.created({
        invoiceNumber: `L-${String(count).padStart(2, '0')}`,
        buyerName: count === 5 ? 'Café Oudaya' : 'Marjane',
        buyerIce: count === 6 ? '000000000000101' : '001525714000070',
        lines,
        currency: count === 27 ? 'JPY' : 'MAD',
      })
    }
    const page = await visit({ session, path: '/invoices' })
    await page.getByText('27 invoices').waitFor()
    expect(await numbers(page)).toHaveLength(25)
    expect((await numbers(page))[0]).toBe('L-27')
    expect(await page.getByRole('row', { name: /L-27/ }).innerText()).toMatch(/JPY\s324(?!\.)/)

    await page.getByRole('button', { name: 'Total incl. VAT' }).click()
    await page.waitForURL(/sort=amountTtc%2Casc/)
    const heading = page.getByRole('columnheader', { name: 'Total incl. VAT' })
    expect(await heading.getAttribute('aria-sort')).toBe('ascending')
    await page.locator('tbody tr').first().getByText('L-01').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.waitForURL(/page=2/)
    await page.getByText('Page 2 of 2').waitFor()
    await page.locator('tbody').getByText('L-27').waitFor()

    await page.getByRole('searchbox', { name: 'Search' }).fill('oudaya')
    await page.waitForURL(/search=oudaya/)
    await page.getByText('1 invoice', { exact: true }).waitFor()
    expect(await numbers(page)).toEqual(['L-05'])
    await page.goBack()
    await page.getByText('Page 2 of 2').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('')

    const { pathname } = new URL(page.url())
    await page.goto(`${stack().baseUrl}${pathname}?status=REJECTED&ice=000000000000101&size=50`)
    await page.getByText('1 invoice', { exact: true }).waitFor({ timeout: 60_000 })
    expect(await numbers(page)).toEqual(['L-06'])
    expect(await page.getByLabel('Status', { exact: true }).inputValue()).toBe('REJECTED')
    await page.getByLabel('Search').fill('no such thing')
    await page.getByText('No invoices match these filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page.getByText('27 invoices').waitFor()
    const [found] = (await invoices.list({ invoiceNumber: 'L-07' })).data.content
    await page.getByRole('searchbox').fill(found.amountTtc.toFixed(2))
    await page.getByText('1 invoice', { exact: true }).waitFor()
    expect(await numbers(page)).toEqual(['L-07'])
  })

  test('change their status on the page without a reload, and open by a click', async () => {
    const { session, invoices } = await newOrganization(stack())
    const page = await visit({ session, path: '/invoices' })
    await page.getByText('No invoices yet').waitFor()
    await page.locator('header [data-environment=test]').getByText('Test').waitFor()
    await page.locator('[data-live=live]').waitFor({ state: 'attached' })
    await page.evaluate('window.stayed = true')
    await invoices.created({ invoiceNumber: 'LIVE-1' })
    await page.getByRole('row', { name: /LIVE-1/ }).waitFor()
    await page.locator('tbody [data-status=ACCEPTED]').waitFor({ timeout: 60_000 })
    expect(await page.evaluate('window.stayed')).toBe(true)
    expect(await violations(page)).toEqual([])
    await page.locator('tbody tr td').nth(3).click({ force: true })
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/)
  })

  testAccepted({ stack, visit }, phone)

  test.each([
    ['fr-FR', /^Période de prestation.*1 mai 2026 – 31 mai 2026$/],
    ['en-US', /^Service period.*May 1, 2026 – May 31, 2026$/],
  ] as const)('one shows all fields of a line, and periods as dates (%s)', async (...row) => {
    const [locale, period] = row
    const { session, invoices } = await newOrganization(stack())
    const servicePeriod = { from: '2026-05-01', to: '2026-05-31' }
    const line = { lineNumber: 1, description: 'Conseil', quantity: 1, unitPrice: 10, vatRate: 20 }
    const detail = { itemCode: 'ART-7', orderLineNumber: '42', note: 'Lot 3', servicePeriod }
    const whole: object = { servicePeriod: { from: '2026-06-01', to: null } }
    const { id } = await invoices.created({
      ...whole,
      lines: [{ ...line, ...detail }],
      draft: true,
    })
    const page = await visit({ session, path: `/invoices/${id}`, locale })
    const cell = page.getByRole('cell', { name: /^Conseil/ })
    for (const text of ['ART-7', '42', 'Lot 3']) await cell.getByText(text).waitFor()
    expect((await cell.innerText()).split('\n').at(-1)).toMatch(period)
    const summary = await page.locator('dl').first().innerText()
    expect(summary).toMatch(/^(Jun 1, 2026|1 juin 2026) –$/m)
    expect(await page.locator('main').innerText()).not.toMatch(/2026-0[56]/)
    expect(await violations(page)).toEqual([])
  })

  test('the link back opens no list of another user', async () => {
    const one = await newOrganization(stack())
    const other = await newOrganization(stack())
    const { id } = await other.invoices.created({ invoiceNumber: 'B-1' })
    const page = await visit({ session: one.session, path: '/invoices?search=secret' })
    await page.getByText('No invoices found').waitFor()
    await page.goto(`${stack().baseUrl}/dashboard/invoices/${id}`)
    const back = page.getByRole('link', { name: 'All invoices' })
    expect(await back.getAttribute('href')).toBe('/dashboard/invoices?search=secret')
    await page.context().addCookies([toCookie(other.session)])
    await page.reload()
    await page.getByRole('heading', { name: 'Invoice B-1' }).waitFor()
    expect(await back.getAttribute('href')).toBe('/dashboard/invoices')
    await page.context().addCookies([toCookie(one.session)])
    await page.reload()
    await page.getByRole('button', { name: `Account of ${one.session.email}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('secret')
  })

  test('a rejected one shows why and what helps; its copy starts a draft', async () => {
    const { session, invoices } = await newOrganization(stack())
    const buyer = { buyerIce: '000000000000101', buyerName: 'Inconnu SARL' }
    const body = { invoiceNumber: 'R-1', ...buyer, deliveryNoteNumber: 'BL-7' }
    const { id } = await invoices.created(body)
    const page = await visit({ session, path: `/invoices/${id}` })
    const alert = page.getByRole('alert').filter({ hasText: 'The tax authority rejected' })
    await alert.waitFor({ timeout: 60_000 })
    const text = await alert.innerText()
    expect(text).toContain('BUYER_UNKNOWN')
    expect(text).toContain('The tax authority does not know the buyer’s ICE.')
    expect(await violations(page)).toEqual([])
    await alert.getByRole('link', { name: 'New invoice from this one' }).click()
    await page.getByRole('heading', { name: 'New invoice' }).waitFor()
    expect(new URL(page.url()).search).toBe(`?correct=${id}`)
    expect(await page.getByLabel('Name or company name').inputValue()).toBe('Inconnu SARL')
    expect(await page.locator('[data-path=deliveryNoteNumber]').inputValue()).toBe('BL-7')
    await waitInPage(page, `document.querySelector('[data-path=invoiceNumber]').value === 'R-2'`)
  })

  test('a script in number, buyer or description is shown as text', async () => {
    const { session, invoices } = await newOrganization(stack())
    const { id } = await invoices.created({
      invoiceNumber: script,
      buyerName: script,
      lines: [{ lineNumber: 1, description: script, quantity: 1, unitPrice: 1, vatRate: 20 }],
    })
    for (const path of ['/invoices', `/invoices/${id}`, `/invoices/new?copy=${id}`]) {
      const page = await visit({
        session,
        path,
        before: async (opened) => opened.on('dialog', () => expect('a dialog').toBe('none')),
      })
      if (path.includes('copy')) {
        await page.getByLabel('Description').waitFor()
        expect(await page.getByLabel('Description').inputValue()).toBe(script)
      } else {
        await page.getByText(script).first().waitFor()
      }
      expect(await page.locator('main img[src=x]').count()).toBe(0)
    }
  })

  test.each([
    ['READ_ONLY', 'Read-only'],
    ['ACCOUNTANT', 'Accountant'],
  ])('%s: sees no button that writes', async (role, name) => {
    const { session, invoices } = await newOrganization(stack())
    const reader = await session.welcome(role)
    const draft = await session.call('POST', '/invoices', {
      body: {
        invoiceNumber: 'D-1',
        invoiceDate: '2026-01-31',
        currency: 'MAD',
        paymentMethod: 'CASH',
        draft: true,
        lines: [{ lineNumber: 1, description: 'x', quantity: 1, unitPrice: 1, vatRate: 20 }],
      },
    })
    expect(draft.status).toBe(201)
    const { id } = await invoices.created({ invoiceNumber: 'R-2', buyerIce: '000000000000102' })
    const page = await visit({ session: reader, path: '/invoices' })
    await page.getByText('2 invoices').waitFor()
    expect(await page.getByRole('link', { name: 'New invoice' }).count()).toBe(0)
    await page.goto(`${stack().baseUrl}/dashboard/invoices/${draft.data.id}`)
    await page.getByRole('heading', { name: 'Invoice D-1' }).waitFor()
    for (const action of ['Sign', 'Edit', 'Discard draft', 'PDF preview']) {
      expect(await page.locator('main').getByText(action, { exact: true }).count()).toBe(0)
    }
    await page.goto(`${stack().baseUrl}/dashboard/invoices/${id}`)
    await page.getByText('The tax authority rejected').waitFor({ timeout: 60_000 })
    expect(await page.getByText('New invoice from this one').count()).toBe(0)
    await page.goto(`${stack().baseUrl}/dashboard/invoices/${draft.data.id}/edit`)
    await page.getByText(`Your role (${name})`).waitFor()
    expect(await page.locator('main form').count()).toBe(0)
  })

  test('on a phone the filters are folded away until they are asked for', async () => {
    const { session, invoices } = await newOrganization(stack())
    await invoices.created({ invoiceNumber: 'P-2' })
    const page = await visit({ session, path: '/invoices', screen: 'phone', locale: 'fr-FR' })
    const status = page.getByLabel('Statut', { exact: true })
    await page.locator('tbody tr').first().waitFor()
    expect(await status.isVisible()).toBe(false)
    const { height = Infinity } = (await page.locator('tbody tr').first().boundingBox()) ?? {}
    expect(height).toBeLessThan(110)
    await page.getByRole('button', { name: 'Filtres', exact: true }).click()
    await status.selectOption('CANCELLED')
    await page.getByText('Aucune facture trouvée').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Filtres (1)' }).waitFor()
    expect(await status.inputValue()).toBe('CANCELLED')
    expect(await status.isVisible()).toBe(true)
  })

  test('long numbers, words and amounts break no layout; keys lead to search and new', async () => {
    const { session, invoices } = await newOrganization(stack())
    const { id } = await invoices.created({
      invoiceNumber: `F-${'9'.repeat(62)}`,
      buyerName: 'شركة الأطلس '.repeat(3) + 'x'.repeat(120),
      buyerAddress: '5 شارع ابن سينا',
      lines: [
        {
          lineNumber: 1,
          description: 'y'.repeat(120),
          quantity: 1,
          unit: '1 يوم',
          unitPrice: 999999999999.99,
          vatRate: 0,
        },
      ],
    })
    for (const screen of ['desk', 'phone'] as const) {
      for (const path of ['/invoices', `/invoices/${id}`, '/overview', '/audit']) {
        const page = await visit({ session, path, screen, locale: 'fr-FR' })
        await page.locator('main h1').waitFor()
        await page
          .getByText(/999.999.999.999,99.MAD|F-9{62}/)
          .first()
          .waitFor()
        expect([path, screen, (await widthOver(page)) <= 0]).toEqual([path, screen, true])
        expect([path, screen, await isOverlaid(page)]).toEqual([path, screen, false])
        if (screen === 'desk' && path === '/audit') {
          await page.keyboard.press('?')
          await page.getByRole('dialog').getByText('Rechercher une facture').waitFor()
          expect(await violations(page)).toEqual([])
          await page.keyboard.press('Escape')
          await page.getByRole('dialog').waitFor({ state: 'detached' })
          await page.keyboard.press('/')
          await page.locator('input[type=search]:focus').waitFor()
          await page.getByRole('heading', { name: 'Factures' }).click()
          await page.keyboard.press('n')
          await page.getByRole('heading', { name: 'Nouvelle facture' }).waitFor()
        }
        await page.context().close()
      }
    }
  })
}

onDashboard('invoices', tests)
onDashboard('invoices', (dashboard) => testAccepted(dashboard, desk), { readsPdf: true })

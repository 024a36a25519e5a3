import type { Page } from 'playwright-core'
import { newOrganization, onDashboard, paste, violations } from './visit'

const line = { lineNumber: 1, description: 'Conseil', quantity: 1, unitPrice: 100, vatRate: 20 }

const field = (page: Page, path: string) => page.locator(`[data-path="${path}"]`)

onDashboard('the lines of a draft', ({ stack, visit }) => {
  test('have the numbers of the program that created it, also when edited and moved', async () => {
    const { session } = await newOrganization(stack())
    const lines = [10, 20].map((lineNumber) => ({ ...line, lineNumber }))
    const body = {
      ...{ invoiceNumber: 'N-1', invoiceDate: '2026-01-31', currency: 'MAD' },
      ...{ paymentMethod: 'CASH', draft: true, lines },
    }
    const { data } = await session.call('POST', '/invoices', { body })
    const edit = async (change: (page: Page) => Promise<unknown>) => {
      const page = await visit({ session, path: `/invoices/${data.id}/edit` })
      await change(page)
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByRole('heading', { name: 'Invoice N-1' }).waitFor()
      return (await session.call('GET', `/invoices/${data.id}`)).data.lines
    }
    const changed = await edit((page) => field(page, 'lines.1.unitPrice').fill('50'))
    expect(changed).toMatchObject([
      { lineNumber: 10, unitPrice: 100 },
      { lineNumber: 20, unitPrice: 50 },
    ])
    const moved = await edit(async (page) => {
      await field(page, 'lines.1.description').press('Alt+ArrowUp')
      await page.getByRole('button', { name: 'Add a line' }).click()
      await field(page, 'lines.2.description').fill('Port')
      await field(page, 'lines.2.unitPrice').fill('5')
    })
    expect(moved).toMatchObject([
      { lineNumber: 20, unitPrice: 50 },
      { lineNumber: 10, unitPrice: 100 },
      { lineNumber: 21, unitPrice: 5 },
    ])
  })

  test.each(['note', 'vatExemptionReason'])(
    'take two pasted lines of text into their %s as text',
    async (name) => {
      const { session } = await newOrganization(stack())
      const page = await visit({ session, path: '/invoices/new' })
      await field(page, 'lines.0.vatRate').selectOption('0')
      await page.getByRole('button', { name: 'More fields for line 1' }).click()
      await field(page, 'lines.0.note').waitFor()
      const isTaken = await paste(field(page, `lines.0.${name}`), 'Article 92\nExport\tport')
      expect(isTaken).toBe(false)
      expect(await field(page, 'lines.1.description').count()).toBe(0)
      expect(await field(page, 'lines.0.description').inputValue()).toBe('')
    },
  )

  test('take the price of an article in their currency, from issued invoices', async () => {
    const { session, invoices } = await newOrganization(stack())
    const sell = (description: string, unitPrice: number, more: object = {}) =>
      invoices.created({ lines: [{ ...line, description, unitPrice, vatRate: 10 }], ...more })
    await sell('Livre', 100)
    await sell('Livre', 9, { currency: 'EUR' })
    await sell('Import', 7, { currency: 'EUR' })
    await sell('Brouillon', 1, { draft: true })
    const rejected = await sell('Rejet', 1, { buyerIce: '000000000000101' })
    const credited = await sell('Avoir', 1)
    await invoices.decided(rejected.id)
    await invoices.decided(credited.id)
    const [note] = [{ ...line, description: 'Remboursement', unitPrice: 1, vatRate: 10 }]
    await sell('', 0, {
      type: 'CREDIT_NOTE',
      correctionReason: 'Retour',
      precedingInvoices: [{ id: credited.id }],
      lines: [note],
    })

    const page = await visit({ session, path: '/invoices/new' })
    await page.locator('#articles option[value=Livre]').waitFor({ state: 'attached' })
    const offered = await page
      .locator('#articles option')
      .evaluateAll((all: any[]) => all.map(({ value }) => value).sort())
    expect(offered).toEqual(['Avoir', 'Import', 'Livre'])
    const choose = async (index: number, description: string) => {
      await field(page, `lines.${index}.description`).fill(description)
      await page.keyboard.press('Tab')
      const read = (name: string) => field(page, `lines.${index}.${name}`).inputValue()
      return [await read('vatRate'), await read('unitPrice')]
    }
    const add = () => page.getByRole('button', { name: 'Add a line' }).click()
    expect(await choose(0, 'Livre')).toEqual(['10', '100'])
    await add()
    expect(await choose(1, 'Import')).toEqual(['10', ''])
    await field(page, 'currency').selectOption('EUR')
    await add()
    expect(await choose(2, 'Livre')).toEqual(['10', '9'])
  })

  test('of a copied final invoice: its deposit is deducted once, and a possible one is named', async () => {
    const { session, invoices } = await newOrganization(stack())
    const preceding = { invoiceNumber: 'AC-1', invoiceDate: '2026-01-03' }
    const final = {
      precedingInvoices: [preceding],
      allowances: [
        { amount: 10, vatRate: 20, reason: 'Acompte, facture AC-1 du 03/01/2026' },
        { amount: 5, vatRate: 20, reason: 'Avance' },
      ],
      lines: [line],
    }
    const { id } = await invoices.created(final)
    const page = await visit({ session, path: `/invoices/new?copy=${id}`, locale: 'fr-FR' })
    const warning = page.getByText('Si une remise déduit un acompte, retirez-la')
    await warning.waitFor()
    expect(await warning.innerText()).toMatch(/«\sAvance\s»\.$/)
    expect(await field(page, 'allowances.0.reason').inputValue()).toBe('Avance')
    expect(await field(page, 'allowances.1.reason').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Retirer la ligne 1' }).click()
    await warning.waitFor({ state: 'detached' })
  })
})

import { newOrganization, onDashboard, violations, widthOver } from './visit'

onDashboard('a credit note', ({ stack, visit }) => {
  test('starts from its invoice, shows the remainder, and is listed on the invoice', async () => {
    const { session, invoices } = await newOrganization(stack())
    const lines = [1, 2].map((lineNumber) => ({
      ...{
        lineNumber,
        description: `Jour ${lineNumber}`,
        quantity: 1,
        unitPrice: 100,
        vatRate: 20,
      },
    }))
    const original = await invoices.created({ invoiceNumber: 'F-1', lines })
    await invoices.decided(original.id)
    const page = await visit({ session, path: `/invoices/${original.id}`, locale: 'fr-FR' })
    const field = (path: string) => page.locator(`[data-path~="${path}"]`)
    await page.getByRole('link', { name: 'Créer un avoir' }).click()
    await page.getByRole('heading', { name: 'Nouvel avoir' }).waitFor()
    expect(await field('precedingInvoices.0.invoiceNumber').inputValue()).toBe('F-1')
    await field('invoiceNumber').fill('AV-1')
    await page.getByRole('button', { name: 'Enregistrer le brouillon' }).click()
    await page.getByText('corrigez le champ signalé').waitFor()
    expect(await field('correctionReason').getAttribute('aria-invalid')).toBe('true')
    await field('correctionReason').fill('Retour')
    await field('lines.1.unitPrice').fill('150')
    await page.getByText('dépasse le montant restant de la facture').waitFor()
    await field('lines.1.unitPrice').fill('50')
    await page.getByText('50,00 MAD').first().waitFor()
    // What is refused inside a line that is folded is shown and takes the focus.
    const more = page.getByRole('button', { name: 'Plus de champs pour la ligne 2' })
    await more.click()
    const second = page.getByRole('group', { name: 'Ligne 2, Remises' })
    await second.getByRole('button', { name: 'Ajouter une remise' }).click()
    await field('lines.1.allowances.0.percent').fill('200')
    await field('lines.1.allowances.0.reason').fill('Remise')
    await more.click()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Enregistrer et signer' }).click()
    await page.locator('[data-path="lines.1.allowances.0.percent"][aria-invalid]:focus').waitFor()
    await field('lines.1.allowances.0.percent').fill('10')
    await page.getByRole('button', { name: 'Enregistrer et signer' }).click()
    await page.getByRole('heading', { name: 'Avoir AV-1' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Signer' }).click()
    await page.locator('main header [data-status=ACCEPTED]').waitFor({ timeout: 60_000 })
    expect(await page.getByRole('link', { name: 'Créer un avoir' }).count()).toBe(0)
    await page.getByRole('link', { name: 'F-1', exact: true }).click()
    await page.getByRole('heading', { name: 'Avoirs' }).waitFor()
    // 145.00 excluding VAT of 200.00.
    await page.getByText(/Crédité\s:\s174,00\sMAD\sTTC/).waitFor()
    await page.getByText(/Reste\s:\s66,00\sMAD\sTTC/).waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('shows at its rate that no line has the VAT category of an allowance', async () => {
    const { session, invoices } = await newOrganization(stack())
    const line = { lineNumber: 1, description: 'Jour', quantity: 1, unitPrice: 100, vatRate: 0 }
    const { id } = await invoices.created({ invoiceNumber: 'F-0', lines: [line] })
    const page = await visit({ session, path: `/invoices/new?credit=${id}` })
    const field = (path: string) => page.locator(`[data-path~="${path}"]`)
    await field('invoiceNumber').fill('AV-0')
    await field('correctionReason').fill('Retour')
    await page.getByText('Allowances and charges on the whole document').click()
    await page.getByRole('button', { name: 'Add an allowance' }).click()
    await field('allowances.0.reason').fill('Remise')
    await field('allowances.0.percent').fill('10')
    await field('allowances.0.vatRate').selectOption('0 AE')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.locator('[data-path~="allowances.0.vatRate"][aria-invalid]:focus').waitFor()
    await page.getByText('correct the marked field').waitFor()
  })

  test('without a referenced invoice shows where to name one', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/invoices/new' })
    const field = (path: string) => page.locator(`[data-path~="${path}"]`)
    await field('type').selectOption('CREDIT_NOTE')
    await field('invoiceNumber').fill('AV-2')
    await field('correctionReason').fill('Retour')
    await field('precedingInvoices.0.invoiceNumber').fill('F-2')
    await page.getByRole('button', { name: 'Remove referenced invoice 1' }).click()
    expect(await field('precedingInvoices.0.invoiceNumber').inputValue()).toBe('')
    await field('lines.0.description').fill('Jour')
    await field('lines.0.unitPrice').fill('1')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('correct the marked field').waitFor()
    await page
      .locator('[data-path~="precedingInvoices.0.invoiceNumber"][aria-invalid]:focus')
      .waitFor()
    // On a list these keys open it.
    await page.getByRole('button', { name: 'Add a line' }).click()
    await field('lines.0.vatRate').press('Alt+ArrowDown')
    await page.keyboard.press('Escape')
    expect(await field('lines.0.description').inputValue()).toBe('Jour')
    await field('lines.0.description').press('Alt+ArrowDown')
    expect(await field('lines.1.description').inputValue()).toBe('Jour')
  })

  test('with many lines is as wide as a phone', async () => {
    const { session, invoices } = await newOrganization(stack())
    const lines = Array.from({ length: 80 }, (_, index) => ({
      lineNumber: index + 1,
      description: 'Jour',
      quantity: 1,
      unitPrice: 100,
      vatRate: 20,
      ...(index === 0 && { allowances: [{ percent: 10, reason: 'Remise' }] }),
    }))
    const { id } = await invoices.created({ invoiceNumber: 'F-80', lines })
    const page = await visit({ session, path: `/invoices/new?credit=${id}`, screen: 'phone' })
    await page.locator('[data-path="lines.0.allowances.0.reason"]').waitFor()
    expect(await widthOver(page)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await widthOver(page)).toBeLessThanOrEqual(0)
  })
})

import type { Page } from 'playwright-core'
import { newOrganization, onDashboard } from './visit'

const invoiceDate = new Date().toISOString().slice(0, 10)

onDashboard('a dialog that confirms', ({ stack, visit }) => {
  const openDraft = async () => {
    const { session, invoices } = await newOrganization(stack())
    const { id } = await invoices.created({ draft: true, buyerName: 'Atlas', invoiceDate })
    const page = await visit({ session, path: `/invoices/${id}` })
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    const dialog = page.getByRole('dialog')
    return { page, id, invoices, dialog, sign: dialog.getByRole('button', { name: 'Sign' }) }
  }

  test('signs what was seen when it was opened, and nothing that came since', async () => {
    const { page, id, invoices, dialog, sign } = await openDraft()
    await sign.waitFor()
    await invoices.change(id, { buyerName: 'Another buyer' })
    await page.getByText('Another buyer').first().waitFor({ state: 'attached' })
    await sign.click()
    await dialog.getByText('This draft was changed in the meantime').waitFor()
    expect((await invoices.read(id)).data.status).toBe('PENDING')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await sign.click()
    await dialog.waitFor({ state: 'detached' })
    expect((await invoices.read(id)).data.status).not.toBe('PENDING')
  })

  test('stays until it is known whether that was done', async () => {
    const { page, dialog, sign } = await openDraft()
    const answer = await holdAnswer(page, '**/sign')
    await sign.click()
    await answer.requested
    await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor()
    await page.keyboard.press('Escape')
    await answer.fail()
    await dialog.getByText('The service did not respond').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('a new key is shown, whatever is pressed while it is made', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/keys' })
    await page.getByRole('button', { name: 'Rotate' }).first().click()
    const dialog = page.getByRole('dialog')
    const answer = await holdAnswer(page, '**/rotate')
    await dialog.getByRole('button', { name: 'Create the new key', exact: true }).click()
    await answer.requested
    await page.keyboard.press('Escape')
    await answer.pass()
    await dialog.getByText(/^svc_sk_/).waitFor()
  })
})

async function holdAnswer(page: Page, url: string) {
  let begin: () => void = () => undefined
  const requested = new Promise<void>((resolve) => (begin = resolve))
  let end: (passes: boolean) => void = () => undefined
  const ended = new Promise<boolean>((resolve) => (end = resolve))
  await page.route(url, async (route) => {
    begin()
    await ((await ended) ? route.continue() : route.abort())
  })
  return { requested, fail: async () => end(false), pass: async () => end(true) }
}

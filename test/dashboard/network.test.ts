import { setTimeout as sleep } from 'node:timers/promises'
import { newOrganization, onDashboard } from './visit'

onDashboard('a bad network', ({ stack, visit }) => {
  test('a list that cannot be loaded shows an error, and appears once it can', async () => {
    const { session } = await newOrganization(stack())
    let isBroken = true
    const page = await visit({
      session,
      path: '/keys',
      locale: 'fr-FR',
      before: (opened) =>
        opened.route('**/dashboard/api/api-keys', (route) =>
          isBroken ? route.abort() : route.continue(),
        ),
    })
    await page.getByText('Le service n’a pas répondu').waitFor()
    isBroken = false
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
    expect(await page.getByText('Le service n’a pas répondu').count()).toBe(0)
  })

  test('what was typed stays when saving fails, and is saved the next time', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/organization' })
    const city = page.getByLabel('City', { exact: true })
    await city.fill('Agadir')
    await page.route('**/dashboard/api/organization', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    )
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The service did not respond').waitFor()
    expect(await city.inputValue()).toBe('Agadir')
    await page.unroute('**/dashboard/api/organization')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('These details will appear on your next invoices.').waitFor()
  })

  test.each([
    [
      'en-US',
      'The service did not respond. Check whether your change was saved',
      'nothing was saved',
    ],
    [
      'fr-FR',
      'Le service n’a pas répondu. Vérifiez si votre modification',
      'rien n’a été enregistré',
    ],
  ] as const)(
    'a change that is sent before the network fails may be saved (%s)',
    async (...row) => {
      const [locale, said, nothing] = row
      const { session } = await newOrganization(stack())
      const page = await visit({ session, path: '/organization', locale })
      await page.getByLabel(/^(City|Ville)$/).fill('Agadir')
      await page.route('**/dashboard/api/organization', async (route) => {
        await page.context().setOffline(true)
        await route.abort()
      })
      const save = page.getByRole('button', { name: /^(Save|Enregistrer)$/ })
      await save.click()
      await page.getByText(said).waitFor()
      await page.unrouteAll()
      await save.click()
      await page.getByText(nothing).waitFor()
      expect(await page.getByText(said).count()).toBe(0)
      await page.context().setOffline(false)
    },
  )

  test('without a network it shows that, and keeps the page', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/keys' })
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    expect(await page.getByRole('cell', { name: 'test', exact: true }).count()).toBe(1)
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'hidden' })
  })

  test('while an answer is slow, a skeleton of the same size is shown; the page does not jump', async () => {
    const { session } = await newOrganization(stack())
    let answer: () => void = () => undefined
    const seen = new Promise<void>((resolve) => (answer = resolve))
    const page = await visit({
      session,
      path: '/keys',
      before: (opened) =>
        opened.route('**/dashboard/api/api-keys', async (route) => {
          await seen
          await route.continue()
        }),
    })
    await page.getByRole('status', { name: 'Loading…' }).waitFor()
    const button = page.getByRole('button', { name: 'New key' })
    const before = await button.boundingBox()
    answer()
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
    expect(await button.boundingBox()).toEqual(before)
  })

  test('answers slower than the next change are shown all the same', async () => {
    const { session, invoices } = await newOrganization(stack())
    const page = await visit({
      session,
      path: '/invoices',
      before: (opened) =>
        opened.route('**/dashboard/api/invoices?*', async (route) => {
          await sleep(2_000)
          await route.continue().catch(() => undefined)
        }),
    })
    await page.getByText('No invoices yet').waitFor()
    let isSeen = false
    const creating = async () => {
      while (!isSeen) {
        await invoices.created()
        await sleep(300)
      }
    }
    const seeing = page.locator('tbody tr').first().waitFor()
    const seen = seeing.finally(() => {
      isSeen = true
    })
    await Promise.all([creating(), seen])
  })

  test('a stream that ends again and again is replaced by polls', async () => {
    const { session } = await newOrganization(stack())
    let streams = 0
    const page = await visit({
      session,
      path: '/start',
      before: (opened) =>
        opened.route('**/dashboard/api/events', (route) => {
          streams += 1
          const body = `retry: 1000\n\n${streams === 1 ? 'event: ready\ndata: {}\n\n' : ''}`
          return route.fulfill({ contentType: 'text/event-stream', body })
        }),
    })
    await page.locator('[data-live=polling]').waitFor()
    expect(streams).toBeGreaterThan(3)
  })

  test('a document that cannot be read says why, and appears once it can', async () => {
    const { session, invoices } = await newOrganization(stack())
    const { id } = await invoices.created()
    await invoices.decided(id)
    await invoices.bytes(id, 'pdf')
    let isBroken = true
    const page = await visit({
      session,
      path: `/invoices/${id}`,
      before: (opened) =>
        opened.route('**/dashboard/api/invoices/*/pdf', (route) =>
          isBroken ? route.abort() : route.continue(),
        ),
    })
    await page.getByText('The service did not respond.').waitFor()
    isBroken = false
    await page.locator('iframe').waitFor()
    expect(await page.getByText('The service did not respond.').count()).toBe(0)
  })

  test.each(['streamed', 'polled'])(
    'an invoice is seen to arrive and be accepted, %s',
    async (way) => {
      const { session, invoices } = await newOrganization(stack())
      const page = await visit({
        session,
        path: '/start',
        before: async (opened) => {
          if (way === 'polled') {
            await opened.route('**/dashboard/api/events', (route) => route.fulfill({ status: 404 }))
          }
        },
      })
      const state = way === 'polled' ? 'polling' : 'live'
      await page.locator(`[data-live=${state}]`).waitFor()
      await page.getByText('Waiting for your first invoice').waitFor()
      await invoices.created({ buyerName: 'Atlas' })
      await page.locator('[data-status=ACCEPTED]').waitFor({ timeout: 60_000 })
    },
  )
})

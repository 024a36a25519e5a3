import { newOrganization, onDashboard, violations } from './visit'

onDashboard(
  'an organization that waits for its approval',
  ({ stack, visit }) => {
    test.each([
      ['fr-FR', 'Votre organisation est en attente d’approbation'],
      ['en-US', 'Your organization is waiting for approval'],
    ] as const)(
      'says so on every page, at both widths (%s)',
      async (locale, title) => {
        const { session } = await newOrganization(stack())
        for (const screen of ['desk', 'phone'] as const) {
          const page = await visit({ session, locale, screen, path: '/invoices' })
          for (const path of ['/invoices', '/organization', '/audit', '/keys']) {
            await page.goto(`${stack().baseUrl}/dashboard${path}`)
            await page.getByText(title).waitFor()
            await page.locator('main h1').waitFor()
            expect([path, await violations(page)]).toEqual([path, []])
            const tooWide = 'document.documentElement.scrollWidth > window.innerWidth'
            expect([path, await page.evaluate(tooWide)]).toEqual([path, false])
          }
          await page.context().close()
        }
      },
      180_000,
    )

    test('signs no draft, and says why', async () => {
      const { session, invoices } = await newOrganization(stack())
      const { id } = await invoices.created({ draft: true })
      const page = await visit({ session, path: `/invoices/${id}` })
      await page.getByRole('button', { name: /^Sign/ }).first().click()
      const dialog = page.getByRole('dialog')
      // A date that is far from today is asked about.
      await dialog.getByRole('checkbox').check()
      await dialog.getByRole('button', { name: /^Sign/ }).click()
      await page.getByText('cannot sign invoices: it is waiting').first().waitFor()
    })

    test('an earlier one has no note', async () => {
      const { session } = await newOrganization(stack())
      const page = await visit({
        session,
        path: '/organization',
        before: (opened) =>
          opened.route('**/dashboard/api/organization', async (route) => {
            const answer = await route.fetch()
            const envelope = (await answer.json()) as { data: { approval?: string } }
            delete envelope.data.approval
            await route.fulfill({ response: answer, json: envelope })
          }),
      })
      await page.getByLabel('City', { exact: true }).waitFor()
      expect(await page.getByText('waiting for approval').count()).toBe(0)
    })
  },
  { env: { SIGNUP: 'approval' } },
)

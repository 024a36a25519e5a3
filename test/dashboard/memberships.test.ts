import { cutWords, newOrganization, onDashboard, violations } from './visit'

onDashboard('memberships', ({ stack, visit }) => {
  const invite = async (email: string, role = 'ACCOUNTANT') => {
    const client = await newOrganization(stack())
    const name = `Rif ${Date.now()}`
    await client.session.call('PUT', '/organization', { body: { name } })
    const invited = { email, role }
    const { data } = await client.session.call('POST', '/members', { body: invited })
    return { client, name, token: data.invitationToken as string }
  }

  test('an account joins in its session, and switches between its organizations', async () => {
    const { session } = await newOrganization(stack())
    const { name, token } = await invite(session.email)
    const page = await visit({ session, path: `/invitation#${token}` })
    await page.getByText(`You are signed in as ${session.email}`).waitFor()
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    const here = page.getByRole('button', { name: `Organization: ${name}. Switch` })
    await here.click()
    const offered = page.getByRole('menuitem')
    await offered.filter({ hasText: 'Owner' }).waitFor()
    await offered.filter({ hasText: name }).filter({ hasText: 'Accountant' }).waitFor()
    expect(await offered.count()).toBe(2)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Owner' }).click()
    await page.getByRole('button', { name: /^Organization: Atlas/ }).waitFor()
    await page.goto(`${stack().baseUrl}/dashboard/keys`)
    await page.getByRole('button', { name: 'New key' }).waitFor()
  })

  test('an account that is signed out joins with its password, also on a phone', async () => {
    const { session } = await newOrganization(stack())
    const { name, token } = await invite(session.email)
    const path = `/invitation#${token}`
    const page = await visit({ path, locale: 'fr-FR', screen: 'phone' })
    await page.getByLabel('Mot de passe', { exact: true }).fill(session.password)
    await page.getByRole('button', { name: 'Rejoindre' }).click()
    await page.getByRole('button', { name: `Organisation : ${name}. Changer` }).click()
    await page.getByText('Comptable').waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await cutWords(page)).toEqual([])
    const wide = 'document.documentElement.scrollWidth - window.innerWidth'
    expect(await page.evaluate(wide)).toBeLessThanOrEqual(0)
  })

  test('other pages of the browser follow a switch; one organization alone shows no switch', async () => {
    const { session } = await newOrganization(stack())
    const { name, token } = await invite(session.email)
    const page = await visit({ session, path: '/invoices' })
    await page.getByRole('button', { name: `Account of ${session.email}` }).waitFor()
    expect(await page.getByRole('button', { name: /^Organization:/ }).count()).toBe(0)
    const joined = await session.call('POST', '/invitation', { body: { token } })
    session.storeCookie(joined)
    const first = await visit({ session, path: '/invoices' })
    const second = await first.context().newPage()
    await second.goto(`${stack().baseUrl}/dashboard/invoices`)
    await second.getByRole('button', { name: `Organization: ${name}. Switch` }).click()
    await second.getByRole('menuitem', { name: 'Owner' }).click()
    await first.getByRole('button', { name: /^Organization: Atlas/ }).waitFor()
  })

  test('a page opened before a switch is rejected, with what to do', async () => {
    const { session } = await newOrganization(stack())
    const { name, token } = await invite(session.email)
    const joined = await session.call('POST', '/invitation', { body: { token } })
    session.storeCookie(joined)
    const page = await visit({
      session,
      path: '/invoices',
      before: (opened) => opened.addInitScript('delete window.BroadcastChannel'),
    })
    const second = await page.context().newPage()
    await second.goto(`${stack().baseUrl}/dashboard/invoices`)
    await second.getByRole('button', { name: `Organization: ${name}. Switch` }).click()
    await second.getByRole('menuitem', { name: 'Owner' }).click()
    await second.getByRole('button', { name: /^Organization: Atlas/ }).waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByText('another page of this browser has switched').waitFor()
  })

  test('removed while typing: signing in opens another organization, and says what failed', async () => {
    const { session } = await newOrganization(stack())
    const { client, token } = await invite(session.email, 'MEMBER')
    session.storeCookie(await session.call('POST', '/invitation', { body: { token } }))
    const page = await visit({ session, path: '/invoices/new' })
    await page.locator('[data-path="invoiceNumber"]').fill('R-1')
    await page.locator('[data-path="lines.0.description"]').fill('Conseil')
    await page.locator('[data-path="lines.0.unitPrice"]').fill('1')
    const members = (await client.session.call('GET', '/members')).data
    const { id } = members.content.find(({ email }: { email: string }) => email === session.email)
    expect((await client.session.call('DELETE', `/members/${id}`)).code).toBe('OK')
    // As one answers who wants to copy what is typed.
    page.on('dialog', (asked) => void asked.dismiss())
    await page.getByRole('button', { name: 'Save draft' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.getByLabel('Password', { exact: true }).fill(session.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('alert').filter({ hasText: 'organizationId' }).waitFor()
    expect(await page.locator('[data-path="invoiceNumber"]').inputValue()).toBe('R-1')
  })
})

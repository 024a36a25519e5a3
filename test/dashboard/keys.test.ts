import { newOrganization, onDashboard, violations } from './visit'

onDashboard('keys', ({ stack, visit }) => {
  test('a double click creates one key, whose secret is shown once', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/keys' })
    await page.getByRole('button', { name: 'New key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('ERP')
    await dialog.getByRole('button', { name: 'New key' }).dblclick()
    await dialog.getByText('you won’t see it again').waitFor()
    expect(await dialog.locator('pre').innerText()).toMatch(/^svc_sk_/)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('cell', { name: 'ERP', exact: true }).waitFor()
    const { data } = await session.call('GET', '/api-keys')
    expect(data.content.filter(({ name }: { name: string }) => name === 'ERP')).toHaveLength(1)
  })

  test('a blank name is an error at its field, and nothing is sent', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/keys', locale: 'fr-FR' })
    await page.getByRole('button', { name: 'Nouvelle clé' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Nouvelle clé' }).click()
    await dialog.getByText('Champ obligatoire').waitFor()
    expect(await dialog.getByLabel('Nom').getAttribute('aria-invalid')).toBe('true')
    expect((await session.call('GET', '/api-keys')).data.content).toHaveLength(1)
  })

  test('one is revoked after a confirmation, and rejected from then on', async () => {
    const { session, invoices } = await newOrganization(stack())
    const page = await visit({ session, path: '/keys' })
    await page.getByRole('button', { name: 'Revoke test' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('cannot be undone').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await invoices.list()).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke test' }).click()
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('Key “test” revoked.').waitFor()
    expect((await invoices.list()).status).toBe(401)
    await page.getByLabel('Show revoked keys').check()
    await page.getByText(/^Revoked on/).waitFor()
  })

  test('one is limited to reading, to networks, and in time', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/keys', locale: 'fr-FR', screen: 'phone' })
    await page.getByRole('button', { name: 'Nouvelle clé' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nom').fill('Rapports')
    await dialog.getByRole('button', { name: 'Limiter ce que la clé peut faire' }).click()
    await dialog.getByLabel('Accès').selectOption('Lecture seule')
    await dialog.getByLabel('Expiration').selectOption('Dans 90 jours')
    await dialog.getByLabel('Réseaux autorisés').fill('192.0.2.0/33')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Nouvelle clé' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Réseaux autorisés').fill('192.0.2.0/24, 198.51.100.7')
    await dialog.getByRole('button', { name: 'Nouvelle clé' }).click()
    await dialog.getByRole('button', { name: 'Je l’ai copiée' }).click()
    await page
      .getByText(/^Lecture seule · Jusqu’au .* · 192\.0\.2\.0\/24, 198\.51\.100\.7$/)
      .waitFor()
    const { data } = await session.call('GET', '/api-keys')
    const [made] = data.content.filter(({ name }: { name: string }) => name === 'Rapports')
    expect(made).toMatchObject({
      scopes: ['invoices:read'],
      allowedNetworks: ['192.0.2.0/24', '198.51.100.7'],
    })
  })

  test('one is renewed: the new one is used before the old one is revoked', async () => {
    const { session, invoices } = await newOrganization(stack())
    const page = await visit({ session, path: '/keys' })
    await page.getByRole('button', { name: 'Rotate test' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('New key name').inputValue()).toBe('test (2)')
    await dialog.getByRole('button', { name: 'Create the new key', exact: true }).click()
    const key = await dialog.locator('pre').innerText()
    await dialog.getByText('Waiting for its first use').waitFor()
    const { baseUrl } = stack()
    const listed = await fetch(`${baseUrl}/v1/invoices`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(listed.status).toBe(200)
    await dialog.getByText('The new key is in use').waitFor()
    expect((await invoices.list()).status).toBe(200)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: 'Revoke the old key', exact: true }).click()
    await dialog.getByText('Only the new key is valid').waitFor()
    expect((await invoices.list()).status).toBe(401)
  })
})

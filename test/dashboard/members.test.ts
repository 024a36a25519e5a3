import type { Session } from '../stack/organization'
import { newOrganization, onDashboard, violations, type Dashboard } from './visit'

onDashboard('members', ({ stack, visit }) => {
  test('a user is invited by a link, joins, and has the role’s rights', async () => {
    const { session } = await newOrganization(stack())
    const owner = await visit({ session, path: '/members' })
    const email = `reader-${Date.now()}@example.ma`
    await owner.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = owner.getByRole('dialog')
    await dialog.getByLabel('Email address').fill(email)
    await dialog.getByLabel('Role').selectOption('ACCOUNTANT')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const link = await dialog.locator('pre').innerText()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await owner.getByRole('cell', { name: email, exact: true }).waitFor()

    const path = new URL(link).href.slice(`${stack().baseUrl}/dashboard`.length)
    const reader = await visit({ path, locale: 'fr-FR' })
    await reader.getByText(`Vous êtes invité en tant que ${email}`).waitFor()
    await reader.getByLabel('Mot de passe', { exact: true }).fill('une phrase assez longue')
    await reader.getByRole('button', { name: 'Rejoindre' }).click()
    await reader.getByRole('button', { name: `Compte de ${email}` }).waitFor()
    await reader.goto(`${stack().baseUrl}/dashboard/keys`)
    await reader.getByText('Votre rôle (Comptable)').waitFor()
    expect(await reader.getByRole('button', { name: 'Nouvelle clé' }).count()).toBe(0)
    expect(await reader.getByRole('button', { name: /^Révoquer/ }).count()).toBe(0)
    const refused = await reader.evaluate(async () => {
      const headers = { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' }
      const body = JSON.stringify({ name: 'mine' })
      const answer = await fetch('/dashboard/api/api-keys', { method: 'POST', headers, body })
      return [answer.status, ((await answer.json()) as { code: string }).code]
    })
    expect(refused).toEqual([403, 'FORBIDDEN'])

    await reader.goto(link)
    await reader.getByText('Cette invitation n’est plus valable').waitFor()
  })

  test('the last owner cannot leave or be demoted, and sees why', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/members', locale: 'fr-FR' })
    await page.getByLabel(`Rôle de ${session.email}`).selectOption('MEMBER')
    const change = page.getByRole('dialog').getByRole('button', { name: 'Changer le rôle' })
    await change.click()
    await page.getByText('Une organisation doit avoir au moins un propriétaire').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Annuler' }).click()
    await change.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `Retirer : ${session.email}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retirer', exact: true }).click()
    await page.getByRole('dialog').getByText('au moins un propriétaire').waitFor()
  })

  test('a role changes once confirmed, and the choice keeps the focus', async () => {
    const { session } = await newOrganization(stack())
    const { email } = await session.welcome('READ_ONLY')
    const page = await visit({ session, path: '/members' })
    const role = page.getByLabel(`Role of ${email}`)
    const dialog = page.getByRole('dialog')
    const readRole = async () => {
      const { content } = (await session.call('GET', '/members')).data
      return content.find((member: { email: string }) => member.email === email).role
    }
    await role.focus()
    await role.selectOption('OWNER')
    await dialog.getByText('From “Read-only” to “Owner”.').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await role.inputValue()).toBe('READ_ONLY')
    expect(await role.evaluate((element: any) => element.matches(':focus'))).toBe(true)
    expect(await readRole()).toBe('READ_ONLY')
    await role.selectOption('MEMBER')
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await page.getByText(`${email} now has the role “Member”.`).waitFor()
    expect(await readRole()).toBe('MEMBER')
  })

  test('a withdrawn invitation’s link no longer works', async () => {
    const { session } = await newOrganization(stack())
    const invited = await session.call('POST', '/members', {
      body: { email: `late-${Date.now()}@example.ma`, role: 'MEMBER' },
    })
    const page = await visit({ session, path: '/members' })
    const { email, invitationToken } = invited.data
    await page.getByRole('button', { name: `Withdraw invitation: ${email}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw invitation' }).click()
    await page.getByRole('cell', { name: email, exact: true }).waitFor({ state: 'hidden' })
    const late = await visit({ path: `/invitation#${invitationToken}` })
    await late.getByText('This invitation is no longer valid').waitFor()
  })

  test('a password is changed: a wrong current one is an error at its field, the old one no longer works', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/account' })
    await change(page, 'not my password', 'a new long sentence')
    await page.locator('[data-path=currentPassword][data-invalid]').waitFor()
    await change(page, session.password, 'a new long sentence')
    await page.getByText('Your password has been changed.').waitFor()
    expect(await signInStatus(session, session.password)).toBe(401)
    expect(await signInStatus(session, 'a new long sentence')).toBe(200)
    expect((await session.call('GET', '/api-keys')).status).toBe(401)
  })
})

type Page = Awaited<ReturnType<Dashboard['visit']>>

async function change(page: Page, current: string, next: string): Promise<void> {
  await page.getByLabel('Current password').fill(current)
  await page.getByLabel('New password').fill(next)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
}

async function signInStatus({ baseUrl, email }: Session, password: string): Promise<number> {
  const { status } = await fetch(`${baseUrl}/dashboard/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' },
    body: JSON.stringify({ email, password }),
  })
  return status
}

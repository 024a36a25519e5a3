/** A newcomer's way: from signing up to the first accepted invoice, with a terminal beside. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { completeMentions } from '../stack/organization'
import { newOrganization, onDashboard, violations } from './visit'

const words = {
  'fr-FR': {
    signUp: 'Créer le compte',
    organization: 'Nom de l’organisation',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    start: 'Démarrage',
    missing: 'Il manque 6 mentions obligatoires',
    labels: {
      address: 'Adresse du siège',
      city: 'Ville',
      ice: 'ICE',
      if: 'Identifiant fiscal (IF)',
      rc: 'Registre du commerce (RC)',
      tp: 'Taxe professionnelle (TP)',
    },
    ice: '001523467000017',
    fourteen: 'Doit comporter exactement 15 chiffres (14 saisis).',
    wrongKey: 'La clé de contrôle de cet ICE est incorrecte',
    save: 'Enregistrer',
    create: 'Créer la clé',
    once: 'elle ne sera plus affichée',
    waiting: 'En attente de votre première facture',
    arrived: /^Facture .* reçue$/,
    accepted: 'Vous pouvez désormais facturer.',
    amount: /5\s400,00\sMAD/,
  },
  'en-US': {
    signUp: 'Create account',
    organization: 'Organization name',
    email: 'Email address',
    password: 'Password',
    start: 'Start',
    missing: '6 required details are missing',
    labels: {
      address: 'Registered office address',
      city: 'City',
      ice: 'ICE',
      if: 'Tax identifier (IF)',
      rc: 'Trade register (RC)',
      tp: 'Business tax (TP)',
    },
    // Another: both may have the number of the same minute, and issuers are known by ICE.
    ice: '001523467000114',
    fourteen: 'Must be exactly 15 digits; 14 entered.',
    wrongKey: 'The check digits of this ICE do not match',
    save: 'Save',
    create: 'Create key',
    once: 'you won’t see it again',
    waiting: 'Waiting for your first invoice',
    arrived: /^Invoice .* received$/,
    accepted: 'You are ready to issue invoices.',
    amount: /MAD\s5,400\.00/,
  },
} as const

type Words = (typeof words)['fr-FR' | 'en-US']

onDashboard('start', ({ stack, visit }) => {
  test.each([
    ['fr-FR', 'desk'],
    ['en-US', 'phone'],
  ] as const)(
    'a newcomer speaking %s on a %s gets to an accepted invoice',
    async (locale, screen) => {
      const texts = words[locale]
      const page = await visit({ path: '/sign-up', locale, screen })
      await signUp(page, texts)
      await page.getByText(texts.missing).waitFor()
      expect(await page.title()).toContain(texts.start)
      expect(await violations(page)).toEqual([])

      await fillMentions(page, texts)
      await page.getByRole('button', { name: texts.create }).click()
      await page.getByText(texts.once).waitFor()
      await page.getByText(texts.waiting).waitFor()
      const [key, curl] = await page.locator('pre').allInnerTexts()
      expect(key).toMatch(/^svc_sk_\w{49}$/)
      expect(curl).toContain(`Bearer ${key!}`)

      await promisify(execFile)('sh', ['-c', curl!])
      await page.getByText(texts.arrived).waitFor()
      await page.getByText(texts.accepted).waitFor()
      expect(await page.locator('[data-status]').last().getAttribute('data-status')).toBe(
        'ACCEPTED',
      )
      expect(await page.locator('main').innerText()).toMatch(texts.amount)
      expect(await violations(page)).toEqual([])
    },
  )

  test('a user who has begun continues at the same step, without a terminal', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({ session, path: '/start' })
    await page.getByText('can issue invoices').waitFor()
    await page.getByText('A key is ready.').waitFor()
    expect(await page.locator('pre').innerText()).toContain('Bearer YOUR_KEY')
    await page.getByRole('button', { name: 'Send this sample for me' }).click()
    await page.getByText('You are ready to issue invoices.').waitFor({ timeout: 60_000 })
  })

  test('a live installation offers no sample, but a real invoice', async () => {
    const { session } = await newOrganization(stack())
    const page = await visit({
      session,
      path: '/start',
      before: (opened) =>
        opened.route('**/dashboard/api/session', async (route) => {
          const response = await route.fetch()
          const answer = (await response.json()) as { data: object }
          const data = { ...answer.data, environment: 'live' }
          await route.fulfill({ response, json: { ...answer, data } })
        }),
    })
    const create = page.getByRole('main').getByRole('link', { name: 'New invoice' })
    await create.waitFor()
    expect(await create.getAttribute('href')).toBe('/dashboard/invoices/new')
    expect(await page.getByText('simulated here').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Send this sample for me' }).count()).toBe(0)
    expect(await page.locator('pre').count()).toBe(0)
  })

  test('a wrong ICE shows the rejection', async () => {
    const { session, invoices } = await newOrganization(stack())
    const page = await visit({ session, path: '/start' })
    await invoices.created({ buyerIce: '000000000000101' })
    await page.locator('[data-status=REJECTED]').waitFor({ timeout: 60_000 })
    await page.getByText('Rejected by the tax authority').waitFor()
  })
})

async function signUp(page: Page, texts: Words): Promise<void> {
  await page.getByLabel(texts.organization).fill('Atelier Nord SARL')
  await page.getByLabel(texts.email).fill(`n${Date.now()}@example.ma`)
  await page.getByLabel(texts.password, { exact: true }).fill('une phrase assez longue')
  await page.getByRole('button', { name: texts.signUp }).click()
}

async function fillMentions(page: Page, texts: Words): Promise<void> {
  const field = (name: keyof Words['labels']) =>
    page.getByLabel(texts.labels[name], { exact: true })
  await field('ice').fill(texts.ice.slice(0, -1))
  await field('city').fill(completeMentions.city)
  await page.getByText(texts.fourteen).waitFor()
  await field('ice').fill(`${texts.ice.slice(0, -1)}9`)
  await page.getByText(texts.wrongKey).waitFor()
  await field('ice').fill(texts.ice)
  await page.getByText(texts.wrongKey).waitFor({ state: 'hidden' })
  for (const name of ['address', 'if', 'rc', 'tp'] as const) {
    await field(name).fill(completeMentions[name])
  }
  await page.getByRole('button', { name: texts.save }).click()
}

/**
 * `npm run screenshots`: the dashboard's and a document's pages as documentation shows them, into
 * `docs/screenshots`, in both languages, on a desk in light and on a phone in dark. Looked at by
 * people, compared with nothing: what pages promise is held by tests.
 */

import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../stack/chromium'
import { newOrganization, type Organization } from '../../stack/organization'
import { startStandalone } from '../../stack/standalone'
import { toCookie, screens } from '../visit'

const folder = path.join(__dirname, '..', '..', '..', '..', 'docs', 'screenshots')

const looks = [
  { name: 'desk-fr', locale: 'fr-FR', colorScheme: 'light', screen: 'desk' },
  { name: 'phone-en', locale: 'en-US', colorScheme: 'dark', screen: 'phone' },
] as const

const buyers = ['Marjane Holding', 'Café Oudaya', 'شركة النور للتجارة', 'OCP Distribution']
const mentions = { name: 'Atlas Conseil SARL' }
const testBuyers = { accepted: '001525714000070', unknown: '000000000000101' }

/** Answers the addresses to be shown, by the name of the picture. */
async function fill({ invoices, session }: Organization): Promise<Record<string, string>> {
  const made: string[] = []
  for (let count = 1; count <= 24; count += 1) {
    const { id } = await invoices.created({
      invoiceNumber: `F-2026-${String(count).padStart(4, '0')}`,
      buyerName: buyers[count % buyers.length]!,
      buyerIce: count % 9 === 0 ? testBuyers.unknown : testBuyers.accepted,
      lines: [
        { lineNumber: 1, description: 'Conseil', quantity: count, unitPrice: 950.5, vatRate: 20 },
        { lineNumber: 2, description: 'Transport', quantity: 1, unitPrice: 180, vatRate: 14 },
      ],
    })
    made.push(id)
  }
  for (const id of made) await invoices.decided(id)
  await session.call('POST', '/members', {
    body: { email: 'compta@atlas.example', role: 'MEMBER' },
  })
  return {
    start: '/start',
    overview: '/overview',
    invoices: '/invoices',
    accepted: `/invoices/${made.at(-1)}`,
    rejected: `/invoices/${made[8]}`,
    draft: `/invoices/new?copy=${made[0]}`,
    keys: '/keys',
    audit: '/audit',
    members: '/members',
    organization: '/organization',
    verification: (await invoices.read(made.at(-1)!)).data.verificationUrl as string,
  }
}

async function main(): Promise<void> {
  const stack = await startStandalone()
  let browser: Browser | undefined
  try {
    const organization = await newOrganization(stack, mentions, 'salma@atlas.example')
    const places = await fill(organization)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    browser = await launchChromium()
    for (const { name, locale, colorScheme, screen } of looks) {
      const context = await browser.newContext({ ...screens[screen], locale, colorScheme })
      await context.addCookies([toCookie(organization.session)])
      const page = await context.newPage()
      for (const [place, at] of Object.entries(places)) {
        const isWhole = at.startsWith(stack.baseUrl)
        await page.goto(isWhole ? at : `${stack.baseUrl}/dashboard${at}`)
        await page.locator('main h1').waitFor()
        // Skeletons give way, and what arrives settles.
        await page.waitForTimeout(2_500)
        await page.screenshot({ path: path.join(folder, `${place}-${name}.png`) })
      }
      await context.close()
    }
  } finally {
    await browser?.close()
    await stack.dispose()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})

/** The dashboard where mail is sent by SMTP, in Chromium. */

import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { hasChromium, launchChromium } from '../stack/chromium'
import { eventually } from '@einvoicing/servers/eventually'
import { startStandalone, type Standalone } from '../stack/standalone'
import { violations } from './visit'

export interface MailedDashboard {
  stack(): Standalone
  browser(): Browser
  open(context: BrowserContext, url: string): Promise<Page>
  /** The nth link that verifies an address, once it came; from 0. */
  readLink(email: string, nth: number): Promise<string>
}

export function onMailedDashboard(
  chapter: string,
  tests: (dashboard: MailedDashboard) => void,
): void {
  const describeHere = hasChromium ? describe : describe.skip
  describeHere(chapter, () => {
    let server: SMTPServer
    const messages: string[] = []
    let stack: Standalone
    let browser: Browser
    beforeAll(async () => {
      server = createMailServer((message) => messages.push(message))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.server.address() as AddressInfo
      const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'invoices@example.com' }
      stack = await startStandalone({ env })
      browser = await launchChromium()
    }, 120_000)
    afterAll(async () => {
      await browser.close()
      await stack.dispose()
      await new Promise<void>((resolve) => server.close(resolve))
    }, 60_000)

    tests({
      stack: () => stack,
      browser: () => browser,
      async open(context, url) {
        const page = await context.newPage()
        page.setDefaultTimeout(45_000)
        await page.goto(url)
        return page
      },
      readLink: (email, nth) =>
        eventually(async () => {
          const linked = messages.map(decode).filter((one) => one.includes(`To: ${email}\r\n`))
          const tokens = linked.flatMap((one) => /verify#token=([\w-]{43})/.exec(one)?.[1] ?? [])
          const token = tokens[nth]
          if (token === undefined) throw new Error(`no link for ${email}`)
          return `${stack.baseUrl}/dashboard/verify#token=${token}`
        }),
    })
  })
}

export async function expectReadable(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  const tooWide = 'document.documentElement.scrollWidth > window.innerWidth'
  expect(await page.evaluate(tooWide)).toBe(false)
}

function createMailServer(take: (message: string) => void): SMTPServer {
  return new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, _session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        take(Buffer.concat(chunks).toString())
        callback()
      })
    },
  })
}

/** Quoted-printable: RFC 2045, section 6.7. */
function decode(message: string): string {
  return message.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
}

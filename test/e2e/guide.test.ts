/** Runs every program of the guide against the service, and compares its tables with the code. */

import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { limits } from '@einvoicing/domain/limits'
import { magicBuyers as documentedBuyers } from '@einvoicing/gateway/invoices/sandbox-examples'
import { httpStatus } from '@einvoicing/gateway/http/error-to-http'
import { openApiDocument } from '@einvoicing/gateway/openapi/document'
import { vatCategories } from '@einvoicing/profile/vat'
import { magicBuyers } from '@einvoicing/simulator/magic-buyers'
import { rejections } from '@einvoicing/simulator/rejections'
import { onBorrowedStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import {
  guidePages,
  isInstalled,
  readGuide,
  root,
  runners,
  runSample,
  samples,
  type Sample,
} from './guide-samples'

/** The cells of every table, without head rows. */
function readTables(markdown: string): string[][][] {
  const blocks = markdown.match(/(^\|.*\|\n)+/gm) ?? []
  return blocks.map((block) =>
    block
      .trim()
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  )
}

const readRows = (page: string) => readTables(readGuide(page)).flat()
const unquoted = (text = '') => text.replaceAll('`', '')

describe('the guide', () => {
  test('lists every code that HTTP can answer, with its status, and no other', () => {
    const listed = readRows('errors.md').map(([code, status]) => [unquoted(code), Number(status)])
    const { CALLER_REFUSED: _, ...met } = httpStatus
    expect(Object.fromEntries(listed)).toEqual(met)
    expect(listed).toHaveLength(Object.keys(met).length)
  })

  test.each(['errors.md', 'fr/errors.md', 'corrections.md', 'fr/corrections.md'])(
    '%s states how many credit notes an invoice can have',
    (page) => {
      const lines = readGuide(page).split('\n')
      const count = new RegExp(`\\b${limits.creditNotesOfInvoice} (credit notes|avoirs)`)
      expect(lines.filter((line) => line.includes('`INVOICE_NOT_CREDITABLE`')).join()).toMatch(
        count,
      )
    },
  )

  /** By the first part of the path. */
  const confirmed: Record<string, string> = {
    'api-keys': 'API keys',
    email: 'email',
    members: 'members',
    membership: 'left',
    organization: 'RIB',
    passkeys: 'second factors',
    'recovery-codes': 'second factors',
    sessions: 'other sessions',
    totp: 'second factors',
  }

  test('names what a confirmed identity is needed for, as the API reference does', () => {
    const { paths } = openApiDocument('test')
    const needing = Object.entries(paths).flatMap(([pattern, methods]) =>
      Object.values(methods as Record<string, any>)
        .filter(({ responses }) =>
          JSON.stringify(responses['403'] ?? '').includes('CONFIRMATION_REQUIRED'),
        )
        .map(() => pattern.split('/')[3]),
    )
    expect(Object.keys(confirmed)).toEqual([...new Set(needing)].sort())
    const row = readRows('errors.md').find(([code]) => code === '`CONFIRMATION_REQUIRED`')
    const reference: string = (paths as any)['/dashboard/api/session/confirm'].post.description
    for (const what of Object.values(confirmed)) {
      expect([what, row?.[2], reference]).toEqual([
        what,
        expect.stringContaining(what),
        expect.stringContaining(what),
      ])
    }
  })

  test('lists every magic buyer of the simulator with its outcome, as the README does', () => {
    const rows = readRows('sandbox.md').map((row) => row.map(unquoted))
    expect(rows.map(([ice]) => ice).sort()).toEqual(Object.keys(magicBuyers).sort())
    for (const [ice = '', what, final] of rows) {
      const script = magicBuyers[ice]!
      if (script.does === 'reject')
        expect([ice, what, final]).toEqual([ice, script.code, 'REJECTED'])
      else if (/never|always/.test(script.does))
        expect([ice, final]).toEqual([ice, expect.stringMatching(/^FAILED/)])
      else expect([ice, final]).toEqual([ice, 'ACCEPTED'])
    }
    const readme =
      /## The simulator[^]*?(?=\nSo `)/.exec(
        readFileSync(path.join(root, 'README.md'), 'utf8'),
      )?.[0] ?? ''
    const inReadme = [...readme.matchAll(/`(\d{3})`/g)].map(([, digits]) =>
      digits?.padStart(15, '0'),
    )
    expect(inReadme.sort()).toEqual(Object.keys(magicBuyers).sort())
  })

  test('lists the same test buyers as the API reference', () => {
    const rows = readRows('sandbox.md').map((row) => row.map(unquoted))
    const listed = Object.fromEntries(rows.map(([ice = '', what, final]) => [ice, { what, final }]))
    expect(listed).toEqual(documentedBuyers)
  })

  test('says who fixes each rejection', () => {
    const listed = readGuide('statuses.md').match(/`[A-Z]+_[A-Z_]+`/g) ?? []
    expect(listed.map(unquoted)).toEqual(expect.arrayContaining(Object.keys(rejections)))
  })

  test('has no broken link between its pages', () => {
    for (const page of guidePages) {
      for (const [, target = ''] of readGuide(page).matchAll(/\]\(([\w-]+\.md)[)#]/g)) {
        expect([page, guidePages]).toEqual([page, expect.arrayContaining([target])])
      }
    }
    const linked = [...readGuide('README.md').matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\)/gm)]
    expect(linked.map(([, page]) => page).sort()).toEqual(
      guidePages.filter((page) => page !== 'README.md').sort(),
    )
  })
})

onBorrowedStack('the guide', (stack) => {
  let organization: Organization
  let folder: string
  beforeAll(async () => {
    organization = await newOrganization(stack())
    folder = await mkdtemp(path.join(os.tmpdir(), 'guide-'))
  })
  afterAll(async () => folder && rm(folder, { recursive: true, force: true }))

  const run = (sample: Sample, number: string, url = stack().baseUrl) =>
    runSample(sample, {
      folder,
      env: { EINVOICING_API_KEY: organization.key.key, EINVOICING_URL: url },
      words: [number],
    })

  const changed = (sample: Sample, from: RegExp, to: string): Sample => {
    const code = sample.code.replace(from, to)
    if (code === sample.code) throw new Error(`${sample.file} does not hold ${String(from)}`)
    return { ...sample, code }
  }

  const programs = samples.filter(({ file }) => /first/i.test(file))

  test('has the first invoice in five languages', () => {
    expect(programs.map(({ language }) => language).sort()).toEqual(Object.keys(runners).sort())
  })

  const installed = Object.keys(runners).filter((name) =>
    runners[name]!.programs.every(isInstalled),
  )
  const runnable = programs.filter(({ language }) => installed.includes(language))

  describe.each(runnable)('$page', (sample) => {
    const number = `G-${sample.language}`

    test('creates an invoice, waits for its decision and saves its documents', async () => {
      const { code, output, errors } = await run(sample, number)
      expect([code, errors]).toEqual([0, ''])
      expect(output).toMatch(new RegExp(`^${number} is ACCEPTED \\S+\nsaved `))
      const read = (kind: string) => readFile(path.join(folder, `${number}.${kind}`), 'latin1')
      expect(await read('pdf')).toMatch(/^%PDF-/)
      expect(await read('xml')).toContain(`<cbc:ID>${number}</cbc:ID>`)
    }, 180_000)

    test('finds the invoice again when every request first gets 503', async () => {
      const busy = await openBusyProxy(stack().baseUrl)
      try {
        const { code, output, errors } = await run(sample, number, busy.url)
        expect([code, errors]).toEqual([0, ''])
        expect(output).toContain(`${number} is ACCEPTED`)
        expect(busy.countRejected()).toBeGreaterThanOrEqual(5)
      } finally {
        await busy.close()
      }
      const { data } = await organization.invoices.list({ invoiceNumber: number })
      expect(data.totalElements).toBe(1)
    }, 180_000)

    test.each([
      ['buyer', {}, '1081.2 for null'],
      ['amount', { buyerIce: '001525714000070' }, '1081.2 for 001525714000070'],
    ])('does not take the invoice of another %s for its own', async (what, fields, found) => {
      const invoiceNumber = `${number}-${what}`
      await organization.invoices.created({ invoiceNumber, ...fields })
      const { code, output, errors } = await run(sample, invoiceNumber)
      expect([code, output]).toEqual([1, ''])
      expect(errors).toContain(`${invoiceNumber} is another invoice: ${found}`)
    })

    test('ends with an error without a key', async () => {
      const env = { EINVOICING_URL: stack().baseUrl }
      const { code, output, errors } = await runSample(sample, { folder, env, words: [number] })
      expect([code === 0, output]).toEqual([false, ''])
      expect(errors).toContain('EINVOICING_API_KEY')
    }, 180_000)

    test('ends with an error after the page of a proxy', async () => {
      const proxy = http.createServer((_, response) => response.writeHead(403).end('<html></html>'))
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
      const { port } = proxy.address() as AddressInfo
      const { code, output, errors } = await run(sample, number, `http://127.0.0.1:${port}`)
      proxy.close()
      expect([code, output]).toEqual([1, ''])
      expect(errors).not.toContain('NullPointerException')
    }, 180_000)

    test('reports a rejection', async () => {
      const rejected = changed(sample, /001525714000070/, '000000000000101')
      const { code, output } = await run(rejected, `${number}-rejected`)
      expect([code, output]).toEqual([2, expect.stringContaining('is REJECTED BUYER_UNKNOWN: ')])
    }, 180_000)

    test('reports the invalid field', async () => {
      const invalid = changed(sample, /(["']?vatRate["']?\s*(?::|=>)\s*)20/, '$119')
      const { code, errors } = await run(invalid, `${number}-invalid`)
      expect(code).toBe(1)
      expect(errors).toContain('VALIDATION_ERROR')
      expect(errors).toContain('lines[0].vatRate')
    }, 180_000)
  })

  const others = samples.filter((sample) => !programs.includes(sample))
  const outputs: Record<string, RegExp> = {
    'same-number.sh': /^INVOICE_NUMBER_EXISTS\n.*\/v1\/invoices\?invoiceNumber=.*\none invoice: /,
    'credit-note.sh':
      /^CREDIT_NOTE SIGNED: 5400 of G-credit-note.sh\nCREDIT_EXCEEDS_INVOICE\n.* 4500\.00 left of .*\ncredited 5400 of 10937\.37, 1 credit note\n/,
    'rebate.sh': /^CREDIT_NOTE SIGNED: 450 \+ 90 = 540 for Atlas Distribution SARL\n/,
    'rejected.sh': /^REJECTED\nBUYER_UNKNOWN\n.*customer/,
  }

  test.each(others)(
    '$page: $file',
    async (sample) => {
      const { code, output, errors } = await run(sample, `G-${sample.file}`)
      expect([code, errors]).toEqual([0, ''])
      expect(output).toMatch(outputs[sample.file]!)
    },
    180_000,
  )

  test.each(others)('$page: $file stops at an error, and prints it', async (sample) => {
    const invoiceNumber = `G-used-${sample.file}`
    await organization.invoices.created({ invoiceNumber })
    const { code, output, errors } = await run(sample, invoiceNumber)
    expect([code, output]).toEqual([5, ''])
    expect(errors).toMatch(/^INVOICE_NUMBER_EXISTS: /)
  })

  test('its programs can run one after the other: each has its own number', () => {
    const numbers = [programs[0]!, ...others].map(({ code }) => /F-2026-\d+/.exec(code)?.[0])
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  const examples = [
    ...readGuide('rounding.md').matchAll(/^## ([A-Z]{3}): (.*)\n([^]*?)(?=^## |$(?![^]))/gm),
  ]

  test('has worked examples of rounding in three currencies', () => {
    expect(new Set(examples.map(([, currency]) => currency)).size).toBe(3)
  })

  test.each(examples.map(([, currency = '', name = '', text = '']) => ({ currency, name, text })))(
    'rounding.md, $currency: $name',
    async ({ currency, name, text }) => {
      const [lines = [], totals = []] = readTables(text)
      const { status, data } = await organization.invoices.create({
        invoiceNumber: `G-${currency} ${name}`.slice(0, 64),
        invoiceDate: '2026-05-03',
        currency,
        paymentMethod: 'CASH',
        lines: lines.map(([quantity, unitPrice, vatRate], at) => ({
          lineNumber: at + 1,
          description: 'Conseil',
          quantity: Number(quantity),
          unitPrice: Number(unitPrice),
          vatRate: Number(vatRate),
        })),
      })
      expect(status).toBe(201)
      const { amountHt, amountVat, amountTtc } = data
      expect([amountHt, amountVat, amountTtc]).toEqual(totals[0]!.map(Number))
      const ofLines = (data.lines as { amountHt: number }[]).map((line) => line.amountHt)
      expect(ofLines).toEqual(lines.map((cells) => Number(cells[3])))
    },
  )

  const requests = [
    ...readGuide('discounts.md').matchAll(/^```json\n([^]*?)^```\n[^]*?((?:^\|.*\|\n)+)/gm),
  ].map(([, body = '', table = '']) => ({ body: JSON.parse(body), table }))

  test.each(requests.map(({ body, table }) => ({ number: body.invoiceNumber, body, table })))(
    'discounts.md: $number',
    async ({ body, table }) => {
      const names = table.split('\n', 1)[0]!.match(/\w+/g)!
      const [amounts = []] = readTables(table).flat()
      const { status, data } = await organization.invoices.create(body)
      expect([status, data]).toEqual([201, expect.anything()])
      expect(names.map((name) => data[name])).toEqual(amounts.map(Number))
    },
  )

  test('discounts.md states the texts of exemptions as documents have them', () => {
    for (const text of Object.values(vatCategories).map(({ exemption }) => exemption ?? '')) {
      expect(readGuide('discounts.md')).toContain(text)
      expect(readGuide('fr/discounts.md')).toContain(text)
    }
  })
})

/** Forwards every second request, and answers the others 503. */
async function openBusyProxy(to: string) {
  let count = 0
  const server = http.createServer((request, response) => {
    count += 1
    if (count % 2 === 1) {
      request.resume()
      const [code, message] = ['SERVICE_UNAVAILABLE', 'The store is not available right now.']
      response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1' })
      response.end(JSON.stringify({ code, message, data: null, errors: null }))
      return
    }
    const { method, headers, url = '' } = request
    const forwarded = http.request(to + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countRejected: () => Math.ceil(count / 2),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

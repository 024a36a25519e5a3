import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '@einvoicing/servers/eventually'
import { aLine, anInvoice, newNumber } from '../stack/invoices'
import { onOneStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { isSignatureValid } from '../stack/xml'
import { begin, einvoicing, type Ran, type Surroundings } from './command-line'
import { openFaultyFront } from './faulty-front'

const rejected = '000000000000101'
const neverDecided = '000000000000202'
const json = (text: string): any => JSON.parse(text)

onOneStack('the command line', (stack) => {
  let organization: Organization
  let folder: string
  beforeAll(async () => {
    organization = await newOrganization(stack())
    folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-cli-'))
  })

  const settings = () => ({
    EINVOICING_URL: stack().baseUrl,
    EINVOICING_API_KEY: organization.key.key,
  })
  const run = (args: string[], { env, ...rest }: Surroundings = {}): Promise<Ran> =>
    einvoicing(args, { env: { ...settings(), ...env }, cwd: folder, ...rest })
  const writeJson = async (content: unknown) => {
    const file = path.join(folder, `${newNumber()}.json`)
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }

  describe('create', () => {
    test('prints number, status, amount and id, and with --wait the decision', async () => {
      const invoice = anInvoice({ buyerName: 'Atlas' })
      const { code, output, errors } = await run(['create', await writeJson(invoice), '--wait'])
      expect([code, errors]).toEqual([0, ''])
      const [first, second, ...rest] = output.trimEnd().split('\n')
      expect(first).toBe(`${invoice.invoiceNumber} SIGNED, 1081.20 MAD including VAT`)
      expect(second).toMatch(/^id [0-9a-f-]{36}$/)
      expect(rest[0]).toBe('ACCEPTED')
      expect(rest[1]).toMatch(/^reference {2}\S+$/)
    })

    test('sends standard input as it is, digit for digit, and answers one line of JSON', async () => {
      const body = JSON.stringify(anInvoice({ lines: [aLine({ quantity: 1 })] })).replace(
        '"unitPrice":450.5',
        '"unitPrice":123456789012.3456789012',
      )
      const { code, output } = await run(['--json', 'create', '-'], { input: `\ufeff${body}\n` })
      expect(code).toBe(0)
      expect(output.split('\n')).toHaveLength(2)
      const xml = await organization.invoices.bytes(json(output).id, 'xml')
      expect(xml.toString()).toContain('>123456789012.3456789012<')
    })

    test('exits with 1 on a rejection, and says what to do', async () => {
      const file = await writeJson(anInvoice({ buyerIce: rejected }))
      const { code, output } = await run(['create', file, '--wait'])
      expect(code).toBe(1)
      expect(output).toMatch(/^REJECTED$/m)
      expect(output).toMatch(/^reason {5}BUYER_UNKNOWN: /m)
      expect(output).toContain('create a new invoice under a new number.')
      const whole = await run([
        'create',
        await writeJson(anInvoice({ buyerIce: rejected })),
        '--wait',
        '--json',
      ])
      expect(json(whole.output)).toMatchObject({
        status: 'REJECTED',
        dgiErrorCode: 'BUYER_UNKNOWN',
      })
    })

    test('exits with 1 on field errors, and prints each', async () => {
      const file = await writeJson(anInvoice({ buyerIce: '12', currency: 'XXX' }))
      const { code, output, errors } = await run(['create', file])
      expect([code, output]).toEqual([1, ''])
      expect(errors).toMatch(/^VALIDATION_ERROR: Invalid request: /)
      expect(errors).toMatch(/^ {2}buyerIce must be exactly 15 digits/m)
      expect(errors).toMatch(/^ {2}currency must be an ISO 4217 code/m)
      expect(errors).toMatch(/^request [0-9a-f-]{36}$/m)
      const reported = await run(['create', file, '--json'])
      expect(reported.output).toBe('')
      expect(json(reported.errors).error).toMatchObject({
        code: 'VALIDATION_ERROR',
        status: 400,
        errors: [{ field: 'currency' }, { field: 'buyerIce' }].map((problem) =>
          expect.objectContaining(problem),
        ),
      })
    })

    test('rejects a used number, unless the identical invoice is accepted', async () => {
      const invoice = anInvoice()
      const file = await writeJson(invoice)
      await run(['create', file])
      const again = await run(['create', file])
      expect(again.code).toBe(1)
      expect(again.errors).toMatch(/^INVOICE_NUMBER_EXISTS: /)
      expect((await run(['create', file, '--accept-existing'])).code).toBe(0)
      const other = await writeJson({ ...invoice, buyerName: 'Rif' })
      const refused = await run(['create', other, '--accept-existing'])
      expect([refused.code, refused.errors]).toEqual([
        1,
        expect.stringContaining('  buyerName differs from the existing invoice'),
      ])
    })

    test('exits with 2 for missing files and invalid JSON', async () => {
      const missing = await run(['create', 'no-such.json'])
      expect([missing.code, missing.errors]).toEqual([
        2,
        'USAGE: Cannot read no-such.json: there is no such file.\n',
      ])
      for (const content of ['{"invoiceNumber": ', '', '[1]']) {
        const { code, output, errors } = await run(['create', await writeJson(content)])
        expect([code, output]).toEqual([2, ''])
        expect(errors).toMatch(/^USAGE: .*\.json: the invoice is (not JSON: .+|no JSON object)\n$/)
      }
    })

    test('exits with 2 for text that is not UTF-8, and for more than the service accepts', async () => {
      const latin1 = Buffer.from(JSON.stringify(anInvoice({ buyerName: 'Société' })), 'latin1')
      const unread = await run(['create', '-'], { input: latin1 })
      expect([unread.code, unread.errors]).toEqual([
        2,
        'USAGE: - is not UTF-8 text. Convert it to UTF-8 first, so that no letter is lost.\n',
      ])
      const large = await run(['create', await writeJson(' '.repeat((2 << 20) + 1))])
      expect([large.code, large.errors]).toEqual([
        2,
        expect.stringMatching(/^USAGE: .*\.json is larger than 2097152 bytes\.\n$/),
      ])
    })

    test('--draft leaves it unsigned, whatever the file says', async () => {
      for (const draft of [undefined, false, true]) {
        const invoice = anInvoice({ ...(draft !== undefined && { draft }) })
        const made = await run([
          'create',
          await writeJson(`${JSON.stringify(invoice)}\n`),
          '--draft',
        ])
        expect(made.output).toMatch(/^\S+ PENDING, 1081\.20 MAD including VAT$/m)
      }
      const both = await run(['create', 'any.json', '--draft', '--wait'])
      expect([both.code, both.errors]).toEqual([
        2,
        'USAGE: A draft is not sent to the tax authority: use --draft or --wait, not both.\n',
      ])
      const empty = await run(['create', '-', '--draft'], { input: '{}' })
      expect([empty.code, empty.errors]).toEqual([1, expect.stringMatching(/^VALIDATION_ERROR: /)])
    })

    test('stops at Ctrl-C with 130, and says what may have become of it', async () => {
      const front = await openFaultyFront(stack().baseUrl)
      front.planAlways({ slowMs: 60_000 })
      const env = { ...settings(), EINVOICING_URL: front.baseUrl }
      const running = begin(['create', await writeJson(anInvoice())], { env })
      await eventually(async () => expect(front.seen).toHaveLength(1))
      running.interrupt()
      expect(await running.ended).toEqual({
        code: 130,
        output: '',
        errors:
          'The invoice may have been created. Run the same command with --accept-existing to find out.\n' +
          'INTERRUPTED: Interrupted before it finished.\n',
      })
      await front.close()
    })
  })

  describe('one invoice', () => {
    let made: any
    beforeAll(async () => {
      made = await organization.invoices.created({ buyerName: 'Société\u009b31m Générale' })
      await organization.invoices.decided(made.id)
    })

    test('status and get, for people and in JSON', async () => {
      const status = await run(['status', made.id])
      expect(status.output).toMatch(
        /^ACCEPTED\nreference {2}\S+\nsubmitted {2}2\S+Z\naccepted {3}2/,
      )
      expect(json((await run(['status', made.id, '--json', '--wait'])).output)).toMatchObject({
        id: made.id,
        status: 'ACCEPTED',
      })
      const { output } = await run(['get', made.id])
      expect(output).toMatch(/^to {9}Société�31m Générale$/m)
      expect(output).toMatch(/^# {2}description {2}quantity {2}price +VAT +amount$/m)
      expect(output).toMatch(/^including VAT +1081\.20 MAD$/m)
      expect(json((await run(['--json', 'get', made.id])).output).lines).toHaveLength(1)
      for (const unknown of ['no-such-number', randomUUID()]) {
        const none = await run(['status', unknown])
        expect([none.code, none.errors]).toEqual([
          1,
          expect.stringMatching(/^INVOICE_NOT_FOUND: No invoice (has the|with this) id/),
        ])
      }
    })

    test('is known by its number too', async () => {
      const byNumber = await run(['get', made.invoiceNumber, '--json'])
      expect(json(byNumber.output).id).toBe(made.id)
      const here = await mkdtemp(path.join(tmpdir(), 'einvoicing-cli-'))
      await run(['pdf', made.invoiceNumber], { cwd: here })
      expect(await readdir(here)).toEqual([`${made.invoiceNumber}.pdf`])
    })

    test('downloads, by the name of the service or by mine', async () => {
      const here = await mkdtemp(path.join(tmpdir(), 'einvoicing-cli-'))
      const named = await run(['pdf', made.id], { cwd: here })
      expect([named.code, named.output]).toEqual([0, `${made.invoiceNumber}.pdf\n`])
      const again = await run(['pdf', made.id], { cwd: here })
      expect([again.code, again.errors]).toEqual([
        2,
        `USAGE: ${made.invoiceNumber}.pdf already exists. Use -o FILE to overwrite or choose another name.\n`,
      ])
      const mine = await run(['qr', made.id, '-o', 'mine.png', '--json'], { cwd: here })
      expect(json(mine.output)).toMatchObject({ file: 'mine.png', mediaType: 'image/png' })
      const xml = await run(['xml', made.id, '-o', '-'], { cwd: here })
      expect(isSignatureValid(Buffer.from(xml.output))).toBe(true)
      expect((await readdir(here)).sort()).toEqual([`${made.invoiceNumber}.pdf`, 'mine.png'].sort())
      expect((await readFile(path.join(here, 'mine.png'))).subarray(1, 4).toString()).toBe('PNG')
      const nowhere = await run(['xml', made.id, '-o', 'no/such/folder.xml'], { cwd: here })
      expect([nowhere.code, nowhere.errors]).toEqual([
        2,
        expect.stringMatching(/^USAGE: Cannot write .*: the folder .* does not exist/),
      ])
    })

    test('sign, cancel and resubmit', async () => {
      const draft = () => organization.invoices.created({ draft: true })
      const [one, other] = [await draft(), await draft()]
      const pending = await run(['status', one.id])
      expect(pending.output).toBe(
        `PENDING\nThis is a draft. To sign it: einvoicing sign ${one.id}\n`,
      )
      expect((await run(['sign', one.id, '--wait'])).output).toMatch(
        new RegExp(`^${one.invoiceNumber} SIGNED\nACCEPTED\n`),
      )
      expect((await run(['cancel', other.id])).output).toBe(`${other.invoiceNumber} CANCELLED\n`)
      const twice = await run(['cancel', other.id])
      expect([twice.code, twice.errors]).toEqual([
        1,
        expect.stringMatching(/^INVOICE_NOT_EDITABLE: .*CANCELLED/),
      ])
      expect((await run(['resubmit', made.id])).errors).toMatch(/^INVOICE_NOT_RESUBMITTABLE: /)
      expect((await run(['status', other.id, '--wait'])).errors).toMatch(
        /^NOT_SUBMITTED: The invoice was cancelled/,
      )
    })
  })

  test('list: a table, pages, filters, all, and JSON line by line', async () => {
    const { invoices, key } = await newOrganization(stack())
    const env = { EINVOICING_API_KEY: key.key }
    const empty = await run(['list'], { env })
    expect(empty).toEqual({ code: 0, output: '', errors: 'No invoices found.\n' })
    const buyerNames = ['株式会社アトラス', 'شركة الأطلس', 'Atlas']
    for (const buyerName of buyerNames)
      await invoices.created({ buyerName, buyerIce: neverDecided })
    const { output, errors } = await run(['list', '--sort', 'createdAt,asc', '--size', '2'], {
      env,
    })
    const [head, ...rows] = output.trimEnd().split('\n')
    expect(head).toMatch(/^number +date +status +amount +buyer +id$/)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(
      /2026-01-31 {2}(SIGNED|TRANSMITTED) +1081\.20 MAD {2}株式会社アトラス {2}[0-9a-f-]{36}$/,
    )
    expect(errors).toBe('page 0 (0 to 1), 3 invoices; next page: --page 1, all pages: --all\n')
    const all = await run(['list', '--all', '--json', '--size', '1', '--buyer-ice', neverDecided], {
      env,
    })
    expect(
      all.output
        .trimEnd()
        .split('\n')
        .map((line) => json(line).buyerName)
        .sort(),
    ).toEqual([...buyerNames].sort())
    const found = await run(['list', '--search', 'atl', '--json'], { env })
    expect(json(found.output).buyerName).toBe('Atlas')
    expect((await run(['list', '--status', 'accepted'], { env })).errors).toMatch(/^No invoices/)
    const wrong = await run(['list', '--from', 'yesterday'], { env })
    expect([wrong.code, wrong.errors]).toEqual([
      1,
      expect.stringContaining('invoiceDateFrom must be a date as YYYY-MM-DD'),
    ])
    const page = await run(['list', '--page', 'two'], { env })
    expect([page.code, page.errors]).toEqual([
      2,
      expect.stringContaining('Must be a whole number.'),
    ])
    expect((await run(['list', '--all', '--page', '1'], { env })).code).toBe(2)
  })

  describe('the key', () => {
    const url = () => ({ EINVOICING_URL: stack().baseUrl })

    test('can be in a file, named by an option or a variable', async () => {
      const file = await writeJson(`${organization.key.key}\n`)
      await chmod(file, 0o600)
      const byOption = await einvoicing(['list', '--json', '--key-file', file], { env: url() })
      expect(byOption.code).toBe(0)
      const env = { ...url(), EINVOICING_API_KEY_FILE: file }
      expect((await einvoicing(['list', '--json'], { env })).code).toBe(0)
      const missing = await einvoicing(['list', '--key-file', 'no-such'], { env: url() })
      expect([missing.code, missing.errors]).toEqual([
        2,
        'USAGE: Cannot read the key file no-such (ENOENT).\n',
      ])
    })

    test('a missing key is an error, and never an argument', async () => {
      const none = await einvoicing(['list'], { env: url() })
      expect([none.code, none.errors]).toEqual([
        2,
        expect.stringMatching(/^USAGE: No API key\. Set EINVOICING_API_KEY, or name a file/),
      ])
      const { key } = organization.key
      for (const args of [['--key', key], [`--api-key=${key}`], [key], ['--key-file', key]]) {
        const ran = await einvoicing(['list', ...args], { env: url() })
        expect(ran.code).toBe(2)
        expect(ran.errors + ran.output).not.toContain(key.slice(8))
      }
    })

    test('that is not valid ends with 1, and says where it is read from', async () => {
      const ran = await run(['list'], { env: { EINVOICING_API_KEY: 'svc_sk_wrong' } })
      expect([ran.code, ran.errors]).toEqual([
        1,
        expect.stringMatching(/^API_KEY_INVALID: .*\nThe key is read from --key-file, /),
      ])
      const strange = await run(['list'], { env: { EINVOICING_API_KEY: 'svc_sk_a b' } })
      expect([strange.code, strange.errors]).toEqual([
        2,
        expect.stringMatching(/^USAGE: The API key must be a key as the dashboard showed it/),
      ])
    })
  })

  test('an unreachable service, or another server, exits with 3', async () => {
    const front = await openFaultyFront(stack().baseUrl)
    const env = { EINVOICING_URL: front.baseUrl }
    front.planAlways({ status: 503, headers: { 'Retry-After': '900' } })
    const away = await run(['list'], { env })
    expect([away.code, away.errors]).toEqual([
      3,
      expect.stringMatching(/^NOT_THE_SERVICE: .*HTTP 503, text\/html/),
    ])
    await front.close()
    const gone = await run(['list'], { env })
    expect([gone.code, gone.errors]).toEqual([
      3,
      expect.stringMatching(
        /^UNREACHABLE: Cannot connect to .*\nCheck the URL in EINVOICING_URL or --url\.$/m,
      ),
    ])
    const wrong = await run(['list', '--url', 'localhost:8080'])
    expect([wrong.code, wrong.errors]).toEqual([
      2,
      'USAGE: EINVOICING_URL must be the http:// or https:// address of the service alone\n',
    ])
  })

  test('a creation with unknown outcome exits with 4, and can be repeated', async () => {
    const front = await openFaultyFront(stack().baseUrl)
    const file = await writeJson(anInvoice())
    front.plan('cut after', ...Array.from({ length: 6 }, () => 'cut before' as const))
    const open = await run(['create', file], { env: { EINVOICING_URL: front.baseUrl } })
    expect([open.code, open.errors]).toEqual([
      4,
      expect.stringMatching(/^OUTCOME_UNKNOWN: It is not known whether the invoice was created\. /),
    ])
    expect(open.errors).toContain('run the command again with --accept-existing')
    await front.close()
    expect((await run(['create', file, '--accept-existing'])).code).toBe(0)
  })
})

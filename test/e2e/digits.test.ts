/** A number is signed and shown with exactly its decimal digits, or its field is an error. */

import Big from 'big.js'
import { anInvoice } from '../stack/invoices'
import { send } from '../stack/http'
import { onEveryOwnStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { drawSeed, seededRandom, type Random } from '../stack/random'
import { parseXml, textAt } from '../stack/xml'

const literals = [
  '123456789012.1234567891',
  '123456789012.1234567891e000',
  '123456789012.1234567891E+00',
  '123456789012.1234567891e-0',
  '123456789012.123456789100',
  '1234567890121234567891e-10',
  '1234567890121234567891000e-13',
  '0.1234567890121234567891e12',
  '12345678901.21234567891E1',
  '123456789012123456789.1e-9',
  '99999999999.9999999999',
  '999999999999.9999999999',
  '9007199254740993e-4',
  '0.30000000000000004',
  '0.1000000000000000055511151231257827',
  '100000000000.0000000001',
  '1.0000000000000000001',
  '123456789012.12345678911',
  '1234567890123.1',
  '0.00000000001',
  '1e-11',
  '1e-400',
  '1e12',
  '1e400',
  '1e99999999999',
  '1.50',
  '2E+2',
  '20e-1',
  '-0',
]
// One name, as JSON may write it.
const plainName = '"unitPrice":'
const names = [plainName, '"unit\\u0050rice":', '"\\u0075nitPrice":', '"unitPrice" \n\t : \r\n ']

function randomLiteral(random: Random): string {
  const digits = (count: number) => Array.from({ length: count }, () => random.int(0, 9)).join('')
  const integer = digits(random.int(1, 13)).replace(/^0+(?=\d)/, '')
  const fraction = random.pick(['', `.${digits(random.int(1, 12))}`])
  const exponent = random.pick([
    '',
    '',
    `${random.pick(['e', 'E'])}${random.pick(['', '+', '-', '-0'])}${random.int(0, 9)}`,
  ])
  return `${integer}${fraction}${exponent}`
}

const fits = (literal: string) => {
  if (!Number.isFinite(Number(literal))) return false
  const { c, e } = new Big(literal)
  return e < 12 && c.length - 1 - e <= 10
}

onEveryOwnStack('digits', (stack, part) => {
  const spellings = part < 1 ? names.slice(0, 1) : names
  let organization: Organization
  const seed = drawSeed('digits')
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  const bodyWith = (literal: string, name = plainName, changes: object = {}) =>
    JSON.stringify(anInvoice(changes))
      .replace('"quantity":2', '"quantity":0.0001')
      .replace('"unitPrice":450.5', `${name}${literal}`)

  const extractText = async (id: string) => {
    const { invoices } = organization
    const { bytes } = await send('GET', `${invoices.url}/${id}`, { key: invoices.key })
    return /"unitPrice":([^,}]*)/.exec(bytes.toString())?.[1] ?? 'absent'
  }

  const expectExact = async (literal: string, name?: string) => {
    const { invoices } = organization
    const answer = await invoices.create(bodyWith(literal, name))
    if (!fits(literal)) {
      expect([answer.status, answer.errors?.[0]?.field]).toEqual([400, 'lines[0].unitPrice'])
      return
    }
    expect([literal, answer.status, answer.errors]).toEqual([literal, 201, null])
    const price = textAt(
      parseXml(await invoices.bytes(answer.data.id, 'xml')),
      'InvoiceLine/Price/PriceAmount',
    )
    expect(new Big(price ?? 'absent').eq(literal)).toBe(true)
    expect(new Big(await extractText(answer.data.id)).eq(literal)).toBe(true)
  }

  test.each(literals)('%s is signed and shown as sent, or is an error', async (literal) => {
    for (const name of spellings) await expectExact(literal, name)
  })

  test(`random spellings (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    for (let round = 0; round < 8 * part; round += 1) {
      await Promise.all(Array.from({ length: 8 }, () => expectExact(randomLiteral(random))))
    }
  })

  test('a draft keeps every digit: stored, changed and signed', async () => {
    const { invoices } = organization
    const draft = (
      await invoices.create(bodyWith('123456789012.1234567891e000', undefined, { draft: true }))
    ).data
    expect(await extractText(draft.id)).toBe('123456789012.1234567891')
    const { lines } = JSON.parse(bodyWith('1')) as { lines: unknown[] }
    const changed = JSON.stringify({ lines }).replace(
      '"unitPrice":1',
      '"unitPrice":9876543210989876543211E-10',
    )
    expect((await invoices.change(draft.id, changed)).status).toBe(200)
    expect(await extractText(draft.id)).toBe('987654321098.9876543211')
    expect((await invoices.sign(draft.id)).status).toBe(200)
    const xml = parseXml(await invoices.bytes(draft.id, 'xml'))
    expect(textAt(xml, 'InvoiceLine/Price/PriceAmount')).toBe('987654321098.9876543211')
  })

  test.each([
    ['vatRate', '20', '20.00000000000000001'],
    ['lineNumber', '1', '0.99999999999999999999'],
    ['lineNumber', '1', '1.0000000000000000001'],
    ['lineNumber', '1', '1e-400'],
  ])('%s %s is not %s', async (name, plain, literal) => {
    const body = JSON.stringify(anInvoice()).replace(`"${name}":${plain}`, `"${name}":${literal}`)
    const { status, errors } = await organization.invoices.create(body)
    expect([status, errors?.map(({ field }) => field)]).toEqual([400, [`lines[0].${name}`]])
    expect(errors?.[0]?.message).toContain(`got ${literal}`)
  })
})

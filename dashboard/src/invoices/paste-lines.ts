import { currencies } from '@einvoicing/domain/currency'
import { vatRates } from '@einvoicing/profile/vat'
import type { Language } from '../i18n/language'
import type { TypedLineFields } from './draft'
import { readGroups } from './typed-numbers'

type LineColumn = 'description' | 'quantity' | 'unit' | 'unitPrice' | 'vatRate'

const columns: readonly LineColumn[] = ['description', 'quantity', 'unit', 'unitPrice', 'vatRate']

export const isLineColumn = (name: string): name is LineColumn =>
  (columns as readonly string[]).includes(name)

/** Tabs between cells; a cell with a tab, a line feed or a quote is in quotes. */
function readPastedRows(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"(?=\t|\r?\n|$)|([^\t\r\n]*))(\t|\r?\n|$)/gy
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const value = found[1]?.replaceAll('""', '"') ?? found[2] ?? ''
    rows.at(-1)?.push(value.replace(/\s+/g, ' ').trim())
    if (found[3] === '') break
    if (found[3] !== '\t') rows.push([])
  }
  return rows.filter((row) => row.some((value) => value !== ''))
}

/** `undefined` for a single value, which is pasted as text. */
export function toPastedLines(
  text: string,
  from: LineColumn,
  language: Language,
): Partial<TypedLineFields>[] | undefined {
  const rows = readPastedRows(text)
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (rows.length < 2 && width < 2) return undefined
  const order = chooseColumns(rows, from, width)
  const [first, ...rest] = rows
  const body = first && rest.length > 0 && isHeading(first, order) ? rest : rows
  return body.map((row) => toFields(row, order, language))
}

// Without a unit when the third column holds numbers: description, quantity, price, VAT.
function chooseColumns(rows: readonly string[][], from: LineColumn, width: number) {
  const start = columns.indexOf(from)
  const order = columns.slice(start)
  if (start > 0) return order
  if (width === 2) return ['description', 'unitPrice'] as const
  const isThirdNumber = rows.slice(-1).every((row) => isNumber(row[2] ?? ''))
  return width < columns.length && isThirdNumber ? order.filter((name) => name !== 'unit') : order
}

function isHeading(row: readonly string[], order: readonly LineColumn[]): boolean {
  const numbers = row.filter((_, index) => /quantity|unitPrice/.test(order[index] ?? ''))
  return numbers.length > 0 && !numbers.some(isNumber)
}

function toFields(row: readonly string[], order: readonly LineColumn[], language: Language) {
  const fields: Partial<TypedLineFields> = {}
  order.forEach((name, index) => {
    const value = row[index]
    if (value === undefined || value === '') return
    if (name === 'vatRate') fields.vatRate = toTypedRate(value)
    else fields[name] = /quantity|unitPrice/.test(name) ? toTypedNumber(value, language) : value
  })
  return fields
}

const isNumber = (value: string) => /^[^\p{L}\d]*\d/u.test(withoutCurrency(value))

const money = `(?:${[...currencies, 'DHS?'].join('|')}|\\p{Sc})`
const moneyAround = new RegExp(`^${money}\\s*|\\s*${money}$`, 'giu')

const withoutCurrency = (value: string) => value.replace(moneyAround, '').replace(/\s/g, '')

function toTypedNumber(value: string, language: Language): string {
  const plain = readGroups(withoutCurrency(value))
  return (language === 'fr' ? plain?.replace('.', ',') : plain) ?? value
}

function toTypedRate(value: string): string {
  const number = Number(readGroups(withoutCurrency(value.replace('%', ''))) ?? NaN)
  const percent = number < 1 ? Number((number * 100).toFixed(4)) : number
  return vatRates.some((known) => known === percent) ? String(percent) : value
}

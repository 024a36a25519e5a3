import { vatRates } from '@einvoicing/profile/vat'
import type { Language } from '../i18n/language'
import type { TypedLineFields } from './draft'

type LineColumn = 'description' | 'quantity' | 'unit' | 'unitPrice' | 'vatRate'

const columns: readonly LineColumn[] = ['description', 'quantity', 'unit', 'unitPrice', 'vatRate']

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
  from: string,
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
function chooseColumns(rows: readonly string[][], from: string, width: number) {
  const start = Math.max(0, columns.indexOf(from as LineColumn))
  const order = columns.slice(start)
  if (start > 0) return order
  if (width === 2) return ['description', 'unitPrice'] as const
  const isThirdNumber = rows.slice(-1).every((row) => isNumber(row[2] ?? ''))
  return width < columns.length && isThirdNumber ? order.filter((name) => name !== 'unit') : order
}

function isHeading(row: readonly string[], order: readonly LineColumn[]): boolean {
  const numbers = row.filter((_, index) => /quantity|unitPrice/.test(order[index] ?? ''))
  return numbers.length > 0 && numbers.every((value) => !isNumber(value))
}

function toFields(row: readonly string[], order: readonly LineColumn[], language: Language) {
  const fields: Partial<TypedLineFields> = {}
  order.forEach((name, index) => {
    const value = row[index]
    if (value === undefined || value === '') return
    if (name === 'vatRate') Object.assign(fields, readVatRate(value))
    else fields[name] = /quantity|unitPrice/.test(name) ? toTypedNumber(value, language) : value
  })
  return fields
}

const isNumber = (value: string) => /^\d+(\.\d+)?$/.test(toPlainNumber(value))

// The last of point and comma begins the fraction; a lone comma does unless it separates thousands.
function toPlainNumber(value: string): string {
  const digits = value.replace(/[^\d.,]/g, '')
  const last = Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'))
  if (last < 0) return digits
  const separators = digits.replace(/\d/g, '')
  const isThousands = separators.length > 1 && new Set(separators).size === 1
  if (isThousands) return digits.replace(/[.,]/g, '')
  return `${digits.slice(0, last).replace(/[.,]/g, '')}.${digits.slice(last + 1)}`
}

function toTypedNumber(value: string, language: Language): string {
  const plain = toPlainNumber(value)
  if (!isNumber(value) || /^\s*[-(]/.test(value)) return value
  return language === 'fr' ? plain.replace('.', ',') : plain
}

function readVatRate(value: string): Pick<TypedLineFields, 'vatRate'> | undefined {
  const number = Number(toPlainNumber(value))
  const percent = number > 0 && number < 1 ? Math.round(number * 100) : number
  const rate = vatRates.find((known) => known === percent)
  return rate === undefined ? undefined : { vatRate: String(rate) }
}

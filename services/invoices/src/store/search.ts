/** Ignores case in every script: SQLite alone folds ASCII only. */

export interface Search {
  /** In the number or in the buyer's name, in any case. */
  text: string
  /** The buyer's ICE or the platform's reference begins with one of them. */
  beginnings: string[]
  /** Including VAT, in major units. */
  amount: AmountRange | undefined
}

/** Includes `from`, excludes `to`. */
export interface AmountRange {
  from: number
  to: number
}

export function parseSearch(text: string): Search {
  const beginnings = [...new Set([text, text.toUpperCase(), text.toLowerCase()])]
  return { text, beginnings, amount: parseAmount(text) }
}

const whole = [
  '0|[1-9]\\d{0,14}',
  "[1-9]\\d{0,2}(?:[ \u00a0\u202f'’]\\d{3}){1,4}",
  '[1-9]\\d{0,2}(?:,\\d{3}){1,4}(?!,)',
  '[1-9]\\d{0,2}(?:\\.\\d{3}){1,4}(?!\\.)',
].join('|')
const amountPattern = new RegExp(`^(?<whole>${whole})(?:[.,](?<digits>\\d{0,3}))?$`, 'u')

/** As typed: 1200 finds 1200.60, and 1200.60 finds 1200.605; 1,500 and 1.500 find 1.5. */
function parseAmount(text: string): AmountRange | undefined {
  const { whole, digits = '' } = amountPattern.exec(text)?.groups ?? {}
  if (whole === undefined) return undefined
  const from = whole.replace(/\D/gu, '') + digits
  const toMajor = (units: bigint) => {
    const padded = String(units).padStart(digits.length + 1, '0')
    const point = padded.length - digits.length
    return Number(`${padded.slice(0, point)}.${padded.slice(point)}`)
  }
  return { from: toMajor(BigInt(from)), to: toMajor(BigInt(from) + 1n) }
}

/** After all text with this beginning, by the bytes in UTF-8. */
export const toUpperBound = (beginning: string): string => `${beginning}\u{10FFFF}`

/** With `*`, `?` and `[…]` escaped. */
export function toGlob(search: string): string {
  return [...search].map((character) => matchAny(listCases(character), /[*?[]/)).join('')
}

export function toRegex(search: string): string {
  return [...search]
    .map((character) => {
      const cases = listCases(character)
      return cases.length > 1 ? `[${cases.join('')}]` : character.replace(/[^\p{L}\p{N} ]/u, '\\$&')
    })
    .join('')
}

export function createMatcher(search: string): (text: string) => boolean {
  const wanted = [...search].map((character) => new Set(listCases(character)))
  return (text) => {
    const characters = [...text]
    return characters.some((_, at) =>
      wanted.every((cases, index) => cases.has(characters[at + index] ?? '')),
    )
  }
}

function matchAny(cases: readonly string[], special: RegExp): string {
  return cases.length > 1 || special.test(cases[0] ?? '') ? `[${cases.join('')}]` : cases.join('')
}

// Cases of several characters, such as that of ß, are left out.
function listCases(character: string): string[] {
  const cases = [character, character.toLowerCase(), character.toUpperCase()]
  return [...new Set(cases)].filter((one) => [...one].length === 1)
}

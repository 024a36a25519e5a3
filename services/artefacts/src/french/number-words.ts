/** Traditional spelling: « quatre-vingts », « soixante et onze », « deux cent mille ». */

const small = [
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
  'dix-sept dix-huit dix-neuf',
].flatMap((words) => words.split(' '))
const tens = ['', '', 'vingt', 'trente', 'quarante', 'cinquante', 'soixante', 'soixante']
const scales = ['million', 'milliard', 'billion', 'billiard', 'trillion']

export type Gender = 'masculine' | 'feminine'

/** Spells 0 ≤ n < 10^21, else throws `RangeError`. A gender changes only a final « un ». */
export function numberWords(n: bigint, gender: Gender = 'masculine'): string {
  if (n < 0n || n >= 10n ** 21n) throw new RangeError(`not spelled in French: ${n}`)
  const words = n === 0n ? 'zéro' : [...largeParts(n), ...belowMillion(n)].join(' ')
  return gender === 'feminine' ? words.replace(/\bun$/, 'une') : words
}

/** Nouns such as « million(s) » and « milliard(s) » take « de » before another noun. */
export function endsInNoun(n: bigint): boolean {
  return n > 0n && n % 1_000_000n === 0n
}

function largeParts(n: bigint): string[] {
  return scales
    .map((scale, i) => ({ scale, count: Number((n / 10n ** BigInt(6 + 3 * i)) % 1000n) }))
    .filter(({ count }) => count > 0)
    .map(({ scale, count }) => `${belowThousand(count)} ${scale}${count > 1 ? 's' : ''}`)
    .reverse()
}

function belowMillion(n: bigint): string[] {
  const thousands = Number((n / 1000n) % 1000n)
  const rest = Number(n % 1000n)
  const words: string[] = []
  // « mille » takes no « un » and no s, and « cents » or « vingts » before it lose theirs.
  if (thousands === 1) words.push('mille')
  if (thousands > 1) words.push(`${belowThousand(thousands).replace(/(cent|vingt)s$/, '$1')} mille`)
  if (rest > 0) words.push(belowThousand(rest))
  return words
}

function belowThousand(n: number): string {
  const hundreds = Math.floor(n / 100)
  const rest = n % 100
  const cent = hundreds > 1 ? `${small[hundreds]} cent${rest === 0 ? 's' : ''}` : 'cent'
  return [...(hundreds > 0 ? [cent] : []), ...(rest > 0 ? [belowHundred(rest)] : [])].join(' ')
}

function belowHundred(n: number): string {
  if (n < 20) return small[n] as string
  if (n === 80) return 'quatre-vingts'
  if (n > 80) return `quatre-vingt-${small[n - 80]}`
  const ten = tens[Math.floor(n / 10)] as string
  // Sixty continues to seventy-nine: soixante-dix, soixante et onze.
  const unit = n >= 60 ? n - 60 : n % 10
  if (unit === 0) return ten
  return unit === 1 || unit === 11 ? `${ten} et ${small[unit]}` : `${ten}-${small[unit]}`
}

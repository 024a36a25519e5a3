export interface NumberSeries {
  prefix: string
  last: string
  next: string
}

interface NumberParts {
  prefix: string
  digits: string
}

const seriesMax = 3

/** From the newest invoice on; a number that does not end with digits is in no series. */
export function findSeries(numbers: readonly string[]): NumberSeries[] {
  const highest = new Map<string, NumberParts>()
  for (const parts of numbers.flatMap(splitNumber)) {
    const known = highest.get(parts.prefix)
    if (!known || BigInt(parts.digits) > BigInt(known.digits)) highest.set(parts.prefix, parts)
  }
  // Ordered by the newest invoice of each series.
  const order = [...new Set(numbers.flatMap(splitNumber).map(({ prefix }) => prefix))]
  return order.slice(0, seriesMax).flatMap((prefix) => {
    const last = highest.get(prefix)
    return last ? [{ prefix, last: join(last), next: join(following(last)) }] : []
  })
}

const spanMax = 10_000n

/** Between the lowest and the highest number given. */
export function findGaps(prefix: string, numbers: readonly string[]): string[] {
  const digits = numbers.flatMap(splitNumber).filter((parts) => parts.prefix === prefix)
  const width = digits[0]?.digits.length ?? 0
  if (digits.length < 2 || digits.some((parts) => parts.digits.length !== width)) return []
  const taken = new Set(digits.map((parts) => BigInt(parts.digits)))
  const sorted = [...taken].sort((one, other) => (one < other ? -1 : 1))
  const [lowest = 0n, highest = 0n] = [sorted[0], sorted.at(-1)]
  if (highest - lowest > spanMax) return []
  const gaps: string[] = []
  for (let value = lowest; value < highest; value += 1n) {
    if (!taken.has(value)) gaps.push(join({ prefix, digits: pad(value, width) }))
  }
  return gaps
}

function splitNumber(number: string): NumberParts[] {
  const [, prefix = '', digits = ''] = /^(.*?)(\d{1,18})$/.exec(number) ?? []
  return digits === '' ? [] : [{ prefix, digits }]
}

const join = ({ prefix, digits }: NumberParts) => `${prefix}${digits}`

const following = ({ prefix, digits }: NumberParts): NumberParts => ({
  prefix,
  digits: pad(BigInt(digits) + 1n, digits.length),
})

const pad = (value: bigint, width: number) => String(value).padStart(width, '0')

export type Key = string | number | null

export interface Bound {
  key: Key
  id: string
}

/** Includes `from`, excludes `to`. */
export interface Range {
  from?: Bound | undefined
  to?: Bound | undefined
}

/** As both stores compare: absent first, numbers by value, text by its bytes in UTF-8. */
export function compareKeys(one: Key, other: Key): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  if (typeof one === 'number' || typeof other === 'number') return Number(one) - Number(other)
  return compareText(one, other)
}

export function compareText(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at += 1) {
    const a = one.charCodeAt(at)
    const b = other.charCodeAt(at)
    if (a === b) continue
    // Surrogates: UTF-8 sorts characters beyond U+FFFF after all others.
    return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1
  }
  return one.length - other.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

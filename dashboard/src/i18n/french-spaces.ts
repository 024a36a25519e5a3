const space = '\u00a0'

/** No line begins with a colon or a closing quote. */
export function setFrenchSpaces<T>(texts: T): T {
  if (typeof texts === 'string') return setSpaces(texts) as T
  if (typeof texts === 'function') {
    const render = texts as unknown as (...values: unknown[]) => string
    return ((...values: unknown[]) => setSpaces(render(...values))) as T
  }
  if (typeof texts !== 'object' || texts === null) return texts
  const entries = Object.entries(texts).map(
    ([name, text]) => [name, setFrenchSpaces<unknown>(text)] as const,
  )
  return Object.fromEntries(entries) as T
}

const setSpaces = (text: string): string =>
  text.replace(/ (?=[:;!?»%])/g, space).replace(/(?<=«) /g, space)

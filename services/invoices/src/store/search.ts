/**
 * Letters match in upper and lower case in every script; SQLite's own case folding is ASCII only,
 * MongoDB's depends on its library's version.
 */

/** For SQLite's GLOB, with `*`, `?` and `[…]` escaped. */
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

function matchAny(cases: readonly string[], special: RegExp): string {
  return cases.length > 1 || special.test(cases[0] ?? '') ? `[${cases.join('')}]` : cases.join('')
}

// Cases of several characters, such as that of ß, are left out.
function listCases(character: string): string[] {
  const cases = [character, character.toLowerCase(), character.toUpperCase()]
  return [...new Set(cases)].filter((one) => [...one].length === 1)
}

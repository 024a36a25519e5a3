/**
 * What a search looks for, as each store matches it: the same text in any case of letters, with
 * nothing in it that means more than itself.
 *
 * Letters are matched by their own upper and lower case, in every script; a store's own idea of
 * case would be that of ASCII (SQLite), or of its library's version.
 */

/** For SQLite's GLOB, which knows `*`, `?` and `[…]`. */
export function globOf(search: string): string {
  return [...search].map((character) => anyOf(casesOf(character), /[*?[]/)).join('')
}

/** For a regular expression of PCRE, as MongoDB has it. */
export function regexOf(search: string): string {
  return [...search]
    .map((character) => {
      const cases = casesOf(character)
      return cases.length > 1 ? `[${cases.join('')}]` : character.replace(/[^\p{L}\p{N} ]/u, '\\$&')
    })
    .join('')
}

function anyOf(cases: readonly string[], special: RegExp): string {
  return cases.length > 1 || special.test(cases[0] ?? '') ? `[${cases.join('')}]` : cases.join('')
}

// A case of several characters, as that of ß, is another word.
function casesOf(character: string): string[] {
  const cases = [character, character.toLowerCase(), character.toUpperCase()]
  return [...new Set(cases)].filter((one) => [...one].length === 1)
}

/** Which language is spoken: the one chosen before, else the browser's first of those we have. */

export const languages = ['fr', 'en'] as const

export type Language = (typeof languages)[number]

const keptAs = 'language'

export function readLanguage(): Language {
  const kept = readKept()
  if (kept) return kept
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2))
  return wanted.map(asLanguage).find((language) => language !== undefined) ?? 'fr'
}

export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(keptAs, language)
  } catch {
    // Storage is switched off: the choice lasts as long as the page.
  }
}

/** The reader's own region where it fits: digits and dates differ within a language. */
export function localeOf(language: Language): string {
  const region = { fr: 'fr-MA', en: 'en-GB' }
  return navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? region[language]
}

function readKept(): Language | undefined {
  try {
    return asLanguage(localStorage.getItem(keptAs) ?? '')
  } catch {
    return undefined
  }
}

const asLanguage = (text: string) => languages.find((language) => language === text)

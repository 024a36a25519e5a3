export const languages = ['fr', 'en'] as const

export type Language = (typeof languages)[number]

const storageKey = 'language'

export function readLanguage(): Language {
  const stored = readStored()
  if (stored) return stored
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2))
  return wanted.map(asLanguage).find((language) => language !== undefined) ?? 'fr'
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Storage is switched off: the choice lasts as long as the page.
  }
}

/** The reader's own region if it fits: digits and dates differ within a language. */
export function findLocale(language: Language): string {
  const region = { fr: 'fr-MA', en: 'en-GB' }
  return navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? region[language]
}

function readStored(): Language | undefined {
  try {
    return asLanguage(localStorage.getItem(storageKey) ?? '')
  } catch {
    return undefined
  }
}

const asLanguage = (text: string) => languages.find((language) => language === text)

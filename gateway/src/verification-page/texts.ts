import type { Language } from './languages'
import { arabic } from './texts-ar'
import { english } from './texts-en'
import { french } from './texts-fr'
import type { Texts } from './texts-shape'

export type { Texts }

export const texts: Readonly<Record<Language, Texts>> = {
  fr: french,
  ar: arabic,
  en: english,
}

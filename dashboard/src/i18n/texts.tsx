/** The texts of the page in the reader's language, and the switch between languages. */

import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Catalogue } from './catalogue'
import { en } from './en'
import { fr } from './fr'
import { keepLanguage, readLanguage, type Language } from './language'

const catalogues: Record<Language, Catalogue> = { fr, en }

interface Speaking {
  language: Language
  texts: Catalogue
  setLanguage(language: Language): void
}

const SpeakingContext = createContext<Speaking | undefined>(undefined)

export function TextsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(readLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const speaking = useMemo(
    () => ({
      language,
      texts: catalogues[language],
      setLanguage: (chosen: Language) => {
        keepLanguage(chosen)
        setLanguage(chosen)
      },
    }),
    [language],
  )
  return <SpeakingContext value={speaking}>{children}</SpeakingContext>
}

export function useSpeaking(): Speaking {
  const speaking = useContext(SpeakingContext)
  if (!speaking) throw new Error('TextsProvider is missing')
  return speaking
}

/** `const texts = useTexts()`, then `texts.keys.title`. */
export const useTexts = (): Catalogue => useSpeaking().texts

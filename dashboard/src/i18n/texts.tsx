import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Catalogue } from './catalogue'
import { en } from './en'
import { fr } from './fr'
import { setFrenchSpaces } from './french-spaces'
import { storeLanguage, readLanguage, type Language } from './language'

const catalogues: Record<Language, Catalogue> = { fr: setFrenchSpaces(fr), en }

interface LanguageState {
  language: Language
  texts: Catalogue
  setLanguage(language: Language): void
}

const LanguageContext = createContext<LanguageState | undefined>(undefined)

export function TextsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(readLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const state = useMemo(
    () => ({
      language,
      texts: catalogues[language],
      setLanguage: (chosen: Language) => {
        storeLanguage(chosen)
        setLanguage(chosen)
      },
    }),
    [language],
  )
  return <LanguageContext value={state}>{children}</LanguageContext>
}

export function useLanguage(): LanguageState {
  const state = useContext(LanguageContext)
  if (!state) throw new Error('TextsProvider is missing')
  return state
}

export const useTexts = (): Catalogue => useLanguage().texts

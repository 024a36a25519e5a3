/** English is where a page is first written; the samples of programs are its alone. */

export const languages = ['en', 'fr'] as const

export type Language = (typeof languages)[number]

/** Where the gateway serves the pages. */
export const paths = {
  en: { reference: '/docs', guide: '/docs/guide' },
  fr: { reference: '/docs/fr', guide: '/docs/guide/fr' },
} as const satisfies Record<Language, object>

export const openApiPaths = { en: '/openapi.json', fr: '/openapi.fr.json' } as const

export const dashboardPath = '/dashboard'

/** Says which environment the page belongs to; the pages themselves are the same everywhere. */
export const environmentStyle = '/docs/environment.css'

export interface Words {
  service: string
  brand: string
  documentation: string
  guide: string
  reference: string
  dashboard: string
  skip: string
  overview: string
  before: string
  next: string
  neighbours: string
  search: string
  /** `{count}` is replaced. */
  found: string
  nothingFound: string
  copy: string
  copied: string
  test: string
  /** The other language, in that language. */
  otherLanguage: string
}

export const words: Record<Language, Words> = {
  en: {
    service: 'Electronic Invoicing Service',
    brand: 'Electronic Invoicing',
    documentation: 'Documentation',
    guide: 'Guide',
    reference: 'API reference',
    dashboard: 'Dashboard',
    skip: 'Skip to the content',
    overview: 'Overview',
    before: 'Before: ',
    next: 'Next: ',
    neighbours: 'Pages beside this one',
    search: 'Search the guide',
    found: 'Sections found: {count}',
    nothingFound: 'Nothing found',
    copy: 'Copy',
    copied: 'Copied',
    test: 'Test: no legal value',
    otherLanguage: 'Français',
  },
  fr: {
    service: 'Service de facturation électronique',
    brand: 'Facturation électronique',
    documentation: 'Documentation',
    guide: 'Guide',
    reference: 'Référence de l’API',
    dashboard: 'Tableau de bord',
    skip: 'Aller au contenu',
    overview: 'Présentation',
    before: 'Précédent : ',
    next: 'Suivant : ',
    neighbours: 'Pages voisines',
    search: 'Rechercher dans le guide',
    found: 'Sections trouvées : {count}',
    nothingFound: 'Aucun résultat',
    copy: 'Copier',
    copied: 'Copié',
    test: 'Test : sans valeur légale',
    otherLanguage: 'English',
  },
}

export function otherLanguage(language: Language): Language {
  return language === 'en' ? 'fr' : 'en'
}

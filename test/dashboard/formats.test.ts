let mockLanguage = 'en'
jest.mock('react', () => ({ useMemo: (create: () => unknown) => create() }))
jest.mock('../../dashboard/src/i18n/texts', () => ({
  useLanguage: () => ({ language: mockLanguage }),
}))
const mockLocales: Record<string, string> = { fr: 'fr-MA', en: 'en-GB' }
jest.mock('../../dashboard/src/i18n/language', () => ({
  findLocale: (language: string) => mockLocales[language],
}))

const { useFormats } = jest.requireActual('../../dashboard/src/i18n/formats')

test.each([
  ['en', 20, '20%'],
  ['en', 2.25, '2.25%'],
  ['en', 33.3333, '33.3333%'],
  ['fr', 20, '20 %'],
  ['fr', 2.25, '2,25 %'],
])('in %s %d percent is %j', (language, percent, text) => {
  mockLanguage = language
  expect(
    useFormats()
      .percent(percent / 100)
      .replace(/\s/g, ' '),
  ).toBe(text)
})

test.each([
  ['en', '4 May 2026', '4 May 2026, 00:30', '04/05/2026, 00:30:00'],
  ['fr', '4 mai 2026', '4 mai 2026, 00:30', '04/05/2026 00:30:00'],
])('in %s a time is that of Morocco', (language, date, dateTime, exactTime) => {
  mockLanguage = language
  const formats = useFormats()
  const at = '2026-05-03T23:30:00.000Z'
  expect(formats.date(at)).toBe(date)
  expect(formats.dateTime(at).replace(/ à |\s/g, ' ')).toBe(dateTime)
  expect(formats.exactTime(at)).toBe(exactTime)
})

test('a text counts one as one', () => {
  const { en } = jest.requireActual('../../dashboard/src/i18n/en')
  const { fr } = jest.requireActual('../../dashboard/src/i18n/fr')
  expect([1, 2].map((count) => fr.overview.clearanceHint(count, String(count)))).toEqual([
    'De la signature à la décision de l’administration fiscale, pour 1 facture.',
    'De la signature à la décision de l’administration fiscale, pour 2 factures.',
  ])
  expect([1, 2].map((count) => en.overview.clearanceHint(count, String(count)))).toEqual([
    'From signature to the tax authority’s decision, for 1 invoice.',
    'From signature to the tax authority’s decision, for 2 invoices.',
  ])
  expect([1, 2].map((more) => fr.draft.gaps('F-1', more))).toEqual([
    'Numéros manquants dans cette série : F-1 et 1 autre.',
    'Numéros manquants dans cette série : F-1 et 2 autres.',
  ])
})

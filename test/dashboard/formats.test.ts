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

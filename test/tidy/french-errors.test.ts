import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sources } from './tree'

const frenchTexts = path.join(__dirname, '../../dashboard/src/i18n/fr/errors.ts')

test('every field error of accounts has a text of its own in French', () => {
  const message = /(['`])((?:must|is|was|cannot|needs|can|belongs|has) (?:(?!\1)[^\n])+)\1/g
  const messages = sources
    .filter((source) => source.path.startsWith('services/organizations/src/'))
    .filter((source) => !/test|contract/.test(source.path))
    .flatMap(({ text }) => [...text.matchAll(message)].map(([, , found]) => String(found)))
    .map((found) => found.replaceAll(/\$\{[^}]*\}/g, '9'))
  expect(messages.length).toBeGreaterThan(20)

  const french = readFileSync(frenchTexts, 'utf8')
  const translated = [...french.matchAll(/\[\s*\/(.+)\/(i?),/g)].map(
    ([, pattern = '', flags]) => new RegExp(pattern, flags),
  )
  expect(translated.length).toBeGreaterThan(20)
  const isTranslated = (found: string) => translated.some((pattern) => pattern.test(found))
  expect(messages.filter((found) => !isTranslated(found))).toEqual([])
})

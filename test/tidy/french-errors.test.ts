import { errors } from '../../dashboard/src/i18n/fr/errors'
import { sources } from './tree'

const generic = errors.translateFieldError('a message that no text is for')

test('every field error of accounts has a text of its own in French', () => {
  const message = /(['`])((?:must|is|was|cannot|needs|can|belongs|has) (?:(?!\1)[^\n])+)\1/g
  const messages = sources
    .filter(({ path }) => path.startsWith('services/organizations/src/'))
    .filter(({ path }) => !/test|contract/.test(path))
    .flatMap(({ text }) => [...text.matchAll(message)].map(([, , found]) => String(found)))
    .map((found) => found.replaceAll(/\$\{[^}]*\}/g, '9'))
  expect(messages.length).toBeGreaterThan(20)
  expect(messages.filter((found) => errors.translateFieldError(found) === generic)).toEqual([])
})

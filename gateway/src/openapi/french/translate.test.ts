import { openApiDocument } from '../document'
import { fieldTexts } from './fields'
import { operationTexts } from './operations'
import { findFrench, mapTexts, toFrenchDocument } from './translate'

const document = openApiDocument('test')

function collectTexts(value: unknown): string[] {
  const texts = new Set<string>()
  mapTexts(value, (text) => {
    texts.add(text)
    return text
  })
  return [...texts]
}

it('has every text of the document in French', () => {
  expect(collectTexts(document).filter((text) => findFrench(text) === undefined)).toEqual([])
})

it('has no translation of a removed text', () => {
  const texts = new Set([...collectTexts(document), 'Guide'])
  const known = [...Object.keys(operationTexts), ...Object.keys(fieldTexts)]
  expect(known.filter((text) => !texts.has(text))).toEqual([])
})

it('keeps everything but the texts', () => {
  const hide = (value: unknown) => mapTexts(value, () => '')
  const { info: _, externalDocs: __, ...french } = toFrenchDocument(document)
  const { info: ___, externalDocs: ____, ...english } = document
  expect(hide(french)).toEqual(hide(english))
})

it.each([
  [
    'Sandbox, buyer …101: BUYER_UNKNOWN; ends REJECTED',
    'Bac à sable, acheteur …101 : BUYER_UNKNOWN ; finit REJECTED',
  ],
  [
    'Sandbox, buyer …409: the platform first answers 409, though it stored the submission; ends ACCEPTED',
    'Bac à sable, acheteur …409 : la plateforme répond d’abord 409, bien qu’elle ait enregistré l’envoi ; finit ACCEPTED',
  ],
])('%s', (english, french) => expect(findFrench(english)).toBe(french))

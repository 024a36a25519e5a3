import { createHash } from 'node:crypto'
import { unavailable } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import { documentCheck, type ReadArchived } from './find-document-problem'

const xml = Buffer.from('<Invoice/>')
const sha256 = createHash('sha256').update(xml).digest('hex')

function check(
  readArchived: ReadArchived | undefined,
  {
    inline,
    stored = sha256,
    mayBeMissing = () => false,
  }: { inline?: Buffer; stored?: string; mayBeMissing?: () => boolean } = {},
) {
  const store = {
    get: async () => ({ xmlSha256: stored }) as Invoice,
    readXml: async () => inline,
  }
  return documentCheck(store, { readArchived, mayBeMissing })('org', 'invoice', sha256)
}

const never = () => Promise.reject(new Error('not read'))

test('a document that matches the log, or is not archived yet, has no problem', async () => {
  expect(await check(async () => xml)).toBeUndefined()
  expect(await check(never, { inline: xml })).toBeUndefined()
  expect(await check(undefined)).toBeUndefined()
})

test.each<[string, ReadArchived, object, RegExp]>([
  ['the store names another', never, { stored: 'ab' }, /another signed XML in the store: ab/],
  ['the store holds another', never, { inline: Buffer.from('x') }, /in the store has the SHA-256/],
  ['the archive holds another', async () => Buffer.from('x'), {}, /archive has the SHA-256/],
  ['the archive has none', async () => undefined, {}, /invoice invoice is not in the archive/],
  ['the archived one is damaged', never, {}, /in the archive is damaged: not read/],
])('reports the problem where %s', async (_what, readArchived, options, problem) => {
  expect(await check(readArchived, options)).toMatch(problem)
})

test('a document may be missing in the archive once its retention is over', async () => {
  const mayBeMissing = () => true
  expect(await check(async () => undefined, { mayBeMissing })).toBeUndefined()
  expect(await check(async () => Buffer.from('x'), { mayBeMissing })).toMatch(/has the SHA-256/)
})

test('an unavailable archive is not reported as tampering', async () => {
  const away = () => Promise.reject(unavailable('The archive'))
  await expect(check(away)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

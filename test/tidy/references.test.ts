/** What the documents name exists: files, links, commands, settings and routes. */

import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { files, read, root, type SourceFile } from './tree'

const documents = files.filter(
  ({ path }) =>
    path.endsWith('.md') && path !== 'CHANGELOG.md' && !path.startsWith('docs/decisions/'),
)
const linked = files.filter(({ path }) => path.endsWith('.md'))
const paths = files.map(({ path }) => path)
const code = files.filter(({ path }) => !path.endsWith('.md'))

const readCode = (text: string): string[] =>
  [...text.matchAll(/```.*?```|`([^`\n]+)`/gs)].map((match) => match[1] ?? match[0])

/** As GitHub makes them: the fragment that leads to a heading. */
const readAnchors = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  )

function findBrokenLinks({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1]!)
    .filter((target) => !/^(\w+:|\/)/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#')
      const found = file === '' ? path : normalize(join(dirname(path), file)).replace(/\/$/, '')
      if (!existsSync(join(root, found))) return true
      return (
        anchor !== undefined && found.endsWith('.md') && !readAnchors(read(found)).includes(anchor)
      )
    })
}

const isSource = /^[\w./-]*\w\.(ts|tsx|mjs|proto)$/
const isPlaceholder = /(^|\/)[A-Z]+\./

/** Sources by their name or the end of their path, in the folder of the document. */
function findMissingSources({ path, text }: SourceFile): string[] {
  const folder = /^(services|gateway)\//.test(path) ? `${dirname(path)}/` : ''
  return readCode(text)
    .filter((name) => isSource.test(name) && !isPlaceholder.test(name))
    .filter((name) => !paths.some((known) => known === name || isBelow(known, folder, name)))
}

const isBelow = (known: string, folder: string, name: string) =>
  known.startsWith(folder) && `/${known}`.endsWith(`/${name}`)

const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)
const targets = [...read('Makefile').matchAll(/^([\w-]+):/gm)].map((match) => match[1]!)

function findMissingCommands({ text }: SourceFile): string[] {
  const commands = readCode(text).join('\n')
  return [
    ...findNames(commands, /\bnpm run (?:--silent )?(\w[\w-]*(?::[\w-]+)*)/g).filter(
      (name) => !scripts.includes(name),
    ),
    ...findNames(commands, /(?:^|[\s(])make ([a-z][\w-]*)/g).filter(
      (name) => !targets.includes(name),
    ),
  ]
}

const findNames = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1]!)

const names = new Set(code.flatMap(({ text }) => text.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)))

/** Of Jackson and of testcontainers. */
const external = ['USE_BIG_DECIMAL_FOR_FLOATS', 'TESTCONTAINERS_RYUK_DISABLED']

/** Settings, error codes and other names in capitals that no code has. */
const findUnknownNames = ({ text }: SourceFile): string[] =>
  readCode(text)
    .filter((name) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+(=\S*)?$/.test(name))
    .map((name) => name.split('=')[0]!)
    .filter((name) => !names.has(name) && !external.includes(name))

const toPattern = (route: string) => route.replace(/\{\w+\}|:\w+|\b[A-Z_]{2,}\b|…/g, '*')
const findRoutes = (folder: string, pattern: RegExp): string[] =>
  code
    .filter(({ path }) => path.startsWith(folder) && !path.endsWith('.test.ts'))
    .flatMap(({ text }) => findNames(text, pattern))
const routes = [
  ...findRoutes('clients/typescript/src/gen/', /^ *"(\/v1[^"]*)": \{/gm),
  ...findRoutes('services/simulator/src/', /'(\/v1\/[^']*)'/g),
  ...findRoutes('gateway/src/dashboard/', /^ *'(\/[^']*)': \{/gm).map(
    (at) => `/dashboard/api${at}`,
  ),
].map(toPattern)

const findUnknownRoutes = ({ text }: SourceFile): string[] =>
  readCode(text)
    .flatMap((command) => findNames(command, /\b(?:GET|POST|PUT|DELETE|PATCH) (\/[\w{}:/.…-]+)/g))
    .filter((route) => /^\/(v1|dashboard\/api)\//.test(route))
    .filter((route) => !routes.includes(toPattern(route.replace(/\/$/, ''))))

describe('a check of references', () => {
  const document = (text: string): SourceFile => ({ path: 'docs/glossary.md', text })

  test('finds what does not exist', () => {
    expect(findBrokenLinks(document('[a](nowhere.md) [b](glossary.md#nowhere)'))).toHaveLength(2)
    expect(findMissingSources(document('`nowhere.ts`'))).toEqual(['nowhere.ts'])
    expect(findMissingCommands(document('`npm run nowhere` `make nowhere`'))).toHaveLength(2)
    expect(findUnknownNames(document(`\`${['NOWHERE', 'FILE'].join('_')}\``))).toHaveLength(1)
    expect(findUnknownRoutes(document('`GET /v1/invoices/:id/nowhere`'))).toHaveLength(1)
  })

  test('accepts what exists', () => {
    const good = document(
      '[a](glossary.md#invoices) `words.ts` `make run` `npm run tidy` `DATA_DIR=data` ' +
        '`GET /v1/invoices/:id/pdf`',
    )
    expect(findProblems(good)).toEqual([])
  })
})

const findProblems = (document: SourceFile) => [
  ...findBrokenLinks(document),
  ...findMissingSources(document),
  ...findMissingCommands(document),
  ...findUnknownNames(document),
  ...findUnknownRoutes(document),
]

test.each(documents.map((document) => [document.path, document] as const))(
  '%s names nothing that does not exist',
  (_, document) => {
    expect(findProblems(document)).toEqual([])
  },
)

test.each(linked.map((document) => [document.path, document] as const))(
  '%s links to what exists',
  (_, document) => {
    expect(findBrokenLinks(document)).toEqual([])
  },
)

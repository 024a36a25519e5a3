/** What is written about the code must be true of it. */

import { files, isForDevelopment, read, sources, written } from './tree'

/** The rows of the table under a heading: the first cell's words in backquotes. */
function readTable(document: string, heading: string): string[] {
  const section = read(document)
    .split(/^## /m)
    .find((part) => part.startsWith(heading))
  if (section === undefined) throw new Error(`${document} has no section "## ${heading}"`)
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!))
}

interface Manifest {
  path: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const manifests = files
  .filter(({ path }) => /(^|\/)package\.json$/.test(path))
  .map(({ path, text }): Manifest => ({ ...(JSON.parse(text) as Manifest), path }))

const thirdParties = (names: string[]) =>
  [...new Set(names)].filter((name) => !name.startsWith('@einvoicing/')).sort()

describe('README.md', () => {
  const launcher = written.filter(({ path }) => path.startsWith('test/processes/src/'))

  const settingRead =
    /\.\s*(?:text|optionalText|integer|oneOf|flag|address|optionalAddress|peer|\w*[uU]rl|secretFile|secretFolder|\w*[sS]ecret)\(\s*'([A-Z][A-Z0-9_]+)'/g

  test('lists every setting that is read, and no other', () => {
    const settings = [...sources, ...launcher].flatMap(({ text }) =>
      /EnvReader|runProcess/.test(text)
        ? [...text.matchAll(settingRead)].map((match) => match[1]!)
        : [],
    )
    expect(readTable('README.md', 'Settings').sort()).toEqual([...new Set(settings)].sort())
  })

  test('lists no setting that holds a secret: files do, and each is known to be one', () => {
    const settings = readTable('README.md', 'Settings')
    const secret = /PASSWORD|SECRET|PEPPER|PIN|KEY_FILE|CREDENTIALS|HEADERS_FILE|TOKEN_?$/
    const held = settings.filter((name) => secret.test(name))
    expect(held.filter((name) => !/_(FILE|DIR)$/.test(name))).toEqual([])
    const known = sources.flatMap(({ text }) =>
      [...text.matchAll(/env\.secret(?:File|Folder)\('(\w+)'\)/g)].map((match) => match[1]!),
    )
    expect([...new Set(known)].sort()).toEqual(held.sort())
  })

  test('lists every package that runs in production, with its reason', () => {
    const names = manifests
      .filter(({ path }) => !isForDevelopment(path))
      .flatMap(({ dependencies, optionalDependencies }) =>
        Object.keys({ ...dependencies, ...optionalDependencies }),
      )
    expect(readTable('README.md', 'Dependencies').sort()).toEqual(thirdParties(names))
  })
})

test('CONTRIBUTING.md lists every package that serves development, with its reason', () => {
  const names = manifests.flatMap(({ path, dependencies, devDependencies }) =>
    Object.keys({ ...devDependencies, ...(isForDevelopment(path) && dependencies) }),
  )
  const reasoned = readTable('CONTRIBUTING.md', 'What we develop with').sort()
  expect(reasoned).toEqual(thirdParties(names.filter((name) => !name.startsWith('@types/'))))
})

describe('the README.md of a package', () => {
  const packages = [...new Set(files.map(({ path }) => /^packages\/[^/]+/.exec(path)?.[0]))].filter(
    (folder) => folder !== undefined,
  )

  test.each(packages)('%s lists exactly its files', (folder) => {
    const listed = read(`${folder}/README.md`)
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!))
    const held = sources
      .filter(({ path }) => path.startsWith(`${folder}/src/`))
      .map(({ path }) =>
        path.slice(`${folder}/src/`.length).replace(/^(.*\/).*|^(.*)\.ts$/, '$1$2'),
      )
    expect(listed.sort()).toEqual([...new Set(held)].sort())
  })
})

describe('docs/decisions', () => {
  const decisions = files
    .filter(({ path }) => path.startsWith('docs/decisions/') && !path.endsWith('/README.md'))
    .map(({ path, text }) => ({ name: path.replace('docs/decisions/', ''), text }))

  test('have a number each, of four digits', () => {
    const numbers = decisions.map(({ name }) => name.slice(0, 5))
    expect(decisions.length).toBeGreaterThan(0)
    expect(numbers.filter((number) => !/^\d{4}-$/.test(number))).toEqual([])
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  })

  test('are short, and say the number in the title', () => {
    const wrong = decisions
      .filter(
        ({ name, text }) =>
          text.trimEnd().split('\n').length > 15 || !text.startsWith(`# ${name.slice(0, 4)} `),
      )
      .map(({ name }) => name)
    expect(wrong).toEqual([])
  })
})

describe('a path in backquotes', () => {
  const topLevel = new Set(files.map(({ path }) => path.split('/')[0]))
  const guides = files.filter(({ path }) =>
    /^(README|CONTRIBUTING)\.md$|^docs\/(?!decisions\/).*\.md$/.test(path),
  )

  const expandBraces = (path: string): string[] => {
    const [, before = '', names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? ['', path]
    return names.split(',').map((name) => `${before}${name}${after}`)
  }
  const exists = (path: string) => {
    const [folder = ''] = path.split(/\/?\*|\/$/)
    return files.some((file) => file.path === folder || file.path.startsWith(`${folder}/`))
  }
  const findMissing = (text: string) =>
    [...text.matchAll(/`([^`\s]+\/[^`\s]*)`/g)]
      .flatMap((match) => expandBraces(match[1]!))
      .filter((path) => topLevel.has(path.split('/')[0]) && !exists(path))

  test('that is not in the tree is found', () => {
    expect(findMissing('`docs/{glossary,nothing}.md` and `gateway/nowhere/`, not `a/b`')).toEqual([
      'docs/nothing.md',
      'gateway/nowhere/',
    ])
  })

  test.each(guides.map(({ path, text }) => [path, text]))('of %s exists', (_, text) => {
    expect(findMissing(text)).toEqual([])
  })
})

test('no command in the book has a password among its words, which a list of processes shows', () => {
  const commands =
    /^\s*(?:mongo\w+|redis-cli|valkey-cli|nats|mc|curl|pkcs11-tool|softhsm2-util)\b.*$/gm
  const shown = /:\/\/[^\s/@:]+:[^\s/@]+@|--password[= ]\S|\s-a \S|--uri="?\$/
  const found = files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) => (text.match(commands) ?? []).map((line) => ({ path, line })))
    .filter(({ line }) => shown.test(line))
  expect(found).toEqual([])
})

describe('no file we keep', () => {
  // Written in parts, so that this file is not its own first find.
  const folders = ['work', 'root', 'home', 'Users'].join('|')
  const machinePath = new RegExp(`(^|[\\s"'\`(=:])/(${folders})/\\w`)
  const registryHost = new RegExp(['"resol', 'ved": "https?:|^regis', 'try\\s*='].join(''))

  const linesWith = (pattern: RegExp) =>
    files.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
    )

  test('names a path of one machine: take it from the environment or from __dirname', () => {
    expect(`cd ${['', 'home', 'someone'].join('/')}`).toMatch(machinePath)
    expect(linesWith(machinePath)).toEqual([])
  })

  test('names the registry a package came from: the lock holds versions and hashes', () => {
    expect(['"resol', 'ved": "https://registry.example/x.tgz"'].join('')).toMatch(registryHost)
    expect(linesWith(registryHost)).toEqual([])
  })
})

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'

const run = promisify(execFile)
const root = path.join(__dirname, '..', '..')
const script = (name: string) => path.join(root, 'deploy', 'supply-chain', name)

interface LockedPackage {
  version: string
  link?: boolean
  /** The folder of a workspace, if `link`. */
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>
}

/** As Node resolves a package: from the importing folder upwards. */
function resolved(from: string, name: string): string | undefined {
  const at = `${from}/node_modules/${name}`.replace(/^\//, '')
  if (at in packages) return at
  const parent = from.includes('/node_modules/')
    ? from.slice(0, from.lastIndexOf('/node_modules/'))
    : ''
  return from === '' ? undefined : resolved(parent, name)
}

/** Every package that a service needs, by name and version; ours are followed, not listed. */
function neededInProduction(): string[] {
  const workspaces = Object.keys(packages).filter((place) =>
    /^(gateway|services\/\w+|deploy\/standalone)$/.test(place),
  )
  const seen = new Set(workspaces)
  for (const place of seen) {
    const { dependencies, optionalDependencies } = packages[place] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = resolved(place, name)
      if (found === undefined) continue
      const { link, resolved: folder } = packages[found]!
      seen.add(link ? folder! : found)
    }
  }
  return [...seen]
    .filter((place) => place.includes('node_modules/'))
    .map((place) => `${place.split('node_modules/').at(-1)!}@${packages[place]!.version}`)
}

describe('npm run sbom', () => {
  interface Component {
    name: string
    version: string
    purl: string
    hashes?: { alg: string; content: string }[]
    licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
  }
  let folder: string
  let text: string
  let components: Component[]
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-sbom-'))
    const file = path.join(folder, 'sbom.json')
    await run(process.execPath, [script('sbom.js'), file])
    text = await readFile(file, 'utf8')
    components = (JSON.parse(text) as { components: Component[] }).components
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('lists each package that production needs, with its hash, and none of development', () => {
    const listed = components.map(({ name, version }) => `${name}@${version}`)
    const needed = neededInProduction()
    expect(needed.length).toBeGreaterThan(100)
    expect(needed.filter((one) => !listed.includes(one))).toEqual([])
    const foreign = components.filter(({ name }) => !name.startsWith('@einvoicing/'))
    expect(foreign.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([])
    const development = ['jest', 'typescript', 'oxlint', 'testcontainers', 'playwright-core']
    expect(components.filter(({ name }) => development.includes(name))).toEqual([])
    const ours = components.map(({ name }) => name).filter((name) => name.startsWith('@einv'))
    expect(ours).not.toContain('@einvoicing/servers')
    expect(ours).toContain('@einvoicing/gateway')
  })

  test('is CycloneDX, is the same for the same lock, and goes to standard output by default', async () => {
    const { bomFormat, specVersion, serialNumber } = JSON.parse(text) as Record<string, string>
    expect({ bomFormat, specVersion }).toEqual({ bomFormat: 'CycloneDX', specVersion: '1.5' })
    expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-/)
    expect(text).toContain('"value": "not looked up for this document: npm run audit"')
    expect((await run(process.execPath, [script('sbom.js')])).stdout).toBe(text)
    const env = { ...process.env, SOURCE_DATE_EPOCH: '0' }
    const { stdout } = await run(process.execPath, [script('sbom.js')], { env })
    expect(stdout).toContain('"timestamp": "1970-01-01T00:00:00.000Z"')
  })

  // All permissive: they require only that their text is included.
  const allowed = [
    '(Apache-2.0 AND BSD-3-Clause)',
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'ISC',
    'MIT',
    'MIT-0',
    'MIT AND OFL-1.1',
    'Unlicense',
  ]
  // Their manifests name no known licence; these were read in their licence files.
  const read: Record<string, string> = {
    'dejavu-fonts-ttf': 'Bitstream Vera',
    nub: 'MIT/X11',
    'png-js': 'MIT',
  }

  test('lists no licence that is not allowed', () => {
    const unknown = components
      .filter(({ name }) => !name.startsWith('@einvoicing/') && !(name in read))
      .map(({ name, licenses = [] }) => ({
        name,
        by: licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name),
      }))
      .filter(({ by }) => by.length === 0 || by.some((one) => !allowed.includes(one ?? '')))
    expect(unknown).toEqual([])
  })
})

describe('npm run audit', () => {
  let server: http.Server
  let queried: Record<string, string[]>
  let answer: (response: http.ServerResponse) => void
  beforeAll(async () => {
    server = http.createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        if (request.url !== '/-/npm/v1/security/advisories/bulk') {
          response.writeHead(404).end('{}')
          return
        }
        const body = Buffer.concat(chunks)
        const isZipped = request.headers['content-encoding'] === 'gzip'
        queried = JSON.parse((isZipped ? gunzipSync(body) : body).toString()) as typeof queried
        answer(response)
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => void server.close())

  async function audit(registry?: string): Promise<{ code: number; output: string }> {
    const { port } = server.address() as AddressInfo
    const env = {
      ...process.env,
      npm_config_registry: registry ?? `http://127.0.0.1:${port}`,
      npm_config_fetch_retries: '0',
    }
    const result = await run(process.execPath, [script('audit.js')], { env }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: unknown) => error as { code: number; stdout: string },
    )
    return { code: result.code, output: result.stdout }
  }
  const json = (status: number, body: object) => (response: http.ServerResponse) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(body))
  let id = Date.now()
  const advisory = (severity: string) => ({
    id: (id += 1), // npm remembers what it made of one
    url: 'https://advisories.example/1',
    title: 'Everything is written backwards',
    severity,
    vulnerable_versions: '*',
    cwe: [],
    cvss: { score: 0, vectorString: null },
  })

  test('passes without an open advisory, and queries production packages only', async () => {
    answer = json(200, {})
    const { code, output } = await audit()
    expect(output).toMatch(/^audited: \d+ packages, 0 with an open advisory\n$/)
    expect(code).toBe(0)
    const known = neededInProduction().filter((one) => !queried[one.replace(/@[^@]*$/, '')])
    expect(known).toEqual([])
    expect(queried).not.toHaveProperty('jest')
    expect(queried).not.toHaveProperty('testcontainers')
  })

  test.each(['info', 'low', 'critical'])('fails on one that is %s', async (severity) => {
    answer = json(200, { pino: [advisory(severity)] })
    const { code, output } = await audit()
    expect(output).toMatch(
      new RegExp(`^pino \\S+: ${severity}: Everything is written backwards \\(https:`, 'm'),
    )
    expect(output).toMatch(/^audited: \d+ packages, 1 with an open advisory$/m)
    expect(code).toBe(1)
  })

  test.each([404, 405])(
    'is not done, and says so, where the registry answers %s',
    async (status) => {
      answer = json(status, {})
      const { code, output } = await audit()
      expect(output).toMatch(
        new RegExp(`^not done: npm run audit \\(the registry answers ${status}\\); .*\n$`),
      )
      expect(code).toBe(75)
    },
  )

  test('reports that it was not done if no registry is reached', async () => {
    const { code, output } = await audit('http://127.0.0.1:1')
    expect(output).toMatch(
      /^not done: npm run audit \(the registry cannot be reached \(ECONNREFUSED\)\); .*\n$/,
    )
    expect(code).toBe(75)
  })

  test('a check that could not be done does not fail, and is printed before the result', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-tally-'))
    const reporter = path.join(folder, 'test', 'reporter.js')
    for (const name of ['reporter.js', 'jest/logged-meanwhile.js']) {
      await cp(path.join(root, 'test', name), path.join(folder, 'test', name))
    }
    const results = `{ numFailedTests: 0, numRuntimeErrorTestSuites: 0, numPendingTests: 0,
      numTodoTests: 0, numPassedTests: 7, testResults: [] }`
    const program = `new (require(${JSON.stringify(reporter)}))().onRunComplete([], ${results})`
    answer = json(405, {})
    const { output } = await audit()
    const files = { failed: '', 'not-done': output, output: '', done: '' }
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
    const env = { ...process.env, STAGES: folder, CI: 'true', WRITE_DURATIONS: '' }
    const { stdout } = await run(process.execPath, ['-e', program], { env })
    await rm(folder, { recursive: true })
    expect(stdout).toBe(`\n${output}7 passed, 0 failed\n`)
  })

  test('fails on an answer that it does not understand', async () => {
    answer = json(500, { error: 'broken' })
    expect((await audit()).code).toBe(1)
    answer = (response) => void response.writeHead(200).end('<html>')
    const { code, output } = await audit()
    expect([code, output]).toEqual([1, expect.stringMatching(/^the audit failed: /)])
  })
})

/**
 * `npm run sbom [-- FILE]`: what runs in production, as CycloneDX JSON, to FILE or standard output.
 *
 * Made by `npm sbom` from the lock alone. Of what it lists, what only development needs is left out here: with `--omit=dev`
 * npm also leaves out what production and development both need. And it is made to say the same of the same lock: npm
 * puts in a random number, the moment, the name of the folder and an order of its own.
 */

const { execFileSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const { writeFileSync } = require('node:fs')
const path = require('node:path')
const { productionWorkspaces, root, workspaceFlags } = require('./production')

function bom() {
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...workspaceFlags()]
  const text = execFileSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { metadata, components, dependencies, $schema, bomFormat, specVersion, version } =
    JSON.parse(text)
  const listed = components.map(named)
  const graph = neededBy(listed, dependencies)
  const content = {
    components: listed.filter((one) => graph.has(one['bom-ref'])).sort(by('bom-ref')),
    dependencies: [...graph].map(([ref, dependsOn]) => ({ ref, dependsOn })).sort(by('ref')),
  }
  return {
    $schema,
    bomFormat,
    specVersion,
    serialNumber: `urn:uuid:${toUuid(JSON.stringify(content))}`,
    version,
    metadata: {
      ...buildMoment(),
      lifecycles: metadata.lifecycles,
      tools: metadata.tools,
      component: { ...named(metadata.component), type: 'application' },
      properties: [
        { name: 'einvoicing:advisories', value: 'not looked up for this document: npm run audit' },
      ],
    },
    ...content,
  }
}

/** npm names a workspace by its folder; the package URL has its name. */
function named(component) {
  const [, encoded = ''] = /^pkg:npm\/(.+)@/.exec(component.purl) ?? []
  // Only some versions of npm add this.
  const properties = component.properties?.filter(({ name }) => name !== 'cdx:npm:package:path')
  return { ...component, name: decodeURIComponent(encoded), properties }
}

/** From our workspaces along what each needs to run: by reference, the references it depends on. */
function neededBy(components, dependencies) {
  const readName = new Map(components.map((one) => [one['bom-ref'], one.name]))
  const edges = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn ?? []]))
  const needs = new Map([...productionWorkspaces().values()].map((one) => [one.name, one.needs]))
  const graph = new Map()
  const visit = (ref) => {
    if (graph.has(ref)) return
    const needed = needs.get(readName.get(ref))
    const followed = (edges.get(ref) ?? [])
      .filter((to) => readName.has(to) && (needed?.includes(readName.get(to)) ?? true))
      .sort()
    graph.set(ref, followed)
    followed.forEach(visit)
  }
  for (const [ref, name] of readName) if (needs.has(name)) visit(ref)
  return graph
}

/** For reproducible builds. */
function buildMoment() {
  const seconds = process.env.SOURCE_DATE_EPOCH
  return seconds ? { timestamp: new Date(Number(seconds) * 1000).toISOString() } : {}
}

/** RFC 9562, section 5.8: version 8 is ours to fill. */
function toUuid(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  const [time, clock] = [`8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [hex.slice(0, 8), hex.slice(8, 12), time, clock, hex.slice(20, 32)].join('-')
}

function by(field) {
  return (one, other) => (one[field] < other[field] ? -1 : 1)
}

const [file] = process.argv.slice(2)
const text = `${JSON.stringify(bom(), undefined, 2)}\n`
if (file === undefined) process.stdout.write(text)
else writeFileSync(path.resolve(process.env.INIT_CWD ?? '.', file), text)

/**
 * Who imports whom, read from the sources: static and dynamic imports, and files started by name.
 */

import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { type SourceFile, packageFolder } from './tree'

export interface Graph {
  /** From a file to the files of ours it imports. */
  ours: Map<string, string[]>
  /** From a file to the files of its package it names as text, as one starts a worker. */
  started: Map<string, string[]>
  /** From a file to the packages it imports. */
  packages: Map<string, string[]>
}

interface JestConfig {
  projects: [{ moduleNameMapper: Readonly<Record<string, string>> }]
}

// Where the sources of a package lie, as the tests resolve them.
const config = createRequire(__filename)('../../jest.config') as JestConfig
const sourcesOfPackages = Object.entries(config.projects[0].moduleNameMapper).map(
  ([pattern, target]) => [new RegExp(pattern), target.replace('<rootDir>/', '')] as const,
)

export function readGraph(files: SourceFile[]): Graph {
  const known = new Set(files.map(({ path }) => path))
  const graph: Graph = { ours: new Map(), started: new Map(), packages: new Map() }
  for (const file of files) {
    const ours: string[] = []
    const packages: string[] = []
    for (const specifier of listSpecifiers(file)) {
      const path = resolvePath(specifier, file.path)
      const found = path && [`${path}.ts`, `${path}.tsx`, path].find((name) => known.has(name))
      if (found) ours.push(found)
      else if (!path && !specifier.startsWith('node:')) packages.push(toPackageName(specifier))
    }
    graph.ours.set(file.path, ours)
    graph.started.set(
      file.path,
      filesNamedIn(file, files).filter((path) => !ours.includes(path)),
    )
    graph.packages.set(file.path, packages)
  }
  return graph
}

/** A circle of imports, first file repeated at its end; `undefined` when there is none. */
export function findCycle(edges: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, trail: string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next, [...trail, file])
      if (cycle) return cycle
    }
    done.add(file)
    return undefined
  }
  for (const file of edges.keys()) {
    const cycle = visit(file, [])
    if (cycle) return cycle
  }
  return undefined
}

/** Every file that can be reached from `entries`, themselves included. */
export function reachable(edges: Map<string, string[]>, entries: string[]): Set<string> {
  const seen = new Set(entries)
  for (const file of seen) for (const next of edges.get(file) ?? []) seen.add(next)
  return seen
}

const listSpecifiers = ({ text }: SourceFile): string[] =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)

/** Of a file of ours, without what its name ends in. */
export function resolvePath(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier))
  const mapping = sourcesOfPackages.find(([pattern]) => pattern.test(specifier))
  return mapping && specifier.replace(...mapping)
}

const toPackageName = (specifier: string) =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** `new Worker(join(__dirname, 'write-worker.js'))` starts `write-worker.ts` of the same package. */
function filesNamedIn(file: SourceFile, files: SourceFile[]): string[] {
  const names = [...file.text.matchAll(/['"`/]([a-z0-9-]+)(?:\.[jt]s)?['"`]/g)].map(
    (match) => match[1],
  )
  return files
    .filter(({ path }) => packageFolder(path) === packageFolder(file.path) && path !== file.path)
    .filter(({ path }) => names.some((name) => path.endsWith(`/${name}.ts`)))
    .map(({ path }) => path)
}

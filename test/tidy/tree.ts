/**
 * The files of this project as a reader finds them: what git would keep, without what a generator
 * wrote.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(__dirname, '..', '..')

export interface SourceFile {
  /** From the root of the project, with `/`. */
  path: string
  text: string
}

const isBinary = (path: string) => /\.(ttf|otf|woff2?|png|ico|pdf|p12|der|bin|gz)$/.test(path)

function listed(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))
}

/** Every text file we keep. */
export const files: SourceFile[] = [...new Set(listed())]
  .filter((path) => !isBinary(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** TypeScript that people wrote. */
export const written = files.filter(
  ({ path }) => /\.tsx?$/.test(path) && !/^proto\/gen\/|\/src\/gen\//.test(path),
)

/** Packages that never run in production. */
export const isForDevelopment = (path: string) => /^(test|docs|dashboard)\//.test(path)

export const isTest = (path: string) =>
  isForDevelopment(path) || /\.(test|contract)\.ts$|\/testdata\//.test(path)

/** What runs in production. */
export const sources = written.filter(({ path }) => !isTest(path))

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The package a file is in: `packages/domain`, `services/signer`, `test`. */
export const packageFolder = (path: string): string =>
  (
    /^(packages|services|deploy|docs|clients)\/[^/]+|^test\/(servers|processes)(?=\/)|^[^/]+/.exec(
      path,
    ) ?? [path]
  )[0]

/**
 * What we forbid to write, by name, each with what to write instead and an example that must be
 * caught.
 */

import { type SourceFile, isTest } from './tree'

export interface Rule {
  forbids: string
  instead: string
  caught: SourceFile
  /** Where the file breaks the rule: line numbers, or a word. Empty when it does not. */
  findProblems(file: SourceFile): (number | string)[]
}

const named = (path: string): SourceFile => ({ path, text: '' })
const holding = (text: string, path = 'packages/domain/src/decimal.ts'): SourceFile => ({
  path,
  text,
})

const matchingLines = (pattern: RegExp) => (file: SourceFile) =>
  file.text.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []))

const cellar = /(^|\/)(utils?|helpers?|common|misc|shared|lib|index)(\.tsx?|\/)/
const columns = 100

// The formatter breaks code; it cannot break a literal, so a line that is long for a literal's sake
// is let be.
const withoutLiterals = (line: string) =>
  line.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`|\/(?![/*])(?:\\.|[^/\\])+\//g, "''")

export const rules: Rule[] = [
  {
    forbids: 'a cellar',
    instead: 'name the file or folder for what it holds; import the file itself, not a barrel',
    caught: named('services/signer/src/utils.ts'),
    findProblems: ({ path }) => cellar.exec(path)?.slice(2, 3) ?? [],
  },
  {
    forbids: 'a file name that is not kebab-case',
    instead: 'kebab-case: the noun, with dashes',
    caught: named('packages/rpc/src/rpcServer.ts'),
    findProblems: ({ path }) => (/^[a-z0-9./-]+$/.test(path) ? [] : [path]),
  },
  {
    forbids: 'interface I…, …Impl',
    instead:
      'name the port for its role (InvoiceStore), the adapter for its technology (sqlite.ts)',
    caught: holding('export interface ' + 'IInvoiceStore {'),
    findProblems: matchingLines(/\binterface I[A-Z][a-z]|\bclass \w+Impl\b/),
  },
  {
    forbids: `a line over ${columns} columns`,
    instead: 'wrap the comment, or give the long thing a name',
    caught: holding(`/** ${'word '.repeat(20)}*/`),
    findProblems: ({ text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (withoutLiterals(line).length > columns ? [index + 1] : [])),
  },
  {
    forbids: 'a file over 400 lines',
    instead: 'find the second noun in it and give it a file',
    caught: holding('\n'.repeat(401)),
    findProblems: ({ text }) => (text.split('\n').length > 401 ? ['too long'] : []),
  },
  {
    forbids: 'a bare note to oneself',
    instead: 'do it, or write an issue and say here only what a reader must know',
    caught: holding('// TO' + 'DO: later'),
    findProblems: matchingLines(/\b(TO-?DO|FIX-?ME)\b/),
  },
  {
    forbids: 'console in sources',
    instead: 'log through runtime/log; a program that talks to people writes to process.stdout',
    caught: holding("console.log('here')"),
    findProblems: (file) => (isTest(file.path) ? [] : matchingLines(/\bconsole\.\w+\(/)(file)),
  },
  {
    forbids: 'the environment outside a composition root',
    instead: 'take an EnvReader in config.ts; only main.ts passes process.env',
    caught: holding("const port = process.env['PORT']", 'gateway/src/app.ts'),
    findProblems: (file) =>
      isTest(file.path) || file.path.endsWith('/main.ts')
        ? []
        : matchingLines(/\bprocess\.env\b/)(file),
  },
  {
    forbids: 'a suppressed rule without a reason',
    instead: 'say why after two dashes: rule -- why',
    caught: holding('// oxlint' + '-disable-next-line max-lines'),
    findProblems: matchingLines(
      /(ox|es)lint[-]disable(?!.* -- \S)|@ts[-](ignore|nocheck)|@ts[-]expect-error(?! \S)/,
    ),
  },
]

import type { SourceFile } from './tree'

export interface Word {
  pattern: RegExp
  instead: string
  caught: string
}

const word = (pattern: string, instead: string, caught: string): Word => ({
  pattern: new RegExp(`\\b(?:${pattern})\\b`, 'i'),
  instead,
  caught,
})

export const words: readonly Word[] = [
  // Not what others named: metrics, an alert, fields of JSON, codes, zlib's, stored names.
  word('refusals?(?! total)', 'error, error code', 'const refusalCode = 1'),
  word('(?<!Lost )(?<![.])facts?(?!: [I[]| (?:TEXT|AS|->>)|[)] V)', 'event', '// the fact'),
  word('(?<!first )faults?(?!: (?:problem|Obj|Rec|{})|[?]:)', 'field error, defect', 'fieldFault'),
  word('rooms?', 'package, service', 'const room = 1'),
  word('doors?', 'endpoint, server, entry point', '// opens the door'),
  word('(?<!decoded[.])engines?(?!: [{] bytes)', 'backing service, server', 'const engine = 1'),
  word('verdicts?(?! IN TIME)', 'decision', 'interface Verdict {}'),
  word('told|tells?|telling', 'logs, reports, returns', 'const told = {}'),
  word('kin', 'the settings by name', "const text = 'TLS_CA_FILE and its kin'"),
  word('mend(?:s|ed|ing)?', 'fix, recover', 'outage.mended()'),
  word('anew', 'again, new', '// made anew'),
  word('aloud', 'with a message', '// skipped, aloud'),
  word('in vain', 'without success', "const text = 'Waited in vain'"),
  word('very same', 'same, identical', '// the very same invoice'),
  word('nobody|whoever|somebody', 'no client, any client, a user', '// whoever asks'),
  word('(?<!Day |Clearance )figures', 'statistics, metrics', 'const hourFigures = 1'),
  word('misfortunes?', 'failure mode', '// a misfortune'),
  word('(?:is|are|was) away', 'is unavailable, unreachable', "log.warn('NATS is away')"),
  word('calls are taken|takes calls', 'listens, accepts', "log.info('calls are taken')"),
]

// Names that others know: a folder, a trailer between versions, and terms of the field.
const known =
  /\bfaults\b(?=\/|'| tests?\b|,|`)|\bDocker [eE]ngine\b|docker\.com\/engine|"engines"|refusal-bin/g

/** The words of a file, by line: each name of an identifier split at its capitals. */
export function findWords({ path, text }: SourceFile): string[] {
  return text.split('\n').flatMap((line, index) => {
    const readable = splitNames(line.replace(known, ''))
    return words
      .filter(({ pattern }) => pattern.test(readable))
      .map(
        ({ pattern, instead }) =>
          `${path}:${index + 1}: ${pattern.exec(readable)![0]} → ${instead}`,
      )
  })
}

/** `fieldFaults` reads `field Faults`, `KEY_FAULT` reads `KEY FAULT`. */
function splitNames(line: string): string {
  return line.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Za-z])[_-](?=[A-Za-z])/g, '$1 ')
}

// Ordinary English: `oneOf(values)` reads as it is said.
const clearOfNames = ['isMadeOf', 'isVatIdentifierOf', 'listOf', 'oneOf', 'pageOf', 'textOneOf']

/** Functions and constants that end in "Of": a function is a verb with its object, a value a noun. */
export function findOfNames({ path, text }: SourceFile): string[] {
  const named = /(?:\b(?:function\*?|const) |\*)([a-z]\w*Of)\b/g
  return [...text.matchAll(named)].flatMap(([, name = '']) =>
    clearOfNames.includes(name) ? [] : [`${path}: ${name} → a verb with its object, or a noun`],
  )
}

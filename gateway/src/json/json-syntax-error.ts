// `JSON.parse` reports a position for some errors only. No recursion and no values, so that the
// cost is linear (docs/decisions/0068).

export interface JsonSyntaxError {
  what: string
  /** Both from 1; columns in UTF-16 code units. */
  line: number
  column: number
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing'

const whitespace = /[ \t\n\r]*/y
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** `undefined` for valid JSON. */
export function findJsonSyntaxError(text: string): JsonSyntaxError | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = matchEnd(whitespace, text, 0) ?? 0
  while (at < text.length) {
    const step = readToken({ text, at }, expected, open)
    if ('error' in step) return errorAt(text, step.at, step.error)
    expected = step.expected
    at = matchEnd(whitespace, text, step.at) ?? step.at
  }
  return expected === 'nothing' ? undefined : errorAt(text, at, 'the text ends too early')
}

interface Place {
  text: string
  at: number
}

type Step = { at: number; expected: Expected } | { at: number; error: string }

function readToken({ text, at }: Place, expected: Expected, open: ('{' | '[')[]): Step {
  const character = text.charAt(at)
  const unexpected: Step = { at, error: `unexpected ${JSON.stringify(character)}` }
  switch (expected) {
    case 'nothing':
      return { at, error: 'something follows the end' }
    case ':':
      return character === ':' ? { at: at + 1, expected: 'value' } : unexpected
    case ', or end': {
      const container = open.at(-1)
      if (character === ',') return { at: at + 1, expected: container === '{' ? 'name' : 'value' }
      return character === closing(container) ? close(at, open) : unexpected
    }
    case 'name':
    case 'name or }':
      if (character === '"') return readString(text, at, ':')
      return character === '}' && expected === 'name or }' ? close(at, open) : unexpected
    case 'value':
    case 'value or ]':
      if (character === ']' && expected === 'value or ]') return close(at, open)
      return readValue(text, at, open) ?? unexpected
  }
}

function readValue(text: string, at: number, open: ('{' | '[')[]): Step | undefined {
  const character = text.charAt(at)
  if (character === '{' || character === '[') {
    open.push(character)
    return { at: at + 1, expected: character === '{' ? 'name or }' : 'value or ]' }
  }
  if (character === '"') return readString(text, at, afterValue(open))
  const end = matchEnd(scalar, text, at)
  return end === undefined ? undefined : { at: end, expected: afterValue(open) }
}

function readString(text: string, start: number, expected: Expected): Step {
  let at = start + 1
  for (;;) {
    const code = text.charCodeAt(at)
    if (Number.isNaN(code)) return { at, error: 'a text without its closing quote' }
    if (code === 0x22) return { at: at + 1, expected }
    if (code < 0x20) return { at, error: 'an unescaped control character' }
    if (code !== 0x5c) at += 1
    else {
      const end = matchEnd(escape, text, at)
      if (end === undefined) return { at, error: 'an unknown escape' }
      at = end
    }
  }
}

function close(at: number, open: ('{' | '[')[]): Step {
  open.pop()
  return { at: at + 1, expected: afterValue(open) }
}

function afterValue(open: readonly unknown[]): Expected {
  return open.length === 0 ? 'nothing' : ', or end'
}

function closing(container: '{' | '[' | undefined): string {
  return container === '{' ? '}' : ']'
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function errorAt(text: string, at: number, what: string): JsonSyntaxError {
  const before = text.slice(0, at)
  return {
    what,
    line: before.split('\n').length,
    column: at - before.lastIndexOf('\n'),
  }
}

/** What is told, to whom: answers on standard output, all else on standard error. */

import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

export class Terminal {
  readonly #out: NodeJS.WriteStream
  readonly #err: NodeJS.WriteStream
  #isProgressShown = false

  constructor(out: NodeJS.WriteStream, err: NodeJS.WriteStream) {
    this.#out = out
    this.#err = err
  }

  print(text: string): void {
    this.showProgress('')
    this.#out.write(`${text}\n`)
  }

  /** One line, for programs. */
  printJson(value: unknown): void {
    this.print(JSON.stringify(value))
  }

  /** Resolves when they are handed on, so that a reader that is slow is waited for. */
  printBytes(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#out.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** To people, beside the answer. */
  tell(text: string): void {
    this.showProgress('')
    this.#err.write(withoutKeys(`${text}\n`))
  }

  /** Only where somebody watches: in the same line over and over, gone with whatever comes next. */
  showProgress(text: string): void {
    if (!this.#err.isTTY || (text === '' && !this.#isProgressShown)) return
    this.#isProgressShown = text !== ''
    const columns = (this.#err as Partial<WriteStream>).columns ?? 80
    this.#err.write(`\r\u001b[2K${text.slice(0, columns - 1)}`)
  }

  /** On standard output; plain where nobody watches, or NO_COLOR asks for it. */
  styled(style: Style, text: string): string {
    return paint(this.#out, style, text)
  }

  /** On standard error. */
  styledError(style: Style, text: string): string {
    return paint(this.#err, style, text)
  }
}

// `hasColors` minds NO_COLOR, FORCE_COLOR and what the terminal can do.
function paint(stream: NodeJS.WriteStream, style: Style, text: string): string {
  const isColoured = stream.isTTY && stream.hasColors()
  return isColoured ? styleText(style, text, { validateStream: false }) : text
}

/** A key given where none belongs, as an argument, is not repeated. */
export function withoutKeys(text: string): string {
  return text.replace(/svc_sk_[^\s'"]*/g, 'svc_sk_…')
}

/**
 * Text that came from elsewhere, fit for a line of a terminal: nothing in it moves the cursor or
 * turns the rest of the line around.
 */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '�')
}

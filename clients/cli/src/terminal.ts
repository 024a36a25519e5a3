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

  printJson(value: unknown): void {
    this.print(JSON.stringify(value))
  }

  /** Resolves when the bytes are written, so that a slow reader is waited for. */
  printBytes(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#out.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  }

  printMessage(text: string): void {
    this.showProgress('')
    this.#err.write(withoutKeys(`${text}\n`))
  }

  /** On a terminal only: rewrites one line, which the next output replaces. */
  showProgress(text: string): void {
    if (!this.#err.isTTY || (text === '' && !this.#isProgressShown)) return
    this.#isProgressShown = text !== ''
    const columns = (this.#err as Partial<WriteStream>).columns ?? 80
    this.#err.write(`\r\u001b[2K${text.slice(0, columns - 1)}`)
  }

  /** For standard output; unstyled if it is not a terminal, or NO_COLOR is set. */
  styled(style: Style, text: string): string {
    return paint(this.#out, style, text)
  }

  styledError(style: Style, text: string): string {
    return paint(this.#err, style, text)
  }
}

// `hasColors` respects NO_COLOR, FORCE_COLOR and the terminal's abilities.
function paint(stream: NodeJS.WriteStream, style: Style, text: string): string {
  const isColoured = stream.isTTY && stream.hasColors()
  return isColoured ? styleText(style, text, { validateStream: false }) : text
}

/** Hides a key that was passed as an argument by mistake. */
export function withoutKeys(text: string): string {
  return text.replace(/svc_sk_[^\s'"]*/g, 'svc_sk_…')
}

/** Foreign text made safe for one line: no character may move the cursor or reverse the line. */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '�')
}

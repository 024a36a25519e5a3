import { escapeHtml } from '@einvoicing/domain/html-text'

/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | undefined | false | readonly Part[]

/** Everything but `Html` is escaped; `undefined` and `false` are left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = strings.map((string, index) => string + render(parts[index]))
  return new Html(texts.join(''))
}

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(render).join('')
  return part === undefined || part === false ? '' : escapeHtml(String(part))
}

import { html, type Html } from './html'

/** Without a value the row is left out. */
export type Row = readonly [label: string, value: Html | string | undefined | false]

export function renderRows(rows: readonly Row[]): Html {
  const shown = rows.filter(([, value]) => value !== undefined && value !== false && value !== '')
  if (shown.length === 0) return html``
  return html`<dl>
    ${shown.map(([label, value]) => {
      const text = typeof value === 'string' ? html`<bdi>${value}</bdi>` : value
      return html`<dt>${label}</dt>
        <dd>${text}</dd>`
    })}
  </dl>`
}

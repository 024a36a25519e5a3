/** Tables as people read them (markdown) and as programs do (JSON). */

export interface Table {
  title: string
  /** How it was measured, in a sentence. */
  note: string
  rows: Readonly<Record<string, string | number>>[]
}

export function toMarkdown({ title, note, rows }: Table): string {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [
    `## ${title}`,
    '',
    note,
    '',
    line(columns),
    line(columns.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
    '',
    '',
  ].join('\n')
}

export function median(values: readonly number[]): number {
  const ordered = values.toSorted((one, other) => one - other)
  const middle = Math.floor(ordered.length / 2)
  if (ordered.length % 2 === 1) return ordered[middle]!
  return ((ordered[middle - 1] ?? 0) + (ordered[middle] ?? 0)) / 2
}

/** The median of the rounds, and the least and the most where there are several. */
export function toFigure(values: readonly number[], digits = 0): string {
  const text = (value: number) => value.toFixed(digits)
  if (values.length === 1) return text(values[0]!)
  return `${text(median(values))} (${text(Math.min(...values))}–${text(Math.max(...values))})`
}

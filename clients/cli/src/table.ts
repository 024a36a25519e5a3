/** Columns for people. */

import { plain, type Terminal } from './terminal'

/** `sides` says for each column whether it keeps left (`<`) or right (`>`). */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  sides: string,
): string {
  const all = [...(heads.length > 0 ? [heads] : []), ...rows].map((row) => row.map(plain))
  const widths = [...sides].map((_, at) => Math.max(...all.map((row) => widthOf(row[at] ?? ''))))
  return all
    .map((row) =>
      row
        .map((cell, at) => padded(cell, widths[at] ?? 0, sides[at] === '>'))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export type Fact = readonly [name: string, value: string | null | undefined]

/** A line for each fact that is there, the values below one another. */
export function factLines(facts: readonly Fact[], terminal: Terminal): string[] {
  return facts.flatMap(([name, value]) =>
    value ? [`${terminal.styled('dim', name.padEnd(10))} ${plain(value)}`] : [],
  )
}

function padded(cell: string, width: number, toTheRight: boolean): string {
  const room = ' '.repeat(Math.max(0, width - widthOf(cell)))
  return toTheRight ? `${room}${cell}` : `${cell}${room}`
}

/** Columns of a terminal: marks have none of their own, Chinese and its like two. */
export function widthOf(text: string): number {
  return [...text].reduce((width, character) => {
    if (/\p{M}|\p{Cf}/u.test(character)) return width
    return width + (wide.test(character) ? 2 : 1)
  }, 0)
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

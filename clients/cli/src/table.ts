import { escapeControls, type Terminal } from './terminal'

/** `sides` has one character per column: `<` aligns left, `>` right. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  sides: string,
): string {
  const all = [...(heads.length > 0 ? [heads] : []), ...rows].map((row) => row.map(escapeControls))
  const widths = [...sides].map((_, at) =>
    Math.max(...all.map((row) => measureWidth(row[at] ?? ''))),
  )
  return all
    .map((row) =>
      row
        .map((cell, at) => pad(cell, widths[at] ?? 0, sides[at] === '>'))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export type Property = readonly [name: string, value: string | null | undefined]

/** One line for each value that exists, the values aligned. */
export function formatProperties(properties: readonly Property[], terminal: Terminal): string[] {
  const shown = properties.filter(([, value]) => value)
  const width = Math.max(10, ...shown.map(([name]) => name.length))
  return shown.map(
    ([name, value]) =>
      `${terminal.styled('dim', name.padEnd(width))} ${escapeControls(value ?? '')}`,
  )
}

function pad(cell: string, width: number, toTheRight: boolean): string {
  const space = ' '.repeat(Math.max(0, width - measureWidth(cell)))
  return toTheRight ? `${space}${cell}` : `${cell}${space}`
}

/** In terminal columns: combining marks take none, wide characters two. */
export function measureWidth(text: string): number {
  return [...text].reduce((width, character) => {
    if (/\p{M}|\p{Cf}/u.test(character)) return width
    return width + (wide.test(character) ? 2 : 1)
  }, 0)
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

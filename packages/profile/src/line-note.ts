import { isBlank } from '@einvoicing/domain/xml-text'

// A line has one note (UBL-SR-34), which also holds a unit of measure without a code.
const [unitLabel, noteLabel] = ['Unité : ', 'Note : ']
const separator = ' - '

export function writeLineNote(
  unit: string | undefined,
  note: string | undefined,
): string | undefined {
  if (isBlank(note)) return unit
  return (isBlank(unit) ? '' : unitLabel + unit + separator) + noteLabel + note
}

const labelled = new RegExp(
  `^(?:${unitLabel}(?<unit>.*?)${separator})?${noteLabel}(?<note>.*)$`,
  's',
)

export function readLineNote(text: string | undefined): {
  unit: string | undefined
  note: string | undefined
} {
  const found = text === undefined ? undefined : labelled.exec(text)?.groups
  return found ? { unit: found['unit'], note: found['note'] } : { unit: text, note: undefined }
}

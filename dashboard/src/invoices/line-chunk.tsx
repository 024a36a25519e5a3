import { memo } from 'react'
import type { TypedLine } from './draft'
import type { DraftFormState } from './draft-state'
import { LineRow, type LineRowProps } from './line-row'
import classes from './lines.module.css'

/** Lines that are drawn or skipped together. */
export const chunkSize = 40

export const toChunks = (lines: readonly TypedLine[]): TypedLine[][] =>
  Array.from({ length: Math.ceil(lines.length / chunkSize) }, (_, index) =>
    lines.slice(index * chunkSize, (index + 1) * chunkSize),
  )

export interface LineChunkProps extends Pick<LineRowProps, 'currency' | 'actions'> {
  lines: readonly TypedLine[]
  first: number
  count: number
  errors: DraftFormState['errors']['lines']
}

export const LineChunk = memo(function LineChunk(props: LineChunkProps) {
  const { lines, first, count, errors, ...others } = props
  return (
    <div className={lines.length === chunkSize ? classes['chunk'] : undefined}>
      {lines.map((line, index) => (
        <LineRow
          key={line.key}
          line={line}
          index={first + index}
          isLast={first + index === count - 1}
          errors={errors[line.key]}
          {...others}
        />
      ))}
    </div>
  )
}, isSame)

function isSame(before: LineChunkProps, after: LineChunkProps): boolean {
  const names = ['first', 'count', 'errors', 'currency', 'actions'] as const
  if (names.some((name) => before[name] !== after[name])) return false
  return (
    before.lines.length === after.lines.length &&
    before.lines.every((line, index) => line === after.lines[index])
  )
}

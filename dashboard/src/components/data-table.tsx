/** Below 720 pixels each row is a card that names its cells. Sorting is the caller's. */

import { useEffect, useRef, useState, type Key, type ReactNode } from 'react'
import classes from './data-table.module.css'

export interface Column<Row> {
  /** Also names the cell on a phone. */
  label: string
  /** Replaces the label in the header: a sort button. */
  head?: ReactNode
  sorted?: 'ascending' | 'descending' | 'none'
  isNumber?: boolean
  isLong?: boolean
  cell(row: Row): ReactNode
}

export interface DataTableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  getKey(row: Row): Key
  rowClass?(row: Row): string
  isStale?: boolean
}

// Explicit roles, because browsers drop them with `display: block`.
export function DataTable<Row>({
  caption,
  columns,
  rows,
  getKey,
  rowClass,
  isStale = false,
}: DataTableProps<Row>) {
  const scroll = useRef<HTMLDivElement>(null)
  const [isScrolling, setIsScrolling] = useState(false)
  // The keyboard scrolls only what can take the focus.
  useEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = scroll.current ?? {}
    setIsScrolling(scrollWidth > clientWidth)
  }, [rows])
  return (
    <div
      ref={scroll}
      className={classes['scroll']}
      {...(isScrolling && { tabIndex: 0, role: 'region', 'aria-label': caption })}
    >
      <table role="table" className={classes['table']} data-old={isStale || undefined}>
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ label, head, sorted, isNumber }) => (
              <th
                key={label}
                role="columnheader"
                scope="col"
                aria-sort={sorted}
                data-number={isNumber || undefined}
              >
                {head ?? label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr role="row" key={getKey(row)} className={rowClass?.(row)}>
              {columns.map(({ label, isNumber, isLong, cell }) => {
                const content = cell(row)
                return (
                  <td
                    key={label}
                    role="cell"
                    data-label={label}
                    data-number={isNumber || undefined}
                    data-empty={content === '' || content === null || undefined}
                  >
                    <div className={classes['cell']} data-long={isLong || undefined}>
                      {content}
                    </div>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

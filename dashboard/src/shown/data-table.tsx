/**
 * A table that stays one on a phone: below 720 pixels each row is a card that names its cells. Rows
 * are told in the order given; sorting is the caller's, by `sorted` and a button in `head`.
 */

import type { Key, ReactNode } from 'react'
import classes from './data-table.module.css'

export interface Column<Row> {
  /** Also names the cell on a phone. */
  label: string
  /** In place of the label at the top: a sort button. */
  head?: ReactNode
  sorted?: 'ascending' | 'descending' | 'none'
  /** Amounts stand right, one under the other. */
  isNumber?: boolean
  /** Free text, which may break anywhere so that the others need not. */
  isLong?: boolean
  cell(row: Row): ReactNode
}

export interface DataTableProps<Row> {
  /** What the table holds, for who cannot see it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): Key
  rowClass?(row: Row): string
  /** While newer rows are on their way. */
  isOld?: boolean
}

// The roles are said once more because a browser forgets them with `display: block`.
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  rowClass,
  isOld = false,
}: DataTableProps<Row>) {
  return (
    <table role="table" className={classes['table']} data-old={isOld || undefined}>
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
          <tr role="row" key={keyOf(row)} className={rowClass?.(row)}>
            {columns.map(({ label, isNumber, isLong, cell }) => (
              <td key={label} role="cell" data-label={label} data-number={isNumber || undefined}>
                <div className={classes['cell']} data-long={isLong || undefined}>
                  {cell(row)}
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

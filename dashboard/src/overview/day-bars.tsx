/** SVG: a charts library would weigh as much as the rest of the page. */

import { Text } from '@mantine/core'
import type { OverviewDay } from '../api/overview'
import { useFormats, type Formats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import classes from './overview.module.css'

export interface DayBarsProps {
  title: string
  days: readonly OverviewDay[]
  /** Values are amounts in it; absent: counts. */
  currency?: string
  getValue(day: OverviewDay): number
}

const width = 600
const height = 180
const gapShare = 0.25
const barMin = 2

export function DayBars({ title, days, currency, getValue }: DayBarsProps) {
  const { overview } = useTexts()
  const formats = useFormats()
  const format = (value: number) => formatValue(value, currency, formats)
  const total = days.reduce((sum, day) => sum + getValue(day), 0)
  return (
    <section className="panel">
      <h2 className={classes['heading']}>{title}</h2>
      <Text size="sm" c="dimmed" mb="sm">
        {overview.total(format(total))}
      </Text>
      <Bars days={days} getValue={getValue} format={format} />
      <details className={classes['numbers']}>
        <summary>{overview.table}</summary>
        <div className={classes['scroll']} tabIndex={0} role="region" aria-label={title}>
          <table>
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{overview.date}</th>
                <th scope="col">{currency ? overview.amount : overview.invoices}</th>
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((day) => (
                <tr key={day.date}>
                  <th scope="row">{formats.date(day.date)}</th>
                  <td>{format(getValue(day))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  )
}

interface BarsProps {
  days: readonly OverviewDay[]
  getValue(day: OverviewDay): number
  format(value: number): string
}

function Bars({ days, getValue, format }: BarsProps) {
  const formats = useFormats()
  const highest = Math.max(0, ...days.map(getValue))
  const step = width / days.length
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure className={classes['chart']} aria-hidden="true">
      <span className={classes['highest']}>{highest > 0 && format(highest)}</span>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" focusable="false">
        <line x1={0} x2={width} y1={0.5} y2={0.5} className={classes['grid']} />
        <line x1={0} x2={width} y1={height / 2} y2={height / 2} className={classes['grid']} />
        {days.map((day, index) => {
          const value = getValue(day)
          const tall = value > 0 ? Math.max(barMin, (value / highest) * height) : 0
          return (
            <g key={day.date} className={classes['day']}>
              <rect x={index * step} width={step} y={0} height={height} fillOpacity={0} />
              <rect
                className={classes['bar']}
                x={index * step + (step * gapShare) / 2}
                width={step * (1 - gapShare)}
                y={height - tall}
                height={tall}
              />
              <title>{`${formats.date(day.date)} · ${format(value)}`}</title>
            </g>
          )
        })}
        <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} className={classes['axis']} />
      </svg>
      <figcaption className={classes['ends']}>
        <span>{first && formats.date(first.date)}</span>
        <span>{last && formats.date(last.date)}</span>
      </figcaption>
    </figure>
  )
}

const formatValue = (value: number, currency: string | undefined, formats: Formats) =>
  currency === undefined ? formats.number(value) : formats.amount(value, currency)

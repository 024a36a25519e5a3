import type { Invoice } from '../api/invoice'
import type { Formats } from '../i18n/formats'

type Period = NonNullable<Invoice['servicePeriod']>

export const formatPeriod = ({ from, to }: Period, formats: Formats): string =>
  [from, to]
    .map((day) => (day === null ? '' : formats.date(day)))
    .join(' – ')
    .trim()

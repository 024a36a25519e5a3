/** The dates of a draft, checked as the service will check them (packages/domain/src/invoice-dates.ts). */

const invoiceDateMin = '2000-01-01'
const invoiceDateYearsAhead = 1
const dueDateYearsMax = 10

interface TypedDates {
  invoiceDate: string
  /** Empty: none. */
  dueDate: string
}

type DateMessages = Record<'needed' | 'invoiceDate' | 'dueDate' | 'dueDateLate', string>

/** By field. */
export function dateErrors(
  { invoiceDate, dueDate }: TypedDates,
  messages: DateMessages,
  now: Date,
): Record<string, string> {
  if (invoiceDate === '') return { invoiceDate: messages.needed }
  const found: Record<string, string> = {}
  const latest = yearsAfter(dayInMorocco(now), invoiceDateYearsAhead)
  if (invoiceDate < invoiceDateMin || invoiceDate > latest) {
    found['invoiceDate'] = messages.invoiceDate
  }
  if (dueDate === '') return found
  if (dueDate < invoiceDate) found['dueDate'] = messages.dueDate
  else if (dueDate > yearsAfter(invoiceDate, dueDateYearsMax))
    found['dueDate'] = messages.dueDateLate
  return found
}

const moroccanCalendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Africa/Casablanca',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

const dayInMorocco = (moment: Date) => moroccanCalendar.format(moment)

/** 29 February stands for the 28th of a shorter year: nothing lies between them. */
function yearsAfter(date: string, years: number): string {
  const year = Number(date.slice(0, 4)) + years
  if (year > 9999) return '9999-12-31'
  return `${String(year).padStart(4, '0')}${date.slice(4)}`
}

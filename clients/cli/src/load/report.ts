import type { Status } from '@einvoicing/client'
import { formatProperties, type Property } from '../table'
import type { Terminal } from '../terminal'
import { styledStatus } from '../decision'

export interface LoadReport {
  buyerIce: string
  asked: number
  created: number
  /** By status; `null` if the service could not be reached. */
  statuses: Partial<Record<Status, number>> | null
  errors: Record<string, number>
  faults: Record<string, number>
  creation: { p50Ms: number | null; p99Ms: number | null; perSecond: number }
  interrupted: boolean
}

export function reportText(report: LoadReport, terminal: Terminal): string {
  const { asked, created, creation, interrupted, buyerIce, faults: problems } = report
  const statuses = Object.entries(report.statuses ?? {}) as [Status, number][]
  const isWhole = created === asked
  const head = `${created} of ${asked} created${interrupted ? ', interrupted' : ''}`
  const properties: Property[] = [
    ['creation', creationText(creation)],
    ['failed', countsText(report.errors)],
    ['retried', countsText(problems)],
  ]
  return [
    terminal.styled(isWhole ? 'green' : 'red', head),
    ...statuses.map(
      ([status, n]) => `  ${String(n).padStart(7)} ${styledStatus(status, terminal)}`,
    ),
    ...formatProperties(properties, terminal),
    terminal.styled('dim', `To list them: einvoicing list --buyer-ice ${buyerIce}`),
  ].join('\n')
}

function creationText({ p50Ms, p99Ms, perSecond }: LoadReport['creation']): string | null {
  return p50Ms === null ? null : `p50 ${p50Ms} ms, p99 ${p99Ms} ms, ${perSecond} per second`
}

const countsText = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, n]) => `${name} ×${n}`)
    .join(', ')

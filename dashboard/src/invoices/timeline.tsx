import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { Text } from '@mantine/core'
import { useTimeline } from '../api/invoice'
import type { AuditEntry } from '../api/audit'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { useActorName } from '../components/actor-name'
import { isRawResponse, RawResponse } from '../components/raw-response'
import { Lines, Loaded } from '../components/states'
import { StatusChip } from '../components/status-chip'
import { TechnicalDetail } from '../components/technical-detail'
import classes from './timeline.module.css'

export function Timeline({ id }: { id: string }) {
  const query = useTimeline(id)
  return (
    <Loaded query={query} skeleton={<Lines count={4} height={72} />}>
      {(entries) => (
        <ol className={classes['timeline']}>
          {entries.map((entry, index) => (
            <Step key={`${entry.at} ${entry.action}`} entry={entry} before={entries[index - 1]} />
          ))}
        </ol>
      )}
    </Loaded>
  )
}

function Step({ entry, before }: { entry: AuditEntry; before: AuditEntry | undefined }) {
  const { audit, invoice } = useTexts()
  const formats = useFormats()
  const status = invoiceStatuses.find((known) => known === entry.to)
  const passedMs = before && Date.parse(entry.at) - Date.parse(before.at)
  const { kind, name } = useActorName()(entry.actor)
  return (
    <li>
      <div className={classes['what']}>
        <Text span fw={600} size="sm">
          {audit.actions[entry.action] ?? entry.action}
        </Text>
        {status && entry.from !== entry.to && <StatusChip status={status} />}
      </div>
      <Text size="xs" c="dimmed">
        <time dateTime={entry.at}>{formats.exactTime(entry.at)}</time>
        {passedMs !== undefined && ` · ${invoice.after(formats.duration(passedMs))}`}
        {` · ${kind} ${name}`}
      </Text>
      {entry.detail !== null && entry.detail !== '' && <Detail text={entry.detail} />}
    </li>
  )
}

function Detail({ text }: { text: string }) {
  return isRawResponse(text) ? (
    <RawResponse text={text} />
  ) : (
    <TechnicalDetail>{text}</TechnicalDetail>
  )
}

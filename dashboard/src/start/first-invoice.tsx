import { Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { NewApiKey } from '../api/api-keys'
import { createInvoice } from '../api/invoice'
import { invoicesKey, type InvoiceStatus, type ListedInvoice } from '../api/invoices'
import { useFormats } from '../i18n/formats'
import { useLanguage, useTexts } from '../i18n/texts'
import { useRights, useSession } from '../session/session'
import { CodeBlock } from '../components/code-block'
import { ErrorAlert } from '../components/error-alert'
import { Icon } from '../components/icon'
import { useSaving } from '../components/saving'
import { StatusChip } from '../components/status-chip'
import { buildCurl, createSample } from './curl'
import classes from './start.module.css'

export interface FirstInvoiceProps {
  made: NewApiKey | undefined
  invoice: ListedInvoice | null
}

export function FirstInvoice({ made, invoice }: FirstInvoiceProps) {
  const isTest = useSession().environment === 'test'
  return (
    <Stack>
      {invoice?.status !== 'ACCEPTED' && (isTest ? <Command made={made} /> : <RealInvoice />)}
      <div role="status">{invoice ? <Arrived invoice={invoice} /> : <Waiting />}</div>
      {invoice?.status === 'ACCEPTED' && <Next />}
    </Stack>
  )
}

function Command({ made }: { made: NewApiKey | undefined }) {
  const { frame, start } = useTexts()
  const { language } = useLanguage()
  const placeholder = language === 'fr' ? 'VOTRE_CLE' : 'YOUR_KEY'
  const curl = buildCurl({
    origin: window.location.origin,
    key: made?.key ?? placeholder,
    today: new Date(),
  })
  return (
    <>
      <Text c="dimmed">{start.invoice.lead}</Text>
      {!made && <Text size="sm">{start.invoice.keyGone}</Text>}
      <CodeBlock text={curl} label={start.invoice.label} copyLabel={start.invoice.copy} />
      <SendSample />
      <Text size="sm" c="dimmed">
        {start.invoice.sandbox}{' '}
        <Anchor href={`${frame.guideHref}/sandbox`} size="sm">
          {start.invoice.sandboxMore}
        </Anchor>
      </Text>
    </>
  )
}

/** No sample: each invoice of a live installation is a legal document. */
function RealInvoice() {
  const { frame, invoices, start } = useTexts()
  const { canWrite } = useRights()
  return (
    <>
      <Text c="dimmed">
        {start.invoice.live} <Anchor href={frame.guideHref}>{start.invoice.nextGuide}</Anchor>
      </Text>
      {canWrite && (
        <Group>
          <Button component={Link} href="/invoices/new" leftSection={<Icon name="plus" />}>
            {invoices.create}
          </Button>
        </Group>
      )}
    </>
  )
}

function SendSample() {
  const { start } = useTexts()
  const { canWrite } = useRights()
  const queries = useQueryClient()
  const saving = useSaving({
    save: () => createInvoice(createSample(new Date())),
    onSaved: () => void queries.invalidateQueries({ queryKey: invoicesKey }),
  })
  if (!canWrite) return null
  return (
    <>
      <Group gap="sm">
        <Text size="sm">{start.invoice.noTerminal}</Text>
        <Button
          variant="default"
          leftSection={<Icon name="send" />}
          loading={saving.isSaving}
          onClick={() => saving.run(undefined)}
        >
          {start.invoice.sendSample}
        </Button>
      </Group>
      <ErrorAlert error={saving.error} />
    </>
  )
}

function Waiting() {
  const { start } = useTexts()
  return (
    <div className={classes['arrived']}>
      <Loader size="sm" />
      <div>
        <Text fw={600}>{start.invoice.waiting}</Text>
        <Text size="sm" c="dimmed">
          {start.invoice.waitingHint}
        </Text>
      </div>
    </div>
  )
}

const walk: readonly InvoiceStatus[] = ['SIGNED', 'TRANSMITTED', 'ACCEPTED']

function Arrived({ invoice }: { invoice: ListedInvoice }) {
  const { start, statuses } = useTexts()
  const formats = useFormats()
  const { invoiceNumber, status, amountTtc, currency, id } = invoice
  // Another final status takes the place of ACCEPTED.
  const passed: readonly InvoiceStatus[] = walk.includes(status)
    ? walk.slice(0, walk.indexOf(status) + 1)
    : [status]
  return (
    <div className={classes['arrived']}>
      <Text fw={600}>{start.invoice.arrived(invoiceNumber)}</Text>
      <Text>{formats.amount(amountTtc, currency)}</Text>
      <ol className={classes['walk']}>
        {passed.map((step) => (
          <li key={step}>
            <StatusChip status={step} />
          </li>
        ))}
      </ol>
      <Group gap="sm" w="100%">
        <Text size="sm">
          {status === 'ACCEPTED' ? start.invoice.accepted : statuses.hints[status]}
        </Text>
        <Anchor component={Link} href={`/invoices/${id}`} size="sm">
          {start.invoice.see}
        </Anchor>
      </Group>
    </div>
  )
}

function Next() {
  const { frame, start } = useTexts()
  return (
    <div>
      <Text fw={600}>{start.invoice.next}</Text>
      <ul className={classes['next']}>
        <li>
          <Anchor href={frame.guideHref}>{start.invoice.nextGuide}</Anchor>
        </li>
        <li>
          <Anchor href={frame.apiHref}>{start.invoice.nextTry}</Anchor>
        </li>
        <li>
          <Anchor component={Link} href="/members">
            {start.invoice.nextMembers}
          </Anchor>
        </li>
      </ul>
    </div>
  )
}

import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { toArtefactUrl, readArtefact, type ArtefactKind, type Invoice } from '../api/invoice'
import { ServiceError } from '../api/connection'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { describeError } from '../components/error-alert'
import { Icon } from '../components/icon'
import classes from './detail.module.css'
import { DraftPreview } from './pdf-preview'

export function Documents({ invoice }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts()
  const { canWrite } = useRights()
  const { id, status } = invoice
  if (status === 'PENDING') {
    return (
      <div className={classes['files']}>
        <Hint>{texts.notYet.draft}</Hint>
        {canWrite && <DraftPreview invoice={invoice} />}
      </div>
    )
  }
  if (status === 'CANCELLED') return <Hint>{texts.notYet.cancelled}</Hint>
  const hasQr = status === 'ACCEPTED'
  const kinds: ArtefactKind[] = hasQr ? ['pdf', 'xml', 'qr'] : ['pdf', 'xml']
  return (
    <div className={classes['documents']}>
      <div className={classes['files']}>
        <Group gap="xs">
          {kinds.map((kind) => (
            <Button
              key={kind}
              component="a"
              href={toArtefactUrl(id, kind)}
              download
              variant="default"
              leftSection={<Icon name="download" />}
              aria-label={texts.download(texts[kind])}
            >
              {texts[kind]}
            </Button>
          ))}
        </Group>
        <Button
          component="a"
          href={toArtefactUrl(id, 'pdf')}
          target="_blank"
          variant="subtle"
          leftSection={<Icon name="external" />}
        >
          {texts.open}
        </Button>
        {hasQr ? <Qr invoice={invoice} /> : <Hint>{texts.notYet[noQr[status] ?? 'qr']}</Hint>}
      </div>
      <Pdf invoice={invoice} />
    </div>
  )
}

const noQr: Partial<Record<Invoice['status'], 'rejected' | 'failed'>> = {
  REJECTED: 'rejected',
  FAILED: 'failed',
}

const Hint = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

function Qr({ invoice }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts()
  const available = useAvailability(invoice, 'qr')
  return (
    <div className={classes['qr']}>
      {available === undefined && <Skeleton width={176} height={176} />}
      <NotAvailable available={available} />
      {available === true && (
        <img
          src={toArtefactUrl(invoice.id, 'qr')}
          alt={texts.qrAlt(invoice.invoiceNumber)}
          width={176}
          height={176}
        />
      )}
      <Hint>{texts.qrHint}</Hint>
      {/^https?:\/\//.test(invoice.dgiQrCode ?? '') && (
        <Anchor href={invoice.dgiQrCode ?? ''} target="_blank" rel="noreferrer" size="sm">
          {texts.check}
        </Anchor>
      )}
    </div>
  )
}

function Pdf({ invoice }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts()
  const available = useAvailability(invoice, 'pdf')
  return (
    <div className={classes['pdf']}>
      {available === undefined && <Skeleton height="100%" />}
      <NotAvailable available={available} />
      {available === true && (
        <iframe
          key={invoice.status}
          src={`${toArtefactUrl(invoice.id, 'pdf')}#navpanes=0&view=FitH`}
          title={texts.preview}
        />
      )}
    </div>
  )
}

/** `undefined`: not known yet; an error: why not. */
type Availability = true | Error | undefined

function NotAvailable({ available }: { available: Availability }) {
  const texts = useTexts()
  if (!(available instanceof Error)) return null
  const isExpected = available instanceof ServiceError && available.code === notAvailableYet
  return <Hint>{isExpected ? texts.invoice.notYet.later : describeError(available, texts)}</Hint>
}

const notAvailableYet = 'ARTEFACT_NOT_AVAILABLE'
const firstPauseMs = 1_000
const longestPauseMs = 15_000

/** Checked first, because a frame would show an error as raw JSON. */
function useAvailability({ id, status }: Invoice, kind: ArtefactKind): Availability {
  const { data } = useQuery({
    // Not under `invoicesKey`: an event must not fetch a document again.
    queryKey: ['artefacts', id, kind, status],
    // Returned, not thrown, so that the reason stays while it is read again.
    queryFn: ({ signal }): Promise<true | Error> =>
      readArtefact(id, kind, signal).then(
        () => true,
        (error: unknown) => error as Error,
      ),
    staleTime: ({ state }) => (state.data instanceof Error ? 0 : Infinity),
    refetchInterval: ({ state: { data: read, dataUpdateCount } }) =>
      read instanceof Error && Math.min(longestPauseMs, firstPauseMs * 2 ** dataUpdateCount),
  })
  return data
}

import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { toArtefactUrl, readArtefact, type ArtefactKind, type Invoice } from '../api/invoice'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
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
  const isAvailable = useAvailability(invoice, 'qr')
  return (
    <div className={classes['qr']}>
      {isAvailable === undefined && <Skeleton width={176} height={176} />}
      {isAvailable === false && <Hint>{texts.notYet.later}</Hint>}
      {isAvailable && (
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
  const isAvailable = useAvailability(invoice, 'pdf')
  return (
    <div className={classes['pdf']}>
      {isAvailable === undefined && <Skeleton height="100%" />}
      {isAvailable === false && <Hint>{texts.notYet.later}</Hint>}
      {isAvailable && (
        <iframe
          key={invoice.status}
          src={`${toArtefactUrl(invoice.id, 'pdf')}#navpanes=0&view=FitH`}
          title={texts.preview}
        />
      )}
    </div>
  )
}

const retryMs = 5_000

/** Checked first, because a frame would show an error as raw JSON. `undefined`: not known yet. */
function useAvailability({ id, status }: Invoice, kind: ArtefactKind): boolean | undefined {
  const { data, isError } = useQuery({
    // Not under `invoicesKey`: an event must not fetch a document again.
    queryKey: ['artefacts', id, kind, status],
    queryFn: ({ signal }) => readArtefact(id, kind, signal),
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.status === 'error' ? retryMs : false),
  })
  return isError ? false : data
}

/** The PDF shown in the page, the QR as image, and all three to take away. */

import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { artefactAddress, readArtefact, type ArtefactKind, type Invoice } from '../api/invoice'
import { useTexts } from '../i18n/texts'
import { Icon } from '../shown/icon'
import classes from './detail.module.css'

export function Documents({ invoice }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts()
  const { id, status } = invoice
  if (status === 'PENDING') return <Kindly>{texts.notYet.draft}</Kindly>
  if (status === 'CANCELLED') return <Kindly>{texts.notYet.cancelled}</Kindly>
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
              href={artefactAddress(id, kind)}
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
          href={artefactAddress(id, 'pdf')}
          target="_blank"
          variant="subtle"
          leftSection={<Icon name="external" />}
        >
          {texts.open}
        </Button>
        {hasQr ? <Qr invoice={invoice} /> : <Kindly>{texts.notYet.qr}</Kindly>}
      </div>
      <Pdf invoice={invoice} />
    </div>
  )
}

const Kindly = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

function Qr({ invoice }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts()
  const isThere = useIsThere(invoice, 'qr')
  return (
    <div className={classes['qr']}>
      {isThere === undefined && <Skeleton width={176} height={176} />}
      {isThere === false && <Kindly>{texts.notYet.later}</Kindly>}
      {isThere && (
        <img
          src={artefactAddress(invoice.id, 'qr')}
          alt={texts.qrAlt(invoice.invoiceNumber)}
          width={176}
          height={176}
        />
      )}
      <Kindly>{texts.qrTold}</Kindly>
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
  const isThere = useIsThere(invoice, 'pdf')
  return (
    <div className={classes['pdf']}>
      {isThere === undefined && <Skeleton height="100%" />}
      {isThere === false && <Kindly>{texts.notYet.later}</Kindly>}
      {isThere && (
        <iframe
          // Another status is another document.
          key={invoice.status}
          src={`${artefactAddress(invoice.id, 'pdf')}#navpanes=0&view=FitH`}
          title={texts.preview}
        />
      )}
    </div>
  )
}

const askAgainMs = 5_000

/** A frame would show a refusal as it came: it is asked for before. `undefined`: not known yet. */
function useIsThere({ id, status }: Invoice, kind: ArtefactKind): boolean | undefined {
  const { data, isError } = useQuery({
    // Not with the invoices' own: an event must not fetch a document again.
    queryKey: ['artefacts', id, kind, status],
    queryFn: ({ signal }) => readArtefact(id, kind, signal),
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.status === 'error' ? askAgainMs : false),
  })
  return isError ? false : data
}

/** What can be done with an invoice as it stands; nothing of it for whoever may only read. */

import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import {
  cancelInvoice,
  invoiceKey,
  resubmitInvoice,
  signInvoice,
  type Invoice,
} from '../api/invoice'
import { invoicesKey } from '../api/invoices'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { Confirm } from '../shown/confirm'
import { Icon } from '../shown/icon'
import { sentenceOf } from '../shown/refusal'
import { useSaving } from '../shown/saving'

type Deed = 'sign' | 'cancel' | 'resubmit'

const deeds: Record<Deed, (id: string) => Promise<Invoice>> = {
  sign: signInvoice,
  cancel: cancelInvoice,
  resubmit: resubmitInvoice,
}

export function Actions({ invoice }: { invoice: Invoice }) {
  const { canWrite } = useRights()
  if (!canWrite) return null
  if (invoice.status === 'PENDING') return <DraftActions invoice={invoice} />
  if (invoice.status === 'FAILED') return <Resubmit invoice={invoice} />
  return null
}

function useDeed(invoice: Invoice, onDone?: () => void) {
  const texts = useTexts()
  const queries = useQueryClient()
  const said = {
    sign: texts.invoice.signed,
    cancel: texts.invoice.cancelled,
    resubmit: texts.invoice.resubmitted,
  }
  return useSaving<Deed, Invoice>({
    save: (deed) => deeds[deed](invoice.id),
    onSaved: (changed, deed) => {
      queries.setQueryData(invoiceKey(invoice.id), changed)
      void queries.invalidateQueries({ queryKey: invoicesKey })
      notifications.show({ message: said[deed](invoice.invoiceNumber), color: 'green' })
      onDone?.()
    },
    // It has become another meanwhile, perhaps: that is then shown.
    onRefused: () => void queries.invalidateQueries({ queryKey: invoicesKey }),
  })
}

function DraftActions({ invoice }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts()
  const formats = useFormats()
  const [deed, setDeed] = useState<'sign' | 'cancel'>()
  const saving = useDeed(invoice, () => setDeed(undefined))
  const close = () => {
    saving.reset()
    setDeed(undefined)
  }
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setDeed('cancel')}>
        {texts.cancel}
      </Button>
      <Button
        component={Link}
        href={`/invoices/${invoice.id}/edit`}
        variant="default"
        leftSection={<Icon name="edit" />}
      >
        {texts.edit}
      </Button>
      <Button leftSection={<Icon name="check" />} onClick={() => setDeed('sign')}>
        {texts.sign}
      </Button>
      <Confirm
        isOpen={deed === 'sign'}
        title={texts.signTitle(invoice.invoiceNumber)}
        action={texts.sign}
        color="indigo"
        saving={saving}
        onConfirm={() => saving.run('sign')}
        onClose={close}
      >
        <Text size="sm">{texts.signTold(formats.amount(invoice.amountTtc, invoice.currency))}</Text>
      </Confirm>
      <Confirm
        isOpen={deed === 'cancel'}
        title={texts.cancelTitle(invoice.invoiceNumber)}
        action={texts.cancel}
        dismiss={texts.keep}
        saving={saving}
        onConfirm={() => saving.run('cancel')}
        onClose={close}
      >
        <Text size="sm">{texts.cancelTold}</Text>
      </Confirm>
    </>
  )
}

function Resubmit({ invoice }: { invoice: Invoice }) {
  const texts = useTexts()
  const saving = useDeed(invoice)
  return (
    <>
      <Button
        leftSection={<Icon name="send" />}
        loading={saving.isSaving}
        onClick={() => saving.run('resubmit')}
      >
        {texts.invoice.resubmit}
      </Button>
      {saving.error && (
        <Text size="sm" c="red" role="alert">
          {sentenceOf(saving.error, texts)}
        </Text>
      )}
    </>
  )
}

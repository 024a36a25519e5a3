import { isNeverSent } from '@einvoicing/domain/creditable'
import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import {
  cancelInvoice,
  invoiceKey,
  resubmitInvoice,
  signInvoice,
  type Invoice,
} from '../api/invoice'
import { invoicesKey, issuedStatuses } from '../api/invoices'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { Confirm } from '../components/confirm'
import { Icon } from '../components/icon'
import { describeError } from '../components/error-alert'
import { useSaving } from '../components/saving'
import { ConfirmSignature } from './confirm-signature'
import { findDeductible } from './new-draft'

type Action = 'sign' | 'cancel' | 'resubmit'

const calls: Record<Action, (invoice: Invoice) => Promise<Invoice>> = {
  sign: signInvoice,
  cancel: cancelInvoice,
  resubmit: resubmitInvoice,
}

export function Actions({ invoice }: { invoice: Invoice }) {
  const { credit, invoice: texts } = useTexts()
  const { canWrite } = useRights()
  if (!canWrite) return null
  const { id, type } = invoice
  const isIssued = issuedStatuses.includes(invoice.status)
  return (
    <>
      <Button
        component={Link}
        href={`/invoices/new?copy=${id}`}
        variant="default"
        leftSection={<Icon name="copy" />}
      >
        {texts.copy}
      </Button>
      {type === 'PREPAYMENT_INVOICE' && findDeductible(invoice).length > 0 && (
        <Button component={Link} href={`/invoices/new?balance=${id}`} variant="default">
          {credit.invoiceRest}
        </Button>
      )}
      {isIssued && type !== 'CREDIT_NOTE' && (
        <Button component={Link} href={`/invoices/new?credit=${id}`} variant="default">
          {credit.create}
        </Button>
      )}
      {invoice.status === 'PENDING' && <DraftActions invoice={invoice} />}
      {invoice.status === 'FAILED' && !isNeverSent(invoice) && <Resubmit invoice={invoice} />}
    </>
  )
}

function useInvoiceAction(invoice: Invoice, onDone?: () => void) {
  const texts = useTexts()
  const queries = useQueryClient()
  const messages = {
    sign: texts.invoice.signed,
    cancel: texts.invoice.cancelled,
    resubmit: texts.invoice.resubmitted,
  }
  return useSaving<Action, Invoice>({
    save: (action) => calls[action](invoice),
    onSaved: (changed, action) => {
      queries.setQueryData(invoiceKey(invoice.id), changed)
      void queries.invalidateQueries({ queryKey: invoicesKey })
      notifications.show({ message: messages[action](invoice.invoiceNumber), color: 'green' })
      onDone?.()
    },
    // The invoice may have changed: show its current state.
    onError: () => void queries.invalidateQueries({ queryKey: invoicesKey }),
  })
}

function DraftActions({ invoice }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts()
  const [parameters] = useSearchParams()
  // What the user has seen: a change of another user meanwhile is an error, not signed unread.
  const [asked, setAsked] = useState<{ action: 'sign' | 'cancel'; seen: Invoice } | undefined>(
    parameters.has('sign') ? { action: 'sign', seen: invoice } : undefined,
  )
  const { action, seen = invoice } = asked ?? {}
  const saving = useInvoiceAction(seen, () => setAsked(undefined))
  const ask = (asks: 'sign' | 'cancel') => setAsked({ action: asks, seen: invoice })
  const close = () => {
    saving.reset()
    setAsked(undefined)
  }
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => ask('cancel')}>
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
      <Button leftSection={<Icon name="check" />} onClick={() => ask('sign')}>
        {texts.sign}
      </Button>
      {action === 'sign' && (
        <ConfirmSignature
          invoice={seen}
          saving={saving}
          onConfirm={() => saving.run('sign')}
          onClose={close}
        />
      )}
      <Confirm
        isOpen={action === 'cancel'}
        title={texts.cancelTitle(invoice.invoiceNumber)}
        action={texts.cancel}
        dismiss={texts.keep}
        saving={saving}
        onConfirm={() => saving.run('cancel')}
        onClose={close}
      >
        <Text size="sm">{texts.cancelHint}</Text>
      </Confirm>
    </>
  )
}

function Resubmit({ invoice }: { invoice: Invoice }) {
  const texts = useTexts()
  const saving = useInvoiceAction(invoice)
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
          {describeError(saving.error, texts)}
        </Text>
      )}
    </>
  )
}
